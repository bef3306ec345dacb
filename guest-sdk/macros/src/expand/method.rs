//! `#[method]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ItemFn;

use super::{option, parameter};
use crate::model::{Method, Parameter};

/// The function as it is, and a type of the same name, which `provider!` finds under the same path.
pub(crate) fn method(method: &Method, item: &ItemFn) -> TokenStream {
    let Method { function, name, receiver, plain } = method;
    let (ident, visibility) = (&function.ident, &function.visibility);
    let (description, output) = (&function.description, &function.output);
    let deprecated = option(function.deprecated.as_ref());
    let [call, given, configured] = ["call", "arguments", "config"].map(parameter);
    let mut arguments = quote!(());
    let mut config = quote!(());
    let mut passed = vec![quote!(#call)];
    for parameter in &function.parameters {
        match parameter {
            // Its call says how.
            Parameter::Invoke => {}
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

        impl ::bulkhead_sdk::component::Method for #ident {
            type Receiver = #receiver;
            type Arguments = #arguments;
            type Config = #config;
            type Output = #output;

            const DECLARATION: ::bulkhead_sdk::component::MethodDeclaration =
                ::bulkhead_sdk::component::MethodDeclaration {
                    name: #name,
                    description: #description,
                    deprecated: #deprecated,
                    plain: #plain,
                };

            #[allow(unused_variables, reason = "a method may take neither")]
            fn call(
                #call: ::bulkhead_sdk::Call<Self::Receiver>,
                #given: Self::Arguments,
                #configured: &Self::Config,
            ) -> ::bulkhead_sdk::Result<Self::Output> {
                #ident(#(#passed),*)
            }
        }
    }
}
