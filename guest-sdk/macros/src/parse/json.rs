//! JSON as authors write it in `provider!`: keys need no quotes.

use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Ident, Lit, LitStr, Token, braced, bracketed, token};

use crate::diag;

/// A JSON value, and where it stands.
pub(crate) struct Json {
    pub(crate) value: JsonValue,
    pub(crate) span: Span,
}

pub(crate) enum JsonValue {
    Null,
    Boolean(bool),
    /// As its text.
    Number(String),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(LitStr, Json)>),
}

impl Parse for Json {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let span = input.span();
        let value = if input.peek(token::Brace) {
            let content;
            braced!(content in input);
            JsonValue::Object(members(&content)?)
        } else if input.peek(token::Bracket) {
            let content;
            bracketed!(content in input);
            JsonValue::List(Punctuated::<Self, Token![,]>::parse_terminated(&content)?.into_iter().collect())
        } else {
            scalar(input)?
        };
        Ok(Self { value, span })
    }
}

fn scalar(input: ParseStream<'_>) -> syn::Result<JsonValue> {
    let span = input.span();
    if input.peek(Ident::peek_any) && !input.peek(syn::LitBool) {
        let ident = Ident::parse_any(input)?;
        return if ident == "null" { Ok(JsonValue::Null) } else { Err(diag::wants_json(ident.span())) };
    }
    let negative = input.parse::<Option<Token![-]>>()?.is_some();
    let number = |digits: &str| JsonValue::Number(format!("{}{digits}", if negative { "-" } else { "" }));
    match input.parse::<Lit>().map_err(|_| diag::wants_json(span))? {
        Lit::Bool(boolean) if !negative => Ok(JsonValue::Boolean(boolean.value)),
        Lit::Str(text) if !negative => Ok(JsonValue::Text(text.value())),
        Lit::Int(integer) => Ok(number(integer.base10_digits())),
        Lit::Float(float) => Ok(number(&json_float(float.base10_digits()))),
        _ => Err(diag::wants_json(span)),
    }
}

/// A float as JSON has it: Rust lets it begin with zeros, and end with a point.
fn json_float(digits: &str) -> String {
    let digits = digits.trim_start_matches('0');
    let lead = if digits.starts_with(|first: char| first.is_ascii_digit()) { "" } else { "0" };
    let trail = if digits.ends_with('.') { "0" } else { "" };
    format!("{lead}{digits}{trail}")
}

fn members(input: ParseStream<'_>) -> syn::Result<Vec<(LitStr, Json)>> {
    let mut members: Vec<(LitStr, Json)> = Vec::new();
    while !input.is_empty() {
        let name = if input.peek(LitStr) {
            input.parse()?
        } else {
            let ident = Ident::parse_any(input)?;
            LitStr::new(&ident.unraw().to_string(), ident.span())
        };
        if members.iter().any(|(other, _)| other.value() == name.value()) {
            return Err(diag::repeated(name.span(), &name.value()));
        }
        input.parse::<Token![:]>()?;
        members.push((name, input.parse()?));
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
    }
    Ok(members)
}
