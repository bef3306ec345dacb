//! A package schema as engines get it.
//!
//! SDKs are generated from it, and programs that use them have engines fetch plugins, which run outside of any sandbox, from the
//! addresses that stand there. Such an address is a component's word like any other: it is passed on where the component asked for it
//! and was granted it (`packages` with `from`), and left out otherwise.

use std::sync::Arc;

use bulkhead_policy::Permissions;
use bulkhead_schema::{Package, PluginSource};
use serde_json::{Map, Value, json};

/// The text of a package's schema, without the addresses of plugins that nobody granted.
pub fn published(schema: Arc<[u8]>, package: &Package, permissions: &Permissions) -> Arc<[u8]> {
    let granted = |package: &str, from: &str| permissions.package(package, Some(from)).is_ok();
    if package.sources.iter().all(|PluginSource { package, from }| granted(package, from)) {
        return schema;
    }
    let document = match serde_json::from_slice(&schema) {
        Ok(Value::Object(document)) => without(document, &package.name, &granted),
        // What nobody can be sure of isn't passed on.
        _ => json!({"name": package.name, "version": package.version.as_ref().map(ToString::to_string)}),
    };
    document.to_string().into_bytes().into()
}

fn without(mut document: Map<String, Value>, name: &str, granted: &impl Fn(&str, &str) -> bool) -> Value {
    withhold(&mut document, name, granted);
    for dependency in document.get_mut("dependencies").and_then(Value::as_array_mut).into_iter().flatten() {
        let Some(dependency) = dependency.as_object_mut() else { continue };
        let name = dependency.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        withhold(dependency, &name, granted);
    }
    Value::Object(document)
}

fn withhold(members: &mut Map<String, Value>, package: &str, granted: &impl Fn(&str, &str) -> bool) {
    members.retain(|name, address| {
        !PluginSource::is_named_by(name) || address.as_str().is_some_and(|address| granted(package, address))
    });
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use bulkhead_policy::{Applicant, OperatorFile};

    use super::*;

    const SCHEMA: &str = r#"{"name":"p","version":"1.0.0","pluginDownloadURL":"https://a","pluginDownloadUrl":"https://b",
        "description":"pluginDownloadURL","dependencies":[{"name":"q","downloadURL":"https://a"},{"name":"r","PluginDownloadURL":"https://a"}],
        "functions":{"p:index:f":{"description":"x"}}}"#;

    /// What is published of it to whoever asked for packages from addresses and was granted some.
    fn told(asked: &str, granted: &str) -> Value {
        let requests = serde_json::from_str(asked).unwrap();
        let file =
            OperatorFile::parse(&format!("[[providers.p.grants]]\ndigest = \"dev\"\npackages = {granted}")).unwrap();
        let applicant = Applicant { provider: "p".to_owned(), development: true, ..Applicant::default() };
        let permissions = Permissions::new(applicant, requests, file.grants("p"), Vec::new(), Path::new("/"));
        let package = Package::parse(SCHEMA.as_bytes()).unwrap();
        serde_json::from_slice(&published(SCHEMA.as_bytes().into(), &package, &permissions)).unwrap()
    }

    #[test]
    fn plugins_are_fetched_from_nowhere_that_nobody_granted() {
        let all = r#"{"packages":[{"package":"*","from":"https://a","reason":"r"}]}"#;
        let mut plain: Value = serde_json::from_str(SCHEMA).unwrap();
        let members = plain.as_object_mut().unwrap();
        members.retain(|name, _| !PluginSource::is_named_by(name));
        members["dependencies"] = json!([{"name": "q"}, {"name": "r"}]);
        for (asked, granted) in
            [("{}", r#"[{ package = "*", from = "https://a" }]"#), (all, "[]"), (all, r#"["p", "q"]"#)]
        {
            assert_eq!(told(asked, granted), plain, "{asked} {granted}");
        }
        let own = told(all, r#"[{ package = "p", from = "https://a" }]"#);
        assert_eq!((&own["pluginDownloadURL"], own.get("pluginDownloadUrl")), (&json!("https://a"), None));
        assert_eq!(own["dependencies"], plain["dependencies"]);
        let one = told(all, r#"[{ package = "q", from = "https://a" }]"#);
        assert_eq!(one["dependencies"], json!([{"name": "q", "downloadURL": "https://a"}, {"name": "r"}]));
        assert_eq!(one.get("pluginDownloadURL"), None);
    }

    #[test]
    fn a_schema_without_addresses_is_passed_on_as_it_is() {
        let schema: Arc<[u8]> = br#"{ "name" : "p" }"#.as_slice().into();
        let package = Package::parse(&schema).unwrap();
        assert!(Arc::ptr_eq(&published(Arc::clone(&schema), &package, &Permissions::default()), &schema));
    }
}
