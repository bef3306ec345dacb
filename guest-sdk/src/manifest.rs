//! The manifest: what a component asks for, and facts of resources that the schema has no word for.
//!
//! The host's `docs/manifest.md` describes it. Environment variables that are defaults of properties are asked for without
//! the author's saying so twice.

use crate::config::Config;
use crate::provider::Provider;
use crate::resource::Declaration;
use crate::schema::{List, Literal, Members, ObjectSpec, PropertySet, Side, Types};

/// The contract that this SDK is built against.
const CONTRACT: &str = "0.1.0";

/// The kind of permission that defaults may need.
const ENVIRONMENT: &str = "environment";

/// The manifest of a provider, as text.
pub(crate) fn manifest<C: Config>(provider: &Provider<C>) -> String {
    let mut manifest = Members::default();
    manifest.json("manifestVersion", "1");
    manifest.text("contract", CONTRACT);
    let mut sdk = Members::default();
    sdk.text("name", env!("CARGO_PKG_NAME"));
    sdk.text("version", env!("CARGO_PKG_VERSION"));
    manifest.object("sdk", sdk);
    manifest.object("permissions", permissions(provider.permissions, variables(provider)));
    let mut configuration = Members::default();
    configuration.texts("overrides", provider.configuration_overrides.iter().copied());
    manifest.object("configuration", configuration);
    let mut resources = Members::default();
    for entry in provider.resources {
        resources.object(entry.declaration.token, resource(&entry.declaration));
    }
    manifest.object("resources", resources);
    manifest.into_object()
}

pub(crate) fn resource(declaration: &Declaration) -> Members {
    let methods = declaration.methods;
    let mut resource = Members::default();
    let written = [("create", true), ("read", methods.read), ("update", methods.update), ("delete", methods.delete)];
    resource.texts("methods", chosen(&written));
    let overridden = [
        ("check", methods.check),
        ("diff", methods.diff),
        ("preview", methods.preview()),
        ("upgrade", methods.upgrade),
    ];
    resource.texts("overrides", chosen(&overridden));
    resource.flag("deleteBeforeReplace", declaration.delete_before_replace);
    resource.count_if("schemaVersion", Some(declaration.schema_version).filter(|version| *version > 0));
    resource.flag("sameInputs", declaration.same_inputs);
    resource
}

fn chosen<'a>(options: &'a [(&'static str, bool)]) -> impl Iterator<Item = &'static str> + 'a {
    options.iter().filter(|(_, chosen)| *chosen).map(|(name, _)| *name)
}

fn permissions(
    requested: &'static [(&'static str, &'static [Literal])],
    mut variables: Vec<(&'static str, Vec<String>)>,
) -> Members {
    let mut permissions = Members::default();
    for (kind, requests) in requested {
        let mut list = List::default();
        for request in *requests {
            variables.retain(|(variable, _)| *kind != ENVIRONMENT || !names(request, variable));
            list.json(&request.to_json());
        }
        if *kind == ENVIRONMENT {
            add(&mut list, &variables);
            variables.clear();
        }
        permissions.list(kind, list);
    }
    let mut list = List::default();
    add(&mut list, &variables);
    permissions.list(ENVIRONMENT, list);
    permissions
}

/// Whether the author asked for the variable already, with a reason of their own.
fn names(request: &Literal, variable: &str) -> bool {
    let Literal::Object(members) = request else { return false };
    members.iter().any(|(name, value)| *name == "name" && matches!(value, Literal::Text(text) if *text == variable))
}

fn add(list: &mut List, variables: &[(&'static str, Vec<String>)]) {
    for (variable, properties) in variables {
        let mut request = Members::default();
        request.text("name", variable);
        request.text("reason", &format!("the default of `{}`", properties.join("` and `")));
        list.json(&request.into_object());
    }
}

/// Environment variables that are defaults, and the properties that they are for.
fn variables<C: Config>(provider: &Provider<C>) -> Vec<(&'static str, Vec<String>)> {
    let mut types = Types::new(provider.metadata.name);
    let config: fn(&mut PropertySet<'_>) = C::describe;
    let brought = provider.parameter.as_ref();
    let resources = provider.resources.iter().chain(brought.iter().flat_map(|parameter| parameter.resources));
    let functions = provider.functions.iter().chain(brought.iter().flat_map(|parameter| parameter.functions));
    let (resources, functions) = (resources.map(|entry| entry.inputs), functions.map(|entry| entry.inputs));
    let queries = provider.lists.iter().map(|entry| entry.query);
    // Not what components and methods are given: nobody fills that in.
    let given = std::iter::once(config).chain(resources).chain(functions).chain(queries);
    let mut found = Vec::new();
    for describe in given {
        let environment = ObjectSpec::describe(&mut types, Side::Input, describe).environment;
        found.extend(environment.into_iter().map(|(variable, property)| (variable, property.to_owned())));
    }
    found.append(&mut types.environment);
    let mut variables: Vec<(&'static str, Vec<String>)> = Vec::new();
    for (variable, property) in found {
        match variables.iter_mut().find(|(known, _)| *known == variable) {
            Some((_, properties)) if properties.contains(&property) => {}
            Some((_, properties)) => properties.push(property),
            None => variables.push((variable, vec![property])),
        }
    }
    variables
}
