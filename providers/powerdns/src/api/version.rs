//! What the server's versions do differently, where that decides what to ask.

use bulkhead_sdk::session;

use super::{Problem, Server};

/// The server's version, as all that are configured alike know it.
const KEY: &str = "version";

/// The numbers of a release.
type Release = (u32, u32, u32);

/// The first release whose look-ups by name have what is switched off.
const LOOKS_UP_ALL: Release = (5, 0, 0);
/// The first one that takes a level of escapes off contents.
const UNESCAPES: Release = (5, 1, 0);
/// The first one of those that leaves contents of types that it has no name for as they are.
const LEAVES_UNKNOWN: Release = (5, 1, 3);

/// A version; none if it isn't a release's. Those of the server's own source between releases start with a zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct Version(Option<Release>);

impl Server {
    /// The server's version, asked for once.
    pub(super) fn version(&self) -> Result<Version, Problem> {
        let version = session::get_or_make(KEY, || Ok(self.about()?.version.into_bytes())).map_err(Problem::Ended)?;
        Ok(Version::parse(&String::from_utf8_lossy(&version)))
    }
}

impl Version {
    fn parse(text: &str) -> Self {
        let number = |part: &str| {
            let digits = part.split(|character: char| !character.is_ascii_digit()).next().unwrap_or_default();
            digits.parse::<u32>().ok()
        };
        let mut parts = text.split('.').map(number);
        let mut next = || parts.next().flatten();
        Self(next().filter(|major| *major > 0).map(|major| (major, next().unwrap_or(0), next().unwrap_or(0))))
    }

    /// Whether look-ups by name have the records that are switched off, too. To list a zone instead is right for all.
    pub(super) fn looks_up_all(self) -> bool {
        self.0.is_some_and(|release| release >= LOOKS_UP_ALL)
    }

    /// Whether a level of escapes is taken off contents. What is no release is mostly newer than all of them.
    pub(super) fn unescapes(self) -> bool {
        self.0.is_none_or(|release| release >= UNESCAPES)
    }

    /// Whether that leaves out those of types that the server has no name for.
    pub(super) fn leaves_unknown(self) -> bool {
        self.0.is_none_or(|release| release >= LEAVES_UNKNOWN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        for (text, looks_up_all, unescapes, leaves_unknown) in [
            ("4.7.3", false, false, false),
            ("4.9.17-1pdns.debian12", false, false, false),
            ("5.0.7", true, false, false),
            ("5.1.0-rc1", true, true, false),
            ("5.1.2", true, true, false),
            ("5.1.3", true, true, true),
            ("5.10.0", true, true, true),
            ("10", true, true, true),
            ("0.0.21342.0.master.g0123456789", false, true, true),
            ("git", false, true, true),
            ("", false, true, true),
        ] {
            let version = Version::parse(text);
            let said = (version.looks_up_all(), version.unescapes(), version.leaves_unknown());
            assert_eq!(said, (looks_up_all, unescapes, leaves_unknown), "{text}");
        }
    }
}
