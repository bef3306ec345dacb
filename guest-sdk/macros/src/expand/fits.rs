//! What a child can be given for a type of the author's.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{GenericArgument, Ident, PathArguments, Type};

use super::plain::plain;
use crate::model::Union;

/// A value of the type itself.
pub(super) fn itself(ident: &Ident) -> TokenStream {
    let implement = |wanted: TokenStream| {
        quote! {
            impl ::bulkhead_sdk::engine::Fits<#wanted> for #ident {
                fn give(self) -> ::bulkhead_sdk::Output<::bulkhead_sdk::Value> {
                    ::bulkhead_sdk::engine::whole(self)
                }
            }
        }
    };
    let (always, optional) = (implement(quote!(#ident)), implement(quote!(::core::option::Option<#ident>)));
    quote!(#always #optional)
}

/// What fits one of a union's types: a value of it, or one of the same form whose parts fit. Where several have one form, it doesn't tell
/// them apart, and only values of the types themselves fit.
pub(super) fn variants(union: &Union) -> TokenStream {
    let mut seen = BTreeSet::new();
    let types = union.variants.iter().map(|(_, ty)| plain(ty).unwrap_or_else(|| ty.clone()));
    let types: Vec<Type> = types.filter(|ty| seen.insert(ty.to_token_stream().to_string())).collect();
    let mut forms: BTreeMap<String, usize> = BTreeMap::new();
    for ty in &types {
        *forms.entry(form(ty).name).or_default() += 1;
    }
    let variants = types.iter().map(|ty| match form(ty) {
        form if forms.get(&form.name).is_some_and(|count| *count > 1) => variant(&union.ident, ty, whole(ty)),
        form => variant(&union.ident, ty, form),
    });
    quote!(#(#variants)*)
}

fn variant(union: &Ident, ty: &Type, form: Form) -> TokenStream {
    let Form { parameters, given, .. } = form;
    let mut variant = implementation(union, ty, &parameters, &given);
    if is(ty, "String") {
        variant.extend(implementation(union, ty, &[], &quote!(&str)));
    }
    variant
}

fn implementation(union: &Ident, ty: &Type, parameters: &[(Ident, Type)], given: &TokenStream) -> TokenStream {
    let parameters = parameters.iter().map(|(name, part)| quote!(#name: ::bulkhead_sdk::engine::Fits<#part>));
    quote! {
        impl<#(#parameters),*> ::bulkhead_sdk::engine::Fits<#union> for #given {
            fn give(self) -> ::bulkhead_sdk::Output<::bulkhead_sdk::Value> {
                ::bulkhead_sdk::engine::Fits::<#ty>::give(self)
            }
        }
    }
}

/// What has the form of a type, with parts that fit its own.
struct Form {
    /// What is the same of all types that have it.
    name: String,
    parameters: Vec<(Ident, Type)>,
    given: TokenStream,
}

/// The form that nothing else has.
fn whole(ty: &Type) -> Form {
    Form { name: ty.to_token_stream().to_string(), parameters: Vec::new(), given: quote!(#ty) }
}

fn form(ty: &Type) -> Form {
    match ty {
        Type::Tuple(tuple) => {
            let name = |(number, part): (usize, &Type)| (format_ident!("Given{number}"), part.clone());
            let parameters: Vec<_> = tuple.elems.iter().enumerate().map(name).collect();
            let names = parameters.iter().map(|(name, _)| name);
            let given = quote!((#(#names,)*));
            Form { name: format!("({})", parameters.len()), parameters, given }
        }
        Type::Path(_) => {
            let Some(container) = ["Vec", "BTreeMap", "HashMap"].into_iter().find(|name| is(ty, name)) else {
                return whole(ty);
            };
            let Some(part) = last_argument(&mut ty.clone()).map(|part| part.clone()) else { return whole(ty) };
            let name = format_ident!("Given0");
            let mut given = ty.clone();
            if let Some(argument) = last_argument(&mut given) {
                *argument = syn::parse_quote!(#name);
            }
            Form { name: container.to_owned(), parameters: vec![(name, part)], given: quote!(#given) }
        }
        _ => whole(ty),
    }
}

fn is(ty: &Type, name: &str) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|segment| segment.ident == name))
}

fn last_argument(ty: &mut Type) -> Option<&mut Type> {
    let Type::Path(path) = ty else { return None };
    let PathArguments::AngleBracketed(arguments) = &mut path.path.segments.last_mut()?.arguments else { return None };
    match arguments.args.last_mut()? {
        GenericArgument::Type(part) => Some(part),
        _ => None,
    }
}
