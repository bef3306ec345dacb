//! Files that aren't providers for this host, and what a user is told about them.

use std::borrow::Cow;

use bulkhead::component::{Description, Limits, embed};
use bulkhead_tests::serving::load;

use crate::guest;

fn component(name: &str) -> Vec<u8> {
    std::fs::read(guest(name).component).unwrap()
}

/// The message and the hint for bytes that can't be loaded.
#[track_caller]
fn refused(bytes: &[u8]) -> (String, Cow<'static, str>) {
    let error = load(bytes, Limits::default()).err().expect("such a component should be refused");
    (error.to_string(), error.hint())
}

/// What to do where host and component are of two versions: either can be changed.
const HOST_LEFT_BEHIND: &str =
    "use a Bulkhead of the version that it was built for, or build the provider with an SDK for this host's version";

/// The bytes with one text in place of another of the same length.
#[track_caller]
fn patched(mut bytes: Vec<u8>, from: &str, to: &str) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let places: Vec<usize> =
        (0..bytes.len() - from.len()).filter(|at| bytes[*at..].starts_with(from.as_bytes())).collect();
    assert!(!places.is_empty(), "`{from}` should stand in the component");
    for at in places {
        bytes[at..at + from.len()].copy_from_slice(to.as_bytes());
    }
    bytes
}

#[test]
fn what_is_no_component_is_told_apart() {
    let incomplete = Cow::Borrowed("the file may be incomplete; build or download it again");
    assert_eq!(refused(b""), ("the file is empty".to_owned(), incomplete.clone()));
    assert_eq!(refused(b"<html>404</html>"), ("the file isn't WebAssembly".to_owned(), incomplete.clone()));
    assert_eq!(
        refused(b"\0asm\x01\0\0\0"),
        (
            "the file is a core WebAssembly module, not a component".to_owned(),
            "build for the target wasm32-wasip2: `bulkhead build` does".into()
        )
    );
    let whole = component("liar");
    for length in [9, 100, whole.len() / 2, whole.len() - 1] {
        let (message, hint) = refused(&whole[..length]);
        assert!(message.starts_with("the file is damaged: "), "{length} bytes: {message}");
        assert_eq!(hint, incomplete, "{length} bytes");
    }
}

#[test]
fn a_component_of_another_world_is_no_provider() {
    assert_eq!(
        refused(b"\0asm\x0d\0\x01\0"),
        (
            "the component isn't a provider: it exports nothing".to_owned(),
            "a provider exports `bulkhead:provider/schema` at least; use the SDK's `provider!`".into()
        )
    );
}

#[test]
fn another_version_of_the_contract_is_named_with_this_one() {
    let newer = patched(component("liar"), "bulkhead:provider/resources@0.1.0", "bulkhead:provider/resources@0.9.0");
    assert_eq!(
        refused(&newer),
        (
            "the component exports `bulkhead:provider/resources` of contract 0.9.0, and this host speaks 0.1.0"
                .to_owned(),
            HOST_LEFT_BEHIND.into()
        )
    );
}

/// What another SDK builds: all of its imports and exports are of another contract.
#[test]
fn another_contract_throughout_is_named_with_this_one() {
    let (message, hint) = refused(&patched(component("behaviours"), "@0.1.0", "@0.9.0"));
    assert!(message.starts_with("the component exports `bulkhead:provider/"), "{message}");
    assert!(message.ends_with("` of contract 0.9.0, and this host speaks 0.1.0"), "{message}");
    assert_eq!(hint, HOST_LEFT_BEHIND);
}

#[test]
fn an_import_that_nobody_offers_is_named() {
    let (from, to) = ("bulkhead:provider/defaults@0.1.0", "bulkhead:provider/defaultz@0.1.0");
    let (message, hint) = refused(&patched(component("overriding"), from, to));
    assert!(message.starts_with("the component needs imports that this host doesn't offer: "), "{message}");
    assert!(message.contains(to), "{message}");
    assert_eq!(hint, HOST_LEFT_BEHIND);
}

#[test]
fn an_interface_without_its_functions_is_named() {
    // The interface is there, under the name of another one.
    let mixed = patched(component("liar"), "bulkhead:provider/functions@0.1.0", "bulkhead:provider/functionz@0.1.0");
    let mixed = patched(mixed, "bulkhead:provider/resources@0.1.0", "bulkhead:provider/functions@0.1.0");
    let (message, hint) = refused(&mixed);
    assert_eq!(message, "the component's export `functions` isn't what the contract says: it has no `invoke`");
    assert_eq!(hint, "build the provider with an SDK for this host's version");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_description_that_is_missing_or_wrong_is_told() {
    let described = async |bytes: &[u8]| {
        let loaded = load(bytes, Limits::default()).unwrap();
        Description::of(&loaded)
            .await
            .map(|description| description.package.name.clone())
            .map_err(|error| error.to_string())
    };
    let liar = component("liar");
    assert_eq!(described(&liar).await, Ok("liar".to_owned()));
    let unsaid = patched(liar.clone(), "bulkhead:schema", "bulkhead:schemb");
    assert_eq!(described(&unsaid).await, Ok("liar".to_owned()), "without a section the export is asked");
    let silent = patched(unsaid, "bulkhead:provider/schema@0.1.0", "bulkhead:provider/schemb@0.1.0");
    assert_eq!(
        described(&silent).await,
        Err("the component has no schema: neither both of its sections nor an export `schema`".to_owned())
    );

    let manifest = br#"{"manifestVersion":1,"contract":"0.1.0"}"#;
    let schema = br#"{"name":"p","version":"1.0.0"}"#;
    let described = async |schema: &[u8], manifest: &[u8]| described(&embed(&liar, schema, manifest).unwrap()).await;
    assert_eq!(described(schema, manifest).await, Ok("p".to_owned()));
    for (schema, start) in
        [(&b"{"[..], "the component's schema is wrong: "), (b"[]", "the component's schema is wrong: ")]
    {
        let error = described(schema, manifest).await.unwrap_err();
        assert!(error.starts_with(start), "{error}");
    }
    assert_eq!(
        described(schema, br#"{"manifestVersion":7,"contract":"0.1.0"}"#).await,
        Err("the component's manifest is wrong: the manifest has format version 7, and this host knows version 1"
            .to_owned())
    );
}
