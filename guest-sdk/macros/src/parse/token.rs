//! Tokens, which name resources and functions among all packages.

use syn::LitStr;

use crate::diag;

/// A token: `package:module:Name`, where the module may hold slashes.
pub(crate) fn token(text: &LitStr) -> syn::Result<String> {
    let token = text.value();
    let mut parts = token.split(':');
    let well_formed = match (parts.next(), parts.next(), parts.next(), parts.next()) {
        (Some(package), Some(module), Some(name), None) => {
            is_package(package) && is_part(module, "._/-") && is_part(name, "._/-")
        }
        _ => false,
    };
    if well_formed { Ok(token) } else { Err(diag::bad_token(text.span(), &token)) }
}

/// Whether this may be the name of a package.
pub(crate) fn is_package(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic()) && consists_of(name, "-_")
}

/// Whether this may be the module or the name of a token.
fn is_part(part: &str, signs: &str) -> bool {
    part.starts_with(|first: char| !first.is_ascii_digit()) && consists_of(part, signs)
}

fn consists_of(text: &str, signs: &str) -> bool {
    text.chars().all(|char| char.is_ascii_alphanumeric() || signs.contains(char))
}
