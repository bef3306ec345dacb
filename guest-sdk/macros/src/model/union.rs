//! Enums whose variants hold one value each, of different types.

use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Fields, Ident, Type};

use crate::diag;
use crate::parse::setting::of_attributes;

/// An enum whose variants hold one value each.
pub(crate) struct Union {
    pub(crate) ident: Ident,
    pub(crate) variants: Vec<(Ident, Type)>,
}

impl Union {
    pub(crate) fn read(input: &DeriveInput) -> syn::Result<Self> {
        let Data::Enum(data) = &input.data else { return Err(diag::not_a_union(input.ident.span())) };
        if !input.generics.params.is_empty() {
            return Err(diag::generic(input.generics.span(), "Union"));
        }
        let variants = data.variants.iter().map(|variant| &variant.attrs);
        for attributes in std::iter::once(&input.attrs).chain(variants) {
            if let Some(setting) = of_attributes(attributes)?.first() {
                let name = setting.name.to_string();
                return Err(diag::misplaced_attribute(setting.name.span(), &name, "a union, which has no name"));
            }
        }
        if data.variants.is_empty() {
            return Err(diag::not_a_union(input.ident.span()));
        }
        let variants = data.variants.iter().map(variant).collect::<syn::Result<_>>()?;
        Ok(Self { ident: input.ident.clone(), variants })
    }
}

fn variant(variant: &syn::Variant) -> syn::Result<(Ident, Type)> {
    let Fields::Unnamed(fields) = &variant.fields else { return Err(diag::not_a_union(variant.span())) };
    match (fields.unnamed.first(), fields.unnamed.len()) {
        (Some(field), 1) => Ok((variant.ident.clone(), field.ty.clone())),
        _ => Err(diag::not_a_union(variant.span())),
    }
}
