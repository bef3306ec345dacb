//! The whole document.

use super::json::{List, Members};
use super::properties::{ObjectSpec, Side};
use super::spec::TypeSpec;
use super::types::{Types, describe};
use crate::component;
use crate::config::Config;
use crate::error::Result;
use crate::function::{self, Returned};
use crate::provider::{Metadata, Provider};
use crate::{list, resource};

/// The package schema of a provider, as text.
pub(crate) fn package<C: Config>(provider: &Provider<C>) -> Result<String> {
    let mut types = Types::new(provider.metadata.name);
    let mut document = metadata(&provider.metadata, provider.metadata.name, provider.metadata.version);
    let variables = ObjectSpec::describe(&mut types, Side::Input, C::describe);
    config(&mut document, variables, C::DESCRIPTION, methods(provider, ""));
    let mut resources = Members::default();
    for entry in provider.resources {
        let mut spec = resource(&mut types, entry, provider.lists);
        spec.object("methods", methods(provider, entry.declaration.token));
        resources.json(entry.declaration.token, &spec.into_object());
    }
    for entry in provider.components {
        let mut spec = component(&mut types, entry);
        spec.object("methods", methods(provider, entry.declaration.token));
        resources.json(entry.declaration.token, &spec.into_object());
    }
    let mut functions = Members::default();
    for entry in provider.functions {
        functions.json(entry.declaration.token, &function(&mut types, entry).into_object());
    }
    for entry in provider.methods {
        functions.json(&entry.token(provider.metadata.name), &method(&mut types, entry).into_object());
    }
    document.object("types", types.finish()?);
    document.object("resources", resources);
    document.object("functions", functions);
    Ok(document.into_object())
}

/// Configuration is said twice: as variables of a stack, and as inputs of an explicit provider.
pub(super) fn config(document: &mut Members, config: ObjectSpec, description: &str, methods: Members) {
    let mut variables = Members::default();
    variables.object("variables", config.properties.clone());
    document.object("config", variables);
    let mut provider = Members::default();
    config.put_inputs(&mut provider);
    if !provider.is_empty() {
        describe(&mut provider, description);
    }
    provider.object("methods", methods);
    document.object("provider", provider);
}

pub(super) fn resource<C>(types: &mut Types, entry: &resource::Entry<C>, lists: &[list::Entry<C>]) -> Members {
    let mut spec = Members::default();
    describe(&mut spec, entry.description);
    ObjectSpec::describe(types, Side::Output, entry.state).put(&mut spec);
    ObjectSpec::describe(types, Side::Input, entry.inputs).put_inputs(&mut spec);
    let looked_up_by = ObjectSpec::describe(types, Side::Input, entry.lookup);
    if !looked_up_by.properties.is_empty() {
        spec.json("stateInputs", &object(looked_up_by).into_object());
    }
    if let Some(list) = lists.iter().find(|list| list.token == entry.declaration.token) {
        // Empty too: it says that there is a list.
        spec.json("listInputs", &object(ObjectSpec::describe(types, Side::Input, list.query)).into_object());
    }
    declaration(&mut spec, types, &entry.declaration);
    spec
}

fn component<C>(types: &mut Types, entry: &component::Entry<C>) -> Members {
    let mut spec = Members::default();
    spec.flag("isComponent", true);
    describe(&mut spec, entry.description);
    ObjectSpec::describe(types, Side::Output, entry.state).put(&mut spec);
    ObjectSpec::describe(types, Side::Eventual, entry.inputs).put_inputs(&mut spec);
    declaration(&mut spec, types, &entry.declaration);
    spec
}

fn declaration(spec: &mut Members, types: &Types, declaration: &resource::Declaration) {
    let mut aliases = List::default();
    for token in declaration.aliases {
        let mut alias = Members::default();
        alias.text("type", types.called(token));
        aliases.json(&alias.into_object());
    }
    spec.list("aliases", aliases);
    spec.text_if("deprecationMessage", declaration.deprecated);
}

/// The methods of a resource by the names that programs call them; of the provider, if there is no token.
fn methods<C>(provider: &Provider<C>, receiver: &str) -> Members {
    let mut methods = Members::default();
    for method in provider.methods.iter().filter(|method| method.receiver == receiver) {
        methods.text(method.declaration.name, &method.token(provider.metadata.name));
    }
    methods
}

/// A method is a function with the resource among its arguments.
fn method<C>(types: &mut Types, entry: &component::MethodEntry<C>) -> Members {
    let mut spec = Members::default();
    describe(&mut spec, entry.declaration.description);
    let receiver = match entry.receiver {
        "" => TypeSpec::reference("#/provider"),
        token => types.resource(token),
    };
    let arguments = ObjectSpec::describe(types, Side::Eventual, entry.inputs);
    let mut properties = Members::default();
    properties.json("__self__", &receiver.into_members().into_object());
    properties.append(arguments.properties);
    let mut inputs = Members::default();
    inputs.text("type", "object");
    inputs.object("properties", properties);
    inputs.texts("required", std::iter::once("__self__").chain(arguments.required));
    spec.json("inputs", &inputs.into_object());
    returned(&mut spec, (entry.returns)(types), entry.declaration.plain);
    spec.text_if("deprecationMessage", entry.declaration.deprecated);
    spec
}

pub(super) fn function<C>(types: &mut Types, entry: &function::Entry<C>) -> Members {
    let mut spec = Members::default();
    describe(&mut spec, entry.declaration.description);
    let inputs = ObjectSpec::describe(types, Side::Input, entry.inputs);
    if entry.declaration.positional {
        spec.texts("multiArgumentInputs", inputs.in_order());
    }
    if !inputs.properties.is_empty() {
        spec.json("inputs", &object(inputs).into_object());
    }
    returned(&mut spec, (entry.returns)(types), false);
    spec.text_if("deprecationMessage", entry.declaration.deprecated);
    spec
}

fn returned(spec: &mut Members, returned: Returned, plain: bool) {
    let mut outputs = match returned {
        Returned::Nothing => return,
        Returned::Object(outputs) => object(outputs.0),
        Returned::Value(outputs) => outputs.into_members(),
    };
    outputs.flag("plain", plain);
    spec.json("outputs", &outputs.into_object());
}

fn object(members: ObjectSpec) -> Members {
    let mut spec = Members::default();
    spec.text("type", "object");
    members.put(&mut spec);
    spec
}

pub(super) fn metadata(metadata: &Metadata, name: &str, version: &str) -> Members {
    let mut document = Members::default();
    document.text("name", name);
    document.text("version", version);
    for (name, text) in [
        ("displayName", metadata.display_name),
        ("description", metadata.description),
        ("publisher", metadata.publisher),
        ("namespace", metadata.namespace),
        ("license", metadata.license),
        ("homepage", metadata.homepage),
        ("repository", metadata.repository),
        ("logoUrl", metadata.logo_url),
        ("attribution", metadata.attribution),
        ("pluginDownloadURL", metadata.plugin_download_url),
    ] {
        document.text_if(name, text);
    }
    document.texts("keywords", metadata.keywords.iter().copied());
    let mut meta = Members::default();
    meta.text_if("moduleFormat", metadata.module_format);
    document.object("meta", meta);
    if let Some(language) = metadata.language {
        document.json("language", &language.to_json());
    }
    document
}
