//! Doc comments as descriptions.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// A description, which programs' authors read in their editors: the text of doc comments, and what other macros write, such as
/// `include_str!`.
#[derive(Default)]
pub(crate) struct Docs(Vec<Part>);

enum Part {
    Text(String),
    Written(Expr),
}

/// The doc comments among `attributes`.
pub(crate) fn docs(attributes: &[Attribute]) -> Docs {
    let mut parts = Vec::new();
    let mut lines: Vec<String> = Vec::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("doc")) {
        let Meta::NameValue(doc) = &attribute.meta else { continue };
        if let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &doc.value {
            let text = text.value();
            lines.extend(unstarred(&text).into_iter().map(|line| line.trim_end().to_owned()));
            if text.is_empty() {
                lines.push(String::new());
            }
        } else {
            parts.extend([Part::Text(lines.join("\n")), Part::Written(doc.value.clone())]);
            lines.clear();
        }
    }
    parts.push(Part::Text(lines.join("\n")));
    if let Some(Part::Text(first)) = parts.first_mut() {
        *first = first.trim_start().to_owned();
    }
    if let Some(Part::Text(last)) = parts.last_mut() {
        *last = last.trim_end().to_owned();
    }
    parts.retain(|part| !matches!(part, Part::Text(text) if text.is_empty()));
    Docs(parts)
}

/// The lines of one comment, without the stars that stand before each in a block.
fn unstarred(text: &str) -> Vec<&str> {
    let starred = |line: &&str| line.starts_with(char::is_whitespace) && line.trim_start().starts_with('*');
    let is_block = text.lines().skip(1).filter(|line| !line.trim().is_empty()).all(|line| starred(&line));
    let lines = text.lines().enumerate().map(|(number, line)| match number {
        1.. if is_block => line.trim_start().strip_prefix('*').unwrap_or(line),
        _ => line,
    });
    lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect()
}

impl ToTokens for Docs {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let parts: Vec<TokenStream> = self
            .0
            .iter()
            .map(|part| match part {
                Part::Text(text) => quote!(#text),
                Part::Written(written) => quote!(#written),
            })
            .collect();
        match &parts[..] {
            [] => quote!(""),
            [part] => part.clone(),
            [first, others @ ..] => quote!(::core::concat!(#first #(, "\n", #others)*)),
        }
        .to_tokens(tokens);
    }
}
