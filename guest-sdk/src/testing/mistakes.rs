//! What is wrong with a provider, as a test shows it.

use std::fmt;

/// Everything that is wrong with a provider.
///
/// Printed, also by `unwrap` and by a test that returns it, as one line for each mistake.
#[derive(Clone, PartialEq, Eq)]
pub struct Mistakes(pub(super) Vec<Mistake>);

/// One thing that is wrong with a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// What it is about: a token, a token and a property, or the package.
    pub subject: String,
    /// What is wrong.
    pub message: String,
}

impl Mistakes {
    /// The mistakes, in the order of the table.
    pub fn iter(&self) -> impl Iterator<Item = &Mistake> {
        self.0.iter()
    }
}

impl fmt::Display for Mistakes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.0.len();
        write!(formatter, "{count} mistake{} in the provider:", if count == 1 { "" } else { "s" })?;
        self.0.iter().try_for_each(|Mistake { subject, message }| write!(formatter, "\n  {subject}: {message}"))
    }
}

impl fmt::Debug for Mistakes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl std::error::Error for Mistakes {}
