//! Patterns that were written for Go, in the syntax of the `regex` crate.
//!
//! `\w`, `\d` and `\s` are of ASCII there, and of all scripts here, where one of them is thousands of characters to compile.

use std::convert::Infallible;

use regex_syntax::ast::{self, Ast, ClassPerl, ClassPerlKind, ClassSetItem};

use super::PatternError;

/// The pattern with the characters that Go has for such classes in place of each.
pub(super) fn in_ascii(pattern: &str) -> Result<String, PatternError> {
    let ast = ast::parse::Parser::new().parse(pattern).map_err(|error| PatternError::of(error.into()))?;
    let Ok(classes) = ast::visit(&ast, Classes::default());
    let mut written = String::with_capacity(pattern.len());
    let mut end = 0;
    for class in classes {
        written.push_str(pattern.get(end..class.span.start.offset).unwrap_or_default());
        written.push_str(characters(&class));
        end = class.span.end.offset;
    }
    written.push_str(pattern.get(end..).unwrap_or_default());
    Ok(written)
}

/// A class of ASCII, fit to stand in another one, and where blanks don't count.
fn characters(class: &ClassPerl) -> &'static str {
    match (&class.kind, class.negated) {
        (ClassPerlKind::Word, false) => "[0-9A-Za-z_]",
        (ClassPerlKind::Word, true) => "[^0-9A-Za-z_]",
        (ClassPerlKind::Digit, false) => "[0-9]",
        (ClassPerlKind::Digit, true) => "[^0-9]",
        (ClassPerlKind::Space, false) => r"[\t\n\f\r\x20]",
        (ClassPerlKind::Space, true) => r"[^\t\n\f\r\x20]",
    }
}

/// The classes of a pattern, in the order in which they stand there.
#[derive(Default)]
struct Classes(Vec<ClassPerl>);

impl ast::Visitor for Classes {
    type Output = Vec<ClassPerl>;
    type Err = Infallible;

    fn finish(self) -> Result<Self::Output, Self::Err> {
        Ok(self.0)
    }

    fn visit_pre(&mut self, ast: &Ast) -> Result<(), Self::Err> {
        if let Ast::ClassPerl(class) = ast {
            self.0.push(ClassPerl::clone(class));
        }
        Ok(())
    }

    fn visit_class_set_item_pre(&mut self, item: &ClassSetItem) -> Result<(), Self::Err> {
        if let ClassSetItem::Perl(class) = item {
            self.0.push(class.clone());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::in_ascii;

    #[test]
    fn classes_are_of_ascii_wherever_they_stand() {
        for (written, expected) in [
            ("", ""),
            ("(.*)(?:/[^/]*)", "(.*)(?:/[^/]*)"),
            (r"(\w+)_v\d+", "([0-9A-Za-z_]+)_v[0-9]+"),
            (r"([\w/-]+)(?:/\W*)?", "([[0-9A-Za-z_]/-]+)(?:/[^0-9A-Za-z_]*)?"),
            (r"(?x) \\w [^\s[\D]] é\d", r"(?x) \\w [^[\t\n\f\r\x20][[^0-9]]] é[0-9]"),
        ] {
            let ascii = in_ascii(written).unwrap();
            assert_eq!(ascii, expected);
            assert!(regex::Regex::new(&ascii).is_ok(), "{ascii}");
        }
        assert!(in_ascii("(").is_err());
    }
}
