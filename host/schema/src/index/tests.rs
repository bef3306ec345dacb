use proptest::prelude::*;
use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};

use super::{Origin, SEAL, code::Writer, read, write};
use crate::{
    Package,
    fixture::{cloud, parsed, random},
};

fn origin() -> Origin {
    Origin::of([b"schema", b"manifest"])
}

fn index(package: &Package) -> Vec<u8> {
    write(package, origin()).unwrap()
}

fn again(package: &Package) -> Package {
    read(index(package), origin()).unwrap()
}

/// A schema with something in each field of the model.
fn full() -> Package {
    let facts = json!({
        "stable": true, "notEchoed": true, "emptyIsAbsent": true,
        "validate": { "pattern": "^(a|b)+$", "minLength": 1, "maxLength": 9, "conflictsWith": ["count"] },
    });
    let inputs = json!({
        "text": { "type": "string", "description": "A text.", "deprecationMessage": "No.", "language": { "bulkhead": facts } },
        "count": { "type": "integer", "default": 3, "defaultInfo": { "environment": ["COUNT"] }, "plain": true,
            "language": { "bulkhead": { "coerces": true, "validate": { "minimum": 1, "maximum": 2.5 } } } },
        "named": { "type": "string", "willReplaceOnChanges": true, "secret": true,
            "language": { "bulkhead": { "autoname": { "separator": "", "hexDigits": 4, "charset": "abc", "maxLength": 9 } } } },
        "many": { "type": "array", "items": { "type": "object", "additionalProperties": { "$ref": "pulumi.json#/Json" } } },
        "free": { "$ref": "pulumi.json#/Json",
            "language": { "bulkhead": { "outputDefault": { "a": [null, true, 1.5, "x"] } } } },
    });
    parsed(&json!({
        "name": "f",
        "namespace": "n",
        "version": "1.2.3-alpha.1+build",
        "meta": { "moduleFormat": "(.*)/x" },
        "config": { "variables": { "region": { "type": "string" } }, "required": ["region"] },
        "provider": { "inputProperties": { "endpoint": { "type": "string" } }, "requiredInputs": ["endpoint"] },
        "types": { "f:index:E": { "type": "number", "enum": [{ "value": 0.1, "name": "Tenth", "deprecationMessage": "Old." }] } },
        "resources": {
            "f:index:R": { "inputProperties": inputs, "requiredInputs": ["count"], "stateInputs": { "properties": { "count": { "type": "integer" } } },
                "deprecationMessage": "Gone.", "aliases": [{ "type": "f:index:Old" }] },
            "f:index:C": { "isComponent": true, "methods": { "go": "f:index:C/go" } },
            "f:index:O": { "isOverlay": true },
        },
        "functions": {
            "f:index:C/go": { "inputs": { "properties": { "__self__": { "$ref": "#/resources/f:index:C" } }, "required": ["__self__"] } },
            "f:index:list": { "outputs": { "type": "array", "items": { "$ref": "#/types/f:index:E" } } },
            "f:index:of": { "inputs": { "properties": { "a": { "type": "boolean" } } }, "multiArgumentInputs": ["a"],
                "outputs": { "properties": { "b": { "$ref": "pulumi.json#/Archive" } } } },
        },
    }))
}

fn fixtures() -> [Package; 4] {
    [cloud(), random(), full(), Package::default()]
}

#[test]
fn a_package_comes_back_as_it_was() {
    for package in fixtures() {
        let found = again(&package);
        assert_eq!(found, package);
        assert_eq!(found.offers(), package.offers());
        assert_eq!(index(&found), index(&package));
    }
    assert!(!full().notices.is_empty(), "notices are among what is kept");
}

#[test]
fn only_what_is_asked_for_is_decoded() {
    let package = again(&cloud());
    assert_eq!((package.resources.len(), package.types.len()), (2, 6));
    package.offers();
    assert!(package.nearest_resource("cloud:index:Sever").is_some());
    assert_eq!((package.resources.decoded(), package.types.decoded()), (0, 0));
    assert!(package.resource("cloud:index:Network").is_some() && package.object_type("cloud:index:Rule").is_some());
    assert_eq!((package.resources.decoded(), package.types.decoded()), (1, 1));
}

#[test]
fn what_a_manifest_adds_to_a_package_from_an_index_counts() {
    let mut package = again(&random());
    let token = "random:index/randomPassword:RandomPassword";
    let mut facts = package.resource(token).unwrap().facts.clone();
    facts.overrides.diff = true;
    package.apply(token, facts).unwrap();
    assert!(package.offers().overrides.get(token).is_some_and(|overrides| overrides.diff));
}

#[test]
fn an_entry_that_cannot_be_decoded_is_absent_and_harms_no_other() {
    let mut bytes = index(&cloud());
    bytes.truncate(bytes.len() - SEAL);
    // The first thing of an encoded resource is its token, the length of which comes to more than there is.
    let token = b"cloud:index:Server";
    let place = bytes.windows(token.len()).rposition(|window| window == token).unwrap();
    bytes[place - 1] = 0xff;
    let package = read(super::write::sealed(bytes), origin()).unwrap();
    assert_eq!(package.resource("cloud:index:Server"), None);
    assert_eq!(package.resource("cloud:index:Network"), cloud().resource("cloud:index:Network"));
    assert_eq!(package.resources.values().count(), 1);
}

#[test]
fn damaged_bytes_are_no_index() {
    let bytes = index(&random());
    for length in 0..bytes.len() {
        assert!(read(bytes[..length].to_vec(), origin()).is_none(), "{length} bytes");
    }
    for place in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1;
        assert!(read(damaged, origin()).is_none(), "at {place}");
    }
    assert!(read([&bytes[..], &[0]].concat(), origin()).is_none());
}

#[test]
fn an_index_counts_for_the_documents_that_it_was_made_of() {
    let bytes = index(&random());
    for documents in [[&b"schema"[..], b""], [b"", b"manifest"], [b"manifest", b"schema"], [b"schemam", b"anifest"]] {
        assert!(read(bytes.clone(), Origin::of(documents)).is_none());
    }
}

#[test]
fn the_form_of_an_index_changes_with_its_number_only() {
    let mut writer = Writer::default();
    fixtures().iter().for_each(|package| super::write::body(package, &mut writer));
    let found: String = Sha256::digest(&writer.bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(
        (super::FORMAT, found.as_str()),
        (9, "0c643a7d5f209aa6644b9f4206da5a6641c10def401610908a645776eb559b64"),
        "indexes that were written before read as something else: raise FORMAT in `index.rs`, and pin the new bytes here"
    );
}

#[test]
fn nesting_has_an_end() {
    use super::code::{Code, Reader};
    for (tag, kind) in [(4, "arrays"), (5, "maps")] {
        assert_eq!(crate::Type::read(&mut Reader::of(&vec![tag; 1 << 20])), None, "{kind}");
    }
    // A list of one list of one list.
    assert_eq!(bulkhead_value::Value::read(&mut Reader::of(&[4, 1].repeat(1 << 20))), None);
}

fn properties() -> impl Strategy<Value = Json> {
    let leaf = prop::sample::select(vec![
        json!({ "type": "string" }),
        json!({ "type": "integer", "default": 1 }),
        json!({ "type": "number", "const": 0.3 }),
        json!({ "type": "boolean", "secret": true }),
        json!({ "$ref": "pulumi.json#/Any" }),
        json!({ "$ref": "#/types/a:index:T" }),
        json!({ "$ref": "#/resources/a:index:R0" }),
    ]);
    let ty = leaf.prop_recursive(4, 16, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|items| json!({ "type": "array", "items": items })),
            inner.clone().prop_map(|member| json!({ "type": "object", "additionalProperties": member })),
            prop::collection::vec(inner, 2..4).prop_map(|variants| json!({ "oneOf": variants })),
        ]
    });
    prop::collection::btree_map("[a-z]{1,6}", (ty, ".{0,9}"), 0..5).prop_map(|members| {
        let described = members.into_iter().map(|(name, (mut ty, text))| {
            ty["description"] = text.into();
            (name, ty)
        });
        Json::Object(described.collect())
    })
}

/// Packages, as far as they can be read: what is wrong with one is no matter here.
fn packages() -> impl Strategy<Value = Package> {
    prop::collection::vec((properties(), properties(), any::<bool>()), 0..4).prop_map(|resources| {
        let resources = resources.into_iter().enumerate().map(|(number, (inputs, outputs, is_component))| {
            let resource = json!({ "inputProperties": inputs, "properties": outputs, "isComponent": is_component });
            (format!("a:index:R{number}"), resource)
        });
        let resources: Json = Json::Object(resources.collect());
        let schema = json!({ "name": "a", "types": { "a:index:T": { "properties": {} } }, "resources": resources });
        crate::Examination::of(schema.to_string().as_bytes()).unwrap().package
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_package_comes_back_as_it_was(package in packages()) {
        prop_assert_eq!(again(&package), package);
    }

    /// A seal shows that the bytes are as they were written, not who wrote them.
    #[test]
    fn wrong_bytes_under_a_right_seal_harm_nobody(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8)
    ) {
        let mut bytes = index(&full());
        bytes.truncate(bytes.len() - SEAL);
        for (place, byte) in changes {
            *place.get_mut(&mut bytes) = byte;
        }
        if let Some(package) = read(super::write::sealed(bytes), origin()) {
            package.resources.values().count();
            package.functions.values().count();
            package.types.values().count();
        }
    }
}
