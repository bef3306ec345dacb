//! The derive for enums.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;

use super::{fits, option};
use crate::model::Enumeration;

pub(crate) fn enumeration(enumeration: &Enumeration) -> TokenStream {
    let Enumeration { ident, type_name, description, variants } = enumeration;
    let idents: Vec<_> = variants.iter().map(|variant| &variant.ident).collect();
    let values: Vec<_> = variants.iter().map(|variant| &variant.value).collect();
    let specs = variants.iter().map(|variant| {
        let (name, value, description) = (variant.ident.unraw().to_string(), &variant.value, &variant.description);
        let deprecated = option(variant.deprecated.as_ref());
        quote! {
            ::bulkhead_sdk::schema::Variant {
                name: #name,
                value: #value,
                description: #description,
                deprecated: #deprecated,
            }
        }
    });
    let fits = fits::itself(ident);
    quote! {
        #fits

        impl ::bulkhead_sdk::Enum for #ident {
            fn text(&self) -> &'static str {
                match self {
                    #(Self::#idents => #values,)*
                }
            }
        }

        impl ::bulkhead_sdk::value::Property for #ident {
            type Plain = Self;

            fn type_spec(types: &mut ::bulkhead_sdk::schema::Types) -> ::bulkhead_sdk::schema::TypeSpec {
                types.enumeration::<Self>(#type_name, #description, &[#(#specs),*])
            }

            fn from_value(
                value: ::bulkhead_sdk::Value,
            ) -> ::core::result::Result<Self, ::bulkhead_sdk::value::Misfit> {
                let text = <::std::string::String as ::bulkhead_sdk::value::Property>::from_value(value)?;
                match text.as_str() {
                    #(#values => ::core::result::Result::Ok(Self::#idents),)*
                    _ => ::core::result::Result::Err(::bulkhead_sdk::value::Misfit::none_of(&[#(#values),*])),
                }
            }

            fn to_value(&self) -> ::core::result::Result<::bulkhead_sdk::Value, ::bulkhead_sdk::value::Misfit> {
                ::core::result::Result::Ok(::bulkhead_sdk::Value::from(::bulkhead_sdk::Enum::text(self)))
            }
        }

        impl ::bulkhead_sdk::value::Scalars for #ident {}

        impl ::bulkhead_sdk::schema::ToJson for #ident {
            fn to_json(&self) -> ::std::string::String {
                ::bulkhead_sdk::schema::ToJson::to_json(::bulkhead_sdk::Enum::text(self))
            }
        }

        impl ::bulkhead_sdk::value::FromLiteral<#ident> for #ident {
            fn from_literal(literal: #ident) -> Self {
                literal
            }
        }
    }
}
