//! What is wrong with a schema.

use std::fmt;

/// How many problems a message shows.
const SHOWN: usize = 10;

/// Why a document is no package schema.
#[derive(Debug, thiserror::Error)]
pub enum SchemaError {
    /// It isn't JSON, or its nesting is deeper than 128.
    #[error("parse the package schema: {0}")]
    Json(#[from] serde_json::Error),
    /// It is JSON, but not a package schema.
    #[error("understand the package schema: {}", shown(.0))]
    Problems(Vec<Problem>),
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where, as a JSON pointer in a fragment: `#/resources/a:b:C/inputProperties/name`.
    pub location: String,
    /// What.
    pub message: String,
    /// What can be done about it.
    pub hint: Option<String>,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.location, self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "; hint: {hint}"),
            None => Ok(()),
        }
    }
}

fn shown(problems: &[Problem]) -> String {
    let mut text: Vec<String> = problems.iter().take(SHOWN).map(Problem::to_string).collect();
    match problems.len().saturating_sub(SHOWN) {
        0 => {}
        more => text.push(format!("and {more} more")),
    }
    text.join("\n")
}
