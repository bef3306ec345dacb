//! `#[resource]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ItemImpl;

use super::{assertion, option};
use crate::model::{Resource, Written};

pub(crate) fn resource(resource: &Resource, item: &ItemImpl) -> TokenStream {
    let Resource { ty, token, aliases, delete_before_replace, schema_version, same_inputs, .. } = resource;
    let deprecated = option(resource.deprecated.as_ref());
    let written = |method: &str| {
        let written = resource.methods.iter().filter(|written| written.name == method);
        let conditions = written.map(|Written { conditions, .. }| quote!(all(#(#conditions),*)));
        quote!(::core::cfg!(any(#(#conditions),*)))
    };
    let (read, update, delete) = (written("read"), written("update"), written("delete"));
    let (check, diff, upgrade) = (written("check"), written("diff"), written("upgrade"));
    let (preview_create, preview_update) = (written("preview_create"), written("preview_update"));
    let lookup = resource.lookup.as_ref().map_or_else(|| quote!(()), |lookup| quote!(#lookup));
    let recordable = assertion::recordable(ty);
    quote! {
        #item

        #recordable

        impl ::bulkhead_sdk::engine::Registrable for #ty {
            type Given = <#ty as ::bulkhead_sdk::Resource>::Inputs;
            const CUSTOM: bool = true;
        }

        impl ::bulkhead_sdk::resource::Declared for #ty {
            type Lookup = #lookup;
            const DECLARATION: ::bulkhead_sdk::resource::Declaration = ::bulkhead_sdk::resource::Declaration {
                token: #token,
                aliases: &[#(#aliases),*],
                deprecated: #deprecated,
                delete_before_replace: #delete_before_replace,
                schema_version: #schema_version,
                same_inputs: #same_inputs,
                methods: ::bulkhead_sdk::resource::Methods {
                    read: #read,
                    update: #update,
                    delete: #delete,
                    check: #check,
                    diff: #diff,
                    preview_create: #preview_create,
                    preview_update: #preview_update,
                    upgrade: #upgrade,
                },
            };
        }
    }
}
