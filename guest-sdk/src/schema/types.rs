//! The types that a package defines.

use std::collections::BTreeMap;
#[cfg(not(target_arch = "wasm32"))]
use std::collections::BTreeSet;

use super::TypeSpec;
#[cfg(not(target_arch = "wasm32"))]
use super::facts::Facts;
use super::json::{List, Members};
use super::properties::{ObjectSpec, Side};
use crate::error::Error;
use crate::record::Record;

/// The object types and enumerations that a package defines, collected while its properties are described.
#[derive(Debug)]
pub struct Types {
    package: String,
    /// Of a sub-package, what it calls the resources that it was brought.
    brought: Option<Brought>,
    defined: Vec<Defined>,
    /// Environment variables that defaults of objects come from, and the properties that they are for.
    pub(crate) environment: Vec<(&'static str, String)>,
    /// What is wrong with the author's types, which only shows when all are known.
    pub(super) faults: Vec<String>,
    /// What was said of the properties of objects, for a look at it in a test.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) declared: Vec<(String, Vec<(&'static str, Facts)>)>,
    /// The resources that were referred to, by the tokens that they were declared with, for the same.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) referred: BTreeSet<&'static str>,
}

/// What a parameter brings, and what stays in the package that it is declared in.
#[derive(Debug)]
pub(super) struct Brought {
    /// What resources are called in the sub-package, by the tokens that they and their aliases were declared with.
    pub(super) tokens: BTreeMap<&'static str, String>,
    /// The document of the package that the rest is in.
    pub(super) base: String,
}

#[derive(Debug)]
struct Defined {
    token: String,
    /// The Rust type, so that two of the same name are told apart.
    rust: &'static str,
    spec: Members,
}

impl Types {
    pub(crate) fn new(package: impl Into<String>) -> Self {
        Self {
            package: package.into(),
            brought: None,
            defined: Vec::new(),
            environment: Vec::new(),
            faults: Vec::new(),
            #[cfg(not(target_arch = "wasm32"))]
            declared: Vec::new(),
            #[cfg(not(target_arch = "wasm32"))]
            referred: BTreeSet::new(),
        }
    }

    /// Those of a sub-package.
    pub(super) fn of_subpackage(package: &str, brought: Brought) -> Self {
        Self { brought: Some(brought), ..Self::new(package) }
    }

    /// What a resource is called in this document that was declared, or had been before, with a token.
    pub(super) fn called<'t>(&'t self, declared: &'t str) -> &'t str {
        let named = self.brought.as_ref().and_then(|brought| brought.tokens.get(declared));
        named.map_or(declared, String::as_str)
    }

    /// Refers to a resource of the package. Those that a sub-package wasn't brought are where they were declared.
    pub(crate) fn resource(&mut self, declared: &'static str) -> TypeSpec {
        #[cfg(not(target_arch = "wasm32"))]
        self.referred.insert(declared);
        let elsewhere = self.brought.as_ref().filter(|brought| !brought.tokens.contains_key(declared));
        let document = elsewhere.map_or("", |brought| &brought.base);
        TypeSpec::reference(&format!("{document}#/resources/{}", self.called(declared).replace('/', "%2F")))
    }

    /// Refers to the object type `name`, describing it the first time. A type may refer to itself.
    pub fn object<T: Record>(&mut self, name: &str) -> TypeSpec {
        let Some((index, address)) = self.define(name, std::any::type_name::<T>()) else { return self.refer(name) };
        let mut spec = Members::default();
        spec.text("type", "object");
        describe(&mut spec, T::DESCRIPTION);
        let members = ObjectSpec::describe(self, Side::Nested, T::describe);
        let variables = members.environment.iter();
        self.environment.extend(variables.map(|(variable, property)| (*variable, format!("{name}.{property}"))));
        #[cfg(not(target_arch = "wasm32"))]
        self.declared.push((name.to_owned(), members.declared.clone()));
        members.put(&mut spec);
        self.fill(index, spec);
        address
    }

    /// Refers to the enumeration `T`, called `name`, of strings.
    pub fn enumeration<T>(&mut self, name: &str, description: &str, variants: &[Variant]) -> TypeSpec {
        let Some((index, address)) = self.define(name, std::any::type_name::<T>()) else { return self.refer(name) };
        let mut list = List::default();
        for variant in variants {
            list.json(&variant.spec().into_object());
        }
        let mut spec = Members::default();
        spec.text("type", "string");
        describe(&mut spec, description);
        spec.list("enum", list);
        self.fill(index, spec);
        address
    }

    /// A place for the type, unless it is there already.
    fn define(&mut self, name: &str, rust: &'static str) -> Option<(usize, TypeSpec)> {
        let token = self.token(name);
        if let Some(other) = self.defined.iter().find(|other| other.token == token) {
            if other.rust != rust {
                let fault = format!("`{}` and `{rust}` are both called `{name}` in the schema: rename one", other.rust);
                self.faults.push(fault);
            }
            return None;
        }
        self.defined.push(Defined { token, rust, spec: Members::default() });
        Some((self.defined.len() - 1, self.refer(name)))
    }

    fn fill(&mut self, index: usize, spec: Members) {
        if let Some(defined) = self.defined.get_mut(index) {
            defined.spec = spec;
        }
    }

    fn token(&self, name: &str) -> String {
        format!("{}:index:{name}", self.package)
    }

    fn refer(&self, name: &str) -> TypeSpec {
        TypeSpec::reference(&format!("#/types/{}", self.token(name)))
    }

    /// All types, unless something is wrong with one.
    pub(crate) fn finish(self) -> Result<Members, Error> {
        if let Some(fault) = self.faults.first() {
            return Err(Error::bug(fault));
        }
        let mut types = Members::default();
        for defined in self.defined {
            types.json(&defined.token, &defined.spec.into_object());
        }
        Ok(types)
    }
}

/// One value of an enumeration.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// Its name in programs.
    pub name: &'static str,
    /// The string that stands for it.
    pub value: &'static str,
    /// What it means.
    pub description: &'static str,
    /// Why it shouldn't be used any more.
    pub deprecated: Option<&'static str>,
}

impl Variant {
    fn spec(&self) -> Members {
        let mut spec = Members::default();
        spec.text("name", self.name);
        spec.text("value", self.value);
        describe(&mut spec, self.description);
        spec.text_if("deprecationMessage", self.deprecated);
        spec
    }
}

/// Adds a description, unless there is none.
pub(super) fn describe(spec: &mut Members, description: &str) {
    spec.text_if("description", Some(description).filter(|description| !description.is_empty()));
}
