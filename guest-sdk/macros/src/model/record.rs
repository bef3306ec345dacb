//! Structs whose fields are properties.

use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Fields, Ident, LitStr, Type, Visibility};

use super::Facts;
use crate::diag;
use crate::parse::docs::{Docs, docs};
use crate::parse::itself;
use crate::parse::name::camel_case;
use crate::parse::setting::{Setting, of_attributes};
use crate::parse::token;

/// Which derive it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Inputs,
    State,
    Config,
    Object,
}

impl Kind {
    pub(crate) const ALL: &[Self] = &[Self::Inputs, Self::State, Self::Config, Self::Object];
    /// Those that a program or a user gives.
    pub(crate) const GIVEN: &[Self] = &[Self::Inputs, Self::Config, Self::Object];

    /// The name of the derive.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Inputs => "Inputs",
            Self::State => "State",
            Self::Config => "Config",
            Self::Object => "Object",
        }
    }

    /// What its fields are.
    pub(crate) fn fields(self) -> &'static str {
        match self {
            Self::Inputs => "inputs",
            Self::State => "state, which nobody gives: say it about the inputs",
            Self::Config => "configuration",
            Self::Object => "members of an object",
        }
    }
}

/// A struct whose fields are properties.
pub(crate) struct Record {
    pub(crate) ident: Ident,
    pub(crate) kind: Kind,
    pub(crate) description: Docs,
    /// The name of the type in the schema, for objects.
    pub(crate) type_name: String,
    /// Whether the provider connects when it is configured.
    pub(crate) connects: bool,
    /// Whether something is wrong with it. It only stands in then, so that whatever uses it isn't said to be wrong too.
    pub(crate) is_wrong: bool,
    pub(crate) fields: Vec<Field>,
}

/// One of its fields.
pub(crate) struct Field {
    pub(crate) ident: Ident,
    pub(crate) vis: Visibility,
    pub(crate) ty: Type,
    pub(crate) content: Content,
}

/// What a field stands for.
pub(crate) enum Content {
    /// A property.
    Property { name: String, description: Docs, facts: Box<Facts> },
    /// All properties of another struct.
    Flattened,
    /// Nothing: it is made by `Default`.
    Skipped,
}

impl Record {
    pub(crate) fn read(input: &DeriveInput, kind: Kind) -> syn::Result<Self> {
        let fields = match &input.data {
            Data::Struct(data) => match &data.fields {
                Fields::Named(fields) => fields.named.iter().collect(),
                Fields::Unit => Vec::new(),
                Fields::Unnamed(fields) => return Err(diag::not_a_struct(fields.span(), kind.name())),
            },
            _ => return Err(diag::not_a_struct(input.ident.span(), kind.name())),
        };
        if !input.generics.params.is_empty() {
            return Err(diag::generic(input.generics.span(), kind.name()));
        }
        let connects = kind == Kind::Config && connects(input)?;
        let type_name = match kind {
            Kind::Config => input.ident.unraw().to_string(),
            kind => type_name(input, kind == Kind::Object)?,
        };
        let record = Self {
            ident: input.ident.clone(),
            kind,
            description: docs(&input.attrs),
            type_name,
            connects,
            is_wrong: false,
            fields: fields
                .into_iter()
                .map(|field| Field::read(field, kind, &input.ident))
                .collect::<syn::Result<_>>()?,
        };
        record.unique_names()?;
        record.references()?;
        Ok(record)
    }

    /// What stands in for a struct that something is wrong with. Nothing does for one with parameters.
    pub(crate) fn standing_in(input: &DeriveInput, kind: Kind) -> Option<Self> {
        let ident = input.ident.clone();
        input.generics.params.is_empty().then(|| Self {
            type_name: ident.unraw().to_string(),
            ident,
            kind,
            description: Docs::default(),
            connects: false,
            is_wrong: true,
            fields: Vec::new(),
        })
    }

    fn unique_names(&self) -> syn::Result<()> {
        let mut seen: Vec<(&str, &Ident)> = Vec::new();
        for field in &self.fields {
            let Content::Property { name, .. } = &field.content else { continue };
            if let Some((_, other)) = seen.iter().find(|(other, _)| other == name) {
                return Err(diag::same_property(field.ident.span(), name, &other.to_string()));
            }
            if name.is_empty() {
                return Err(diag::unnamed(field.ident.span(), "bulkhead"));
            }
            if name.starts_with("__") {
                return Err(diag::reserved_property(field.ident.span(), name));
            }
            seen.push((name, &field.ident));
        }
        Ok(())
    }

    /// Fields may be referred to only if they are there, or might be in a flattened struct.
    fn references(&self) -> syn::Result<()> {
        let flattens = self.fields.iter().any(|field| matches!(field.content, Content::Flattened));
        let known: Vec<String> = self.fields.iter().map(Field::name).collect();
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        for field in &self.fields {
            let Content::Property { facts, .. } = &field.content else { continue };
            for other in facts.conflicts_with.iter().chain(&facts.requires).chain(&facts.exactly_one_of) {
                if field.name() == other.value() {
                    return Err(diag::refers_to_itself(other.span()));
                }
                if !flattens && !known.contains(&other.value().as_str()) {
                    return Err(diag::unknown_field(other.span(), &other.value(), &known));
                }
            }
        }
        Ok(())
    }

    /// The properties that a field with a default can't be given with, whichever of them says so.
    pub(crate) fn excluding(&self, field: &Field) -> Vec<String> {
        let name = field.name();
        match &field.content {
            Content::Property { facts, .. } if facts.default.is_some() => {}
            _ => return Vec::new(),
        }
        let mut excluding = Vec::new();
        for other in &self.fields {
            let Content::Property { name: property, facts, .. } = &other.content else { continue };
            let names_it = |named: &Vec<LitStr>| named.iter().any(|named| named.value() == name);
            if other.name() == name {
                excluding
                    .extend(facts.conflicts_with.iter().chain(&facts.exactly_one_of).map(|other| self.property(other)));
                continue;
            }
            if names_it(&facts.conflicts_with) || names_it(&facts.exactly_one_of) {
                excluding.push(property.clone());
            }
            if names_it(&facts.exactly_one_of) {
                let choices = facts.exactly_one_of.iter().filter(|choice| choice.value() != name);
                excluding.extend(choices.map(|choice| self.property(choice)));
            }
        }
        excluding
    }

    /// The property of the field `reference`.
    pub(crate) fn property(&self, reference: &LitStr) -> String {
        let named = self.fields.iter().find(|field| field.name() == reference.value());
        match named.map(|field| &field.content) {
            Some(Content::Property { name, .. }) => name.clone(),
            _ => camel_case(&reference.value()),
        }
    }
}

impl Field {
    /// Its name, without the `r#` of a keyword.
    fn name(&self) -> String {
        self.ident.unraw().to_string()
    }

    /// The property's name, if the field stands for one property.
    pub(crate) fn property(&self) -> Option<&str> {
        if let Content::Property { name, .. } = &self.content { Some(name) } else { None }
    }

    /// The name of what reads and writes it, if it stands for one property.
    pub(crate) fn accessor(&self) -> Option<Ident> {
        self.property().map(|_| quote::format_ident!("_{}", self.name()))
    }

    /// Whether only one value is allowed.
    pub(crate) fn is_constant(&self) -> bool {
        matches!(&self.content, Content::Property { facts, .. } if facts.constant.is_some())
    }

    pub(crate) fn is_flattened(&self) -> bool {
        matches!(self.content, Content::Flattened)
    }

    fn read(field: &syn::Field, kind: Kind, owner: &Ident) -> syn::Result<Self> {
        let ident = field.ident.clone().ok_or_else(|| diag::not_a_struct(field.span(), kind.name()))?;
        let settings = of_attributes(&field.attrs)?;
        let facts = Facts::read(&settings, kind)?;
        let find = |name: &str| settings.iter().find(|setting| setting.name == name);
        let content = if alone("flatten", &settings)? {
            Content::Flattened
        } else if alone("skip", &settings)? {
            Content::Skipped
        } else {
            let name = match find("rename") {
                Some(setting) => setting.text()?.value(),
                None => camel_case(&ident.unraw().to_string()),
            };
            Content::Property { name, description: docs(&field.attrs), facts: Box::new(facts) }
        };
        Ok(Self { ident, vis: field.vis.clone(), ty: itself::named(&field.ty, owner)?, content })
    }
}

/// Whether this is said of a field. Nothing else is then.
fn alone(name: &str, settings: &[Setting]) -> syn::Result<bool> {
    let Some(setting) = settings.iter().find(|setting| setting.name == name) else { return Ok(false) };
    if !setting.flag()? {
        return Ok(false);
    }
    match settings.iter().find(|other| other.name != setting.name) {
        Some(other) => Err(diag::alone(other.name.span(), name)),
        None => Ok(true),
    }
}

/// What is said of a configuration as a whole.
fn connects(input: &DeriveInput) -> syn::Result<bool> {
    let mut connects = false;
    for setting in of_attributes(&input.attrs)? {
        if setting.name != "connects" {
            let given = setting.name.to_string();
            return Err(diag::unknown_attribute(setting.name.span(), &given, "a configuration", &["connects"]));
        }
        connects = setting.flag()?;
    }
    Ok(connects)
}

/// The name of the type in the schema: that of the Rust type, unless renamed.
pub(crate) fn type_name(input: &DeriveInput, named: bool) -> syn::Result<String> {
    let mut name = input.ident.unraw().to_string();
    for setting in of_attributes(&input.attrs)? {
        if named && setting.name == "rename" {
            name = token::type_name(setting.text()?)?;
        } else {
            let known: &[&str] = if named { &["rename"] } else { &[] };
            let given = setting.name.to_string();
            return Err(match known {
                [] => diag::misplaced_attribute(setting.name.span(), &given, "the whole struct"),
                known => diag::unknown_attribute(setting.name.span(), &given, "a type", known),
            });
        }
    }
    Ok(name)
}
