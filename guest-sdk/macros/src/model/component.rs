//! `#[component(…)]`.

use proc_macro2::{Span, TokenStream};
use syn::parse::Parser;
use syn::spanned::Spanned;
use syn::{ImplItem, ItemImpl, Type, parse_quote};

use crate::diag;
use crate::parse::setting::settings;
use crate::parse::token;

/// What is said about a component.
pub(crate) struct Component {
    pub(crate) ty: Type,
    pub(crate) token: String,
    pub(crate) aliases: Vec<String>,
    pub(crate) deprecated: Option<String>,
}

impl Component {
    /// Reads the attribute, and gives the `impl` the configuration `()` if it names none.
    pub(crate) fn read(arguments: TokenStream, item: &mut ItemImpl) -> syn::Result<Self> {
        let named = item.trait_.as_ref().and_then(|(path, _)| path.segments.last());
        if named.is_none_or(|segment| segment.ident != "Component") {
            return Err(diag::not_a_component_impl(item.impl_token.span()));
        }
        let mut component =
            Self { ty: (*item.self_ty).clone(), token: String::new(), aliases: Vec::new(), deprecated: None };
        component.settings(arguments)?;
        component.items(item)?;
        Ok(component)
    }

    fn settings(&mut self, arguments: TokenStream) -> syn::Result<()> {
        for setting in settings.parse2(arguments)? {
            match setting.name.to_string().as_str() {
                "token" => self.token = token::resource(setting.text()?)?,
                "aliases" => self.aliases = setting.texts()?.iter().map(token::resource).collect::<syn::Result<_>>()?,
                "deprecated" => self.deprecated = Some(setting.text()?.value()),
                other => {
                    let known = ["token", "aliases", "deprecated"];
                    return Err(diag::unknown_attribute(setting.name.span(), other, "a component", &known));
                }
            }
        }
        if self.token.is_empty() {
            let example = "#[component(token = \"package:module:Name\")]";
            return Err(diag::missing(Span::call_site(), "a component", "token", example));
        }
        Ok(())
    }

    fn items(&self, item: &mut ItemImpl) -> syn::Result<()> {
        let (mut configured, mut constructed) = (false, false);
        for item in &item.items {
            match item {
                ImplItem::Fn(method) => {
                    if let Some(asyncness) = &method.sig.asyncness {
                        return Err(diag::asynchronous(asyncness.span()));
                    }
                    if method.sig.ident != "construct" {
                        return Err(diag::not_of_a_component(method.sig.ident.span(), &method.sig.ident.to_string()));
                    }
                    constructed = true;
                }
                ImplItem::Type(associated) => configured |= associated.ident == "Config",
                ImplItem::Macro(written) => return Err(diag::hidden_by_macro(written.span())),
                _ => {}
            }
        }
        if !constructed {
            return Err(diag::construct_missing(self.ty.span()));
        }
        if !configured {
            item.items.push(parse_quote! { type Config = (); });
        }
        Ok(())
    }
}
