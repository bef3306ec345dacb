//! Names of resources: `urn:pulumi:STACK::PROJECT::TYPE::NAME`.
//!
//! Real programs put spaces, slashes, colons and emoji into every part, so a part is any text without `::`, and a type
//! token any text at all. Whether a type is one that a schema knows isn't decided here.

use std::{fmt, str::FromStr};

const PREFIX: &str = "urn:pulumi:";
const DELIMITER: &str = "::";
const PARENT: char = '$';

/// The type of the resource that stands for the stack. As a parent it isn't part of a URN.
const STACK: &str = "pulumi:pulumi:Stack";

/// The name of a resource in a deployment.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Urn(String);

/// Why a text is no URN.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UrnError {
    /// There is no text at all.
    #[error("parse a URN: it is empty")]
    Empty,
    /// Something else stands at the start.
    #[error("parse a URN: it doesn't start with `urn:pulumi:`")]
    Prefix,
    /// There are too few parts.
    #[error("parse a URN: it has {found} of the four parts; hint: a URN reads `urn:pulumi:STACK::PROJECT::TYPE::NAME`")]
    Parts {
        /// How many parts there are.
        found: usize,
    },
    /// The resource's own type is empty.
    #[error("parse a URN: it has no type; hint: a URN reads `urn:pulumi:STACK::PROJECT::TYPE::NAME`")]
    Type,
    /// A part that would run into the next one.
    #[error("build a URN: the {part} holds `::` or ends with `:`, which would end it early")]
    Delimiter {
        /// `stack`, `project` or `type`.
        part: &'static str,
    },
}

impl Urn {
    /// Checks a text. Whatever follows the third `::` is the name, further `::` included.
    ///
    /// ```
    /// # use bulkhead_value::Urn;
    /// let urn = Urn::parse("urn:pulumi:dev::shop::my:index:Site$aws:s3/bucket:Bucket::a::b")?;
    /// assert_eq!((urn.token(), urn.name()), ("aws:s3/bucket:Bucket", "a::b"));
    /// assert_eq!(urn.parent_types().collect::<Vec<_>>(), ["my:index:Site"]);
    /// # Ok::<(), bulkhead_value::UrnError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, UrnError> {
        if text.is_empty() {
            return Err(UrnError::Empty);
        }
        let parts = text.strip_prefix(PREFIX).ok_or(UrnError::Prefix)?;
        let found = split(parts).count();
        if found < 4 {
            return Err(UrnError::Parts { found });
        }
        let urn = Self(text.to_owned());
        if urn.token().is_empty() { Err(UrnError::Type) } else { Ok(urn) }
    }

    /// Puts a URN together. The parent's qualified type is left out where the parent is the stack itself.
    pub fn new(
        stack: &str,
        project: &str,
        parent_type: Option<&str>,
        token: &str,
        name: &str,
    ) -> Result<Self, UrnError> {
        let qualified_type = match parent_type {
            None | Some("" | STACK) => token.to_owned(),
            Some(parent) => format!("{parent}{PARENT}{token}"),
        };
        for (part, text) in [("stack", stack), ("project", project), ("type", &qualified_type)] {
            if text.contains(DELIMITER) || text.ends_with(':') {
                return Err(UrnError::Delimiter { part });
            }
        }
        Self::parse(&format!("{PREFIX}{stack}{DELIMITER}{project}{DELIMITER}{qualified_type}{DELIMITER}{name}"))
    }

    /// The stack.
    pub fn stack(&self) -> &str {
        self.part(0)
    }

    /// The project.
    pub fn project(&self) -> &str {
        self.part(1)
    }

    /// The types of the parents and the resource, joined by `$`.
    pub fn qualified_type(&self) -> &str {
        self.part(2)
    }

    /// The resource's own type, such as `aws:s3/bucket:Bucket`.
    pub fn token(&self) -> &str {
        let qualified = self.qualified_type();
        qualified.rsplit_once(PARENT).map_or(qualified, |(_, token)| token)
    }

    /// The types of the parents, outermost first.
    pub fn parent_types(&self) -> impl Iterator<Item = &str> {
        let parents = self.qualified_type().rsplit_once(PARENT).map(|(parents, _)| parents.split(PARENT));
        parents.into_iter().flatten()
    }

    /// The package of the resource's own type: what stands before the first `:`.
    pub fn package(&self) -> &str {
        self.token().split(':').next().unwrap_or_default()
    }

    /// The module of the resource's own type: what stands between the first and the last `:`, if there are two.
    pub fn module(&self) -> Option<&str> {
        let (_, rest) = self.token().split_once(':')?;
        rest.rsplit_once(':').map(|(module, _)| module)
    }

    /// The last part of the resource's own type: `Bucket` in `aws:s3/bucket:Bucket`.
    pub fn type_name(&self) -> &str {
        self.token().rsplit(':').next().unwrap_or_default()
    }

    /// The name that the program gave the resource.
    pub fn name(&self) -> &str {
        self.part(3)
    }

    /// The whole text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn part(&self, index: usize) -> &str {
        let parts = self.0.strip_prefix(PREFIX).unwrap_or_default();
        split(parts).nth(index).unwrap_or_default()
    }
}

/// The four parts. Every call reads a URN, and a general search takes longer to set up than a URN is long.
fn split(parts: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(parts);
    (1..=4).map_while(move |count| {
        let text = rest.take()?;
        let delimiter = text.as_bytes().windows(DELIMITER.len()).position(|pair| pair == DELIMITER.as_bytes());
        match delimiter.filter(|_| count < 4).and_then(|at| Some((text.get(..at)?, text.get(at + DELIMITER.len()..)?)))
        {
            Some((part, after)) => {
                rest = Some(after);
                Some(part)
            }
            None => Some(text),
        }
    })
}

impl fmt::Display for Urn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<str> for Urn {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl FromStr for Urn {
    type Err = UrnError;

    fn from_str(text: &str) -> Result<Self, UrnError> {
        Self::parse(text)
    }
}

impl From<Urn> for String {
    fn from(urn: Urn) -> Self {
        urn.0
    }
}

#[cfg(test)]
mod tests;
