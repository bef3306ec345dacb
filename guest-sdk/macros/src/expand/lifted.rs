//! What the derives make of a struct for components: the same fields as outputs, and as what may be given.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::plain::plain;
use crate::model::{Content, Field, Kind, Record};

/// The structs beside the author's own, if it is one that components deal with.
pub(super) fn lifted(record: &Record) -> TokenStream {
    match record.kind {
        Kind::Inputs | Kind::Object => {
            let (outputs, slots) = (outputs(record), slots(record));
            quote!(#outputs #slots)
        }
        Kind::State => outputs(record),
        Kind::Config => TokenStream::new(),
    }
}

fn outputs(record: &Record) -> TokenStream {
    let ident = &record.ident;
    // Not a name that an author would give: it hides theirs from the types of the fields.
    let name = format_ident!("__{ident}Outputs");
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
                (None, Some(accessor)) => quote!(#ident: #accessor.lift(whole, #name)),
                _ => quote!(#ident: whole.output(#name)),
            }),
            Content::Flattened => Some(quote!(#ident: <#ty as ::bulkhead_sdk::engine::Lifted>::lift(whole))),
            Content::Skipped => None,
        }
    });
    quote! {
        pub struct #name { #(#fields),* }

        impl ::bulkhead_sdk::engine::Lifted for #ident {
            type Outputs = #name;

            fn lift(whole: &::bulkhead_sdk::engine::Whole) -> #name {
                #name { #(#lifts),* }
            }
        }
    }
}

fn slots(record: &Record) -> TokenStream {
    let ident = &record.ident;
    let name = format_ident!("__{ident}Slots");
    let used: Vec<&Field> = record.fields.iter().filter(|field| !matches!(field.content, Content::Skipped)).collect();
    let fields = used.iter().map(|field| {
        let (ident, vis, ty) = (&field.ident, &field.vis, &field.ty);
        if field.is_flattened() {
            quote!(#vis #ident: ::bulkhead_sdk::engine::Given<#ty>)
        } else {
            quote!(#vis #ident: ::bulkhead_sdk::engine::Slot<#ty>)
        }
    });
    let defaults = used.iter().map(|field| {
        let ident = &field.ident;
        quote!(#ident: ::core::default::Default::default())
    });
    let given = used.iter().map(|field| {
        let (ident, ty) = (&field.ident, &field.ty);
        match (field.property(), field.accessor()) {
            (Some(name), Some(accessor)) => quote!(#accessor.give(slots.#ident, #name, pairs);),
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
