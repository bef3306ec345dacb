//! What stands between the parentheses of an attribute: `name`, `name = value`, `name(…)`.

use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprLit, Ident, Lit, LitStr, Path, Token, parenthesized, token};

use crate::diag;

/// One setting of an attribute.
pub(crate) struct Setting {
    pub(crate) name: Ident,
    value: Given,
}

enum Given {
    Nothing,
    Value(Expr),
    Settings(Vec<Setting>),
}

impl Parse for Setting {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        // Keywords too, so that a wrong one is told from a syntax error.
        let name = Ident::parse_any(input)?;
        let value = if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            Given::Value(input.parse()?)
        } else if input.peek(token::Paren) {
            let content;
            parenthesized!(content in input);
            Given::Settings(settings(&content)?)
        } else {
            Given::Nothing
        };
        Ok(Self { name, value })
    }
}

/// All settings up to the end. None is there twice.
pub(crate) fn settings(input: ParseStream<'_>) -> syn::Result<Vec<Setting>> {
    let settings = Punctuated::<Setting, Token![,]>::parse_terminated(input)?;
    let mut unique: Vec<Setting> = Vec::new();
    for setting in settings {
        if unique.iter().any(|other| other.name == setting.name) {
            return Err(diag::repeated(setting.name.span(), &setting.name.to_string()));
        }
        unique.push(setting);
    }
    Ok(unique)
}

/// The settings of all `#[bulkhead(…)]` among `attributes`.
pub(crate) fn of_attributes(attributes: &[Attribute]) -> syn::Result<Vec<Setting>> {
    let mut all: Vec<Setting> = Vec::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("bulkhead")) {
        for setting in attribute.parse_args_with(settings)? {
            if all.iter().any(|other| other.name == setting.name) {
                return Err(diag::repeated(setting.name.span(), &setting.name.to_string()));
            }
            all.push(setting);
        }
    }
    Ok(all)
}

impl Setting {
    fn spell(&self) -> String {
        self.name.to_string()
    }

    fn span(&self) -> Span {
        match &self.value {
            Given::Value(value) => value.span(),
            Given::Nothing | Given::Settings(_) => self.name.span(),
        }
    }

    /// `name`, or `name = true` and `name = false`.
    pub(crate) fn flag(&self) -> syn::Result<bool> {
        match &self.value {
            Given::Nothing => Ok(true),
            Given::Value(Expr::Lit(ExprLit { lit: Lit::Bool(flag), .. })) => Ok(flag.value),
            _ => Err(diag::wants_flag(self.span(), &self.spell())),
        }
    }

    /// `name = anything`.
    pub(crate) fn value(&self, example: &str) -> syn::Result<&Expr> {
        match &self.value {
            Given::Value(value) => Ok(value),
            _ => Err(diag::wants_value(self.span(), &self.spell(), example)),
        }
    }

    /// `name = path::Type`.
    pub(crate) fn path(&self, example: &str) -> syn::Result<Path> {
        match self.value(example)? {
            Expr::Path(path) => Ok(path.path.clone()),
            _ => Err(diag::wants_value(self.span(), &self.spell(), example)),
        }
    }

    /// `name = "text"`.
    pub(crate) fn text(&self) -> syn::Result<&LitStr> {
        match &self.value {
            Given::Value(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) => Ok(text),
            _ => Err(diag::wants_text(self.span(), &self.spell())),
        }
    }

    /// `name = 3`.
    pub(crate) fn integer(&self) -> syn::Result<u32> {
        match &self.value {
            Given::Value(Expr::Lit(ExprLit { lit: Lit::Int(number), .. })) => {
                number.base10_parse().map_err(|_| diag::wants_integer(self.span(), &self.spell()))
            }
            _ => Err(diag::wants_integer(self.span(), &self.spell())),
        }
    }

    /// `name = "one"` or `name = ["one", "two"]`.
    pub(crate) fn texts(&self) -> syn::Result<Vec<LitStr>> {
        let wrong = |span| diag::wants_names(span, &self.spell());
        match &self.value {
            Given::Value(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) => Ok(vec![text.clone()]),
            Given::Value(Expr::Array(array)) => array
                .elems
                .iter()
                .map(|element| match element {
                    Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Ok(text.clone()),
                    other => Err(wrong(other.span())),
                })
                .collect(),
            _ => Err(wrong(self.span())),
        }
    }

    /// `name(…)`, or `name` alone, which is empty.
    pub(crate) fn settings(&self) -> syn::Result<&[Setting]> {
        match &self.value {
            Given::Nothing => Ok(&[]),
            Given::Settings(settings) => Ok(settings),
            Given::Value(_) => Err(diag::wants_flag(self.span(), &self.spell())),
        }
    }
}
