//! The whole document.

use super::json::{List, Members};
use super::properties::{ObjectSpec, Side};
use super::types::{Types, describe};
use crate::config::Config;
use crate::error::Result;
use crate::function::{self, Returned};
use crate::provider::{Metadata, Provider};
use crate::resource;

/// The package schema of a provider, as text.
pub(crate) fn package<C: Config>(provider: &Provider<C>) -> Result<String> {
    let mut types = Types::new(provider.metadata.name);
    let mut document = metadata(&provider.metadata);
    config(&mut document, ObjectSpec::describe(&mut types, Side::Input, C::describe), C::DESCRIPTION);
    let mut resources = Members::default();
    for entry in provider.resources {
        resources.json(entry.declaration.token, &resource(&mut types, entry).into_object());
    }
    let mut functions = Members::default();
    for entry in provider.functions {
        functions.json(entry.declaration.token, &function(&mut types, entry).into_object());
    }
    document.object("types", types.finish()?);
    document.object("resources", resources);
    document.object("functions", functions);
    Ok(document.into_object())
}

/// Configuration is said twice: as variables of a stack, and as inputs of an explicit provider.
fn config(document: &mut Members, config: ObjectSpec, description: &str) {
    let mut variables = Members::default();
    variables.object("variables", config.properties.clone());
    document.object("config", variables);
    let mut provider = Members::default();
    config.put_inputs(&mut provider);
    if !provider.is_empty() {
        describe(&mut provider, description);
    }
    document.object("provider", provider);
}

fn resource<C>(types: &mut Types, entry: &resource::Entry<C>) -> Members {
    let mut spec = Members::default();
    describe(&mut spec, entry.description);
    ObjectSpec::describe(types, Side::Output, entry.state).put(&mut spec);
    ObjectSpec::describe(types, Side::Input, entry.inputs).put_inputs(&mut spec);
    let mut aliases = List::default();
    for token in entry.declaration.aliases {
        let mut alias = Members::default();
        alias.text("type", token);
        aliases.json(&alias.into_object());
    }
    spec.list("aliases", aliases);
    spec.text_if("deprecationMessage", entry.declaration.deprecated);
    spec
}

fn function<C>(types: &mut Types, entry: &function::Entry<C>) -> Members {
    let mut spec = Members::default();
    describe(&mut spec, entry.declaration.description);
    let inputs = ObjectSpec::describe(types, Side::Input, entry.inputs);
    if !inputs.properties.is_empty() {
        spec.json("inputs", &object(inputs).into_object());
    }
    match (entry.returns)(types) {
        Returned::Nothing => {}
        Returned::Object(outputs) => spec.json("outputs", &object(outputs.0).into_object()),
        Returned::Value(outputs) => spec.json("outputs", &outputs.into_members().into_object()),
    }
    spec.text_if("deprecationMessage", entry.declaration.deprecated);
    spec
}

fn object(members: ObjectSpec) -> Members {
    let mut spec = Members::default();
    spec.text("type", "object");
    members.put(&mut spec);
    spec
}

fn metadata(metadata: &Metadata) -> Members {
    let mut document = Members::default();
    document.text("name", metadata.name);
    document.text("version", metadata.version);
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
