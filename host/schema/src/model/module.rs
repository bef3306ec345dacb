//! Modules as programs see them.

use super::{Pattern, PatternError};

/// What all bridged providers say: the module without the file that it ends with.
const BRIDGED: &str = "(.*)(?:/[^/]*)";

/// How the module that programs see is found in the module of a token: it is what the first group of a pattern matches.
#[derive(Debug, Clone, PartialEq)]
pub struct ModuleFormat(Form);

#[derive(Debug, Clone, PartialEq)]
enum Form {
    /// Known by heart, since to compile a pattern takes longer than to use it.
    Bridged,
    Other(Pattern),
}

impl ModuleFormat {
    /// Reads a format.
    pub fn new(pattern: &str) -> Result<Self, PatternError> {
        Ok(Self(if pattern == BRIDGED { Form::Bridged } else { Form::Other(Pattern::new(pattern)?) }))
    }

    /// The part of a token's module that programs see; `None` if the format doesn't match.
    pub fn seen<'m>(&self, module: &'m str) -> Option<&'m str> {
        match &self.0 {
            Form::Bridged => module.rsplit_once('/').map(|(seen, _)| seen),
            Form::Other(pattern) => pattern.captured(module),
        }
    }

    /// How many groups the format has; there should be one.
    pub(crate) fn groups(&self) -> usize {
        match &self.0 {
            Form::Bridged => 1,
            Form::Other(pattern) => pattern.groups(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{BRIDGED, Form, ModuleFormat, Pattern};

    #[test]
    fn what_is_known_by_heart_is_what_the_pattern_says() {
        let compiled = ModuleFormat(Form::Other(Pattern::new(BRIDGED).unwrap()));
        let known = ModuleFormat::new(BRIDGED).unwrap();
        assert_eq!(known.groups(), compiled.groups());
        for module in ["", "index", "index/pet", "s3/a/b", "/", "//", "a/", "/a"] {
            assert_eq!(known.seen(module), compiled.seen(module), "{module}");
        }
    }
}
