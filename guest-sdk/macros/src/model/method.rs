//! `#[method(…)]`.

use proc_macro2::TokenStream;
use syn::ext::IdentExt;
use syn::parse::Parser;
use syn::spanned::Spanned;
use syn::{FnArg, GenericArgument, ItemFn, PathArguments, Type};

use super::Function;
use crate::diag;
use crate::parse::name::camel_case;
use crate::parse::setting::settings;

/// What is said about a method: a function, and what it is called on.
pub(crate) struct Method {
    pub(crate) function: Function,
    /// What programs call it.
    pub(crate) name: String,
    pub(crate) receiver: Type,
    /// Whether programs get the result itself.
    pub(crate) plain: bool,
}

impl Method {
    pub(crate) fn read(arguments: TokenStream, item: &ItemFn) -> syn::Result<Self> {
        let mut function = Function::of(item)?;
        let mut inputs = item.sig.inputs.iter();
        let first = inputs.next().ok_or_else(|| diag::method_receiver(item.sig.ident.span()))?;
        let receiver = receiver(first)?;
        for input in inputs {
            function.parameter(input)?;
        }
        let name = camel_case(&function.ident.unraw().to_string());
        let mut method = Self { function, name, receiver, plain: false };
        method.settings(arguments)?;
        if method.name.is_empty() {
            return Err(diag::unnamed(method.function.ident.span(), "method"));
        }
        Ok(method)
    }

    fn settings(&mut self, arguments: TokenStream) -> syn::Result<()> {
        for setting in settings.parse2(arguments)? {
            match setting.name.to_string().as_str() {
                "rename" => self.name = setting.text()?.value(),
                "plain" => self.plain = setting.flag()?,
                "deprecated" => self.function.deprecated = Some(setting.text()?.value()),
                other => {
                    let known = ["rename", "deprecated", "plain"];
                    return Err(diag::unknown_attribute(setting.name.span(), other, "a method", &known));
                }
            }
        }
        Ok(())
    }
}

/// The `R` of `Call<R>`.
fn receiver(input: &FnArg) -> syn::Result<Type> {
    let wrong = || diag::method_receiver(input.span());
    let FnArg::Typed(typed) = input else { return Err(wrong()) };
    let Type::Path(path) = &*typed.ty else { return Err(wrong()) };
    let call = path.path.segments.last().filter(|segment| segment.ident == "Call");
    let Some(PathArguments::AngleBracketed(arguments)) = call.map(|segment| &segment.arguments) else {
        return Err(wrong());
    };
    let types = |argument: &GenericArgument| match argument {
        GenericArgument::Type(ty) => Some(ty.clone()),
        _ => None,
    };
    arguments.args.iter().find_map(types).ok_or_else(wrong)
}
