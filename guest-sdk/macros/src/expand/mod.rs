//! The model as code. Paths are absolute, so that nothing an author imports or defines gets in the way.

mod assertion;
mod component;
mod enumeration;
mod facts;
mod fits;
mod function;
mod lifted;
mod method;
mod plain;
mod provider;
mod record;
mod resource;
mod union;

pub(crate) use component::component;
pub(crate) use enumeration::enumeration;
pub(crate) use function::function;
pub(crate) use method::method;
pub(crate) use provider::provider;
pub(crate) use record::record;
pub(crate) use resource::resource;
pub(crate) use union::union;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// A parameter that hides nothing of the author's, who may have called the function itself so.
fn parameter(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// `Some(…)` or `None`.
fn option(value: Option<impl quote::ToTokens>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}
