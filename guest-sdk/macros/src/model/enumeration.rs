//! Enums whose variants are strings.

use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Fields, Ident};

use super::record::type_name;
use crate::diag;
use crate::parse::docs::{Docs, docs};
use crate::parse::name::camel_case;
use crate::parse::setting::of_attributes;

/// An enum whose variants are strings.
pub(crate) struct Enumeration {
    pub(crate) ident: Ident,
    pub(crate) type_name: String,
    pub(crate) description: Docs,
    pub(crate) variants: Vec<Variant>,
}

/// One of its variants.
pub(crate) struct Variant {
    pub(crate) ident: Ident,
    pub(crate) value: String,
    pub(crate) description: Docs,
    pub(crate) deprecated: Option<String>,
}

impl Enumeration {
    pub(crate) fn read(input: &DeriveInput) -> syn::Result<Self> {
        let Data::Enum(data) = &input.data else { return Err(diag::not_an_enum(input.ident.span())) };
        if !input.generics.params.is_empty() {
            return Err(diag::generic(input.generics.span(), "Enum"));
        }
        if data.variants.is_empty() {
            return Err(diag::empty_enum(input.ident.span()));
        }
        let variants: Vec<Variant> = data.variants.iter().map(Variant::read).collect::<syn::Result<_>>()?;
        let mut seen: Vec<&Variant> = Vec::new();
        for variant in &variants {
            if let Some(other) = seen.iter().find(|other| other.value == variant.value) {
                return Err(diag::same_variant(variant.ident.span(), &variant.value, &other.ident.to_string()));
            }
            seen.push(variant);
        }
        let type_name = type_name(input, true)?;
        Ok(Self { ident: input.ident.clone(), type_name, description: docs(&input.attrs), variants })
    }
}

impl Variant {
    fn read(variant: &syn::Variant) -> syn::Result<Self> {
        if !matches!(variant.fields, Fields::Unit) {
            return Err(diag::variant_with_data(variant.fields.span()));
        }
        let mut value = camel_case(&variant.ident.unraw().to_string());
        let mut deprecated = None;
        for setting in of_attributes(&variant.attrs)? {
            match setting.name.to_string().as_str() {
                "rename" => value = setting.text()?.value(),
                "deprecated" => deprecated = Some(setting.text()?.value()),
                other => {
                    let known = ["rename", "deprecated"];
                    return Err(diag::unknown_attribute(setting.name.span(), other, "a variant", &known));
                }
            }
        }
        Ok(Self { ident: variant.ident.clone(), value, description: docs(&variant.attrs), deprecated })
    }
}
