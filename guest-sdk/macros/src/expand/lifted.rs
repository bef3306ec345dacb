//! What the derives make of a struct for components: the same fields as outputs, and as what may be given.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{GenericArgument, PathArguments, Type, parse_quote};

use crate::model::{Content, Field, Kind, Record};

/// The structs beside the author's own, if it is one that resources have.
pub(super) fn lifted(record: &Record) -> TokenStream {
    match record.kind {
        Kind::Inputs => {
            let (outputs, slots) = (outputs(record), slots(record));
            quote!(#outputs #slots)
        }
        Kind::State => outputs(record),
        Kind::Config | Kind::Object => TokenStream::new(),
    }
}

fn outputs(record: &Record) -> TokenStream {
    let ident = &record.ident;
    let name = format_ident!("{ident}Outputs");
    let fields = record.fields.iter().filter_map(|field| {
        let (ident, vis, ty) = (&field.ident, &field.vis, &field.ty);
        match &field.content {
            Content::Property { .. } => {
                let plain = plain(ty).unwrap_or_else(|| ty.clone());
                Some(quote!(#vis #ident: ::bulkhead_sdk::Output<#plain>))
            }
            Content::Flattened => Some(quote!(#vis #ident: <#ty as ::bulkhead_sdk::engine::Lifted>::Outputs)),
            Content::Skipped => None,
        }
    });
    let lifts = record.fields.iter().filter_map(|field| {
        let (ident, ty) = (&field.ident, &field.ty);
        match &field.content {
            // Through the accessor where there is one of this type, so that what isn't a property is one error.
            Content::Property { name, .. } => Some(match (plain(ty), field.accessor()) {
                (None, Some(accessor)) => quote!(#ident: #accessor.lift(resource, #name)),
                _ => quote!(#ident: resource.output(#name)),
            }),
            Content::Flattened => Some(quote!(#ident: <#ty as ::bulkhead_sdk::engine::Lifted>::lift(resource))),
            Content::Skipped => None,
        }
    });
    quote! {
        pub struct #name { #(#fields),* }

        impl ::bulkhead_sdk::engine::Lifted for #ident {
            type Outputs = #name;

            fn lift(resource: &::bulkhead_sdk::Registration) -> #name {
                #name { #(#lifts),* }
            }
        }
    }
}

fn slots(record: &Record) -> TokenStream {
    let ident = &record.ident;
    let name = format_ident!("{ident}Slots");
    let used: Vec<&Field> = record.fields.iter().filter(|field| !matches!(field.content, Content::Skipped)).collect();
    let fields = used.iter().map(|field| {
        let (ident, vis, ty) = (&field.ident, &field.vis, &field.ty);
        if field.is_flattened() {
            quote!(#vis #ident: ::bulkhead_sdk::engine::Given<#ty>)
        } else {
            let plain = plain(ty).unwrap_or_else(|| ty.clone());
            quote!(#vis #ident: ::bulkhead_sdk::engine::Slot<#plain>)
        }
    });
    let defaults = used.iter().map(|field| {
        let ident = &field.ident;
        quote!(#ident: ::core::default::Default::default())
    });
    let given = used.iter().map(|field| {
        let (ident, ty) = (&field.ident, &field.ty);
        match (field.property(), plain(ty), field.accessor()) {
            (Some(name), None, Some(accessor)) => quote!(#accessor.give(slots.#ident, #name, pairs);),
            (Some(name), ..) => quote!(pairs.add(#name, slots.#ident);),
            _ => quote!(<#ty as ::bulkhead_sdk::engine::Givable>::pairs(slots.#ident.into_slots(), pairs);),
        }
    });
    quote! {
        pub struct #name { #(#fields),* }

        impl ::core::default::Default for #name {
            fn default() -> Self {
                Self { #(#defaults),* }
            }
        }

        impl ::bulkhead_sdk::engine::Givable for #ident {
            type Slots = #name;

            fn pairs(slots: #name, pairs: &mut ::bulkhead_sdk::engine::Pairs) {
                #(#given)*
            }
        }
    }
}

/// The type without the `Output` in it, if there is one: what is eventual isn't made so twice.
fn plain(ty: &Type) -> Option<Type> {
    let Type::Path(path) = ty else { return None };
    let segment = path.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
    let [GenericArgument::Type(inner)] = arguments.args.iter().collect::<Vec<_>>()[..] else { return None };
    match segment.ident.to_string().as_str() {
        "Output" => Some(inner.clone()),
        "Option" => plain(inner).map(|inner| parse_quote!(::core::option::Option<#inner>)),
        "Vec" => plain(inner).map(|inner| parse_quote!(::std::vec::Vec<#inner>)),
        _ => None,
    }
}
