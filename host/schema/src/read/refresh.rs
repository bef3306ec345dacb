//! Inputs of a resource that was read again.

use std::{collections::BTreeSet, ptr};

use bulkhead_value::{List, Object, Value, equivalent};

use super::{
    concealed::concealed,
    filled::Filled,
    pairing::{Order, has_nothing_else, is_the_same, paired_lists},
    reached::is_part,
    restrict::{Defaults, Unasked, restricted},
};
use crate::{
    model::{ObjectType, Package, Resource, Type},
    spelling::typed,
    walk::{
        Edit, Edits, Placed, Shape, Shapes, Step, Walk, can_replace, is_absent, is_foreign, is_seen_as, is_seen_in,
        must_replace,
    },
};

/// The inputs to show after a refresh: as they were given, except where the new state differs from the one before. There
/// they are what the new state says, so that drift shows; where a server only writes the given value in its own way, both
/// states agree, and the given value stays.
///
/// Goes member by member through objects, maps and lists; where elements of a list came or went, those that stayed are found again, by
/// what was given of them or else by their places. What no output shows stays as it was given, and so does what belongs to others.
///
/// What nobody gave is the provider's to fill in, if it was there before or always is, and no default says with what: another value
/// of that is no drift, since nobody wants the one before. It is filled in alike in what is new, or took another one's place in a list.
/// What wasn't on record before may be filled in, too, or somebody's doing. Of a record that isn't whole, such as of a create that came to no
/// end, it says nothing: only what was given is held against what is there. Of others it is drift, unless it replaces: the next `up` would
/// replace the resource for what a provider has begun to tell.
///
/// What takes the place of a secret is one, and in a list with a secret in it everything that differs is: elements change places. So is one
/// that is found again, but was recorded as something else than it was given: in a server's own words, or because it has an order of its own
/// and that is another one.
pub fn shown_inputs(
    package: &Package,
    resource: &Resource,
    given_inputs: &Object,
    prior_state: &Object,
    new_state: &Object,
) -> Object {
    shown(package, resource, given_inputs, [prior_state; 2], new_state, &BTreeSet::new())
}

/// The same, where somebody gave what was `reached` of the inputs, though it isn't among those that are given. The state before that is no
/// longer the one on record.
pub(super) fn shown(
    package: &Package,
    resource: &Resource,
    given_inputs: &Object,
    [prior_state, on_record]: [&Object; 2],
    new_state: &Object,
    reached: &BTreeSet<String>,
) -> Object {
    let meant = typed(package, &resource.inputs, given_inputs);
    let new_state = &*concealed(package, resource, new_state);
    let is_part = is_part(resource, on_record);
    // A create that came to no end may have recorded what it was given, which is nobody's word for what became of it.
    let is_as_given =
        |(name, value): (&String, &Value)| meant.there(name).is_some_and(|given| equivalent(given, value));
    // Of what was given a part says as little where it lacks it.
    let lacks = |name: &str| is_part && meant.there(name).is_some() && on_record.there(name).is_none();
    let assumed = is_part && reached.iter().all(|name| lacks(name)) && on_record.iter().all(is_as_given);
    let mut refresh = Refresh {
        shapes: Shapes::new(package),
        walk: Walk::new(),
        edits: Edits::default(),
        searched: None,
        compared: None,
        filled: None,
        order: Order::new(package),
        recorded: (&resource.inputs, [&meant, prior_state]),
        is_part,
    };
    for (name, input) in &resource.inputs.properties {
        let Some(output) = resource.outputs.properties.get(name) else { continue };
        let [given, prior, new] = [&meant, prior_state, new_state].map(|side| side.there(name));
        let seen = match (given, prior, new) {
            // It says nothing of what was given, and was nothing that it could differ from.
            (Some(_), None, Some(_)) if output.facts.not_echoed => false,
            (None, None, _)
                if resource.outputs.requires(name) && input.value_if_omitted().is_none() && !reached.contains(name) =>
            {
                false
            }
            // What was there already shows drift, whatever form it has.
            (Some(_), Some(_), _) | (_, _, None) => is_seen_in(&mut refresh.shapes, &input.ty, &output.ty),
            (_, _, Some(new)) => is_seen_as(&mut refresh.shapes, &input.ty, &output.ty, new),
        };
        if seen {
            let replaces = output.replaces || !resource.facts.methods.update;
            let reached = reached.contains(name) && !lacks(name);
            let around = Around { replaces, reached, assumed, ..Around::default() };
            refresh.member(&resource.inputs, name, [&meant, prior_state, new_state], around);
        }
    }
    while let Some(place) = refresh.walk.next() {
        refresh.visit(&place);
    }
    let mut inputs = given_inputs.clone();
    refresh.edits.apply(&mut inputs);
    inputs
}

/// A value that was given and is in both states.
struct Place<'a> {
    ty: &'a Type,
    given: &'a Value,
    prior: &'a Value,
    new: &'a Value,
    around: Around<'a>,
}

/// What a place is in, as far as it decides what is secret or filled in.
#[derive(Clone, Copy, Default)]
struct Around<'a> {
    /// The outermost list that was given.
    list: Option<&'a List>,
    /// The element of it that the place is in: as it was given, as it was recorded, and as it is.
    element: Option<(&'a Type, [&'a Value; 3])>,
    /// Whether it was recorded below a secret.
    recorded_secret: bool,
    /// Whether a change of anything in it replaces.
    replaces: bool,
    /// Whether an update had reached it when it failed.
    reached: bool,
    /// Whether it isn't on record, or nothing but what was given is, which stands for it.
    assumed: bool,
}

impl Around<'_> {
    /// The same for a place in it, which what was given may stand for.
    fn assuming(self, assumed: bool) -> Self {
        Self { assumed: self.assumed || assumed, ..self }
    }
}

struct Refresh<'a> {
    shapes: Shapes<'a>,
    walk: Walk<'a, Place<'a>>,
    edits: Edits<'a>,
    /// The list that was last searched for secrets, and whether it has any: it is asked for each of its elements.
    searched: Option<(&'a List, bool)>,
    /// The given element that was last compared, and whether another one stands in its place.
    compared: Option<(&'a Value, bool)>,
    /// What the provider fills in, once it was asked for.
    filled: Option<Filled<'a>>,
    /// Finds elements in other places than they were given in.
    order: Order<'a>,
    /// The inputs' type, and what was given and recorded of them.
    recorded: (&'a ObjectType, [&'a Object; 2]),
    /// Whether what was recorded lacks what there has to be.
    is_part: bool,
}

impl<'a> Refresh<'a> {
    fn visit(&mut self, place: &Place<'a>) {
        let given = self.walk.open(place.given);
        let (prior, new) = (place.prior.plain(), place.new.plain());
        let recorded_secret = place.around.recorded_secret || matches!(place.prior, Value::Secret(_));
        let around = Around { recorded_secret, ..place.around };
        let mut shape = |value| self.shapes.of(place.ty, value).map(|shape| untyped(shape, value));
        match (shape(given), shape(prior), shape(new)) {
            (Ok(Shape::Fields(given, ty)), Ok(Shape::Fields(prior, before)), Ok(Shape::Fields(new, after)))
                if ptr::eq(ty, before) && ptr::eq(ty, after) =>
            {
                self.members(ty, [given, prior, new], around);
            }
            (Ok(Shape::Entries(given, ty)), Ok(Shape::Entries(prior, before)), Ok(Shape::Entries(new, after)))
                if ptr::eq(ty, before) && ptr::eq(ty, after) =>
            {
                self.entries(ty, [given, prior, new], around);
            }
            (Ok(Shape::Items(given, ty)), Ok(Shape::Items(prior, before)), Ok(Shape::Items(new, after)))
                if ptr::eq(ty, before)
                    && ptr::eq(ty, after)
                    && (given.len() == prior.len()
                        || (self.says_nothing(around) && !equivalent(place.prior, place.new))) =>
            {
                // Of a list that a part has the beginning of, or none of, the rest was no other than it was given.
                let assumed = around.assumed || given.len() != prior.len();
                let prior = if given.len() == prior.len() { prior } else { given };
                let around = Around { list: around.list.or(Some(given)), assumed, ..around };
                if assumed && (around.replaces || self.would_go(ty, given, new)) {
                    // What was just made would be replaced.
                } else if prior.len() == new.len() {
                    for (index, ((given, prior), new)) in given.iter().zip(prior).zip(new).enumerate() {
                        self.element(index, ty, [given, prior, new], around);
                    }
                } else {
                    self.resized(ty, [given, prior, new], around);
                }
            }
            _ if equivalent(prior, new) || (around.assumed && around.replaces) => {}
            _ => {
                let conceals = given.contains_secret() || self.is_beside_a_secret(around);
                let shown = self.shown(place.ty, new, conceals, around);
                self.edits.replace(&self.walk, shown);
            }
        }
    }

    /// Whether an element would go, and it would replace to put it back.
    fn would_go(&mut self, ty: &'a Type, given: &'a List, new: &'a List) -> bool {
        new.len() < given.len() && given.iter().any(|given| can_replace(&mut self.shapes, ty, given))
    }

    fn element(&mut self, index: usize, ty: &'a Type, sides: [&'a Value; 3], around: Around<'a>) {
        let around = Around { element: around.element.or(Some((ty, sides))), ..around };
        let [given, prior, new] = sides;
        self.walk.push(Step::Index(index), Place { ty, given, prior, new, around });
    }

    /// A list in which elements came or went: those that stayed are gone through as in any other.
    fn resized(&mut self, ty: &'a Type, sides: [&'a List; 3], around: Around<'a>) {
        let [given, prior, new] = sides;
        let pairs = paired_lists(&mut self.shapes, ty, sides);
        let hides = self.is_beside_a_secret(around);
        // What is in no place was given nowhere.
        let shows_all = !self.says_nothing(around);
        let mut placed = Vec::with_capacity(new.len());
        for (new, place) in new.iter().zip(pairs).filter(|(_, place)| shows_all || place.is_some()) {
            let old = place.and_then(|place| Some((place, given.get(place)?, prior.get(place)?)));
            let stays = old.and_then(|(place, element, prior)| {
                let stays = if hides { self.kept(ty, given, place, prior)? } else { Placed::Old(place) };
                Some((stays, [element, prior, new]))
            });
            placed.push(match stays {
                Some((stays, sides)) => {
                    self.element(placed.len(), ty, sides, around);
                    stays
                }
                None => Placed::New(self.shown(ty, new, around.recorded_secret || hides, around)),
            });
        }
        self.edits.arrange(&self.walk, placed);
    }

    /// What stands for an element that is found again in a list with a secret in it, unless it is another one. What it was given as stays; but
    /// what was recorded of it may be the secret, which there may be no other sign of then.
    fn kept(&mut self, ty: &'a Type, given: &'a List, place: usize, prior: &'a Value) -> Option<Placed> {
        let element = given.get(place)?;
        if has_nothing_else(&mut self.shapes, ty, element, prior) {
            return Some(Placed::Old(place));
        }
        if self.order.is_another(ty, given, place, prior) {
            return None;
        }
        Some(if element.contains_secret() { Placed::Old(place) } else { Placed::New(element.clone().secret()) })
    }

    fn members(&mut self, ty: &'a ObjectType, sides: [&'a Object; 3], around: Around<'a>) {
        // What is on no side stays so, and a type may have any number of such properties.
        let names: BTreeSet<&String> = sides.iter().flat_map(|side| side.keys()).collect();
        for name in names {
            self.member(ty, name, sides, around);
        }
    }

    /// A member of what was given, of the state before and of the new one.
    fn member(&mut self, ty: &'a ObjectType, name: &'a str, sides: [&'a Object; 3], around: Around<'a>) {
        let Some(property) = ty.properties.get(name) else { return };
        let [given, prior, new] = sides.map(|side| side.there(name));
        let around = Around { replaces: around.replaces || property.replaces, ..around };
        // What a part lacks was no other than it was given, and the rest of it is filled in.
        let missing = given.filter(|_| self.is_part && !around.replaces && !property.facts.not_echoed);
        if let (Some(given), Some(prior), Some(new)) = (given, prior.or(missing), new) {
            let around = around.assuming(ptr::eq(given, prior));
            self.walk.push(Step::Field(name), Place { ty: &property.ty, given, prior, new, around });
            return;
        }
        let present = |value: Option<&'a Value>| value.filter(|value| !is_absent(property, value));
        match (given, present(prior), present(new)) {
            // Nothing was given, and what is there would be there by itself.
            (None, _, Some(new)) if property.value_if_omitted().is_some_and(|default| equivalent(default, new)) => {}
            // Nor was what the provider filled in instead, and may change.
            (None, Some(_), _) if property.value_if_omitted().is_none() => {}
            (None, None, Some(new)) if self.says_nothing(around) || self.is_untold(around, &property.ty, new) => {}
            (None, None, Some(new))
                if self.is_filled_in(around, |filled, shapes| filled.member(shapes, ty, name, new)) => {}
            (Some(given), _, None) if around.assumed && self.replaces(around, &property.ty, given) => {}
            // It says nothing of what was given, and was nothing that it could differ from.
            (Some(_), None, Some(_)) if property.facts.not_echoed => {}
            // As above: it may only have begun to be told.
            (Some(_), None, Some(new)) if self.replaces(around, &property.ty, new) => {}
            (given, prior, new) => {
                self.appear_or_go(Step::Field(name), &property.ty, [given, prior, new], around);
            }
        }
    }

    /// Whether nobody knows of what isn't on record whether it was there.
    fn says_nothing(&self, around: Around<'a>) -> bool {
        self.is_part && !around.reached
    }

    /// Whether a provider may only have begun to tell what nobody gave: to take it away would replace. An update that failed can't have
    /// reached that, but what is around it.
    fn is_untold(&mut self, around: Around<'a>, ty: &'a Type, new: &'a Value) -> bool {
        let replaces = if around.reached { must_replace } else { can_replace };
        around.replaces || replaces(&mut self.shapes, ty, new)
    }

    /// Whether it replaces to take away what stands in a place.
    fn replaces(&mut self, around: Around<'a>, ty: &'a Type, new: &'a Value) -> bool {
        around.replaces || can_replace(&mut self.shapes, ty, new)
    }

    fn entries(&mut self, ty: &'a Type, sides: [&'a Object; 3], around: Around<'a>) {
        let [_, prior, new] = sides;
        let gone = prior.keys().filter(|name| new.there(name).is_none());
        for name in gone.chain(new.keys()).filter(|name| !is_foreign(name, None)) {
            let [given, prior, new] = sides.map(|side| side.there(name));
            let missing = given.filter(|_| self.is_part && !around.replaces && new.is_some());
            match [given, prior.or(missing), new] {
                [Some(given), Some(prior), Some(new)] => {
                    let around = around.assuming(ptr::eq(given, prior));
                    self.walk.push(Step::Key(name), Place { ty, given, prior, new, around });
                }
                // What the provider filled in may change.
                [None, Some(_), _] => {}
                [None, None, Some(_)] if self.says_nothing(around) || around.replaces => {}
                [Some(_), None, Some(_)] if around.replaces => {}
                [Some(given), _, None] if around.assumed && self.replaces(around, ty, given) => {}
                [None, None, Some(new)]
                    if self.is_filled_in(around, |filled, shapes| filled.entry(shapes, ty, name, new)) => {}
                sides => self.appear_or_go(Step::Key(name), ty, sides, around),
            }
        }
    }

    /// A member that isn't on every side.
    fn appear_or_go(&mut self, step: Step<'a>, ty: &'a Type, sides: [Option<&'a Value>; 3], around: Around<'a>) {
        let [given, prior, new] = sides;
        let unchanged = match (prior, new) {
            (None, None) => true,
            (Some(prior), Some(new)) => equivalent(prior, new),
            _ => false,
        };
        let edit = match (given, new) {
            _ if unchanged => return,
            (Some(given), Some(new)) if equivalent(given, new) => return,
            (given, Some(new)) => {
                // What was given says whether it is a secret; of what wasn't, the record does.
                let conceals = match given.or(prior) {
                    Some(told) if told.contains_secret() => true,
                    _ => (given.is_none() && around.recorded_secret) || self.is_beside_a_secret(around),
                };
                Edit::Put(self.shown(ty, new, conceals, around))
            }
            (Some(_), None) => Edit::Take,
            (None, None) => return,
        };
        self.edits.add(&self.walk, step, edit);
    }

    /// Whether a place is in a list that was given with a secret in it.
    fn is_beside_a_secret(&mut self, around: Around<'a>) -> bool {
        let Some(list) = around.list else { return false };
        match self.searched {
            Some((searched, found)) if ptr::eq(searched, list) => found,
            _ => {
                let found = list.iter().any(Value::contains_secret);
                self.searched = Some((list, found));
                found
            }
        }
    }

    /// Whether a place is in an element that took the place of another one, as far as anybody gave that.
    fn is_in_another(&mut self, around: Around<'a>) -> bool {
        let Some((ty, sides @ [given, ..])) = around.element else { return false };
        match self.compared {
            Some((compared, other)) if ptr::eq(compared, given) => other,
            _ => {
                let other = !is_the_same(&mut self.shapes, ty, sides);
                self.compared = Some((given, other));
                other
            }
        }
    }

    /// A value of the state as an input. What the inputs' type says is secret is for the caller to mark.
    fn shown(&mut self, ty: &'a Type, new: &'a Value, conceals: bool, around: Around<'a>) -> Value {
        let (filled, shapes) = self.filled();
        let shown = restricted(shapes, ty, new, Defaults::Keep, Unasked { filled, reached: around.reached });
        if conceals || self.walk.is_concealed() { shown.secret() } else { shown }
    }

    /// Whether something that nobody gave, and that wasn't there, was filled in: its element took the place of another.
    fn is_filled_in(&mut self, around: Around<'a>, asked: impl FnOnce(&Filled<'a>, &mut Shapes<'a>) -> bool) -> bool {
        self.is_in_another(around) && {
            let (filled, shapes) = self.filled();
            asked(filled, shapes)
        }
    }

    fn filled(&mut self) -> (&Filled<'a>, &mut Shapes<'a>) {
        let (ty, sides) = self.recorded;
        let Self { filled, shapes, .. } = self;
        (filled.get_or_insert_with(|| Filled::of(shapes, ty, sides)), shapes)
    }
}

/// The shape of a value; of what may be anything, that of a list or a map of such.
fn untyped<'a>(shape: Shape<'a>, value: &'a Value) -> Shape<'a> {
    static ANY: Type = Type::Any;
    match (shape, value) {
        (Shape::Leaf, Value::Object(object)) => Shape::Entries(object, &ANY),
        (Shape::Leaf, Value::List(list)) => Shape::Items(list, &ANY),
        (shape, _) => shape,
    }
}
