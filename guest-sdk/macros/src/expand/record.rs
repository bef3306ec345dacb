//! The derives for structs.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Ident;
use syn::spanned::Spanned;

use super::facts::{facts, literal};
use crate::model::{Content, Field, Kind, Record};

pub(crate) fn record(record: &Record) -> TokenStream {
    let ident = &record.ident;
    let description = &record.description;
    let describe = record.fields.iter().map(|field| describe(record, field));
    let take = record.fields.iter().map(take);
    let put = record.fields.iter().map(put);
    let kind = kind(record);
    quote! {
        #[automatically_derived]
        impl ::bulkhead_sdk::record::Record for #ident {
            const DESCRIPTION: &'static str = #description;

            #[allow(unused_variables, clippy::all, reason = "generated")]
            fn describe(properties: &mut ::bulkhead_sdk::schema::PropertySet<'_>) {
                #(#describe)*
            }

            #[allow(unused_variables, clippy::all, reason = "generated")]
            fn take(
                fields: &mut ::bulkhead_sdk::Fields,
            ) -> ::core::result::Result<Self, ::bulkhead_sdk::value::Misfit> {
                ::core::result::Result::Ok(Self { #(#take),* })
            }

            #[allow(unused_variables, clippy::all, reason = "generated")]
            fn put(
                &self,
                fields: &mut ::bulkhead_sdk::Fields,
            ) -> ::core::result::Result<(), ::bulkhead_sdk::value::Misfit> {
                #(#put)*
                ::core::result::Result::Ok(())
            }
        }
        #kind
    }
}

fn describe(record: &Record, field: &Field) -> TokenStream {
    let ty = &field.ty;
    match &field.content {
        Content::Property { name, description, facts: said } => {
            let facts = facts(record, ty, description, said);
            // At the type, so that the compiler shows which one can't be a property.
            quote_spanned!(ty.span()=> properties.add::<#ty>(#name, #facts);)
        }
        Content::Flattened => {
            quote_spanned!(ty.span()=> <#ty as ::bulkhead_sdk::record::Record>::describe(properties);)
        }
        Content::Skipped => TokenStream::new(),
    }
}

fn take(field: &Field) -> TokenStream {
    let (ident, ty) = (&field.ident, &field.ty);
    let value = match &field.content {
        Content::Property { name, facts, .. } => match facts.default.as_ref().or(facts.output_default.as_ref()) {
            // What may be absent stays absent, so that the author can tell.
            Some(default) => {
                let literal = literal(ty, default);
                quote!(::bulkhead_sdk::record::take_or::<#ty>(fields, #name, || #literal)?)
            }
            None => quote_spanned!(ty.span()=> ::bulkhead_sdk::record::take::<#ty>(fields, #name)?),
        },
        Content::Flattened => quote!(<#ty as ::bulkhead_sdk::record::Record>::take(fields)?),
        Content::Skipped => quote_spanned!(ty.span()=> <#ty as ::core::default::Default>::default()),
    };
    quote!(#ident: #value)
}

fn put(field: &Field) -> TokenStream {
    let (ident, ty) = (&field.ident, &field.ty);
    match &field.content {
        Content::Property { name, facts, .. } => {
            let put = if facts.secret { quote!(put_secret) } else { quote!(put) };
            let output_default = facts.output_default.as_ref().map(|default| {
                let literal = literal(ty, default);
                quote! {
                    if ::bulkhead_sdk::value::Property::is_absent(&self.#ident) {
                        ::bulkhead_sdk::record::#put::<#ty>(fields, #name, &#literal)?;
                    }
                }
            });
            quote! {
                ::bulkhead_sdk::record::#put::<#ty>(fields, #name, &self.#ident)?;
                #output_default
            }
        }
        Content::Flattened => quote!(<#ty as ::bulkhead_sdk::record::Record>::put(&self.#ident, fields)?;),
        Content::Skipped => TokenStream::new(),
    }
}

/// What the derive says beside [`record`].
fn kind(record: &Record) -> TokenStream {
    let ident = &record.ident;
    match record.kind {
        Kind::Inputs => quote!(impl ::bulkhead_sdk::Inputs for #ident {}),
        Kind::State => quote!(impl ::bulkhead_sdk::State for #ident {}),
        Kind::Config => quote! {
            impl ::bulkhead_sdk::Config for #ident {}

            impl ::bulkhead_sdk::config::Serves<#ident> for #ident {
                fn serve(&self) -> &#ident {
                    self
                }
            }

            impl ::bulkhead_sdk::config::Serves<()> for #ident {
                fn serve(&self) -> &() {
                    &()
                }
            }
        },
        Kind::Object => object(ident, &record.type_name),
    }
}

fn object(ident: &Ident, name: &str) -> TokenStream {
    quote! {
        impl ::bulkhead_sdk::Object for #ident {}

        impl ::bulkhead_sdk::value::Property for #ident {
            fn type_spec(types: &mut ::bulkhead_sdk::schema::Types) -> ::bulkhead_sdk::schema::TypeSpec {
                types.object::<Self>(#name)
            }

            fn from_value(
                value: ::bulkhead_sdk::Value,
            ) -> ::core::result::Result<Self, ::bulkhead_sdk::value::Misfit> {
                ::bulkhead_sdk::record::read(value)
            }

            fn to_value(&self) -> ::core::result::Result<::bulkhead_sdk::Value, ::bulkhead_sdk::value::Misfit> {
                ::bulkhead_sdk::record::write(self)
            }
        }
    }
}
