//! A type without the outputs in it, as the author wrote it.
//!
//! The trait `Property` knows that of every type. Here it is known of the words alone, so that structs that are written out name
//! types that an author knows, and a type that is no property is one error, at its own line. A type behind an alias stays as it is.

use syn::{GenericArgument, PathArguments, Type};

/// The type without any `Output` in it, if there is one: what is eventual isn't made so twice.
pub(super) fn plain(ty: &Type) -> Option<Type> {
    match ty {
        Type::Paren(inner) => plain(&inner.elem),
        Type::Group(inner) => plain(&inner.elem),
        Type::Tuple(tuple) => {
            let mut tuple = tuple.clone();
            let changed = tuple.elems.iter_mut().map(strip).fold(false, |any, changed| any | changed);
            changed.then_some(Type::Tuple(tuple))
        }
        Type::Path(path) => {
            let mut path = path.clone();
            let segment = path.path.segments.last_mut()?;
            let name = segment.ident.to_string();
            let PathArguments::AngleBracketed(arguments) = &mut segment.arguments else { return None };
            let Some(GenericArgument::Type(inner)) = arguments.args.last_mut() else { return None };
            match name.as_str() {
                "Output" => Some(plain(inner).unwrap_or_else(|| inner.clone())),
                "Option" | "Vec" | "Box" | "Secret" | "BTreeMap" | "HashMap" => {
                    strip(inner).then_some(Type::Path(path))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// Takes outputs out of a type, and says whether there were any.
fn strip(ty: &mut Type) -> bool {
    let Some(plain) = plain(ty) else { return false };
    *ty = plain;
    true
}
