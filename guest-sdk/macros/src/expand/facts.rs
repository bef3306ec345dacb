//! Facts of a property.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Lit, LitInt, Type};

use super::option;
use crate::model::{Autoname, Facts, OutputDefault, Record};
use crate::parse::docs::Docs;

/// The expression for the facts of a property of type `ty`.
pub(super) fn facts(record: &Record, ty: &Type, description: &Docs, facts: &Facts) -> TokenStream {
    let deprecated = option(facts.deprecated.as_ref());
    let (replace, secret, stable, not_echoed) = (facts.replace, facts.secret, facts.stable, facts.not_echoed);
    let (empty_is_absent, coerces) = (facts.empty_is_absent, facts.coerces);
    let constant = option(facts.constant.as_ref().map(|value| written(ty, value)));
    let default = option(facts.default.as_ref().map(|value| written(ty, value)));
    let output_default = option(facts.output_default.as_ref().map(|default| match default {
        OutputDefault::Absent => absent(ty),
        OutputDefault::Value(value) => written(ty, value),
    }));
    let environment = &facts.environment;
    let autoname = option(facts.autoname.as_ref().map(autoname));
    let validation = validation(record, facts);
    quote! {
        &::bulkhead_sdk::schema::Facts {
            description: #description,
            deprecated: #deprecated,
            replace: #replace,
            secret: #secret,
            default: #default,
            constant: #constant,
            output_default: #output_default,
            environment: &[#(#environment),*],
            stable: #stable,
            not_echoed: #not_echoed,
            empty_is_absent: #empty_is_absent,
            coerces: #coerces,
            autoname: #autoname,
            validation: #validation,
        }
    }
}

/// A default as a value of the field's type. Where the two don't fit, the error is at the default.
pub(super) fn literal(ty: &Type, value: &Expr) -> TokenStream {
    quote_spanned!(value.span()=> <#ty as ::bulkhead_sdk::value::FromLiteral<_>>::from_literal(#value))
}

fn written(ty: &Type, value: &Expr) -> TokenStream {
    let literal = literal(ty, value);
    quote_spanned!(value.span()=> || ::bulkhead_sdk::schema::ToJson::to_json(&#literal))
}

/// The promise that the output is absent too, which only an option can keep.
fn absent(ty: &Type) -> TokenStream {
    quote_spanned!(ty.span()=> || {
        let absent: #ty = ::core::option::Option::None;
        ::std::string::String::from("null")
    })
}

/// A bound. Doubles are only for those who say so: most bounds are integers, of any size. What is computed is computed before it is
/// converted, and as such an integer where nothing says otherwise.
fn bound(value: &Expr) -> TokenStream {
    let span = value.span();
    let bound = if is_integer(value, |number| number.suffix().is_empty()) {
        quote_spanned!(span=> { let bound: i64 = #value; bound })
    } else if is_integer(value, |_| true) {
        quote_spanned!(span=> ((#value) as i64))
    } else {
        quote_spanned!(span=> ((#value) as f64))
    };
    quote_spanned!(span=> || ::bulkhead_sdk::schema::ToJson::to_json(&#bound))
}

/// Whether something consists of such integers alone.
fn is_integer(value: &Expr, such: fn(&LitInt) -> bool) -> bool {
    match value {
        Expr::Lit(literal) => matches!(&literal.lit, Lit::Int(number) if such(number)),
        Expr::Unary(unary) => is_integer(&unary.expr, such),
        Expr::Paren(paren) => is_integer(&paren.expr, such),
        Expr::Binary(binary) => is_integer(&binary.left, such) && is_integer(&binary.right, such),
        _ => false,
    }
}

fn autoname(autoname: &Autoname) -> TokenStream {
    let max_length = option(autoname.max_length);
    let separator = option(autoname.separator.as_ref());
    let hex_digits = option(autoname.hex_digits);
    let charset = option(autoname.charset.as_ref());
    quote! {
        ::bulkhead_sdk::schema::Autoname {
            max_length: #max_length,
            separator: #separator,
            hex_digits: #hex_digits,
            charset: #charset,
        }
    }
}

fn validation(record: &Record, facts: &Facts) -> TokenStream {
    let minimum = option(facts.minimum.as_ref().map(bound));
    let maximum = option(facts.maximum.as_ref().map(bound));
    let min_length = option(facts.min_length);
    let max_length = option(facts.max_length);
    let min_items = option(facts.min_items);
    let max_items = option(facts.max_items);
    let pattern = option(facts.pattern.as_ref());
    let conflicts_with = facts.conflicts_with.iter().map(|other| record.property(other));
    let requires = facts.requires.iter().map(|other| record.property(other));
    let exactly_one_of = facts.exactly_one_of.iter().map(|other| record.property(other));
    quote! {
        ::bulkhead_sdk::schema::Validation {
            minimum: #minimum,
            maximum: #maximum,
            min_length: #min_length,
            max_length: #max_length,
            min_items: #min_items,
            max_items: #max_items,
            pattern: #pattern,
            conflicts_with: &[#(#conflicts_with),*],
            requires: &[#(#requires),*],
            exactly_one_of: &[#(#exactly_one_of),*],
        }
    }
}
