//! `#[component]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ItemImpl;

use super::{assertion, option};
use crate::model::Component;

pub(crate) fn component(component: &Component, item: &ItemImpl) -> TokenStream {
    let Component { ty, token, aliases, deprecated } = component;
    let deprecated = option(deprecated.as_ref());
    let recordable = assertion::recordable(ty);
    quote! {
        #item

        #recordable

        impl ::bulkhead_sdk::engine::Registrable for #ty {
            type Given = <#ty as ::bulkhead_sdk::Component>::Inputs;
            const CUSTOM: bool = false;
        }

        impl ::bulkhead_sdk::resource::Declared for #ty {
            type Lookup = ();
            const DECLARATION: ::bulkhead_sdk::resource::Declaration = ::bulkhead_sdk::resource::Declaration {
                token: #token,
                aliases: &[#(#aliases),*],
                deprecated: #deprecated,
                delete_before_replace: false,
                schema_version: 0,
                same_inputs: false,
                methods: ::bulkhead_sdk::resource::Methods::NONE,
            };
        }
    }
}
