//! Reading a path from text.

use std::str::FromStr;

use super::{PropertyPath, Segment};

/// Why a text is no path. Positions count bytes from 0.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// A dot at the start or the end.
    #[error("parse a property path: a name is missing at position {at}")]
    Name {
        /// Where the name should stand.
        at: usize,
    },
    /// A `[` without its `]`.
    #[error("parse a property path: the bracket at position {at} isn't closed")]
    Bracket {
        /// Where the bracket stands.
        at: usize,
    },
    /// A `["` without its `"`.
    #[error("parse a property path: the quote at position {at} isn't closed")]
    Quote {
        /// Where the quote stands.
        at: usize,
    },
    /// Something in brackets that is no number, quoted name or `*`.
    #[error(
        "parse a property path: no index stands in the bracket at position {at}; hint: write `[0]`, `[*]` or `[\"name\"]`"
    )]
    Index {
        /// Where the bracket stands.
        at: usize,
    },
}

impl PropertyPath {
    /// Reads a path. The empty text is the root; `*` is a wildcard, in brackets, quoted or bare. What engines read as a path
    /// is one, or else they would ignore a change that a provider tells: `.[`, which old providers wrote, reads as `[`, more
    /// dots as one, and a name needs none after a bracket.
    ///
    /// ```
    /// # use bulkhead_value::PropertyPath;
    /// let path = PropertyPath::parse(r#"rules[0]["a.b"]"#)?;
    /// assert_eq!(path.to_string(), r#"rules[0]["a.b"]"#);
    /// # Ok::<(), bulkhead_value::PathError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, PathError> {
        let mut path = Self::root();
        let mut rest = text;
        while !rest.is_empty() {
            let at = text.len() - rest.len();
            rest = match (rest.strip_prefix('.'), rest.strip_prefix('[')) {
                (_, Some(inside)) => path.bracket(inside, at)?,
                (Some(_), None) if path.is_root() => return Err(PathError::Name { at }),
                (Some(""), None) => return Err(PathError::Name { at: at.saturating_add(1) }),
                (Some(after), None) => after,
                (None, None) => path.bare(rest),
            };
        }
        Ok(path)
    }

    /// Reads a name up to the next `.` or `[`.
    fn bare<'t>(&mut self, text: &'t str) -> &'t str {
        let (name, rest) = text.find(['.', '[']).and_then(|end| text.split_at_checked(end)).unwrap_or((text, ""));
        self.push(match name {
            "*" => Segment::Wildcard,
            name => Segment::Field(name.to_owned()),
        });
        rest
    }

    /// Reads what follows a `[`, the `]` included.
    fn bracket<'t>(&mut self, text: &'t str, at: usize) -> Result<&'t str, PathError> {
        if let Some(quoted) = text.strip_prefix('"') {
            let (key, rest) = unquote(quoted).ok_or(PathError::Quote { at: at + 1 })?;
            self.push(if key == "*" { Segment::Wildcard } else { Segment::Key(key) });
            return rest.strip_prefix(']').ok_or(PathError::Bracket { at });
        }
        let (index, rest) = text.split_once(']').ok_or(PathError::Bracket { at })?;
        self.push(match index {
            "*" => Segment::Wildcard,
            // A sign is read as engines read it; below 0 there is nothing.
            digits => {
                let number: i64 = digits.parse().map_err(|_| PathError::Index { at })?;
                Segment::Index(number.try_into().map_err(|_| PathError::Index { at })?)
            }
        });
        Ok(rest)
    }
}

/// Reads up to the closing quote. Only a quote can be escaped; any other backslash is one.
fn unquote(text: &str) -> Option<(String, &str)> {
    let mut name = String::new();
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match c {
            '"' => return Some((name, characters.as_str())),
            '\\' if characters.as_str().starts_with('"') => {
                characters.next();
                name.push('"');
            }
            c => name.push(c),
        }
    }
    None
}

impl FromStr for PropertyPath {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Self, PathError> {
        Self::parse(text)
    }
}
