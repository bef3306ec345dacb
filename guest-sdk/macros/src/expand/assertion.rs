//! What can be said only once types are known: assertions that fail to compile at the author's own line.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Path, Type};

use crate::diag;
use crate::model::{Facts, Provider, Record, World};

/// Fails to compile at `span` with `message`, unless `condition` holds.
fn assertion(span: Span, condition: &TokenStream, message: &str) -> TokenStream {
    quote_spanned!(span=> const _: () = ::core::assert!(#condition, #message);)
}

/// The names of a struct's properties, with those of what is flattened into it.
pub(super) fn names(ty: &Type) -> TokenStream {
    quote!(<#ty as ::bulkhead_sdk::record::Record>::ALL_NAMES)
}

/// What is said about a property is said of its kind of type.
pub(super) fn kind(ty: &Type, facts: &Facts) -> TokenStream {
    let text =
        facts.autoname.is_some() || facts.pattern.is_some() || facts.min_length.is_some() || facts.max_length.is_some();
    let numeric = facts.minimum.is_some() || facts.maximum.is_some();
    let several = facts.min_items.is_some() || facts.max_items.is_some();
    let kinds = [
        (text, quote!(assert_text)),
        (numeric, quote!(assert_numeric)),
        (several, quote!(assert_several)),
        (facts.empty_is_absent, quote!(assert_emptiable)),
        (facts.coerces, quote!(assert_scalars)),
    ];
    let said = kinds.into_iter().filter(|(said, _)| *said);
    let assertions =
        said.map(|(_, assert)| quote_spanned!(ty.span()=> const _: () = ::bulkhead_sdk::value::#assert::<#ty>();));
    quote!(#(#assertions)*)
}

/// A flattened struct has no property that its surroundings have.
pub(super) fn flattened(record: &Record) -> TokenStream {
    let ident = &record.ident;
    let own = quote!(<#ident as ::bulkhead_sdk::record::Record>::NAMES);
    let types: Vec<&Type> = record.fields.iter().filter(|field| field.is_flattened()).map(|field| &field.ty).collect();
    let assertions = types.iter().enumerate().map(|(position, ty)| {
        let flattened = names(ty);
        let others = types.iter().take(position).map(|ty| names(ty));
        let others = quote!(::bulkhead_sdk::compile_time::Names { own: #own, below: &[#(#others),*] });
        let apart = quote!(#flattened.are_apart(&#others));
        assertion(ty.span(), &apart, diag::FLATTENED_TWICE)
    });
    quote!(#(#assertions)*)
}

/// A resource has no property that the engine gives to all of them.
pub(super) fn recordable(ty: &Type) -> TokenStream {
    let names = names(ty);
    let assertions = ["id", "urn"].into_iter().map(|name| {
        let free = quote!(!#names.has(#name));
        assertion(ty.span(), &free, &diag::reserved_output(name))
    });
    quote!(#(#assertions)*)
}

/// Tokens belong to the package, and no two are the same; overrides are exported, and all exports are overridden.
pub(super) fn provider(provider: &Provider) -> TokenStream {
    let resources = provider.all_resources().map(|path| (path, quote!(::bulkhead_sdk::resource::Declared)));
    let components = provider.components.iter().map(|path| (path, quote!(::bulkhead_sdk::resource::Declared)));
    let functions = provider.all_functions().map(|path| (path, quote!(::bulkhead_sdk::function::Function)));
    let tokens = tokens(provider, resources.chain(components)).chain(tokens(provider, functions));
    let received = provider.methods.iter().map(|path| received(provider, path));
    let unique = provider.methods.iter().enumerate().map(|(position, path)| unique(provider, position, path));
    let exported = provider.all_resources().flat_map(|path| exported(provider, path));
    let overridden = provider.overrides.iter().filter_map(|(world, span)| overridden(provider, *world, *span));
    let config = config(provider);
    let listed = provider.lists.iter().map(|path| listed(provider, path));
    quote!(#(#tokens)* #(#received)* #(#unique)* #(#listed)* #(#exported)* #(#overridden)* #config)
}

/// The resource that a method belongs to is the provider's, or is the provider.
fn received(provider: &Provider, path: &Path) -> TokenStream {
    let declared = quote!(::bulkhead_sdk::resource::Declared);
    let token = quote!(<<#path as ::bulkhead_sdk::component::Method>::Receiver as #declared>::DECLARATION.token);
    let resources = provider.resources.iter().chain(&provider.components);
    let tokens = resources.map(|resource| quote!(<#resource as #declared>::DECLARATION.token));
    let apart = quote!(::bulkhead_sdk::compile_time::are_apart(&[#token], &[&["", #(#tokens),*]]));
    assertion(path.span(), &quote!(!#apart), diag::METHOD_OF_NOTHING)
}

/// No two methods of a resource have one name.
fn unique(provider: &Provider, position: usize, path: &Path) -> TokenStream {
    let method = |path: &Path| quote!(<#path as ::bulkhead_sdk::component::Method>);
    let declared = quote!(::bulkhead_sdk::resource::Declared);
    let receiver = |path: &Path| {
        let method = method(path);
        quote!(<#method::Receiver as #declared>::DECLARATION.token)
    };
    let assertions = provider.methods.iter().take(position).map(|other| {
        let (ours, theirs, receiver_of_ours, receiver_of_theirs) =
            (method(path), method(other), receiver(path), receiver(other));
        let apart = quote! {
            ::bulkhead_sdk::compile_time::are_apart(&[#receiver_of_ours], &[&[#receiver_of_theirs]])
                || ::bulkhead_sdk::compile_time::are_apart(&[#ours::DECLARATION.name], &[&[#theirs::DECLARATION.name]])
        };
        assertion(path.span(), &apart, diag::METHOD_TWICE)
    });
    quote!(#(#assertions)*)
}

fn tokens<'a>(
    provider: &'a Provider,
    paths: impl Iterator<Item = (&'a Path, TokenStream)>,
) -> impl Iterator<Item = TokenStream> {
    let name = &provider.name;
    let tokens = paths.map(|(path, declared)| (path.span(), quote!(<#path as #declared>::DECLARATION.token)));
    let tokens: Vec<(Span, TokenStream)> = tokens.collect();
    (0..tokens.len()).filter_map(move |position| {
        let (span, token) = tokens.get(position)?;
        let others = tokens.iter().take(position).map(|(_, token)| token);
        let belongs = quote!(::bulkhead_sdk::compile_time::belongs(#token, #name));
        let belongs = assertion(*span, &belongs, &diag::foreign_token(&name.value()));
        let unique = quote!(::bulkhead_sdk::compile_time::are_apart(&[#token], &[&[#(#others),*]]));
        let unique = assertion(*span, &unique, diag::TOKEN_TWICE);
        Some(quote!(#belongs #unique))
    })
}

/// What is listed is a resource of the provider.
fn listed(provider: &Provider, path: &Path) -> TokenStream {
    let token = |path: &Path| quote!(<#path as ::bulkhead_sdk::resource::Declared>::DECLARATION.token);
    let (listed, all) = (token(path), provider.all_resources().map(token));
    let known = quote!(!::bulkhead_sdk::compile_time::are_apart(&[#listed], &[&[#(#all),*]]));
    assertion(path.span(), &known, diag::LISTED_ALONE)
}

/// The overrides that the interfaces of resources have: their world, name, and whether a resource has them.
const OVERRIDES: [(World, &str); 4] = [
    (World::Checking, "check"),
    (World::Diffing, "diff"),
    (World::Previewing, "preview"),
    (World::Upgrading, "upgrade"),
];

fn overrides(path: &Path, name: &str) -> TokenStream {
    quote!(<#path as ::bulkhead_sdk::resource::Declared>::DECLARATION.methods.overrides(#name))
}

fn exported(provider: &Provider, path: &Path) -> Vec<TokenStream> {
    let missing = OVERRIDES.iter().filter(|(world, _)| provider.overrides.iter().all(|(other, _)| other != world));
    let assertions = missing.map(|(_, name)| {
        let overridden = overrides(path, name);
        assertion(path.span(), &quote!(!#overridden), &diag::override_not_exported(name))
    });
    assertions.collect()
}

fn overridden(provider: &Provider, world: World, span: Span) -> Option<TokenStream> {
    let (_, name) = OVERRIDES.iter().find(|(other, _)| *other == world)?;
    let overridden = provider.all_resources().map(|path| overrides(path, name));
    Some(assertion(span, &quote!(false #(|| #overridden)*), diag::OVERRIDE_NOT_WRITTEN))
}

/// A configuration that is said to answer for itself can.
fn config(provider: &Provider) -> TokenStream {
    let Some(config) = &provider.config else { return TokenStream::new() };
    let assertions = provider.overrides.iter().filter_map(|(world, _)| {
        let capability = match world {
            World::ConfigChecking => quote!(ChecksConfig),
            World::ConfigDiffing => quote!(DiffsConfig),
            _ => return None,
        };
        Some(quote_spanned! {config.span()=>
            const _: () = {
                const fn assert<C: ::bulkhead_sdk::config::#capability>() {}
                assert::<#config>();
            };
        })
    });
    quote!(#(#assertions)*)
}
