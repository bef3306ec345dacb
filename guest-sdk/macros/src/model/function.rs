//! `#[function(…)]`.

use proc_macro2::{Span, TokenStream};
use syn::parse::Parser;
use syn::spanned::Spanned;
use syn::{FnArg, GenericArgument, Ident, ItemFn, PathArguments, ReturnType, Type, Visibility};

use crate::diag;
use crate::parse::docs::{Docs, docs};
use crate::parse::setting::settings;
use crate::parse::token;

/// What is said about a function, and what it takes and returns.
pub(crate) struct Function {
    pub(crate) ident: Ident,
    pub(crate) visibility: Visibility,
    pub(crate) token: String,
    pub(crate) deprecated: Option<String>,
    /// Whether programs give the arguments one after the other.
    pub(crate) positional: bool,
    pub(crate) description: Docs,
    /// In the order of the parameters.
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) output: Type,
}

/// What a parameter is for.
pub(crate) enum Parameter {
    /// How it is called.
    Invoke,
    Arguments(Type),
    Config(Type),
}

impl Function {
    pub(crate) fn read(arguments: TokenStream, item: &ItemFn) -> syn::Result<Self> {
        let mut function = Self::of(item)?;
        function.settings(arguments)?;
        for (position, input) in item.sig.inputs.iter().enumerate() {
            if position == 0 && is_invoke(input) {
                function.parameters.push(Parameter::Invoke);
            } else {
                function.parameter(input)?;
            }
        }
        let has_arguments = function.parameters.iter().any(|parameter| matches!(parameter, Parameter::Arguments(_)));
        if function.positional && !has_arguments {
            return Err(diag::positions_of_nothing(item.sig.ident.span()));
        }
        Ok(function)
    }

    /// What the function itself says, its parameters aside.
    pub(super) fn of(item: &ItemFn) -> syn::Result<Self> {
        if let Some(asyncness) = &item.sig.asyncness {
            return Err(diag::asynchronous(asyncness.span()));
        }
        if !item.sig.generics.params.is_empty() {
            return Err(diag::function_parameters(item.sig.generics.span()));
        }
        Ok(Self {
            ident: item.sig.ident.clone(),
            visibility: item.vis.clone(),
            token: String::new(),
            deprecated: None,
            positional: false,
            description: docs(&item.attrs),
            parameters: Vec::new(),
            output: output(item)?,
        })
    }

    fn settings(&mut self, arguments: TokenStream) -> syn::Result<()> {
        for setting in settings.parse2(arguments)? {
            match setting.name.to_string().as_str() {
                "token" => self.token = token::function(setting.text()?)?,
                "deprecated" => self.deprecated = Some(setting.text()?.value()),
                "positional" => self.positional = setting.flag()?,
                other => {
                    let known = ["token", "deprecated", "positional"];
                    return Err(diag::unknown_attribute(setting.name.span(), other, "a function", &known));
                }
            }
        }
        if self.token.is_empty() {
            let example = "#[function(token = \"package:module:name\")]";
            return Err(diag::missing(Span::call_site(), "a function", "token", example));
        }
        Ok(())
    }

    pub(super) fn parameter(&mut self, input: &FnArg) -> syn::Result<()> {
        let FnArg::Typed(typed) = input else { return Err(diag::function_parameters(input.span())) };
        let parameter = match &*typed.ty {
            Type::Reference(reference) if reference.mutability.is_none() => {
                Parameter::Config((*reference.elem).clone())
            }
            Type::Reference(reference) => return Err(diag::function_parameters(reference.span())),
            other => Parameter::Arguments(other.clone()),
        };
        let same = |other: &Parameter| std::mem::discriminant(other) == std::mem::discriminant(&parameter);
        if self.parameters.iter().any(same) {
            return Err(diag::function_parameters(input.span()));
        }
        self.parameters.push(parameter);
        Ok(())
    }
}

/// Whether it says how the function is called.
fn is_invoke(input: &FnArg) -> bool {
    let FnArg::Typed(typed) = input else { return false };
    let Type::Path(path) = &*typed.ty else { return false };
    path.path.segments.last().is_some_and(|segment| segment.ident == "Invoke")
}

/// The `T` of `Result<T>`.
fn output(item: &ItemFn) -> syn::Result<Type> {
    let wrong = || diag::function_result(item.sig.ident.span());
    let ReturnType::Type(_, ty) = &item.sig.output else { return Err(wrong()) };
    let Type::Path(path) = &**ty else { return Err(diag::function_result(ty.span())) };
    let result = path.path.segments.last().filter(|segment| segment.ident == "Result");
    let Some(PathArguments::AngleBracketed(arguments)) = result.map(|segment| &segment.arguments) else {
        return Err(diag::function_result(ty.span()));
    };
    match arguments.args.first() {
        Some(GenericArgument::Type(output)) => Ok(output.clone()),
        _ => Err(diag::function_result(ty.span())),
    }
}
