//! `#[function]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ItemFn;

use super::{option, parameter};
use crate::model::{Function, Parameter};

/// The function as it is, and a type of the same name, which `provider!` finds under the same path.
pub(crate) fn function(function: &Function, item: &ItemFn) -> TokenStream {
    let Function { ident, visibility, token, positional, description, output, .. } = function;
    let deprecated = option(function.deprecated.as_ref());
    let [invoke, given, configured] = ["invoke", "arguments", "config"].map(parameter);
    let mut arguments = quote!(());
    let mut config = quote!(());
    let mut passed = Vec::new();
    for parameter in &function.parameters {
        match parameter {
            Parameter::Invoke => passed.push(quote!(#invoke)),
            Parameter::Arguments(ty) => {
                arguments = quote!(#ty);
                passed.push(quote!(#given));
            }
            Parameter::Config(ty) => {
                config = quote!(#ty);
                passed.push(quote!(#configured));
            }
        }
    }
    quote! {
        #item

        #[doc(hidden)]
        #[allow(non_camel_case_types, reason = "has the name of the function")]
        #visibility enum #ident {}

        impl ::bulkhead_sdk::function::Function for #ident {
            type Arguments = #arguments;
            type Config = #config;
            type Output = #output;

            const DECLARATION: ::bulkhead_sdk::function::Declaration = ::bulkhead_sdk::function::Declaration {
                token: #token,
                description: #description,
                deprecated: #deprecated,
                positional: #positional,
            };

            #[allow(unused_variables, reason = "a function may take none")]
            fn invoke(
                #invoke: ::bulkhead_sdk::Invoke,
                #given: Self::Arguments,
                #configured: &Self::Config,
            ) -> ::bulkhead_sdk::Result<Self::Output> {
                #ident(#(#passed),*)
            }
        }
    }
}
