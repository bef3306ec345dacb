//! What a provider says about its components and methods.

use bulkhead_schema::Package;

use crate::specimen::PROVIDER;

#[test]
fn schema() {
    let parsed: serde_json::Value = serde_json::from_str(&PROVIDER.schema().unwrap()).unwrap();
    insta::assert_snapshot!("schema", serde_json::to_string_pretty(&parsed).unwrap());
}

/// The host parses by the metaschema.
#[test]
fn host_understands_the_schema() {
    let package = Package::parse(PROVIDER.schema().unwrap().as_bytes()).unwrap();
    let site = package.resource("web:index:Site").unwrap();
    assert!(site.is_component);
    assert!(!package.resource("web:index:Page").unwrap().is_component);
    assert_eq!(site.methods["link"], "web:index:Site/link");
    assert_eq!(package.resource("web:index:Page").unwrap().methods["length"], "web:index:Page/length");
    let plain = |name: &str| site.inputs.properties.get(name).unwrap().plain;
    let inputs = ["text", "pages", "labels", "theme", "link", "aliases"];
    assert_eq!(inputs.map(plain), [false, true, true, false, false, true]);
    assert_eq!(site.inputs.required.iter().collect::<Vec<_>>(), ["text"]);
    let link = package.function("web:index:Site/link").unwrap();
    assert!(link.inputs.as_ref().unwrap().properties.contains_key("__self__"));
}
