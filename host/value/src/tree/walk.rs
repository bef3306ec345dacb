//! A visit to every value below a value, parents first, that knows where it is.

use super::{Children, Step};
use crate::{Object, PropertyPath, Segment, Value};

/// Visits a value and everything below it, parents first, children in their order.
pub(crate) struct Walk<'v> {
    open: Vec<Level<'v>>,
}

struct Level<'v> {
    children: Children<'v>,
    /// How the child that was visited last stands below its parent.
    step: Step<'v>,
}

/// Levels that are visited by recursion, which allocates nothing: few values have more.
const SHALLOW: usize = 8;

/// Whether `found` holds for one of the children, or for anything below them.
pub(crate) fn holds(mut children: Children<'_>, found: fn(&Value) -> bool) -> bool {
    below(&mut children, found, SHALLOW)
}

fn below(children: &mut Children<'_>, found: fn(&Value) -> bool, levels: usize) -> bool {
    children.any(|(_, value)| match levels.checked_sub(1) {
        _ if found(value) => true,
        Some(levels) => below(&mut Children::of(value), found, levels),
        None => Walk::of(value).any(found),
    })
}

impl<'v> Walk<'v> {
    pub(crate) fn of(value: &'v Value) -> Self {
        Self { open: vec![Level { children: Children::root(value), step: Step::Root }] }
    }

    /// Visits what is in an object, but not the object.
    pub(crate) fn inside(object: &'v Object) -> Self {
        Self { open: vec![Level { children: Children::members(object), step: Step::Root }] }
    }

    /// The place of the first value for which `found` holds.
    pub(crate) fn find_place(mut self, found: fn(&Value) -> bool) -> Option<PropertyPath> {
        let level = self.open.first()?;
        if !holds(level.children.clone(), found) {
            return None;
        }
        self.by_ref().find(|value| found(value))?;
        // The level below the value that was found is open already, and has no step.
        Some(place(self.open.iter().map(|level| level.step)))
    }

    pub(crate) fn depth(mut self) -> usize {
        let mut deepest = 0;
        while self.next().is_some() {
            deepest = deepest.max(self.open.len() - 1);
        }
        deepest
    }
}

impl<'v> Iterator for Walk<'v> {
    type Item = &'v Value;

    fn next(&mut self) -> Option<&'v Value> {
        loop {
            let level = self.open.last_mut()?;
            match level.children.next() {
                Some((step, value)) => {
                    level.step = step;
                    self.open.push(Level { children: Children::of(value), step: Step::Root });
                    return Some(value);
                }
                None => {
                    self.open.pop();
                }
            }
        }
    }
}

/// The path that these steps make. Ends at the first secret or output: names inside a secret are part of it.
pub(crate) fn place<'v>(steps: impl Iterator<Item = Step<'v>>) -> PropertyPath {
    let mut path = PropertyPath::root();
    for step in steps {
        match step {
            Step::Root => {}
            Step::Name(name) => path.push(Segment::Field(name.to_owned())),
            Step::Index(index) => path.push(Segment::Index(index)),
            Step::Within => break,
        }
    }
    path
}

/// Whether this value itself, not something below it, is unknown.
pub(crate) fn lacks_content(value: &Value) -> bool {
    match value {
        Value::Reference(reference) => reference.id.as_ref().is_some_and(|id| id.known().is_none()),
        value => value.is_unknown(),
    }
}

/// Whether this value itself, not something below it, is marked as secret.
pub(crate) fn is_secret(value: &Value) -> bool {
    match value {
        Value::Secret(_) => true,
        Value::Output(output) => output.secret,
        _ => false,
    }
}
