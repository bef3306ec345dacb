//! The derives for structs.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Ident;
use syn::ext::IdentExt as _;
use syn::spanned::Spanned;

use super::facts::{facts, literal};
use super::lifted::lifted;
use super::{assertion, fits, option};
use crate::model::{Content, Field, Kind, OutputDefault, Record};

pub(crate) fn record(record: &Record) -> TokenStream {
    let ident = &record.ident;
    let description = &record.description;
    let names = record.fields.iter().filter_map(Field::property);
    let accessors = record.fields.iter().filter_map(accessor);
    let describe = record.fields.iter().map(|field| describe(record, field));
    let excluded = record.fields.iter().filter_map(|field| excluded(record, field));
    // What must be this or that first: it says whether the rest is meant at all, which may be long, or hold the same again.
    let (constants, others): (Vec<_>, Vec<_>) = record.fields.iter().partition(|field| field.is_constant());
    let take = constants.into_iter().chain(others).map(|field| take(record, field));
    let made = match record.is_wrong {
        true => quote!(::core::unreachable!()),
        false => quote!(::core::result::Result::Ok(Self { #(#take),* })),
    };
    let put = record.fields.iter().map(put);
    let flattened = assertion::flattened(record);
    let below = record.fields.iter().filter(|field| field.is_flattened()).map(|field| assertion::names(&field.ty));
    let kind = kind(record);
    let lifted = lifted(record);
    quote! {
        #[allow(
            dead_code,
            missing_debug_implementations,
            missing_docs,
            non_upper_case_globals,
            private_interfaces,
            unreachable_pub,
            unused_variables,
            clippy::all,
            reason = "generated"
        )]
        const _: () = {
            #(#accessors)*

            #[automatically_derived]
            impl ::bulkhead_sdk::record::Record for #ident {
                const DESCRIPTION: &'static str = #description;
                const NAMES: &'static [&'static str] = &[#(#names),*];
                const ALL_NAMES: &'static ::bulkhead_sdk::compile_time::Names =
                    &::bulkhead_sdk::compile_time::Names { own: Self::NAMES, below: &[#(#below),*] };

                fn describe(properties: &mut ::bulkhead_sdk::schema::PropertySet<'_>) {
                    #(#describe)*
                }

                fn take(
                    fields: &mut ::bulkhead_sdk::Fields,
                ) -> ::core::result::Result<Self, ::bulkhead_sdk::value::Misfit> {
                    #(#excluded)*
                    #made
                }

                fn put(
                    &self,
                    fields: &mut ::bulkhead_sdk::Fields,
                ) -> ::core::result::Result<(), ::bulkhead_sdk::value::Misfit> {
                    #(#put)*
                    ::core::result::Result::Ok(())
                }
            }

            #kind
            #lifted
            #flattened
        };
    }
}

/// The constant that knows the field's type. Only here must the type be one of a property, so that one that isn't is one error.
fn accessor(field: &Field) -> Option<TokenStream> {
    let Content::Property { facts, .. } = &field.content else { return None };
    let (accessor, ty) = (field.accessor()?, &field.ty);
    let kind = assertion::kind(ty, facts);
    Some(quote_spanned! {ty.span()=>
        const #accessor: ::bulkhead_sdk::record::Accessor<#ty> = ::bulkhead_sdk::record::accessor::<#ty>();
        #kind
    })
}

fn describe(record: &Record, field: &Field) -> TokenStream {
    let ty = &field.ty;
    match &field.content {
        Content::Property { name, description, facts: said } => {
            let accessor = field.accessor();
            let facts = facts(record, ty, description, said);
            quote!(#accessor.describe(properties, #name, #facts);)
        }
        Content::Flattened => {
            quote_spanned!(ty.span()=> <#ty as ::bulkhead_sdk::record::Record>::describe(properties);)
        }
        Content::Skipped => TokenStream::new(),
    }
}

/// Finds out whether what a field with a default can't be given with is there, before anything is taken.
fn excluded(record: &Record, field: &Field) -> Option<TokenStream> {
    let (variable, others) = (excluded_by(field), record.excluding(field));
    (!others.is_empty()).then(|| quote!(let #variable = ::bulkhead_sdk::record::is_any_given(fields, &[#(#others),*]);))
}

fn excluded_by(field: &Field) -> Ident {
    quote::format_ident!("excluded_{}", field.ident.unraw())
}

fn take(record: &Record, field: &Field) -> TokenStream {
    let (ident, ty) = (&field.ident, &field.ty);
    let value = match &field.content {
        Content::Property { name, facts, .. } => {
            let accessor = field.accessor();
            let otherwise = quote!(::bulkhead_sdk::record::Otherwise);
            let otherwise = match (&facts.default, facts.output_default.as_ref().and_then(OutputDefault::value)) {
                (Some(default), _) => {
                    let default = literal(ty, default);
                    let filled = quote!(#otherwise::Default(|| #default));
                    // The host fills it in beside nothing that excludes it, and neither does this: an optional one stays absent.
                    match record.excluding(field).is_empty() {
                        true => filled,
                        false => {
                            let variable = excluded_by(field);
                            quote!(if #variable { #otherwise::AbsentOr(|| #default) } else { #filled })
                        }
                    }
                }
                // The input stays left out, so that an optional one stays absent.
                (None, Some(default)) => {
                    let default = literal(ty, default);
                    quote!(#otherwise::AbsentOr(|| #default))
                }
                (None, None) => quote!(#otherwise::Absent),
            };
            match &facts.constant {
                None => quote!(#accessor.take(fields, #name, #otherwise)?),
                Some(constant) => {
                    let constant = literal(ty, constant);
                    quote!(::bulkhead_sdk::record::constant(#accessor.take(fields, #name, #otherwise)?, #constant, #name)?)
                }
            }
        }
        Content::Flattened => quote!(<#ty as ::bulkhead_sdk::record::Record>::take(fields)?),
        Content::Skipped => quote_spanned!(ty.span()=> <#ty as ::core::default::Default>::default()),
    };
    quote!(#ident: #value)
}

fn put(field: &Field) -> TokenStream {
    let (ident, ty) = (&field.ident, &field.ty);
    match &field.content {
        Content::Property { name, facts, .. } => {
            let accessor = field.accessor();
            let put = if facts.secret { quote!(put_secret) } else { quote!(put) };
            let default = option(facts.output_default.as_ref().and_then(OutputDefault::value).map(|default| {
                let default = literal(ty, default);
                quote!(|| #default)
            }));
            quote!(#accessor.#put(fields, #name, &self.#ident, #default)?;)
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
        Kind::Config => {
            let verify = record.connects.then(|| {
                quote! {
                    fn verify(&self) -> ::bulkhead_sdk::Result<()> {
                        <Self as ::bulkhead_sdk::config::Connects>::connect(self)
                    }
                }
            });
            quote! {
            impl ::bulkhead_sdk::Config for #ident { #verify }

            impl ::bulkhead_sdk::config::Serves<#ident> for #ident {
                fn with<T>(
                    source: ::bulkhead_sdk::config::Source<'_, Self>,
                    call: impl ::core::ops::FnOnce(&Self) -> ::bulkhead_sdk::Result<T>,
                ) -> ::bulkhead_sdk::Result<T> {
                    call(&*source()?)
                }
            }

            impl ::bulkhead_sdk::config::Serves<()> for #ident {
                fn with<T>(
                    _: ::bulkhead_sdk::config::Source<'_, Self>,
                    call: impl ::core::ops::FnOnce(&()) -> ::bulkhead_sdk::Result<T>,
                ) -> ::bulkhead_sdk::Result<T> {
                    call(&())
                }
            }
            }
        }
        Kind::Object => object(ident, &record.type_name),
    }
}

fn object(ident: &Ident, name: &str) -> TokenStream {
    let fits = fits::itself(ident);
    quote! {
        impl ::bulkhead_sdk::Object for #ident {}

        #fits

        impl ::bulkhead_sdk::value::Property for #ident {
            type Plain = Self;

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
