//! Why a resource isn't ready, and who says so: a guest has as many reasons as it likes, among which the host's would be lost, and what it
//! says is searched for secrets, which it can make too much.

/// A reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A guest's, or one that is about what it did.
    Said(String),
    /// The host's: a limit that was met, what was denied, what to do.
    Explained(String),
}

impl Reason {
    /// What it says.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Said(text) | Self::Explained(text) => text,
        }
    }

    /// Those of guests, and those of the host.
    pub(crate) fn parted(reasons: Vec<Self>) -> (Vec<String>, Vec<String>) {
        let (mut said, mut explained) = (Vec::new(), Vec::new());
        for reason in reasons {
            match reason {
                Self::Said(text) => said.push(text),
                Self::Explained(text) => explained.push(text),
            }
        }
        (said, explained)
    }
}

impl From<String> for Reason {
    fn from(said: String) -> Self {
        Self::Said(said)
    }
}

impl From<&str> for Reason {
    fn from(said: &str) -> Self {
        said.to_owned().into()
    }
}
