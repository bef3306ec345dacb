//! Texts that refer to a provider's configuration: `${config.NAME}`.
//!
//! A grant that names what the user configured needn't be written again for each stack. What counts as configured is what a
//! user gave: a default of the schema is the component's own word, and no grant follows from that.

use std::fmt;

/// The longest text that comes of one, bytes: no endpoint has as many.
const LONGEST: usize = 4096;

/// What is known of a configuration value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Configured {
    /// A user gave it; the members, if it is a list.
    Given(Vec<String>),
    /// It is what the schema fills in.
    Default(Vec<String>),
    /// It isn't known yet.
    Unknown,
    /// There is none.
    Absent,
    /// There can be none: nothing is called so. If it is misspelt, what was meant.
    NoSuch(Option<String>),
}

/// A text with references.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Template {
    text: String,
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Configuration(String),
}

/// A reference that can't be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` refers to nothing: write ${{config.NAME}} for a configuration value")]
pub struct TemplateError(String);

/// Why a text has no meaning for now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unbound {
    /// The text as it is written.
    pub text: String,
    /// The configuration that it refers to.
    pub name: String,
    why: Why,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Why {
    Absent,
    NoSuch(Option<String>),
    Unknown,
    Default,
    Many,
    Unusable,
}

impl Template {
    pub(crate) fn parse(text: &str) -> Result<Self, TemplateError> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("${") {
            let named = after.strip_prefix("config.").and_then(|after| after.split_once('}'));
            let proper = |name: &str| {
                !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
            };
            let Some((name, after)) = named.filter(|(name, _)| proper(name)) else {
                return Err(TemplateError(text.to_owned()));
            };
            pieces.push(Piece::Text(before.to_owned()));
            pieces.push(Piece::Configuration(name.to_owned()));
            rest = after;
        }
        pieces.push(Piece::Text(rest.to_owned()));
        pieces.retain(|piece| !matches!(piece, Piece::Text(text) if text.is_empty()));
        Ok(Self { text: text.to_owned(), pieces })
    }

    /// A text that refers to nothing.
    pub(crate) fn plain(text: String) -> Self {
        Self { pieces: vec![Piece::Text(text.clone())], text }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether it is a reference and nothing else.
    pub(crate) fn is_one_reference(&self) -> bool {
        matches!(self.pieces[..], [Piece::Configuration(_)])
    }

    pub(crate) fn references(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Configuration(name) => Some(name.as_str()),
            Piece::Text(_) => None,
        })
    }

    /// The text with the same value in place of each reference.
    pub(crate) fn sample(&self, value: &str) -> String {
        let piece = |piece: &'_ Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Configuration(_) => value.to_owned(),
        };
        self.pieces.iter().map(piece).collect()
    }

    /// The texts that it means, by what was configured; no more than `most`, since lists multiply: a text that refers to one of two
    /// members forty times would mean a trillion. `insertion` says what a value puts in after what stands before it; none if that may
    /// not be.
    pub(crate) fn bind(
        &self,
        configured: &dyn Fn(&str) -> Configured,
        most: usize,
        insertion: impl Fn(&str, &str) -> Option<String>,
    ) -> Result<Vec<String>, Unbound> {
        self.put_together(|name, texts| {
            let unbound = |why| Unbound { text: self.text.clone(), name: name.to_owned(), why };
            let values = match configured(name) {
                Configured::Given(values) => values,
                Configured::Default(_) => return Err(unbound(Why::Default)),
                Configured::Unknown => return Err(unbound(Why::Unknown)),
                Configured::Absent => return Err(unbound(Why::Absent)),
                Configured::NoSuch(meant) => return Err(unbound(Why::NoSuch(meant))),
            };
            if texts.len().saturating_mul(values.len()) > most {
                return Err(unbound(Why::Many));
            }
            let all: Option<Vec<String>> = followed(&texts, &values, &insertion).collect();
            all.ok_or_else(|| unbound(Why::Unusable))
        })
    }

    /// The texts that it means with these values, no more than `most`, in which a reference to what has none stays one.
    pub(crate) fn filled(
        &self,
        values: &dyn Fn(&str) -> Option<Vec<String>>,
        most: usize,
        insertion: impl Fn(&str, &str) -> Option<String>,
    ) -> Vec<String> {
        let filled = self.put_together(|name, mut texts| match values(name) {
            None => {
                texts.iter_mut().for_each(|all| all.push_str(&format!("${{config.{name}}}")));
                Ok(texts)
            }
            Some(values) if texts.len().saturating_mul(values.len()) > most => Err(()),
            Some(values) => Ok(followed(&texts, &values, &insertion).flatten().collect()),
        });
        filled.unwrap_or_default()
    }

    /// The texts that come of it: `put` makes of those before a reference those with something in its place.
    fn put_together<E>(
        &self,
        mut put: impl FnMut(&str, Vec<String>) -> Result<Vec<String>, E>,
    ) -> Result<Vec<String>, E> {
        let mut texts = vec![String::new()];
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => texts.iter_mut().for_each(|all| all.push_str(text)),
                Piece::Configuration(name) => texts = put(name, texts)?,
            }
        }
        Ok(texts)
    }

    /// That what was configured makes nothing of it.
    pub(crate) fn unusable(&self) -> Unbound {
        let name = self.references().next().unwrap_or_default();
        Unbound { text: self.text.clone(), name: name.to_owned(), why: Why::Unusable }
    }
}

/// Each text followed by what each value puts in after it; none where that may not be, or is too long.
fn followed<'a>(
    texts: &'a [String],
    values: &'a [String],
    insertion: &'a impl Fn(&str, &str) -> Option<String>,
) -> impl Iterator<Item = Option<String>> + 'a {
    let with = |before: &str, value: &str| {
        let inserted = insertion(before, value)?;
        (before.len().saturating_add(inserted.len()) <= LONGEST).then(|| format!("{before}{inserted}"))
    };
    texts.iter().flat_map(move |before| values.iter().map(move |value| with(before, value)))
}

impl Unbound {
    /// Whether it has a meaning as soon as somebody configures what it refers to, or something else.
    pub(crate) fn is_for_the_user(&self) -> bool {
        matches!(self.why, Why::Absent | Why::Unusable)
    }

    /// Whether the component's own word is all that it would rest on.
    pub(crate) fn is_a_default(&self) -> bool {
        self.why == Why::Default
    }
}

/// As it reads after "the grant".
impl fmt::Display for Unbound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { text, name, why } = self;
        match why {
            Why::Absent => write!(f, "`{text}` means nothing while `{name}` isn't configured"),
            Why::NoSuch(meant) => {
                write!(f, "`{text}` means nothing, because the provider's configuration has no `{name}`")?;
                meant.iter().try_for_each(|meant| write!(f, " (did you mean `{meant}`?)"))
            }
            Why::Unknown => write!(f, "`{text}` means nothing while `{name}` isn't known"),
            Why::Default => write!(f, "`{text}` doesn't count, because `{name}` is the component's own default"),
            Why::Many => write!(f, "`{text}` means nothing, because `{name}` would make too many endpoints of it"),
            Why::Unusable => {
                write!(f, "`{text}` means nothing, because `{name}` is configured to what is no single endpoint")
            }
        }
    }
}
