//! The derives and attributes of `bulkhead-sdk`, where they are documented and re-exported.
//!
//! An author's code is parsed into a plain model (`parse`, `model`), and the model is written out as code (`expand`). All
//! that can be said about wrong use is in `diag`, and points at the author's own line.

mod diag;
mod expand;
mod model;
mod parse;

use proc_macro::TokenStream;
use syn::parse_macro_input;

use crate::model::{Kind, Record};

/// What a program gives: a resource's inputs or a function's arguments. For structs with named fields. Such a struct can be recorded and returned
/// as it is, so it derives nothing else of this crate: `State` beside it is in conflict with what is there already.
///
/// A struct that is flattened into it doesn't know its fields: where one of them can't be given with a field in there that has a `default`
/// (`conflicts_with`, `exactly_one_of`), the host fills nothing in beside it, and the author sees the default all the same, also in an `Option`. Have
/// both in one struct if the author is to see `None`.
#[proc_macro_derive(Inputs, attributes(bulkhead))]
pub fn inputs(input: TokenStream) -> TokenStream {
    record(input, Kind::Inputs)
}

/// What is recorded of a resource, or what a function returns. For structs with named fields. One that says nothing but the inputs derives
/// `Inputs` alone; what is an `Object` too is a second struct, into which the object is flattened.
#[proc_macro_derive(State, attributes(bulkhead))]
pub fn state(input: TokenStream) -> TokenStream {
    record(input, Kind::State)
}

/// What a user configures once for all resources. For structs with named fields.
#[proc_macro_derive(Config, attributes(bulkhead))]
pub fn config(input: TokenStream) -> TokenStream {
    record(input, Kind::Config)
}

/// An object that is a property. For structs with named fields, each of which becomes a type of its own in the schema. It is neither inputs nor a
/// state, but can be flattened into either.
#[proc_macro_derive(Object, attributes(bulkhead))]
pub fn object(input: TokenStream) -> TokenStream {
    record(input, Kind::Object)
}

/// A string of several that is a property. For enums without data, each of which becomes a type of its own in the schema.
#[proc_macro_derive(Enum, attributes(bulkhead))]
pub fn enumeration(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as syn::DeriveInput);
    answer(model::Enumeration::read(&input).map(|model| expand::enumeration(&model)))
}

/// A property of one of several types. For enums whose variants hold one value each. It has no name in the schema, so that one that holds itself
/// does so in an object.
#[proc_macro_derive(Union, attributes(bulkhead))]
pub fn union(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as syn::DeriveInput);
    answer(model::Union::read(&input).map(|model| expand::union(&model)))
}

/// Declares a resource: stands on its `impl Resource`, and sees which methods are written, since the host must know.
///
/// `#[resource(token = "package:module:Name")]`, and where they apply:
///
/// | setting | meaning |
/// |---|---|
/// | `aliases = ["…"]` | type tokens that it had before |
/// | `deprecated = "…"` | why it shouldn't be used any more |
/// | `delete_before_replace` | a replacement deletes the old resource first |
/// | `schema_version = 1` | the version that recorded state is marked with, for `upgrade` |
/// | `same_inputs` | inputs have the form that they had in version 0: only the state is upgraded |
/// | `lookup = Type` | inputs that a program may give beside the id to look one up (`.get`): the schema's `stateInputs` |
///
/// An `impl` without `type Config` works without configuration. A method under `#[cfg(…)]` is promised where it is compiled; what another
/// macro writes isn't seen, so that its call is an error here.
#[proc_macro_attribute]
pub fn resource(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut item = parse_macro_input!(item as syn::ItemImpl);
    let declaration = model::Resource::read(arguments.into(), &mut item);
    answer(declaration.map(|model| expand::resource(&model, &item)))
}

/// Declares a function: `#[function(token = "package:module:name")]`, and `deprecated = "…"` where it is.
///
/// With `positional` programs give its arguments one after the other, in the order of the fields, those that must be given first; else all of them as
/// one object.
///
/// It takes its arguments by value, the configuration by reference, both or neither, and returns a `Result`. One that wants to know whether
/// a preview asks takes an `Invoke` before them. Its doc comment is its description. It can still be called as it is.
#[proc_macro_attribute]
pub fn function(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let item = parse_macro_input!(item as syn::ItemFn);
    answer(model::Function::read(arguments.into(), &item).map(|model| expand::function(&model, &item)))
}

/// Declares a component: stands on its `impl Component`.
///
/// `#[component(token = "package:module:Name")]`, and where they apply:
///
/// | setting | meaning |
/// |---|---|
/// | `aliases = ["…"]` | type tokens that it had before |
/// | `deprecated = "…"` | why it shouldn't be used any more |
///
/// An `impl` without `type Config` works without configuration.
#[proc_macro_attribute]
pub fn component(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut item = parse_macro_input!(item as syn::ItemImpl);
    let declaration = model::Component::read(arguments.into(), &mut item);
    answer(declaration.map(|model| expand::component(&model, &item)))
}

/// Declares a method: `#[method]`, with `rename = "…"`, `deprecated = "…"` or `plain` where it is.
///
/// Its first parameter says what it is called on: `Call<Site>`, of a component or a resource, or `Call<ThisProvider>`. Then it takes what
/// a function takes: its arguments by value, the configuration by reference, both or neither. It returns a `Result`, of a
/// value or an `Output`. Its doc comment is its description, and programs call it by its name in camel case. Programs get an output of
/// the result, or the result itself if the method is `plain`, which then must be known, also in previews, and not secret. Unless it is, have
/// it return a struct with `#[derive(State)]`: SDKs for Node.js leave out methods that return a single value.
#[proc_macro_attribute]
pub fn method(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let item = parse_macro_input!(item as syn::ItemFn);
    answer(model::Method::read(arguments.into(), &item).map(|model| expand::method(&model, &item)))
}

/// Defines the provider: `PROVIDER`, and in Wasm the component's exports, of which only those are there that are used.
///
/// | key | meaning |
/// |---|---|
/// | `name: "…"` | the package's name, which all tokens start with; the only key that is required |
/// | `version: "…"` | its semantic version; the crate's if absent |
/// | `display_name`, `description`, `publisher`, `namespace`, `license`, `homepage`, `repository`, `logo_url`, `attribution`: `"…"` | what is said about it |
/// | `plugin_download_url: "…"` | where programs are told that its plugin is, if `permissions` asks for the package from there and an operator grants it |
/// | `keywords: ["…"]` | what it is found by |
/// | `module_format: "…"` | the regular expression that takes the module's name from a token |
/// | `language: { … }` | what generators of SDKs are told, as JSON; keys need no quotes |
/// | `config: Type` | the type of the configuration; none if absent |
/// | `resources: [Type]` | the resources |
/// | `components: [Type]` | the component resources |
/// | `methods: [name]` | the methods of resources, of components and of the provider |
/// | `functions: [name]` | the functions |
/// | `lists: [Type]` | the resources that can be listed, with an `impl Lists` each |
/// | `mappings: name` | a function that gives the mappings to another ecosystem |
/// | `parameter: Type { resources: [Type], functions: [name] }` | what it can be parameterized with, and what that brings |
/// | `overrides: [name]` | what some resource overrides: `check`, `diff`, `preview`, `upgrade`; what the configuration does: `config_check`, `config_diff` |
/// | `permissions: { … }` | what it asks for, as the manifest has it: `network`, `environment`, `filesystem`, `packages`, `limits`, each with a `reason` |
#[proc_macro]
pub fn provider(input: TokenStream) -> TokenStream {
    answer(model::Provider::read(input.into()).map(|model| expand::provider(&model)))
}

fn record(input: TokenStream, kind: Kind) -> TokenStream {
    let input = parse_macro_input!(input as syn::DeriveInput);
    let read = Record::read(&input, kind).map(|model| expand::record(&model));
    let expanded = read.unwrap_or_else(|error| {
        let standing_in = Record::standing_in(&input, kind).map(|model| expand::record(&model));
        let error = error.into_compile_error();
        quote::quote!(#error #standing_in)
    });
    expanded.into()
}

fn answer(expanded: syn::Result<proc_macro2::TokenStream>) -> TokenStream {
    expanded.unwrap_or_else(|error| error.into_compile_error()).into()
}
