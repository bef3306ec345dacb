//! `provider!`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Ident, Path};

use super::{assertion, option};
use crate::model::{Parameterization, Provider, World};
use crate::parse::json::{Json, JsonValue};

pub(crate) fn provider(provider: &Provider) -> TokenStream {
    let config = provider.config.as_ref().map_or_else(|| quote!(()), |config| quote!(#config));
    let metadata = metadata(provider);
    let resources = table(
        &provider.resources,
        |path, ty| quote_spanned!(path.span()=> ::bulkhead_sdk::resource::Entry::<#config>::of::<#ty>()),
    );
    let components = table(
        &provider.components,
        |path, ty| quote_spanned!(path.span()=> ::bulkhead_sdk::component::Entry::<#config>::of::<#ty>()),
    );
    let methods = table(
        &provider.methods,
        |path, ty| quote_spanned!(path.span()=> ::bulkhead_sdk::component::MethodEntry::<#config>::of::<#ty>()),
    );
    let functions = table(
        &provider.functions,
        |path, ty| quote_spanned!(path.span()=> ::bulkhead_sdk::function::Entry::<#config>::of::<#ty>()),
    );
    let lists = table(
        &provider.lists,
        |path, ty| quote_spanned!(path.span()=> ::bulkhead_sdk::list::Entry::<#config>::of::<#ty>()),
    );
    let mappings = option(provider.mappings.as_ref());
    let parameter = option(provider.parameter.as_ref().map(|parameter| brought(parameter, &config)));
    let permissions = provider.permissions.iter().map(|(kind, requests)| {
        let requests = requests.iter().map(literal);
        quote!((#kind, &[#(#requests),*]))
    });
    let overrides = provider.overrides.iter().filter_map(|(world, _)| match world {
        World::ConfigChecking => Some("check"),
        World::ConfigDiffing => Some("diff"),
        _ => None,
    });
    let assertions = assertion::provider(provider);
    let component = component(provider, &config);
    quote! {
        /// The provider.
        pub static PROVIDER: ::bulkhead_sdk::provider::Provider<#config> = ::bulkhead_sdk::provider::Provider {
            metadata: #metadata,
            resources: #resources,
            components: #components,
            methods: #methods,
            functions: #functions,
            lists: #lists,
            mappings: #mappings,
            parameter: #parameter,
            permissions: &[#(#permissions),*],
            configuration_overrides: &[#(#overrides),*],
        };

        #assertions
        #component
    }
}

/// The entry of a parameter, with the tables of what it brings.
fn brought(parameter: &Parameterization, config: &TokenStream) -> TokenStream {
    let ty = &parameter.ty;
    let resources = table(
        &parameter.resources,
        |path, ty| quote_spanned!(path.span()=> ::bulkhead_sdk::resource::Entry::<#config>::of::<#ty>()),
    );
    let functions = table(
        &parameter.functions,
        |path, ty| quote_spanned!(path.span()=> ::bulkhead_sdk::function::Entry::<#config>::of::<#ty>()),
    );
    quote_spanned!(ty.span()=> ::bulkhead_sdk::parameter::Entry::<#config>::of::<#ty>(#resources, #functions))
}

/// A table of entries. A path that names no type is one error, at the alias.
fn table(paths: &[Path], entry: impl Fn(&Path, &Ident) -> TokenStream) -> TokenStream {
    let aliases: Vec<Ident> = (0..paths.len()).map(|index| format_ident!("Entry{index}")).collect();
    let entries = paths.iter().zip(&aliases).map(|(path, alias)| entry(path, alias));
    quote!({
        #(type #aliases = #paths;)*
        &[#(#entries),*]
    })
}

fn metadata(provider: &Provider) -> TokenStream {
    let Provider { name, version, keywords, .. } = provider;
    let texts = provider.texts.iter().map(|(field, text)| quote!(#field: ::core::option::Option::Some(#text),));
    let language = provider.language.as_ref().map(|language| {
        let language = literal(language);
        quote!(language: ::core::option::Option::Some(#language),)
    });
    quote! {
        ::bulkhead_sdk::provider::Metadata {
            #(#texts)*
            #language
            keywords: &[#(#keywords),*],
            ..::bulkhead_sdk::provider::Metadata::new(#name, #version)
        }
    }
}

/// The component, with the exports that are used. There is none outside of Wasm, where the provider's tests run.
fn component(provider: &Provider, config: &TokenStream) -> TokenStream {
    let exports = worlds(provider).into_iter().map(|world| {
        let (module, capability) = exports(world);
        let capability = capability.map(|capability| {
            let capability: Path = syn::parse_quote!(::bulkhead_sdk::export::#capability);
            quote!(impl #capability for Component {})
        });
        quote! {
            #capability
            ::bulkhead_sdk::bindings::#module::export!(Component with_types_in ::bulkhead_sdk::bindings::#module);
        }
    });
    quote! {
        #[cfg(target_arch = "wasm32")]
        const _: () = {
            struct Component;

            ::std::thread_local! {
                static CONFIGURED: ::bulkhead_sdk::export::Configured<#config> =
                    const { ::bulkhead_sdk::export::Configured::new() };
            }

            impl ::bulkhead_sdk::export::Component for Component {
                type Config = #config;

                fn provider() -> &'static ::bulkhead_sdk::provider::Provider<#config> {
                    &PROVIDER
                }

                fn configured() -> &'static ::std::thread::LocalKey<::bulkhead_sdk::export::Configured<#config>> {
                    &CONFIGURED
                }
            }

            ::bulkhead_sdk::bindings::described::export!(Component with_types_in ::bulkhead_sdk::bindings::described);
            #(#exports)*
        };
    }
}

fn worlds(provider: &Provider) -> Vec<World> {
    let mut worlds: Vec<World> = provider.overrides.iter().map(|(world, _)| *world).collect();
    if provider.config.is_some() {
        worlds.push(World::Configured);
    }
    if provider.all_resources().next().is_some() {
        worlds.push(World::Resourceful);
    }
    if provider.all_functions().next().is_some() {
        worlds.push(World::Functional);
    }
    if !provider.components.is_empty() || !provider.methods.is_empty() {
        worlds.push(World::Composing);
    }
    if provider.parameter.is_some() {
        worlds.push(World::Parameterized);
    }
    if !provider.lists.is_empty() {
        worlds.push(World::Listing);
    }
    if provider.mappings.is_some() {
        worlds.push(World::Mapped);
    }
    worlds
}

/// The module of the bindings, and the trait that says that the component can do it, where not every one can.
fn exports(world: World) -> (TokenStream, Option<TokenStream>) {
    match world {
        World::Configured => (quote!(configured), Some(quote!(Configures))),
        World::Resourceful => (quote!(resourceful), None),
        World::Functional => (quote!(functional), None),
        World::Composing => (quote!(composing), None),
        World::Checking => (quote!(checking), None),
        World::Diffing => (quote!(diffing), None),
        World::Previewing => (quote!(previewing), None),
        World::Upgrading => (quote!(upgrading), None),
        World::ConfigChecking => (quote!(config_checking), Some(quote!(ChecksItsConfig))),
        World::Parameterized => (quote!(parameterized), None),
        World::Listing => (quote!(listing), None),
        World::Mapped => (quote!(mapped), None),
        World::ConfigDiffing => (quote!(config_diffing), Some(quote!(DiffsItsConfig))),
    }
}

fn literal(json: &Json) -> TokenStream {
    let literal = quote!(::bulkhead_sdk::schema::Literal);
    match &json.value {
        JsonValue::Null => quote!(#literal::Null),
        JsonValue::Boolean(boolean) => quote!(#literal::Boolean(#boolean)),
        JsonValue::Number(number) => quote!(#literal::Number(#number)),
        JsonValue::Text(text) => quote!(#literal::Text(#text)),
        JsonValue::List(items) => {
            let items = items.iter().map(self::literal);
            quote!(#literal::List(&[#(#items),*]))
        }
        JsonValue::Object(members) => {
            let members = members.iter().map(|(name, value)| {
                let value = self::literal(value);
                quote!((#name, #value))
            });
            quote!(#literal::Object(&[#(#members),*]))
        }
    }
}
