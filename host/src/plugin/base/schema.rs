//! A component's package schema, as that of a package that was made by a parameter.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bulkhead_schema::PluginSource;
use serde_json::{Value, json};

use super::run::BASE;

/// The schema with what programs have to record to get the package again. Schemas that aren't JSON objects stay as they are;
/// components with such aren't loaded.
pub(super) fn parameterized(schema: &[u8], parameter: &[u8]) -> String {
    match serde_json::from_slice(schema) {
        Ok(Value::Object(mut schema)) => {
            let base = json!({"name": BASE, "version": env!("CARGO_PKG_VERSION")});
            let parameterization = json!({"baseProvider": base, "parameter": STANDARD.encode(parameter)});
            schema.insert("parameterization".to_owned(), parameterization);
            // Programs would fetch the base provider from there, which is this very executable.
            schema.retain(|name, _| !PluginSource::is_named_by(name));
            Value::Object(schema).to_string()
        }
        _ => String::from_utf8_lossy(schema).into_owned(),
    }
}

/// The schema of the base provider without a parameter, which offers nothing.
pub(super) fn unparameterized() -> String {
    json!({
        "name": BASE,
        "version": env!("CARGO_PKG_VERSION"),
        "description": "Providers that are WebAssembly components. Add one with `pulumi package add wasm ./NAME.wasm`.",
        "license": env!("CARGO_PKG_LICENSE"),
    })
    .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_fetch_the_base_provider_from_where_no_component_says() {
        let schema =
            br#"{"name":"p","pluginDownloadURL":"https://a","pluginDownloadUrl":"https://a","description":"d"}"#;
        let told: Value = serde_json::from_str(&parameterized(schema, b"{}")).unwrap();
        let members: Vec<_> = told.as_object().unwrap().keys().collect();
        assert_eq!(members, ["name", "description", "parameterization"]);
        assert_eq!(told["parameterization"]["baseProvider"]["name"], BASE);
    }
}
