//! Enums whose variants hold one value each, of different types.

use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Fields, Ident, LitStr, Type};

use crate::diag;
use crate::parse::itself;
use crate::parse::setting::of_attributes;

/// An enum whose variants hold one value each.
pub(crate) struct Union {
    pub(crate) ident: Ident,
    pub(crate) variants: Vec<(Ident, Type)>,
    /// The property that says which variant a value is.
    pub(crate) discriminator: Option<LitStr>,
}

impl Union {
    pub(crate) fn read(input: &DeriveInput) -> syn::Result<Self> {
        let Data::Enum(data) = &input.data else { return Err(diag::not_a_union(input.ident.span())) };
        if !input.generics.params.is_empty() {
            return Err(diag::generic(input.generics.span(), "Union"));
        }
        let mut discriminator = None;
        for setting in of_attributes(&input.attrs)? {
            let name = setting.name.to_string();
            match name.as_str() {
                "discriminator" => discriminator = Some(setting.text()?.clone()),
                _ => return Err(diag::misplaced_attribute(setting.name.span(), &name, "a union, which has no name")),
            }
        }
        for variant in &data.variants {
            if let Some(setting) = of_attributes(&variant.attrs)?.first() {
                let name = setting.name.to_string();
                return Err(diag::misplaced_attribute(setting.name.span(), &name, "a union's variant"));
            }
        }
        if data.variants.is_empty() {
            return Err(diag::not_a_union(input.ident.span()));
        }
        let variants = data.variants.iter().map(variant).collect::<syn::Result<Vec<_>>>()?;
        if let Some(place) = variants.iter().find_map(|(_, ty)| itself::itself(ty, &input.ident)) {
            return Err(diag::union_of_itself(place));
        }
        Ok(Self { ident: input.ident.clone(), variants, discriminator })
    }
}

fn variant(variant: &syn::Variant) -> syn::Result<(Ident, Type)> {
    let Fields::Unnamed(fields) = &variant.fields else { return Err(diag::not_a_union(variant.span())) };
    match (fields.unnamed.first(), fields.unnamed.len()) {
        (Some(field), 1) => Ok((variant.ident.clone(), field.ty.clone())),
        _ => Err(diag::not_a_union(variant.span())),
    }
}
