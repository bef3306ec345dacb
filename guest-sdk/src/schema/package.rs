//! The whole document.

use serde_json::{Map, Value as Json};

use super::facts::insert;
use super::properties::{ObjectSpec, Side};
use super::types::{Types, describe};
use crate::config::Config;
use crate::function::Returned;
use crate::provider::{Metadata, Provider};

/// The package schema of a provider.
pub(crate) fn package<C: Config>(provider: &Provider<C>) -> Json {
    let mut types = Types::new(provider.metadata.name);
    let mut document = metadata(&provider.metadata);

    let config = ObjectSpec::describe(&mut types, Side::Input, C::describe);
    if !config.properties.is_empty() {
        let mut spec = Map::new();
        insert(&mut spec, "inputProperties", Some(config.properties.clone()));
        insert(&mut spec, "requiredInputs", (!config.required.is_empty()).then_some(config.required));
        describe(&mut spec, C::DESCRIPTION);
        document.insert("provider".to_owned(), Json::Object(spec));
        let variables = Map::from_iter([("variables".to_owned(), Json::Object(config.properties))]);
        document.insert("config".to_owned(), Json::Object(variables));
    }

    let mut resources = Map::new();
    for entry in provider.resources {
        let inputs = ObjectSpec::describe(&mut types, Side::Input, entry.inputs);
        let mut spec = ObjectSpec::describe(&mut types, Side::Output, entry.state).into_map();
        describe(&mut spec, entry.description);
        insert(&mut spec, "inputProperties", Some(inputs.properties));
        insert(&mut spec, "requiredInputs", (!inputs.required.is_empty()).then_some(inputs.required));
        insert(&mut spec, "deprecationMessage", entry.declaration.deprecated);
        let aliases: Vec<Json> = entry.declaration.aliases.iter().map(|token| alias(token)).collect();
        insert(&mut spec, "aliases", (!aliases.is_empty()).then_some(aliases));
        resources.insert(entry.declaration.token.to_owned(), Json::Object(spec));
    }
    insert(&mut document, "resources", (!resources.is_empty()).then_some(resources));

    let mut functions = Map::new();
    for entry in provider.functions {
        let mut spec = Map::new();
        describe(&mut spec, entry.declaration.description);
        insert(&mut spec, "deprecationMessage", entry.declaration.deprecated);
        let inputs = ObjectSpec::describe(&mut types, Side::Input, entry.inputs);
        if !inputs.properties.is_empty() {
            let mut inputs = inputs.into_map();
            inputs.insert("type".to_owned(), "object".into());
            spec.insert("inputs".to_owned(), Json::Object(inputs));
        }
        let outputs = match (entry.returns)(&mut types) {
            Returned::Nothing => None,
            Returned::Object(outputs) => {
                let mut outputs = outputs.0.into_map();
                outputs.insert("type".to_owned(), "object".into());
                Some(outputs)
            }
            Returned::Value(outputs) => Some(outputs.into_map()),
        };
        insert(&mut spec, "outputs", outputs);
        functions.insert(entry.declaration.token.to_owned(), Json::Object(spec));
    }
    insert(&mut document, "functions", (!functions.is_empty()).then_some(functions));

    insert(&mut document, "types", Some(types.into_json()).filter(|types| types != &Json::Object(Map::new())));
    let mut document = Json::Object(document);
    // The text must not depend on how the JSON library keeps objects.
    document.sort_all_objects();
    document
}

fn alias(token: &str) -> Json {
    Json::Object(Map::from_iter([("type".to_owned(), token.into())]))
}

fn metadata(metadata: &Metadata) -> Map<String, Json> {
    let mut document = Map::new();
    insert(&mut document, "name", Some(metadata.name));
    insert(&mut document, "version", Some(metadata.version));
    insert(&mut document, "displayName", metadata.display_name);
    insert(&mut document, "description", metadata.description);
    insert(&mut document, "publisher", metadata.publisher);
    insert(&mut document, "namespace", metadata.namespace);
    insert(&mut document, "license", metadata.license);
    insert(&mut document, "homepage", metadata.homepage);
    insert(&mut document, "repository", metadata.repository);
    insert(&mut document, "logoUrl", metadata.logo_url);
    insert(&mut document, "attribution", metadata.attribution);
    insert(&mut document, "pluginDownloadURL", metadata.plugin_download_url);
    let keywords: Vec<Json> = metadata.keywords.iter().copied().map(Json::from).collect();
    insert(&mut document, "keywords", (!keywords.is_empty()).then_some(keywords));
    let meta = metadata.module_format.map(|format| Map::from_iter([("moduleFormat".to_owned(), format.into())]));
    insert(&mut document, "meta", meta);
    insert(&mut document, "language", metadata.language.map(|language| language.to_json()));
    document
}
