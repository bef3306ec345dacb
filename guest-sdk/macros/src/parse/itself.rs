//! `Self` in the type of a field.
//!
//! What is generated repeats the type in other places, where the word means something else or nothing: it is replaced by the name.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Ident, Type};

/// The type with the name of what it stands in.
pub(crate) fn named(ty: &Type, name: &Ident) -> syn::Result<Type> {
    let tokens = ty.to_token_stream();
    if place(tokens.clone(), &["Self"]).is_none() {
        return Ok(ty.clone());
    }
    syn::parse2(replaced(tokens, name))
}

/// Where the type names what it stands in, if it does.
pub(crate) fn itself(ty: &Type, name: &Ident) -> Option<Span> {
    place(ty.to_token_stream(), &["Self", &name.to_string()])
}

/// Where one of these words stands, but not behind `::`, where it is something else of that name.
fn place(tokens: TokenStream, words: &[&str]) -> Option<Span> {
    let mut is_below = false;
    for token in tokens {
        match &token {
            TokenTree::Ident(ident) if !is_below && words.iter().any(|word| ident == word) => {
                return Some(ident.span());
            }
            TokenTree::Group(group) => {
                if let Some(span) = place(group.stream(), words) {
                    return Some(span);
                }
            }
            _ => {}
        }
        is_below = matches!(&token, TokenTree::Punct(mark) if mark.as_char() == ':');
    }
    None
}

fn replaced(tokens: TokenStream, name: &Ident) -> TokenStream {
    let replaced = |token| match token {
        TokenTree::Ident(word) if word == "Self" => {
            let mut name = name.clone();
            // What is wrong with it is told where it stands.
            name.set_span(word.span());
            TokenTree::Ident(name)
        }
        TokenTree::Group(group) => {
            let mut named = Group::new(group.delimiter(), replaced(group.stream(), name));
            named.set_span(group.span());
            TokenTree::Group(named)
        }
        token => token,
    };
    tokens.into_iter().map(replaced).collect()
}
