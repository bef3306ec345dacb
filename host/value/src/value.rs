//! The value itself.
//!
//! A peer decides how deep a value is, so `Clone`, `==`, `Debug` and `Drop` are iterative: see `tree`.

use crate::{
    Archive, ArchiveSource, Asset, Kind, List, Object, Output, PropertyPath, Reference, Secret,
    tree::{self, Children, Walk},
};

/// A property value of any kind.
///
/// Equality is structural and deep, and the order of an object's keys carries no meaning. Numbers compare so that
/// equality is reflexive: NaN equals NaN, whatever its bits, and `-0.0` equals `0.0`. Every kind equals only itself: a
/// secret is never equal to what it holds. For the equality that decides whether something changed, see
/// [`equivalent`](crate::equivalent).
///
/// `Debug` prints `[secret]` for secrets and secret outputs, and nothing of what is in them.
///
/// What is large and rare is boxed, since every element of a list and every member of an object is as large as the
/// largest kind.
pub enum Value {
    /// Present, and empty. Not the same as an absent key.
    Null,
    /// A truth value.
    Bool(bool),
    /// An IEEE-754 double; there is no integer on the wire.
    Number(f64),
    /// A UTF-8 string, U+0000 included.
    String(String),
    /// A string that need not be UTF-8.
    Bytes(Vec<u8>),
    /// An ordered list.
    List(List),
    /// An object or a map.
    Object(Object),
    /// A blob.
    Asset(Box<Asset>),
    /// A named collection of blobs.
    Archive(Box<Archive>),
    /// A value of unknown type and content.
    Unknown,
    /// A value that must not be shown.
    Secret(Secret),
    /// An eventual value with what it depends on.
    Output(Box<Output>),
    /// A reference to another resource.
    Reference(Box<Reference>),
}

impl Value {
    /// What the value is, for use in a message.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Null => Kind::Null,
            Self::Bool(_) => Kind::Bool,
            Self::Number(_) => Kind::Number,
            Self::String(_) => Kind::String,
            Self::Bytes(_) => Kind::Bytes,
            Self::List(_) => Kind::List,
            Self::Object(_) => Kind::Object,
            Self::Asset(_) => Kind::Asset,
            Self::Archive(_) => Kind::Archive,
            Self::Unknown => Kind::Unknown,
            Self::Secret(_) => Kind::Secret,
            Self::Output(_) => Kind::Output,
            Self::Reference(_) => Kind::Reference,
        }
    }

    /// Whether this is null. A secret null isn't: see [`plain`](Self::plain).
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// Whether this is unknown, or an output without a value. Looks at the top only, and not into a secret.
    pub fn is_unknown(&self) -> bool {
        match self {
            Self::Unknown => true,
            Self::Output(output) => output.value.is_none(),
            _ => false,
        }
    }

    /// The string, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(truth) => Some(*truth),
            _ => None,
        }
    }

    /// The number, if it is one.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// The object, if it is one.
    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The object, if it is one, to change it.
    pub fn as_object_mut(&mut self) -> Option<&mut Object> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }

    /// What stands in the value by name: the members of an object, or of an archive that is given by its members.
    pub fn members(&self) -> Option<&Object> {
        match self {
            Self::Object(object) => Some(object),
            Self::Archive(archive) if let ArchiveSource::Members(members) = &archive.source => Some(members),
            _ => None,
        }
    }

    /// As [`members`](Self::members), to change them. Those of an archive are to stay assets and archives.
    pub(crate) fn members_mut(&mut self) -> Option<&mut Object> {
        match self {
            Self::Object(object) => Some(object),
            Self::Archive(archive) => match &mut archive.source {
                ArchiveSource::Members(members) => Some(members),
                _ => None,
            },
            _ => None,
        }
    }

    /// The list, if it is one.
    pub fn as_list(&self) -> Option<&List> {
        match self {
            Self::List(list) => Some(list),
            _ => None,
        }
    }

    /// The list, if it is one, to change it.
    pub fn as_list_mut(&mut self) -> Option<&mut List> {
        match self {
            Self::List(list) => Some(list),
            _ => None,
        }
    }

    /// The value as a secret; a secret stays as it is.
    pub fn secret(self) -> Self {
        Self::Secret(Secret::new(self))
    }

    /// The value below the secrets and outputs at the top. An output without a value is left as it is.
    ///
    /// What it returns may be secret: don't show it.
    pub fn plain(&self) -> &Self {
        let mut value = self;
        loop {
            value = match value {
                Self::Secret(secret) => secret.inner(),
                Self::Output(output) if let Some(inner) = &output.value => inner,
                _ => return value,
            }
        }
    }

    /// As [`plain`](Self::plain), by value.
    pub fn into_plain(mut self) -> Self {
        loop {
            self = match self {
                Self::Secret(secret) => secret.into_inner(),
                Self::Output(mut output) => match output.value.take() {
                    Some(inner) => *inner,
                    None => return Self::Output(output),
                },
                value => return value,
            }
        }
    }

    /// The value with every secret, at every depth, replaced by what it holds, and no output marked as secret.
    pub fn without_secrets(mut self) -> Self {
        tree::reveal(&mut self);
        self
    }

    /// Whether anything in the value is unknown, an output without a value and a reference with an unknown id included.
    pub fn contains_unknown(&self) -> bool {
        tree::holds(Children::root(self), tree::lacks_content)
    }

    /// Whether anything in the value is secret.
    pub fn contains_secret(&self) -> bool {
        tree::holds(Children::root(self), tree::is_secret)
    }

    /// The place of the first unknown, in the order of lists and of sorted keys.
    ///
    /// The place ends at the outermost secret or output on the way, as names inside a secret are part of the secret.
    pub fn first_unknown(&self) -> Option<PropertyPath> {
        Walk::of(self).find_place(tree::lacks_content)
    }

    /// The number of levels: 1 for a string or an empty list, 2 for a list of strings. Secrets and outputs are levels.
    pub fn depth(&self) -> usize {
        Walk::of(self).depth()
    }

    /// The number of values in the value, itself included.
    pub fn nodes(&self) -> usize {
        Walk::of(self).count()
    }
}

#[cfg(test)]
mod tests;
