//! Messages on their way to the user.

/// How important a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// For the provider's author.
    Debug,
    /// Worth knowing.
    Info,
    /// Probably a mistake.
    Warning,
    /// Something failed.
    Error,
}

/// One message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// How important it is.
    pub severity: Severity,
    /// The text.
    pub text: String,
    /// The resource it is about.
    pub urn: Option<String>,
    /// Whether it is a status that the next one replaces.
    pub ephemeral: bool,
}

/// Where messages go. Never blocks; a message may be lost when nobody listens.
pub trait Log: Send + Sync {
    /// Shows a message.
    fn log(&self, message: Message);
}

/// Shows nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Log for Silent {
    fn log(&self, _message: Message) {}
}

/// A text for people, or its beginning and a note. `limit` counts characters.
pub fn shortened(text: String, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        None => text,
        Some((at, _)) => format!("{} … ({} bytes in all)", text.get(..at).unwrap_or_default(), text.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn long_messages_are_cut_between_characters() {
        assert_eq!(shortened("ééé".into(), 3), "ééé");
        assert_eq!(shortened("éééé".into(), 3), "ééé … (8 bytes in all)");
    }
}
