//! Places inside a value.

use std::fmt;

use crate::bindings::wit::types::PathSegment;

/// One step into a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    /// A property of an object, or a key of a map.
    Field(String),
    /// An element of a list, counted from 0.
    Index(u32),
}

/// A place in a value: the steps from its root, which is the empty path.
///
/// ```
/// use bulkhead_sdk::Path;
///
/// let path = Path::from("rules").field("ports").index(2);
/// assert_eq!(path.to_string(), "rules.ports[2]");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path(Vec<Segment>);

impl Path {
    /// The value as a whole.
    pub fn root() -> Self {
        Self::default()
    }

    /// The property or key `name` of what is here.
    pub fn field(mut self, name: impl Into<String>) -> Self {
        self.0.push(Segment::Field(name.into()));
        self
    }

    /// The element `index`, counted from 0, of what is here.
    pub fn index(mut self, index: u32) -> Self {
        self.0.push(Segment::Index(index));
        self
    }

    /// The steps.
    pub fn segments(&self) -> &[Segment] {
        &self.0
    }

    pub(crate) fn from_reversed(mut segments: Vec<Segment>) -> Self {
        segments.reverse();
        Self(segments)
    }
}

/// The property at the top, which is one name and isn't taken apart. No property is called `""`, which is the root.
impl From<&str> for Path {
    fn from(name: &str) -> Self {
        if name.is_empty() { Self::root() } else { Self::root().field(name) }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, segment) in self.0.iter().enumerate() {
            match segment {
                Segment::Index(index) => write!(formatter, "[{index}]")?,
                Segment::Field(name) if is_identifier(name) && position == 0 => formatter.write_str(name)?,
                Segment::Field(name) if is_identifier(name) => write!(formatter, ".{name}")?,
                Segment::Field(name) => write!(formatter, "[{name:?}]")?,
            }
        }
        Ok(())
    }
}

fn is_identifier(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|char| char.is_alphanumeric() || char == '_' || char == '$')
}

impl From<Path> for Vec<PathSegment> {
    fn from(path: Path) -> Self {
        let segment = |segment| match segment {
            Segment::Field(name) => PathSegment::Field(name),
            Segment::Index(index) => PathSegment::Index(index),
        };
        path.0.into_iter().map(segment).collect()
    }
}

impl From<Vec<PathSegment>> for Path {
    fn from(segments: Vec<PathSegment>) -> Self {
        let segment = |segment| match segment {
            PathSegment::Field(name) | PathSegment::Key(name) => Segment::Field(name),
            PathSegment::Index(index) => Segment::Index(index),
        };
        Self(segments.into_iter().map(segment).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_shown_as_programs_write_them() {
        assert_eq!(Path::root().to_string(), "");
        assert_eq!(Path::from(""), Path::root());
        assert_eq!(Path::from("a.b").field("c d").index(0).field("e").to_string(), r#"["a.b"]["c d"][0].e"#);
    }

    #[test]
    fn paths_come_back_from_the_contract() {
        let path = Path::from("rules").index(3).field("port");
        assert_eq!(Path::from(Vec::<PathSegment>::from(path.clone())), path);
        assert_eq!(Path::from(vec![PathSegment::Key("a".to_owned())]), Path::from("a"));
    }
}
