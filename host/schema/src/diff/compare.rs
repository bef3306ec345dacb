//! The visit to both sides at once.

use std::{
    collections::{HashMap, HashSet},
    mem, ptr,
};

use bulkhead_value::{List, Object, PropertyPath, Value, equivalent};

use super::{
    Change, ChangeKind, Comparison, Difference,
    recorded::{Recorded, Said},
    stable,
};
use crate::{
    model::{ObjectType, Package, Property, Type},
    spelling::typed,
    walk::{Shape, Shapes, Step, Walk, beside, can_replace, is_absent, is_foreign, weight},
};

/// The most segments that the paths of changes may have together. Values are a thousand deep and millions wide: the paths
/// to all of their leaves would take gigabytes.
pub(super) const SEGMENTS: usize = 4_000_000;

/// Compares a resource with new inputs.
///
/// Secrets count as what they hold, assets as their hashes, null as absent wherever a property is declared. Lists are compared by
/// index, maps by key, scalars as the schema types them. A property on one side only is no change if it says what the resource
/// has already: its state, or the default. What the schema doesn't know any more is tolerated in old inputs. Where changes are so
/// many and so deep that nobody could keep their places, those left over are told as changes of the properties at the top.
pub fn diff(package: &Package, comparison: &Comparison<'_>) -> Difference {
    let inputs = &comparison.resource.inputs;
    let old_inputs = comparison.old_inputs.map(|old| typed(package, inputs, old));
    let new_inputs = typed(package, inputs, comparison.new_inputs);
    let comparison = &Comparison { old_inputs: old_inputs.as_deref(), new_inputs: &new_inputs, ..*comparison };
    let old = comparison.old_inputs.unwrap_or(comparison.old_state);
    let mut differ = Differ::new(package, comparison.ignore_changes, comparison.generated);
    differ.from_state = comparison.old_inputs.is_none();
    differ.input_diff = comparison.old_inputs.is_some();
    let replaces = !comparison.resource.facts.methods.update;
    let state = Recorded::Resource(comparison);
    differ.fields(&comparison.resource.inputs, old, comparison.new_inputs, state, replaces);
    differ.run();
    let replaces = differ.changes.iter().any(|change| change.replaces);
    let keeps_its_name = differ.keeps_given_name;
    Difference {
        stable: if replaces { Vec::new() } else { stable::names(package, comparison, &differ.changes) },
        delete_before_replace: comparison.resource.facts.delete_before_replace || keeps_its_name,
        changes: differ.changes,
    }
}

/// A value on both sides.
pub(super) struct Pair<'a> {
    pub(super) ty: &'a Type,
    pub(super) old: &'a Value,
    pub(super) new: &'a Value,
    pub(super) state: Recorded<'a>,
    pub(super) replaces: bool,
}

/// What both sides are made of.
enum Level<'a> {
    Leaf,
    Items(&'a List, &'a List, &'a Type),
    Entries(&'a Object, &'a Object, &'a Type),
    Fields(&'a Object, &'a Object, &'a ObjectType),
    /// Both are lists or objects, but of different types or of none that is known.
    Untyped,
}

pub(super) struct Differ<'a> {
    pub(super) shapes: Shapes<'a>,
    pub(super) walk: Walk<'a, Pair<'a>>,
    ignore: &'a [PropertyPath],
    /// How many steps it takes to look for a place among those to ignore.
    ignoring: usize,
    generated: HashSet<&'a PropertyPath>,
    input_diff: bool,
    /// Whether the old side is the state, which has more than what was given.
    pub(super) from_state: bool,
    /// Whether a property that was absent can replace.
    pub(super) replaces_for_additions: bool,
    pub(super) changes: Vec<Change>,
    /// How many segments the paths of further changes may have.
    pub(super) left: usize,
    /// The changes that stand for all below a property at the top, by its name.
    summaries: HashMap<&'a str, usize>,
    keeps_given_name: bool,
}

impl<'a> Differ<'a> {
    pub(super) fn new(package: &'a Package, ignore: &'a [PropertyPath], generated: &'a [PropertyPath]) -> Self {
        Self {
            shapes: Shapes::new(package),
            walk: Walk::new(),
            ignore,
            ignoring: ignore.iter().map(|path| weight(path).saturating_add(1)).fold(0, usize::saturating_add),
            generated: generated.iter().collect(),
            input_diff: true,
            from_state: false,
            replaces_for_additions: true,
            changes: Vec::new(),
            left: SEGMENTS,
            summaries: HashMap::new(),
            keeps_given_name: false,
        }
    }

    /// Visits what the object has below it, and puts the changes in order.
    pub(super) fn run(&mut self) {
        while let Some(pair) = self.walk.next() {
            self.visit(&pair);
        }
        // Names before indices, each in their own order, and what contains another before it.
        self.changes.sort_by(|a, b| a.path.segments().cmp(b.path.segments()));
        self.changes = told_once(mem::take(&mut self.changes));
    }

    fn visit(&mut self, pair: &Pair<'a>) {
        let (old, new) = (self.walk.open(pair.old), self.walk.open(pair.new));
        match self.level(pair.ty, old, new) {
            Level::Fields(old, new, ty) => self.fields(ty, old, new, pair.state, pair.replaces),
            Level::Items(old, new, ty) => self.items(old, new, ty, pair.state, pair.replaces),
            Level::Entries(old, new, ty) => self.entries(old, new, ty, pair.state, pair.replaces),
            Level::Untyped => {
                let replaces = pair.replaces || self.is_replacing(pair.ty, &[old, new]);
                match (old, new) {
                    (Value::List(old), Value::List(new)) => {
                        self.items(old, new, &Type::Any, Recorded::Nowhere, replaces);
                    }
                    (Value::Object(before), Value::Object(after)) if replaces && !pair.replaces => {
                        self.apart(pair, [old, new], [before, after]);
                    }
                    (Value::Object(old), Value::Object(new)) => {
                        self.entries(old, new, &Type::Any, Recorded::Nowhere, replaces);
                    }
                    _ => {}
                }
            }
            Level::Leaf => {
                if !same(pair.ty, old, new) {
                    self.change(pair, old, new);
                }
            }
        }
    }

    fn level(&mut self, ty: &'a Type, old: &'a Value, new: &'a Value) -> Level<'a> {
        match (self.shapes.of(ty, old), self.shapes.of(ty, new)) {
            (Ok(Shape::Items(old, a)), Ok(Shape::Items(new, b))) if ptr::eq(a, b) => Level::Items(old, new, a),
            (Ok(Shape::Entries(old, a)), Ok(Shape::Entries(new, b))) if ptr::eq(a, b) => Level::Entries(old, new, a),
            (Ok(Shape::Fields(old, a)), Ok(Shape::Fields(new, b))) if ptr::eq(a, b) => Level::Fields(old, new, a),
            _ => match (old, new) {
                (Value::List(_), Value::List(_)) | (Value::Object(_), Value::Object(_)) => Level::Untyped,
                _ => Level::Leaf,
            },
        }
    }

    /// Compares two objects of an object type.
    pub(super) fn fields(
        &mut self,
        ty: &'a ObjectType,
        old: &'a Object,
        new: &'a Object,
        state: Recorded<'a>,
        replaces: bool,
    ) {
        for (name, old, new) in given(old, new).filter(|(name, ..)| !is_foreign(name, Some(ty))) {
            let property = ty.property(name);
            let said = state.of(&mut self.shapes, name, property);
            let replaces = replaces || property.is_some_and(|property| property.replaces) || state.replaces(name);
            match (property, old, new) {
                // The state has it in another form than it was given in, and nobody knows what was given.
                (Some(_), Some(_), Some(_)) if self.from_state && matches!(said, Said::Nothing) => {}
                (Some(property), Some(old), Some(new)) => {
                    self.note_name(name, property, old, new);
                    let state = said.recorded();
                    self.walk.push(Step::Field(name), Pair { ty: &property.ty, old, new, state, replaces });
                }
                (None, Some(old), Some(new)) => {
                    let state = Recorded::Nowhere;
                    self.walk.push(Step::Key(name), Pair { ty: &Type::Any, old, new, state, replaces });
                }
                (Some(property), None, Some(new)) if is_absent(property, new) => {}
                (Some(property), Some(old), None) if is_absent(property, old) => {}
                (property, None, Some(new)) => {
                    if self.is_as_recorded(property, new, said) {
                        continue;
                    }
                    let step = step(name, property);
                    if self.replaces_for_additions {
                        self.appear(step, property.map(|property| &property.ty), new, replaces);
                    } else {
                        self.record(Some(step), ChangeKind::Added, false);
                    }
                }
                (Some(property), Some(old), None) => {
                    if !self.is_as_by_default(property, old, said) {
                        self.disappear(Step::Field(name), &property.ty, old, replaces);
                    }
                }
                // The schema has no such property any more.
                (None, Some(_), None) | (_, None, None) => {}
            }
        }
    }

    pub(super) fn entries(
        &mut self,
        old: &'a Object,
        new: &'a Object,
        ty: &'a Type,
        state: Recorded<'a>,
        replaces: bool,
    ) {
        for (name, old, new) in given(old, new).filter(|(name, ..)| !is_foreign(name, None)) {
            match (old, new) {
                (Some(old), Some(new)) => {
                    self.walk.push(Step::Key(name), Pair { ty, old, new, state: state.member(name), replaces });
                }
                (None, Some(new)) => self.appear(Step::Key(name), Some(ty), new, replaces),
                (Some(old), None) => self.disappear(Step::Key(name), ty, old, replaces),
                (None, None) => {}
            }
        }
    }

    fn items(&mut self, old: &'a List, new: &'a List, ty: &'a Type, state: Recorded<'a>, replaces: bool) {
        for (index, (old_item, new_item)) in old.iter().zip(new).enumerate() {
            let state = state.element(index, old.len());
            self.walk.push(Step::Index(index), Pair { ty, old: old_item, new: new_item, state, replaces });
        }
        for (index, item) in new.iter().enumerate().skip(old.len()) {
            self.appear(Step::Index(index), Some(ty), item, replaces);
        }
        for (index, item) in old.iter().enumerate().skip(new.len()) {
            self.disappear(Step::Index(index), ty, item, replaces);
        }
    }

    /// Records that a value isn't the same any more, or isn't known: what isn't known is equivalent to nothing. A null, which
    /// only a list can have here, is no value.
    fn change(&mut self, pair: &Pair<'a>, old: &'a Value, new: &'a Value) {
        let replaces = pair.replaces || self.is_replacing(pair.ty, &[old, new]);
        let kind = match (old, new) {
            (Value::Null, _) => ChangeKind::Added,
            (_, Value::Null) => ChangeKind::Deleted,
            _ => ChangeKind::Updated,
        };
        self.record(None, kind, replaces);
    }

    pub(super) fn appear(&mut self, step: Step<'a>, ty: Option<&'a Type>, value: &'a Value, replaces: bool) {
        let ty = ty.unwrap_or(&Type::Any);
        let replaces = replaces || self.is_replacing(ty, &[value]);
        self.record(Some(step), ChangeKind::Added, replaces);
    }

    pub(super) fn disappear(&mut self, step: Step<'a>, ty: &'a Type, value: &'a Value, replaces: bool) {
        let replaces = replaces || self.is_replacing(ty, &[value]);
        self.record(Some(step), ChangeKind::Deleted, replaces);
    }

    fn is_replacing(&mut self, ty: &'a Type, values: &[&'a Value]) -> bool {
        values.iter().any(|value| can_replace(&mut self.shapes, ty, value))
    }

    /// Notes a name that the user gives and that stays, whoever made it: two resources can't have it at once.
    fn note_name(&mut self, name: &'a str, property: &Property, old: &Value, new: &Value) {
        if !self.keeps_given_name && property.facts.autoname.is_some() && equivalent(old, new) {
            self.keeps_given_name = !self.generated.contains(&self.walk.place_of(Step::Field(name)));
        }
    }

    fn record(&mut self, step: Option<Step<'a>>, kind: ChangeKind, replaces: bool) {
        let depth = self.walk.depth().saturating_add(usize::from(step.is_some()));
        // An element that comes or goes can't be ignored by itself: there is no old one to keep, or none to leave out.
        let resized = matches!(step, Some(Step::Index(_)));
        let ignores = |ignored: &PropertyPath| {
            self.walk.is_within(ignored, step) && !(resized && ignored.segments().len() == depth)
        };
        // Without the time to find out, a change is told: none is lost.
        if self.shapes.take(self.ignoring) && self.ignore.iter().any(ignores) {
            return;
        }
        if self.left == 0 && depth > 1 {
            self.summarise(step, replaces);
            return;
        }
        let path = match step {
            Some(step) => self.walk.path_to(step),
            None => self.walk.path(),
        };
        self.left = self.left.saturating_sub(weight(&path));
        // Inside a secret, a path may end above the place, and stands for all that changes there.
        let kind = if path.segments().len() == depth { kind } else { ChangeKind::Updated };
        self.changes.push(Change { path, kind, replaces, input_diff: self.input_diff });
    }

    /// Records a change of the property at the top that the place is in.
    fn summarise(&mut self, step: Option<Step<'a>>, replaces: bool) {
        let Some(Step::Field(name) | Step::Key(name)) = self.walk.top(step) else { return };
        if let Some(told) = self.summaries.get(name).and_then(|told| self.changes.get_mut(*told)) {
            told.replaces |= replaces;
            return;
        }
        self.summaries.insert(name, self.changes.len());
        let (path, input_diff) = (PropertyPath::field(name), self.input_diff);
        self.changes.push(Change { path, kind: ChangeKind::Updated, replaces, input_diff });
    }
}

/// Ordered changes, without those below another: a change that stands for names inside a secret says all of them.
fn told_once(changes: Vec<Change>) -> Vec<Change> {
    let mut told: Vec<Change> = Vec::with_capacity(changes.len());
    for change in changes {
        match told.last_mut().filter(|last| last.path.contains(&change.path)) {
            Some(last) => last.replaces |= change.replaces,
            None => told.push(change),
        }
    }
    told
}

fn step<'a>(name: &'a str, property: Option<&Property>) -> Step<'a> {
    match property {
        Some(_) => Step::Field(name),
        None => Step::Key(name),
    }
}

/// The members of both sides, as far as they are there and not null.
pub(super) fn given<'a>(
    old: &'a Object,
    new: &'a Object,
) -> impl Iterator<Item = (&'a str, Option<&'a Value>, Option<&'a Value>)> {
    let is_given = |value: &&Value| !value.plain().is_null();
    beside(old, new).map(move |(name, old, new)| (name, old.filter(is_given), new.filter(is_given)))
}

/// Whether two values that aren't both lists or both objects are the same. A resource is the same whether it is given as
/// a reference, by its id or by its URN.
pub(crate) fn same(ty: &Type, old: &Value, new: &Value) -> bool {
    let names = |value: &Value, text: &str| match value {
        Value::Reference(reference) => {
            let id = reference.id.as_ref().map(|id| id.known());
            id.map_or(reference.urn == text, |id| id == Some(text) || (id.is_some() && reference.urn == text))
        }
        _ => false,
    };
    match (old, new) {
        (Value::String(text), other) | (other, Value::String(text)) if names(other, text) => takes_resources(ty),
        (old, new) => equivalent(old, new),
    }
}

/// Whether a type, or a variant of it, is that of resources. Unions are nested only as deep as the document.
fn takes_resources(ty: &Type) -> bool {
    match ty {
        Type::Resource(_) => true,
        Type::Union(union) => union.variants.iter().any(takes_resources),
        _ => false,
    }
}
