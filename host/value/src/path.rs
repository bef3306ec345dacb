//! Places in values: `tags.name`, `rules[0]["a.b"]`, `spec[*].image`.
//!
//! Engines, schemas and people write them, so the text form follows upstream's, with its tolerance for what old
//! providers wrote. A path in the protocol starts at a top-level property; the word `root` in the specification's
//! examples is such a property's name, and has no meaning of its own.

mod access;
mod parse;
mod print;
mod reset;

use std::{
    cmp::Ordering,
    hash::{Hash, Hasher},
};

pub use access::AccessError;
pub use parse::PathError;

/// One step into a value.
///
/// `Field` and `Key` are equal if their names are: which one it is tells whoever knows the schema whether the name is a
/// property of an object type or a key that a user chose.
#[derive(Debug, Clone)]
pub enum Segment {
    /// A property of an object.
    Field(String),
    /// A key of a map.
    Key(String),
    /// An element of a list, counted from 0.
    Index(usize),
    /// Every member or element at this level.
    Wildcard,
}

impl Segment {
    /// The name, if it is one.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Field(name) | Self::Key(name) => Some(name),
            Self::Index(_) | Self::Wildcard => None,
        }
    }

    /// Whether a path with this step can be written so that an engine reads it as the same path again. The text form has no
    /// escape for a backslash before the closing quote, and a name with a `.` or a `[` needs quotes.
    pub fn can_be_written(&self) -> bool {
        self.name().is_none_or(|name| !(name.ends_with('\\') && name.contains(['.', '['])))
    }

    fn rank(&self) -> (u8, &str, usize) {
        match self {
            Self::Field(name) | Self::Key(name) => (0, name, 0),
            Self::Index(index) => (1, "", *index),
            Self::Wildcard => (2, "", 0),
        }
    }
}

impl PartialEq for Segment {
    fn eq(&self, other: &Self) -> bool {
        self.rank() == other.rank()
    }
}

impl Eq for Segment {}

impl Hash for Segment {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.rank().hash(state);
    }
}

impl Ord for Segment {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Segment {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A place in a value: the steps from its root, which is the empty path.
///
/// Paths order by their steps: names before indices, indices as numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PropertyPath(Vec<Segment>);

impl PropertyPath {
    /// The root: the whole value.
    pub fn root() -> Self {
        Self::default()
    }

    /// A property at the top.
    pub fn field(name: &str) -> Self {
        Self(vec![Segment::Field(name.to_owned())])
    }

    /// The path one step further.
    #[must_use]
    pub fn child(&self, segment: Segment) -> Self {
        let mut child = Self(Vec::with_capacity(self.0.len().saturating_add(1)));
        child.0.extend(self.0.iter().cloned());
        child.push(segment);
        child
    }

    /// Goes one step further.
    pub fn push(&mut self, segment: Segment) {
        self.0.push(segment);
    }

    /// Goes one step back; `None` at the root.
    pub fn pop(&mut self) -> Option<Segment> {
        self.0.pop()
    }

    /// The steps.
    pub fn segments(&self) -> &[Segment] {
        &self.0
    }

    /// Whether this is the root.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The name of the property at the top, if the path starts with one.
    pub fn first_name(&self) -> Option<&str> {
        self.0.first().and_then(Segment::name)
    }

    /// Whether the other place is this one or inside it. A wildcard in this path stands for any one step:
    /// `rules[*].port` contains `rules[3].port.from`, and the root contains everything.
    pub fn contains(&self, other: &Self) -> bool {
        self.0.len() <= other.0.len()
            && self.0.iter().zip(&other.0).all(|(mine, theirs)| *mine == Segment::Wildcard || mine == theirs)
    }
}

impl From<Vec<Segment>> for PropertyPath {
    fn from(segments: Vec<Segment>) -> Self {
        Self(segments)
    }
}

impl FromIterator<Segment> for PropertyPath {
    fn from_iter<I: IntoIterator<Item = Segment>>(segments: I) -> Self {
        Self(segments.into_iter().collect())
    }
}

#[cfg(test)]
mod tests;
