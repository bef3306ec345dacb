//! A preview, and where its values come from.

use bulkhead_value::{Object, PropertyPath, Segment};

use crate::walk::{ROOT, Trail};

/// What an operation would return.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Preview {
    /// Every output of the schema, unknown where it isn't certain; the same for members of objects. Secrets aren't marked
    /// yet: see [`mark`](crate::secrets::mark).
    pub state: Object,
    /// Where the values come from.
    pub origins: Origins,
}

impl Preview {
    /// Where the value at a place comes from; `None` if there is none, or if it is made of several.
    pub fn origin(&self, path: &PropertyPath) -> Option<Origin> {
        self.origins.of(path)
    }

    /// Takes over what the provider says outputs will be, in place of what the schema says. Null says that there will be none.
    pub fn adopt(&mut self, guess: Object) {
        self.origins.forget(&guess);
        for (name, value) in guess.into_map() {
            if value.plain().is_null() {
                self.state.remove(&name);
                continue;
            }
            self.origins.note_at(ROOT, Segment::Field(name.clone()), Origin::Guess);
            self.state.insert(name, value);
        }
    }
}

/// Where the values of a preview come from. An origin holds for its place and for everything below it that has none of its
/// own.
#[derive(Debug, Clone, PartialEq)]
pub struct Origins(Vec<Place>);

/// A place in the state, below another.
#[derive(Debug, Clone, PartialEq)]
struct Place {
    parent: usize,
    /// The step from the parent; the root has none.
    segment: Option<Segment>,
    origin: Option<Origin>,
}

impl Default for Origins {
    fn default() -> Self {
        Self(vec![Place { parent: ROOT, segment: None, origin: None }])
    }
}

impl Origins {
    /// Where the value at a place comes from.
    pub fn of(&self, path: &PropertyPath) -> Option<Origin> {
        let mut found = None;
        let mut place = ROOT;
        for segment in path.segments() {
            // What came last counts: a guess comes after what it takes the place of.
            let child = self
                .0
                .iter()
                .enumerate()
                .rfind(|(_, child)| child.parent == place && child.segment.as_ref() == Some(segment));
            let Some((number, child)) = child else { break };
            place = number;
            found = child.origin.or(found);
        }
        found
    }

    /// Every place with an origin of its own, in the order of the properties at the top.
    pub fn all(&self) -> Vec<(PropertyPath, Origin)> {
        let noted = self.0.iter().filter_map(|place| Some((self.path(place), place.origin?)));
        let mut all: Vec<_> = noted.collect();
        all.sort_by_cached_key(|(path, _)| path.first_name().map(str::to_owned));
        all
    }

    pub(super) fn note_at(&mut self, parent: usize, segment: Segment, origin: Origin) {
        self.0.push(Place { parent, segment: Some(segment), origin: Some(origin) });
    }

    /// Adds what was noted on a walk.
    pub(super) fn extend(&mut self, trail: Trail<'_, Option<Origin>>) {
        // The first of the trail is the root, which is there already.
        let others = self.0.len().saturating_sub(1);
        self.0.extend(trail.places.into_iter().skip(1).map(|noted| Place {
            parent: if noted.parent == ROOT { ROOT } else { noted.parent.saturating_add(others) },
            segment: noted.step.map(|step| step.segment()),
            origin: noted.note,
        }));
    }

    /// Forgets everything about the properties at the top that are members here: about all at once, since it takes a look
    /// at every place.
    fn forget(&mut self, properties: &Object) {
        let mut forgotten = vec![false; self.0.len()];
        for number in 1..self.0.len() {
            let Some(place) = self.0.get_mut(number) else { continue };
            let name = place.segment.as_ref().and_then(Segment::name);
            let is_it = place.parent == ROOT && name.is_some_and(|name| properties.contains_key(name));
            let is_below = forgotten.get(place.parent).copied().unwrap_or_default();
            if is_it || is_below {
                place.origin = None;
                if let Some(forgotten) = forgotten.get_mut(number) {
                    *forgotten = true;
                }
            }
        }
    }

    fn path(&self, place: &Place) -> PropertyPath {
        let mut segments = Vec::new();
        let mut place = place;
        while let Some(segment) = &place.segment {
            segments.push(segment.clone());
            match self.0.get(place.parent) {
                Some(parent) => place = parent,
                None => break,
            }
        }
        segments.reverse();
        segments.into()
    }
}

/// Where a value of a preview comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Origin {
    /// From the inputs.
    Given,
    /// From the schema's default, whether it was given or filled in.
    Default,
    /// From what the provider promises for an input that is left out.
    OutputDefault,
    /// From the schema: there is only one value.
    Constant,
    /// From the state before: an update doesn't change it.
    Stable,
    /// From the provider's own preview.
    Guess,
    /// From nowhere: the value is unknown.
    Unknown,
}

impl Origin {
    /// Whether the operation will return this very value. A guess may be wrong.
    pub fn is_promise(self) -> bool {
        !matches!(self, Self::Guess | Self::Unknown)
    }
}
