//! Names of fields and variants as names of properties and values.

use syn::Ident;
use syn::ext::IdentExt;

/// `snake_case` or `UpperCamelCase` as `lowerCamelCase`.
pub(crate) fn camel_case(ident: &Ident) -> String {
    let name = ident.unraw().to_string();
    let mut camel = String::new();
    let mut upper = false;
    for char in name.chars() {
        if char == '_' {
            upper = !camel.is_empty();
        } else if upper {
            camel.extend(char.to_uppercase());
            upper = false;
        } else if camel.is_empty() {
            camel.extend(char.to_lowercase());
        } else {
            camel.push(char);
        }
    }
    camel
}
