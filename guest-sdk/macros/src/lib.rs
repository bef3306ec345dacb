//! The derives and attributes of `bulkhead-sdk`, where they are documented and re-exported.
//!
//! An author's code is parsed into a plain model ([`parse`], [`model`]), and the model is written out as code ([`expand`]). All
//! that can be said about wrong use is in [`diag`], and points at the author's own line.

mod diag;
mod expand;
mod model;
mod parse;

use proc_macro::TokenStream;
use syn::parse_macro_input;

use crate::model::{Kind, Record};

/// A struct that programs give: a resource's inputs or a function's arguments.
#[proc_macro_derive(Inputs, attributes(bulkhead))]
pub fn inputs(input: TokenStream) -> TokenStream {
    record(input, Kind::Inputs)
}

/// A struct that is recorded of a resource, or that a function returns.
#[proc_macro_derive(State, attributes(bulkhead))]
pub fn state(input: TokenStream) -> TokenStream {
    record(input, Kind::State)
}

/// A struct that users configure.
#[proc_macro_derive(Config, attributes(bulkhead))]
pub fn config(input: TokenStream) -> TokenStream {
    record(input, Kind::Config)
}

/// A struct that properties are of.
#[proc_macro_derive(Object, attributes(bulkhead))]
pub fn object(input: TokenStream) -> TokenStream {
    record(input, Kind::Object)
}

/// An enum of strings that properties are of.
#[proc_macro_derive(Enum, attributes(bulkhead))]
pub fn enumeration(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as syn::DeriveInput);
    answer(model::Enumeration::read(&input).map(|model| expand::enumeration(&model)))
}

/// Declares the `impl Resource` that it stands on.
#[proc_macro_attribute]
pub fn resource(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut item = parse_macro_input!(item as syn::ItemImpl);
    let declaration = model::Resource::read(arguments.into(), &mut item);
    answer(declaration.map(|model| expand::resource(&model, &item)))
}

/// Declares the function that it stands on.
#[proc_macro_attribute]
pub fn function(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let item = parse_macro_input!(item as syn::ItemFn);
    answer(model::Function::read(arguments.into(), &item).map(|model| expand::function(&model, &item)))
}

/// Defines the provider.
#[proc_macro]
pub fn provider(input: TokenStream) -> TokenStream {
    answer(model::Provider::read(input.into()).map(|model| expand::provider(&model)))
}

fn record(input: TokenStream, kind: Kind) -> TokenStream {
    let input = parse_macro_input!(input as syn::DeriveInput);
    answer(Record::read(&input, kind).map(|model| expand::record(&model)))
}

fn answer(expanded: syn::Result<proc_macro2::TokenStream>) -> TokenStream {
    expanded.unwrap_or_else(|error| error.into_compile_error()).into()
}
