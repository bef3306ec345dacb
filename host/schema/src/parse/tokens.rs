//! The spelling of names, tokens and versions, by the patterns of the metaschema.
//!
//! A schema has thousands of tokens, and is read at each start: patterns as simple as these are matched by hand.

use semver::Version;

use crate::model::ModuleFormat;

/// The longest name or version of a package, bytes: both are shown, and become parts of file names.
pub(super) const LONGEST: usize = 256;

/// Whether this is a package name: a letter, then letters, digits, `-` and `_`.
pub(super) fn is_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

/// Whether this is a package's namespace: lower-case words of letters and digits with hyphens between them, a letter first.
pub(super) fn is_namespace(namespace: &str) -> bool {
    let is_word =
        |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    namespace.starts_with(|first: char| first.is_ascii_lowercase()) && namespace.split('-').all(is_word)
}

/// Whether this is the token of a resource or a type.
pub(super) fn is_type_token(token: &str) -> bool {
    is_token(token, b"._/")
}

/// Whether this is the token of a function, whose name may have hyphens: methods of a provider carry its package's name.
pub(super) fn is_function_token(token: &str) -> bool {
    is_token(token, b"._/-")
}

fn is_token(token: &str, in_name: &[u8]) -> bool {
    let Some(Token { package, module, name }) = Token::of(token) else { return false };
    is_name(package) && (module.is_empty() || is_part(module, b"._/-")) && is_part(name, in_name)
}

/// Whether this starts with anything but a digit, and goes on with letters, digits and these characters.
fn is_part(part: &str, others: &[u8]) -> bool {
    let mut characters = part.chars();
    characters.next().is_some_and(|first| !first.is_ascii_digit())
        && characters.as_str().bytes().all(|byte| byte.is_ascii_alphanumeric() || others.contains(&byte))
}

/// Whether a name has nothing but characters that can be seen: those of programs in any script, and no spaces.
pub(super) fn is_printable(name: &str) -> bool {
    name.chars().all(|character| {
        if character.is_ascii() {
            return character.is_ascii_graphic();
        }
        // Not as the first one, since marks that belong to the character before them can be seen.
        let mut text = String::from("a");
        text.push(character);
        !character.is_whitespace() && text.escape_debug().nth(2).is_none()
    })
}

/// The three parts of a token.
#[derive(Clone, Copy)]
pub(super) struct Token<'t> {
    pub(super) package: &'t str,
    pub(super) module: &'t str,
    pub(super) name: &'t str,
}

impl<'t> Token<'t> {
    /// The parts, if there are three.
    pub(super) fn of(token: &'t str) -> Option<Self> {
        let mut parts = token.split(':');
        let (package, module, name) = (parts.next()?, parts.next()?, parts.next()?);
        parts.next().is_none().then_some(Self { package, module, name })
    }
}

/// The module of a token that programs see, by the format that the package says modules have; `None` for the root.
pub(crate) fn module<'t>(format: Option<&ModuleFormat>, token: &'t str) -> Option<&'t str> {
    let Token { package, module, .. } = Token::of(token)?;
    if package == "pulumi" && matches!(module, "pulumi" | "providers") {
        return None;
    }
    let seen = match format {
        Some(format) => format.seen(module)?,
        None => module,
    };
    (!matches!(seen, "" | "index")).then_some(seen)
}

/// The package's own version, with or without a leading `v`.
pub fn version(text: &str) -> Option<Version> {
    strict_version(text.strip_prefix('v').unwrap_or(text))
}

/// A semantic version that isn't too long. Engines read those of other packages without a `v` alone.
pub(super) fn strict_version(text: &str) -> Option<Version> {
    Version::parse(Some(text).filter(|text| text.len() <= LONGEST)?).ok()
}

/// A version as it stands in a reference, where `v1` and `v1.2` are versions too.
pub(super) fn lenient_version(text: &str) -> Option<Version> {
    version(text).or_else(|| version(&format!("{text}.0"))).or_else(|| version(&format!("{text}.0.0")))
}
