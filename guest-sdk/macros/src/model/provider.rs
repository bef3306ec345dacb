//! `provider! { … }`.

use proc_macro2::{Span, TokenStream};
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, Ident, LitStr, Path, Token, Type, braced, bracketed};

use crate::diag;
use crate::parse::json::{Json, JsonValue};
use crate::parse::token::is_package;

/// A provider.
pub(crate) struct Provider {
    pub(crate) name: LitStr,
    pub(crate) version: Expr,
    /// Optional texts, by the name of the field that takes them.
    pub(crate) texts: Vec<(Ident, Expr)>,
    pub(crate) keywords: Vec<LitStr>,
    pub(crate) language: Option<Json>,
    pub(crate) config: Option<Type>,
    pub(crate) resources: Vec<Path>,
    pub(crate) components: Vec<Path>,
    pub(crate) methods: Vec<Path>,
    pub(crate) functions: Vec<Path>,
    pub(crate) lists: Vec<Path>,
    pub(crate) mappings: Option<Path>,
    pub(crate) parameter: Option<Parameterization>,
    pub(crate) permissions: Vec<(LitStr, Vec<Json>)>,
    /// Where each is said.
    pub(crate) overrides: Vec<(World, Span)>,
}

/// A parameter, and what it brings.
pub(crate) struct Parameterization {
    pub(crate) ty: Type,
    pub(crate) resources: Vec<Path>,
    pub(crate) functions: Vec<Path>,
}

/// A world of the contract, beside the one that describes the provider.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum World {
    Configured,
    Resourceful,
    Functional,
    Composing,
    Checking,
    Diffing,
    Previewing,
    Upgrading,
    ConfigChecking,
    ConfigDiffing,
    Parameterized,
    Listing,
    Mapped,
}

/// Keys that take a text and stand for the field of the same name.
const TEXTS: &[&str] = &[
    "display_name",
    "description",
    "publisher",
    "namespace",
    "license",
    "homepage",
    "repository",
    "logo_url",
    "attribution",
    "plugin_download_url",
    "module_format",
];

/// All other keys.
const KEYS: &[&str] = &[
    "name",
    "version",
    "keywords",
    "language",
    "config",
    "resources",
    "components",
    "methods",
    "functions",
    "lists",
    "mappings",
    "parameter",
    "overrides",
    "permissions",
];

/// What the members of a permission request are called, by the kind of request.
const PERMISSIONS: &[(&str, &[&str])] = &[
    ("network", &["endpoint", "methods", "phases", "reason"]),
    ("environment", &["name", "reason"]),
    ("filesystem", &["path", "access", "reason"]),
    ("packages", &["package", "from", "reason"]),
    ("limits", &["limit", "value", "reason"]),
];

impl Provider {
    pub(crate) fn read(input: TokenStream) -> syn::Result<Self> {
        let provider = Self::parse.parse2(input)?;
        let overridden = provider.overrides.iter().find_map(|(world, span)| match world {
            World::ConfigChecking => Some(("config_check", *span)),
            World::ConfigDiffing => Some(("config_diff", *span)),
            _ => None,
        });
        match (overridden, &provider.config) {
            (Some((name, span)), None) => Err(diag::config_required(span, name)),
            _ => Ok(provider),
        }
    }

    fn take(&mut self, key: &Ident, input: ParseStream<'_>) -> syn::Result<()> {
        let name = key.to_string();
        match name.as_str() {
            "name" => {
                self.name = input.parse().map_err(|error| diag::wants_text(error.span(), &name))?;
                if !is_package(&self.name.value()) {
                    return Err(diag::bad_package_name(self.name.span(), &self.name.value()));
                }
            }
            "version" => self.version = input.parse()?,
            "keywords" => self.keywords = list(input, &name, "\"dns\"")?,
            "language" => self.language = Some(object(input.parse()?, &name)?),
            "config" => self.config = Some(input.parse()?),
            "resources" => self.resources = list(input, &name, "RandomString")?,
            "components" => self.components = list(input, &name, "Site")?,
            "methods" => self.methods = list(input, &name, "url")?,
            "functions" => self.functions = list(input, &name, "pick")?,
            "lists" => self.lists = list(input, &name, "RandomString")?,
            "mappings" => self.mappings = Some(input.parse()?),
            "parameter" => self.parameter = Some(input.parse()?),
            "overrides" => {
                let names: Vec<Ident> = list(input, &name, "check")?;
                let world = |name: &Ident| Ok((World::read(name)?, name.span()));
                self.overrides = names.iter().map(world).collect::<syn::Result<_>>()?;
            }
            "permissions" => self.permissions = permissions(input.parse()?)?,
            text if TEXTS.contains(&text) => self.texts.push((key.clone(), input.parse()?)),
            other => {
                let known: Vec<&str> = KEYS.iter().chain(TEXTS).copied().collect();
                return Err(diag::unknown_attribute(key.span(), other, "a provider", &known));
            }
        }
        Ok(())
    }
}

impl Parse for Provider {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut provider = Self {
            name: LitStr::new("", Span::call_site()),
            version: syn::parse_quote!(env!("CARGO_PKG_VERSION")),
            texts: Vec::new(),
            keywords: Vec::new(),
            language: None,
            config: None,
            resources: Vec::new(),
            components: Vec::new(),
            methods: Vec::new(),
            functions: Vec::new(),
            lists: Vec::new(),
            mappings: None,
            parameter: None,
            permissions: Vec::new(),
            overrides: Vec::new(),
        };
        let mut seen: Vec<Ident> = Vec::new();
        while !input.is_empty() {
            let key: Ident = input.parse()?;
            if seen.contains(&key) {
                return Err(diag::repeated(key.span(), &key.to_string()));
            }
            input.parse::<Token![:]>()?;
            provider.take(&key, input)?;
            seen.push(key);
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        if provider.name.value().is_empty() {
            return Err(diag::missing(Span::call_site(), "a provider", "name", "name: \"random\""));
        }
        Ok(provider)
    }
}

impl Parse for Parameterization {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut parameter = Self { ty: input.parse()?, resources: Vec::new(), functions: Vec::new() };
        if !input.peek(syn::token::Brace) {
            return Ok(parameter);
        }
        let content;
        braced!(content in input);
        let mut seen: Vec<Ident> = Vec::new();
        while !content.is_empty() {
            let key: Ident = content.parse()?;
            if seen.contains(&key) {
                return Err(diag::repeated(key.span(), &key.to_string()));
            }
            content.parse::<Token![:]>()?;
            match key.to_string().as_str() {
                "resources" => parameter.resources = list(&content, "resources", "RandomString")?,
                "functions" => parameter.functions = list(&content, "functions", "pick")?,
                other => {
                    let known = ["resources", "functions"];
                    return Err(diag::unknown_attribute(key.span(), other, "a parameter", &known));
                }
            }
            seen.push(key);
            if !content.is_empty() {
                content.parse::<Token![,]>()?;
            }
        }
        Ok(parameter)
    }
}

impl Provider {
    /// Its resources and those that its parameter brings.
    pub(crate) fn all_resources(&self) -> impl Iterator<Item = &Path> {
        self.resources.iter().chain(self.parameter.iter().flat_map(|parameter| &parameter.resources))
    }

    /// Its functions and those that its parameter brings.
    pub(crate) fn all_functions(&self) -> impl Iterator<Item = &Path> {
        self.functions.iter().chain(self.parameter.iter().flat_map(|parameter| &parameter.functions))
    }
}

impl World {
    fn read(name: &Ident) -> syn::Result<Self> {
        Ok(match name.to_string().as_str() {
            "check" => Self::Checking,
            "diff" => Self::Diffing,
            "preview" => Self::Previewing,
            "upgrade" => Self::Upgrading,
            "config_check" => Self::ConfigChecking,
            "config_diff" => Self::ConfigDiffing,
            other => {
                let known = ["check", "diff", "preview", "upgrade", "config_check", "config_diff"];
                return Err(diag::unknown_attribute(name.span(), other, "an override", &known));
            }
        })
    }
}

fn list<T: Parse>(input: ParseStream<'_>, name: &str, example: &str) -> syn::Result<Vec<T>> {
    if !input.peek(syn::token::Bracket) {
        return Err(diag::wants_list(input.span(), name, example));
    }
    let content;
    bracketed!(content in input);
    Ok(Punctuated::<T, Token![,]>::parse_terminated(&content)?.into_iter().collect())
}

fn object(json: Json, name: &str) -> syn::Result<Json> {
    if matches!(json.value, JsonValue::Object(_)) { Ok(json) } else { Err(diag::wants_object(json.span, name)) }
}

/// Permission requests, as the manifest has them. What is wrong is found here and not when a component is loaded.
fn permissions(json: Json) -> syn::Result<Vec<(LitStr, Vec<Json>)>> {
    let JsonValue::Object(kinds) = json.value else { return Err(diag::wants_object(json.span, "permissions")) };
    let mut permissions = Vec::new();
    for (kind, requests) in kinds {
        let Some((_, members)) = PERMISSIONS.iter().find(|(name, _)| *name == kind.value()) else {
            let known: Vec<&str> = PERMISSIONS.iter().map(|(name, _)| *name).collect();
            return Err(diag::unknown_attribute(kind.span(), &kind.value(), "a kind of permission", &known));
        };
        let JsonValue::List(requests) = requests.value else {
            return Err(diag::wants_list(requests.span, &kind.value(), "{ reason: \"…\" }"));
        };
        for request in &requests {
            permission(request, &kind.value(), members)?;
        }
        permissions.push((kind, requests));
    }
    Ok(permissions)
}

fn permission(request: &Json, kind: &str, known: &[&str]) -> syn::Result<()> {
    let JsonValue::Object(members) = &request.value else { return Err(diag::wants_object(request.span, kind)) };
    for (name, value) in members {
        let listed = matches!(name.value().as_str(), "methods" | "phases");
        match &value.value {
            _ if !known.contains(&name.value().as_str()) => {
                return Err(diag::unknown_attribute(name.span(), &name.value(), "a permission", known));
            }
            JsonValue::List(items) if listed => {
                if let Some(other) = items.iter().find(|item| !matches!(item.value, JsonValue::Text(_))) {
                    return Err(diag::wants_text(other.span, &name.value()));
                }
            }
            JsonValue::Text(text) if !listed && !text.is_empty() => {}
            _ if listed => return Err(diag::wants_list(value.span, &name.value(), "\"…\"")),
            _ => return Err(diag::wants_text(value.span, &name.value())),
        }
    }
    let required = known.iter().filter(|name| !matches!(**name, "methods" | "phases" | "from"));
    for name in required {
        if !members.iter().any(|(member, _)| member.value() == **name) {
            return Err(diag::missing(request.span, "a permission", name, &format!("{name}: \"…\"")));
        }
    }
    Ok(())
}
