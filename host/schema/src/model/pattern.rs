//! Patterns that others wrote.
//!
//! A pattern of a dozen characters can take megabytes once it is compiled, and a schema can have any number of them. So
//! each is compiled within a limit and knows what it took, so that whoever reads a schema can add it up; and none is
//! tried on a text so long that it would take seconds.

use regex::{Regex, RegexBuilder};
use regex_syntax::ast::ErrorKind;
use regex_syntax::hir::{Hir, HirKind, Repetition};

use super::ascii::in_ascii;

/// The most that a pattern may measure, bytes: parsed, a class of two characters may take thousands of bytes.
const LONGEST_PATTERN: usize = 8 << 10;

/// What a pattern may take, bytes: the least of these that is enough is what it counts for.
const SIZES: [usize; 5] = [16 << 10, 64 << 10, 256 << 10, 1 << 20, 8 << 20];

/// What an automaton made while matching may take, bytes.
const AUTOMATON: usize = 64 << 10;

/// What is compiled of a pattern beyond its size where it asks for words of any script, bytes.
const WORDS: usize = 1 << 20;

/// Texts that are longer aren't tried on any pattern, bytes.
const LONGEST_TEXT: usize = 64 << 10;

/// The product of a text's length and a pattern's size that is still tried.
const MOST_WORK: usize = LONGEST_TEXT * (256 << 10);

/// What a byte of a pattern counts for when it is read, and one of a pattern that may ignore case, bytes.
const READ: usize = 256;
const FOLDED: usize = 4 << 10;

/// A regular expression in the syntax of the `regex` crate, which takes linear time. It matches anywhere in the string
/// unless it is anchored.
#[derive(Debug, Clone)]
pub struct Pattern {
    source: String,
    regex: Regex,
    size: usize,
    /// At how many places in it a match may be at once.
    places: usize,
}

/// Why a text is no pattern.
#[derive(Debug, thiserror::Error)]
pub enum PatternError {
    /// It isn't written like one.
    #[error("compile a pattern: {}", reason(.0))]
    Syntax(Box<regex_syntax::Error>),
    /// It is too long.
    #[error("compile a pattern: it is longer than {0} bytes")]
    Long(usize),
    /// It takes too much memory.
    #[error(
        "compile a pattern: it takes more than {} KiB; hint: repeat less, and where \\w or \\d is repeated, write [0-9A-Za-z_] or [0-9]",
        .0 >> 10
    )]
    Large(usize),
}

impl PatternError {
    pub(super) fn of(error: regex_syntax::Error) -> Self {
        Self::Syntax(Box::new(error))
    }
}

/// What is wrong with a pattern, on one line: the library draws it on several.
fn reason(error: &regex_syntax::Error) -> String {
    match error {
        regex_syntax::Error::Parse(error) => {
            let hint = match error.kind() {
                ErrorKind::UnsupportedLookAround | ErrorKind::UnsupportedBackreference => {
                    "; hint: look-around and back-references aren't available"
                }
                _ => "",
            };
            format!("{} (at character {}){hint}", error.kind(), error.span().start.column)
        }
        regex_syntax::Error::Translate(error) => {
            format!("{} (at character {})", error.kind(), error.span().start.column)
        }
        _ => "it isn't a regular expression".to_owned(),
    }
}

impl Pattern {
    /// Compiles a pattern.
    pub fn new(pattern: &str) -> Result<Self, PatternError> {
        let hir = parsed(pattern, LONGEST_PATTERN)?;
        // Nobody asks for groups, and to find them takes more memory than all the rest.
        let expression = if hir.properties().explicit_captures_len() == 0 {
            pattern.to_owned()
        } else {
            ungrouped(&hir).to_string()
        };
        let places = places(&hir).saturating_add(1);
        let words = if hir.properties().look_set().contains_word_unicode() { WORDS } else { 0 };
        for size in SIZES {
            if let Ok(regex) = compiled(&expression, size) {
                let size = size.saturating_add(words);
                return Ok(Self { source: pattern.to_owned(), regex, size, places });
            }
        }
        Err(PatternError::Large(Self::largest()))
    }

    /// What the largest pattern takes, bytes.
    pub(crate) fn largest() -> usize {
        SIZES.into_iter().max().unwrap_or_default()
    }

    /// What it takes at most, bytes.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// What it takes to read a pattern, as if it were memory: where case doesn't matter, a few bytes are a class of a million
    /// characters that is folded one by one, and may be compiled to nothing.
    pub(crate) fn reading(source: &str) -> usize {
        let is_flag = |character: char| character.is_ascii_alphabetic() || character == '-';
        let folds = source.split('?').skip(1).any(|flags| {
            let end = flags.find(|character| !is_flag(character)).unwrap_or(flags.len());
            flags.get(..end).is_some_and(|flags| flags.contains('i'))
        });
        source.len().saturating_mul(if folds { FOLDED } else { READ })
    }

    /// How many steps it takes to try a text, at most.
    pub(crate) fn effort(&self, text: &str) -> usize {
        text.len().saturating_add(1).saturating_mul(self.places)
    }

    /// How many steps a byte of a text takes, at most.
    pub(crate) fn places(&self) -> usize {
        self.places
    }

    /// How long a text may be to be tried, bytes.
    pub fn longest_text(&self) -> usize {
        MOST_WORK.checked_div(self.size).unwrap_or_default().min(LONGEST_TEXT)
    }

    /// Whether a string matches. One that is longer than [what is tried](Self::longest_text) doesn't.
    pub fn matches(&self, text: &str) -> bool {
        text.len() <= self.longest_text() && self.regex.is_match(text)
    }

    /// The pattern as it was written.
    pub fn as_str(&self) -> &str {
        &self.source
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

/// A pattern of limited length and size whose first group is asked for, and which was written for Go.
pub(super) fn grouped(pattern: &str, longest: usize, size: usize) -> Result<Regex, PatternError> {
    parsed(pattern, longest)?;
    compiled(&in_ascii(pattern)?, size).map_err(|_| PatternError::Large(size))
}

fn parsed(pattern: &str, longest: usize) -> Result<Hir, PatternError> {
    if pattern.len() > longest {
        return Err(PatternError::Long(longest));
    }
    regex_syntax::parse(pattern).map_err(PatternError::of)
}

fn compiled(pattern: &str, size: usize) -> Result<Regex, regex::Error> {
    RegexBuilder::new(pattern).size_limit(size).dfa_size_limit(AUTOMATON).build()
}

/// An expression that matches the same. The recursion is bounded by that of the parser.
fn ungrouped(hir: &Hir) -> Hir {
    match hir.kind() {
        HirKind::Capture(capture) => ungrouped(&capture.sub),
        HirKind::Repetition(repetition) => {
            Hir::repetition(Repetition { sub: Box::new(ungrouped(&repetition.sub)), ..repetition.clone() })
        }
        HirKind::Concat(parts) => Hir::concat(parts.iter().map(ungrouped).collect()),
        HirKind::Alternation(parts) => Hir::alternation(parts.iter().map(ungrouped).collect()),
        HirKind::Empty | HirKind::Literal(_) | HirKind::Class(_) | HirKind::Look(_) => hir.clone(),
    }
}

/// How many characters there are in an expression once all that it repeats is written out. Its recursion is bounded likewise.
fn places(hir: &Hir) -> usize {
    let all = |parts: &[Hir]| parts.iter().map(places).fold(0, usize::saturating_add);
    match hir.kind() {
        HirKind::Empty | HirKind::Class(_) | HirKind::Look(_) => 1,
        HirKind::Literal(literal) => literal.0.len(),
        HirKind::Capture(capture) => places(&capture.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => all(parts),
        HirKind::Repetition(repetition) => {
            let times = repetition.max.unwrap_or(repetition.min.saturating_add(1)).max(1);
            places(&repetition.sub).saturating_mul(usize::try_from(times).unwrap_or(usize::MAX))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FOLDED, LONGEST_PATTERN, LONGEST_TEXT, Pattern, READ, SIZES};

    #[test]
    fn trying_takes_a_step_for_each_byte_and_place() {
        for (pattern, places) in [
            ("", 2),
            ("abc", 4),
            ("^(a|b[c-e])+$", 9),
            ("^[a-z0-9-]{1,63}$", 66),
            ("(?:a?){2000}", 2_001),
            (r"^(?:\w{1,20}\.){3}", 65),
        ] {
            let pattern = Pattern::new(pattern).unwrap();
            assert_eq!((pattern.effort(""), pattern.effort("ä")), (places, places * 3), "{}", pattern.as_str());
        }
    }

    #[test]
    fn reading_takes_longer_where_case_is_ignored() {
        for pattern in ["^a+$", "(?s-m:i.)", "(?P<i>x)?", "(?:i)", "a?"] {
            assert_eq!(Pattern::reading(pattern), pattern.len() * READ, "{pattern}");
        }
        for pattern in ["(?i)a", "(?x) ( ?s-i: a)", "^(?im:a)$", "x?(?si)"] {
            assert_eq!(Pattern::reading(pattern), pattern.len() * FOLDED, "{pattern}");
        }
        for usual in ["^[a-z][a-z0-9-]{1,61}[a-z0-9]$", r"^arn:aws(-[a-z]+)*:[a-z0-9-]+:\d{12}:.*$"] {
            assert!(Pattern::reading(usual) <= Pattern::new(usual).unwrap().size(), "{usual}");
        }
    }

    #[test]
    fn patterns_match_with_groups_as_without() {
        for (pattern, yes, no) in [
            ("^(a|b)+$", "abba", "abc"),
            ("(?i)^(x(y)?)*$", "XyX", "xyz"),
            (r"\b(cat)\b", "a cat", "cats"),
            (r"^(\d{3})-(\p{L}+)$", "123-äb", "12-a"),
            (r"^arn:(aws|aws-cn):[a-z]{2,5}$", "arn:aws:iam", "arn:azure:iam"),
            ("", "anything", ""),
        ] {
            let compiled = Pattern::new(pattern).unwrap();
            assert!(compiled.matches(yes), "{pattern}");
            assert!(pattern.is_empty() || !compiled.matches(no), "{pattern}");
            assert_eq!(compiled.as_str(), pattern);
        }
    }

    #[test]
    fn usual_patterns_are_small() {
        for pattern in ["^[a-z0-9-]{1,63}$", "^arn:aws(-[a-z]+)*:[a-z0-9-]+:.*$", "^(?:[0-9]{1,3}\\.){3}[0-9]{1,3}$"] {
            assert_eq!(Pattern::new(pattern).unwrap().size(), SIZES[0], "{pattern}");
        }
        for pattern in [r"^[\w+=,.@-]{1,64}$", r"^[\p{L}\p{Z}\p{N}_.:/=+\-@]{1,64}$"] {
            assert!(Pattern::new(pattern).unwrap().size() <= SIZES[4], "{pattern}");
        }
    }

    #[test]
    fn patterns_have_limits() {
        let wrong = |pattern: &str| Pattern::new(pattern).unwrap_err().to_string();
        let large = wrong("(?:a{1000}){1000}");
        assert!(large.starts_with("compile a pattern: it takes more than 8192 KiB; hint: repeat less"), "{large}");
        let long = wrong(&"a".repeat(LONGEST_PATTERN + 1));
        assert_eq!(long, "compile a pattern: it is longer than 8192 bytes");
    }

    #[test]
    fn what_is_no_pattern_is_told_on_one_line() {
        for (pattern, said) in [
            ("ab(c", "unclosed group (at character 3)"),
            ("[z-a]", "invalid character class range, the start must be <= the end (at character 2)"),
            (r"\pX1", "Unicode property not found (at character 1)"),
            (
                "a(?=x)",
                "look-around, including look-ahead and look-behind, is not supported (at character 2); \
                 hint: look-around and back-references aren't available",
            ),
        ] {
            assert_eq!(Pattern::new(pattern).unwrap_err().to_string(), format!("compile a pattern: {said}"));
        }
    }

    #[test]
    fn long_texts_are_not_tried() {
        let small = Pattern::new("a").unwrap();
        assert!(small.matches(&"a".repeat(LONGEST_TEXT)) && !small.matches(&"a".repeat(LONGEST_TEXT + 1)));
        let large = Pattern::new(r"^\w{1,64}$").unwrap();
        assert!(large.longest_text() >= 2 << 10);
    }
}
