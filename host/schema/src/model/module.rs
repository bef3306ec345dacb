//! Modules as programs see them.

use regex::Regex;

use super::{PatternError, pattern::grouped};

/// What all bridged providers say: the module without the file that it ends with.
const BRIDGED: &str = "(.*)(?:/[^/]*)";

/// The most that a format may measure, and take once it is compiled, bytes: it is asked about every token.
const LONGEST: usize = 1 << 10;
const LARGEST: usize = 16 << 10;

/// How the module that programs see is found in the module of a token: it is what the first group of a pattern matches.
#[derive(Debug, Clone)]
pub struct ModuleFormat(Form);

#[derive(Debug, Clone)]
enum Form {
    /// Known by heart, since to compile a pattern takes longer than to use it.
    Bridged,
    Other {
        written: String,
        regex: Regex,
    },
}

impl ModuleFormat {
    /// Reads a format.
    pub fn new(pattern: &str) -> Result<Self, PatternError> {
        Ok(Self(if pattern == BRIDGED { Form::Bridged } else { Form::compiled(pattern)? }))
    }

    /// The part of a token's module that programs see; `None` if the format doesn't match.
    pub fn seen<'m>(&self, module: &'m str) -> Option<&'m str> {
        match &self.0 {
            Form::Bridged => module.rsplit_once('/').map(|(seen, _)| seen),
            Form::Other { regex, .. } => regex.captures(module)?.get(1).map(|seen| seen.as_str()),
        }
    }

    /// The format as it was written.
    pub(crate) fn as_str(&self) -> &str {
        match &self.0 {
            Form::Bridged => BRIDGED,
            Form::Other { written, .. } => written,
        }
    }

    /// Whether it has to be matched, which takes time.
    pub(crate) fn is_matched(&self) -> bool {
        matches!(self.0, Form::Other { .. })
    }

    /// How many groups the format has; there should be one.
    pub(crate) fn groups(&self) -> usize {
        match &self.0 {
            Form::Bridged => 1,
            Form::Other { regex, .. } => regex.captures_len().saturating_sub(1),
        }
    }
}

impl Form {
    fn compiled(pattern: &str) -> Result<Self, PatternError> {
        Ok(Self::Other { written: pattern.to_owned(), regex: grouped(pattern, LONGEST, LARGEST)? })
    }
}

impl PartialEq for ModuleFormat {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

#[cfg(test)]
mod tests {
    use super::{BRIDGED, Form, ModuleFormat};

    #[test]
    fn what_is_known_by_heart_is_what_the_pattern_says() {
        let compiled = ModuleFormat(Form::compiled(BRIDGED).unwrap());
        let known = ModuleFormat::new(BRIDGED).unwrap();
        assert_eq!(known.groups(), compiled.groups());
        for module in ["", "index", "index/pet", "s3/a/b", "/", "//", "a/", "/a"] {
            assert_eq!(known.seen(module), compiled.seen(module), "{module}");
        }
    }

    /// What upstream's own tests say, and what they leave to Go's syntax.
    #[test]
    fn classes_are_of_ascii_as_where_formats_are_written_for() {
        for (format, module, seen) in [
            (r"(\w+)_v\d+", "storage_v1", Some("storage")),
            (r"(\w+)", "a/b", Some("a")),
            (r"([\w/]+)(?:/[^/]*)", "a/b/c", Some("a/b")),
            (r"([a-z]+)(?:/\w+)?", "index/pet", Some("index")),
            (r"^(\w+)$", "größe", None),
            (r"^(\W+)$", "é", Some("é")),
        ] {
            let read = ModuleFormat::new(format).unwrap();
            assert_eq!((read.seen(module), read.as_str()), (seen, format));
        }
    }
}
