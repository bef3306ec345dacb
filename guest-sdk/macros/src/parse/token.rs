//! Tokens, which name resources and functions among all packages.

use syn::LitStr;

use crate::diag;

/// A resource's token: `package:module:Name`, where module and name may hold slashes.
pub(crate) fn resource(text: &LitStr) -> syn::Result<String> {
    token(text, "._/")
}

/// A function's token, whose name may hold hyphens too.
pub(crate) fn function(text: &LitStr) -> syn::Result<String> {
    token(text, "._/-")
}

fn token(text: &LitStr, signs: &str) -> syn::Result<String> {
    let token = text.value();
    let mut parts = token.split(':');
    let well_formed = match (parts.next(), parts.next(), parts.next(), parts.next()) {
        (Some(package), Some(module), Some(name), None) => {
            is_package(package) && is_part(module, "._/-") && is_part(name, signs)
        }
        _ => false,
    };
    if well_formed { Ok(token) } else { Err(diag::bad_token(text.span(), &token)) }
}

/// The name of a type in the schema, which becomes the last part of its token.
pub(crate) fn type_name(text: &LitStr) -> syn::Result<String> {
    let name = text.value();
    if is_part(&name, "._") { Ok(name) } else { Err(diag::bad_type_name(text.span(), &name)) }
}

/// Whether this may be the name of a package.
pub(crate) fn is_package(name: &str) -> bool {
    is_led(name) && consists_of(name, "-_")
}

/// Whether this may be the module or the name of a token.
fn is_part(part: &str, signs: &str) -> bool {
    is_led(part) && consists_of(part, signs)
}

fn consists_of(text: &str, signs: &str) -> bool {
    text.chars().all(|char| char.is_ascii_alphanumeric() || signs.contains(char))
}

fn is_led(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
}
