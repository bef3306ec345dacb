//! The manifest: what a component asks for, and facts of resources that the schema has no word for.
//!
//! The host's `docs/manifest.md` describes it. Environment variables that are defaults of properties are asked for without
//! the author's saying so twice.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json};

use crate::config::Config;
use crate::provider::Provider;
use crate::resource::Declaration;
use crate::schema::{ObjectSpec, PropertySet, Side, Types};

/// The contract that this SDK is built against.
const CONTRACT: &str = "0.1.0";

/// The manifest of a provider.
pub(crate) fn manifest<C: Config>(provider: &Provider<C>) -> Json {
    let mut manifest = object([
        ("manifestVersion", 1.into()),
        ("contract", CONTRACT.into()),
        (
            "sdk",
            Json::Object(object([
                ("name", env!("CARGO_PKG_NAME").into()),
                ("version", env!("CARGO_PKG_VERSION").into()),
            ])),
        ),
    ]);
    let permissions = permissions(provider);
    if !permissions.is_empty() {
        manifest.insert("permissions".to_owned(), Json::Object(permissions));
    }
    if !provider.configuration_overrides.is_empty() {
        let overrides = object([("overrides", names(provider.configuration_overrides))]);
        manifest.insert("configuration".to_owned(), Json::Object(overrides));
    }
    let resources = provider.resources.iter().map(|entry| &entry.declaration);
    let resources: Map<String, Json> =
        resources.map(|declaration| (declaration.token.to_owned(), Json::Object(resource(declaration)))).collect();
    if !resources.is_empty() {
        manifest.insert("resources".to_owned(), Json::Object(resources));
    }
    let mut manifest = Json::Object(manifest);
    // The text must not depend on how the JSON library keeps objects.
    manifest.sort_all_objects();
    manifest
}

fn resource(declaration: &Declaration) -> Map<String, Json> {
    let methods = declaration.methods;
    let written = [("create", true), ("read", methods.read), ("update", methods.update), ("delete", methods.delete)];
    let overrides = [
        ("check", methods.check),
        ("diff", methods.diff),
        ("preview", methods.preview()),
        ("upgrade", methods.upgrade),
    ];
    let mut resource = object([("methods", chosen(&written))]);
    if overrides.iter().any(|(_, written)| *written) {
        resource.insert("overrides".to_owned(), chosen(&overrides));
    }
    if declaration.delete_before_replace {
        resource.insert("deleteBeforeReplace".to_owned(), true.into());
    }
    if declaration.schema_version > 0 {
        resource.insert("schemaVersion".to_owned(), declaration.schema_version.into());
    }
    resource
}

fn permissions<C: Config>(provider: &Provider<C>) -> Map<String, Json> {
    let mut permissions = Map::new();
    for (kind, requests) in provider.permissions {
        let requests = requests.iter().map(|request| request.to_json()).collect();
        permissions.insert((*kind).to_owned(), Json::Array(requests));
    }
    let mut variables = variables(provider);
    if let Some(Json::Array(requests)) = permissions.get_mut("environment") {
        for request in &*requests {
            if let Some(name) = request.get("name").and_then(Json::as_str) {
                variables.remove(name);
            }
        }
        requests.extend(variables.into_iter().map(request));
    } else if !variables.is_empty() {
        permissions.insert("environment".to_owned(), variables.into_iter().map(request).collect());
    }
    permissions
}

/// Environment variables that are defaults, and the properties that they are for.
fn variables<C: Config>(provider: &Provider<C>) -> BTreeMap<&'static str, Vec<String>> {
    let mut types = Types::new(provider.metadata.name);
    let mut variables: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
    let resources = provider.resources.iter().map(|entry| entry.inputs);
    let functions = provider.functions.iter().map(|entry| entry.inputs);
    let config: fn(&mut PropertySet<'_>) = C::describe;
    for describe in std::iter::once(config).chain(resources).chain(functions) {
        for (variable, property) in ObjectSpec::describe(&mut types, Side::Input, describe).environment {
            let properties = variables.entry(variable).or_default();
            if !properties.contains(&property) {
                properties.push(property);
            }
        }
    }
    variables
}

fn request((variable, properties): (&'static str, Vec<String>)) -> Json {
    let reason = format!("the default of `{}`", properties.join("` and `"));
    Json::Object(object([("name", variable.into()), ("reason", reason.into())]))
}

fn chosen(options: &[(&'static str, bool)]) -> Json {
    options.iter().filter(|(_, chosen)| *chosen).map(|(name, _)| Json::from(*name)).collect()
}

fn names(names: &[&'static str]) -> Json {
    names.iter().copied().map(Json::from).collect()
}

fn object<const N: usize>(members: [(&'static str, Json); N]) -> Map<String, Json> {
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
