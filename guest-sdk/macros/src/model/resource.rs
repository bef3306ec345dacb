//! `#[resource(…)]`.

use proc_macro2::{Span, TokenStream};
use syn::parse::Parser;
use syn::spanned::Spanned;
use syn::{Attribute, ImplItem, ItemImpl, Path, Type, parse_quote};

use crate::diag;
use crate::parse::setting::settings;
use crate::parse::token;

/// What is said about a resource, and which methods its author wrote.
pub(crate) struct Resource {
    pub(crate) ty: Type,
    pub(crate) token: String,
    pub(crate) aliases: Vec<String>,
    pub(crate) deprecated: Option<String>,
    pub(crate) delete_before_replace: bool,
    pub(crate) schema_version: u32,
    pub(crate) same_inputs: bool,
    /// The type of what it is looked up by beside its id.
    pub(crate) lookup: Option<Path>,
    pub(crate) methods: Vec<Written>,
}

/// A method that is written, maybe under conditions.
pub(crate) struct Written {
    pub(crate) name: String,
    /// What stands in its `#[cfg(…)]`: the compiler looks at them later, when the host is promised the method already.
    pub(crate) conditions: Vec<TokenStream>,
}

impl Resource {
    /// Reads the attribute, and gives the `impl` the configuration `()` if it names none.
    pub(crate) fn read(arguments: TokenStream, item: &mut ItemImpl) -> syn::Result<Self> {
        let named = item.trait_.as_ref().and_then(|(path, _)| path.segments.last());
        if named.is_none_or(|segment| segment.ident != "Resource") {
            return Err(diag::not_a_resource_impl(item.impl_token.span()));
        }
        let mut resource = Self {
            ty: (*item.self_ty).clone(),
            token: String::new(),
            aliases: Vec::new(),
            deprecated: None,
            delete_before_replace: false,
            schema_version: 0,
            same_inputs: false,
            lookup: None,
            methods: Vec::new(),
        };
        resource.settings(arguments)?;
        resource.items(item)?;
        Ok(resource)
    }

    fn settings(&mut self, arguments: TokenStream) -> syn::Result<()> {
        for setting in settings.parse2(arguments)? {
            match setting.name.to_string().as_str() {
                "token" => self.token = token::resource(setting.text()?)?,
                "aliases" => self.aliases = setting.texts()?.iter().map(token::resource).collect::<syn::Result<_>>()?,
                "deprecated" => self.deprecated = Some(setting.text()?.value()),
                "delete_before_replace" => self.delete_before_replace = setting.flag()?,
                "schema_version" => self.schema_version = setting.integer()?,
                "same_inputs" => self.same_inputs = setting.flag()?,
                "lookup" => self.lookup = Some(setting.path("NoteLookup")?),
                other => {
                    let known = [
                        "token",
                        "aliases",
                        "deprecated",
                        "delete_before_replace",
                        "schema_version",
                        "same_inputs",
                        "lookup",
                    ];
                    return Err(diag::unknown_attribute(setting.name.span(), other, "a resource", &known));
                }
            }
        }
        if self.token.is_empty() {
            let example = "#[resource(token = \"package:module:Name\")]";
            return Err(diag::missing(Span::call_site(), "a resource", "token", example));
        }
        Ok(())
    }

    fn items(&mut self, item: &mut ItemImpl) -> syn::Result<()> {
        let mut configured = false;
        for item in &item.items {
            match item {
                ImplItem::Fn(method) => {
                    if let Some(asyncness) = &method.sig.asyncness {
                        return Err(diag::asynchronous(asyncness.span()));
                    }
                    let name = method.sig.ident.to_string();
                    self.methods.push(Written { name, conditions: conditions(&method.attrs)? });
                }
                ImplItem::Type(associated) => configured |= associated.ident == "Config",
                ImplItem::Macro(written) => return Err(diag::hidden_by_macro(written.span())),
                _ => {}
            }
        }
        if !self.methods.iter().any(|method| method.name == "create") {
            return Err(diag::create_missing(self.ty.span()));
        }
        let written = |name: &str| self.methods.iter().any(|method| method.name == name);
        if written("exists") && !written("read") {
            return Err(diag::exists_without_read(self.ty.span()));
        }
        if let Some(lookup) = self.lookup.as_ref().filter(|_| !written("read")) {
            return Err(diag::lookup_without_read(lookup.span()));
        }
        if !configured {
            item.items.push(parse_quote! { type Config = (); });
        }
        Ok(())
    }
}

fn conditions(attributes: &[Attribute]) -> syn::Result<Vec<TokenStream>> {
    attributes.iter().filter(|attribute| attribute.path().is_ident("cfg")).map(Attribute::parse_args).collect()
}
