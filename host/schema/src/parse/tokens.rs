//! The spelling of names, tokens and versions, by the patterns of the metaschema.

use std::sync::LazyLock;

use regex::Regex;
use semver::Version;

/// A pattern that is part of this file: one that doesn't compile matches nothing, and no test would pass.
fn compile(pattern: &str) -> Option<Regex> {
    Regex::new(pattern).ok()
}

fn matches(pattern: &LazyLock<Option<Regex>>, text: &str) -> bool {
    pattern.as_ref().is_some_and(|pattern| pattern.is_match(text))
}

/// Whether this is a package name.
pub(super) fn is_name(name: &str) -> bool {
    static NAME: LazyLock<Option<Regex>> = LazyLock::new(|| compile("^[a-zA-Z][-a-zA-Z0-9_]*$"));
    matches(&NAME, name)
}

/// Whether this is a package's namespace.
pub(super) fn is_namespace(namespace: &str) -> bool {
    static NAMESPACE: LazyLock<Option<Regex>> = LazyLock::new(|| compile("^([a-z][a-z0-9]*)(-[a-z0-9]+)*$"));
    matches(&NAMESPACE, namespace)
}

/// Whether this is the token of a resource or a type.
pub(super) fn is_type_token(token: &str) -> bool {
    static TOKEN: LazyLock<Option<Regex>> =
        LazyLock::new(|| compile("^[a-zA-Z][-a-zA-Z0-9_]*:([^0-9][a-zA-Z0-9._/-]*)?:[^0-9][a-zA-Z0-9._/]*$"));
    matches(&TOKEN, token)
}

/// Whether this is the token of a function, whose name may have hyphens: methods of a provider carry its package's name.
pub(super) fn is_function_token(token: &str) -> bool {
    static TOKEN: LazyLock<Option<Regex>> =
        LazyLock::new(|| compile("^[a-zA-Z][-a-zA-Z0-9_]*:([^0-9][a-zA-Z0-9._/-]*)?:[^0-9][a-zA-Z0-9._/-]*$"));
    matches(&TOKEN, token)
}

/// A semantic version, with or without a leading `v`.
pub(super) fn version(text: &str) -> Option<Version> {
    Version::parse(text.strip_prefix('v').unwrap_or(text)).ok()
}
