use bulkhead_value::Object;
use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::{Extent, Sampler, variations, wrong};
use crate::{
    CheckRequest, check,
    fixture::{cloud, on_a_small_stack, one, password, random, resource, server},
    model::{ObjectType, Package},
};

fn failures(package: &Package, ty: &ObjectType, inputs: &Object) -> Vec<String> {
    let request = CheckRequest { seed: Some(b"seed"), ..CheckRequest::of(ty, inputs) };
    let failures = check(package, request).failures;
    failures.iter().map(|failure| format!("{}: {}", failure.path, failure.reason)).collect()
}

/// A package whose only input is of this type, and required.
fn with(input: Json) -> Package {
    let mut package = one(json!({ "in": input }), json!({}), json!({}));
    let resource = package.resource_mut("t:index:R").unwrap();
    resource.inputs.required.insert("in".to_owned());
    package
}

/// What can't be satisfied in a required input.
fn gaps(input: Json) -> Vec<String> {
    let package = with(input);
    let ty = &resource(&package).inputs;
    let sample = Sampler::new(&package, 1).object(ty, Extent::All);
    assert_eq!(sample.gaps.is_empty(), failures(&package, ty, &sample.inputs).is_empty());
    sample.gaps.iter().map(|gap| format!("{}: {}", gap.path, gap.reason)).collect()
}

/// A type of a property, with whatever is said about it.
fn arbitrary_property() -> impl Strategy<Value = Json> {
    let rule = |name: &'static str, lower: u32, upper: u32| {
        prop::option::of(lower..upper).prop_map(move |bound| bound.map(|bound| (name.to_owned(), json!(bound))))
    };
    let rules = |first: BoxedStrategy<Option<(String, Json)>>, second: BoxedStrategy<Option<(String, Json)>>| {
        (first, second).prop_map(|(first, second)| {
            let rules: serde_json::Map<String, Json> = first.into_iter().chain(second).collect();
            json!({ "bulkhead": { "validate": rules } })
        })
    };
    let numbers = rules(rule("minimum", 0, 50).boxed(), rule("maximum", 50, 99).boxed());
    let texts = rules(rule("minLength", 0, 12).boxed(), rule("maxLength", 12, 40).boxed());
    let patterns = prop::sample::select(vec![
        "^[a-z][a-z0-9-]{2,20}[a-z0-9]$",
        r"^arn:(aws|azure):\w+:\d{12}$",
        "x+",
        r"^\p{Lu}\p{Ll}*$",
        r"(?i)^https?://[^/]+(/.*)?$",
        "^(a|b(c|d)?)$",
    ]);
    let leaf = prop_oneof![
        prop::sample::select(vec!["integer", "number"]).prop_flat_map(move |ty| {
            numbers.clone().prop_map(move |language| json!({ "type": ty, "language": language }))
        }),
        texts.prop_map(|language| json!({ "type": "string", "language": language })),
        patterns.prop_map(|pattern| {
            json!({ "type": "string", "language": { "bulkhead": { "validate": { "pattern": pattern } } } })
        }),
        Just(json!({ "type": "boolean", "secret": true })),
        Just(json!({ "type": "string", "const": "only" })),
        Just(json!({ "type": "string", "default": "d" })),
        prop::sample::select(vec!["Any", "Json", "Asset", "Archive"])
            .prop_map(|name| json!({ "$ref": format!("pulumi.json#/{name}") })),
        prop::sample::select(vec!["Object", "Level", "Tree", "Circle"])
            .prop_map(|name| json!({ "$ref": format!("#/types/t:index:{name}") })),
        Just(json!({ "$ref": "#/resources/t:index:R" })),
        Just(json!({
            "oneOf": [{ "$ref": "#/types/t:index:Circle" }, { "$ref": "#/types/t:index:Square" }],
            "discriminator": { "propertyName": "kind", "mapping": { "round": "#/types/t:index:Circle" } },
        })),
    ];
    leaf.boxed().prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|element| json!({ "type": "array", "items": element })),
            inner.clone().prop_map(|element| json!({ "type": "object", "additionalProperties": element })),
            (inner.clone(), inner).prop_map(|(one, other)| json!({ "oneOf": [one, other] })),
        ]
    })
}

fn types() -> Json {
    json!({
        "t:index:Level": { "type": "integer", "enum": [{ "value": 1, "deprecationMessage": "old" }, { "value": 2 }] },
        "t:index:Object": { "properties": { "x": { "type": "boolean" }, "y": { "type": "string" } }, "required": ["y"] },
        "t:index:Tree": { "properties": {
            "left": { "$ref": "#/types/t:index:Tree" },
            "right": { "$ref": "#/types/t:index:Tree" },
            "all": { "type": "array", "items": { "$ref": "#/types/t:index:Tree" } },
            "leaf": { "type": "string" },
        }, "required": ["leaf"] },
        "t:index:Circle": { "properties": { "kind": { "type": "string" }, "radius": { "type": "number" } }, "required": ["kind", "radius"] },
        "t:index:Square": { "properties": { "kind": { "type": "string", "const": "square" } }, "required": ["kind"] },
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn what_is_generated_passes_its_check(
        seed in any::<u64>(),
        properties in prop::collection::btree_map("[a-d]", (arbitrary_property(), any::<bool>()), 0..4),
        extent in prop::sample::select(vec![Extent::Required, Extent::Some, Extent::All]),
    ) {
        let inputs: serde_json::Map<String, Json> =
            properties.iter().map(|(name, (property, _))| (name.clone(), property.clone())).collect();
        let mut package = one(inputs.into(), json!({}), types());
        package.resource_mut("t:index:R").unwrap().inputs.required =
            properties.iter().filter(|(_, (_, required))| *required).map(|(name, _)| name.clone()).collect();
        let ty = &resource(&package).inputs;
        let sample = Sampler::new(&package, seed).object(ty, extent);
        prop_assert_eq!(failures(&package, ty, &sample.inputs), [""; 0]);
        prop_assert!(sample.gaps.is_empty(), "{:?}", sample.gaps);
        prop_assert_eq!(&Sampler::new(&package, seed).object(ty, extent), &sample, "equal seeds, equal samples");
        for (name, changed) in variations(&package, ty, &sample.inputs, seed) {
            prop_assert_eq!(failures(&package, ty, &changed), [""; 0]);
            prop_assert_ne!(changed.get(&name), sample.inputs.get(&name));
        }
        for wrong in wrong(&package, ty, &sample.inputs) {
            prop_assert!(!failures(&package, ty, &wrong.inputs).is_empty(), "{}", wrong.mistake);
        }
    }
}

#[test]
fn all_of_a_resource_is_tried_unless_it_is_deprecated() {
    let package = cloud();
    let ty = &server(&package).inputs;
    let all = Sampler::new(&package, 7).object(ty, Extent::All);
    assert_eq!(all.inputs.keys().collect::<Vec<_>>(), ty.properties.keys().collect::<Vec<_>>());
    assert!(all.inputs.contains_secret(), "what the schema calls secret is given as a secret");
    let random = random();
    let least = Sampler::new(&random, 7).object(&password(&random).inputs, Extent::Required);
    assert_eq!(least.inputs.keys().collect::<Vec<_>>(), ["length"]);

    let deprecated = one(json!({ "old": { "type": "string", "deprecationMessage": "gone" } }), json!({}), json!({}));
    assert!(Sampler::new(&deprecated, 7).object(&resource(&deprecated).inputs, Extent::All).inputs.is_empty());
}

#[test]
fn relations_between_properties_are_kept() {
    let property = |rules: Json| json!({ "type": "string", "language": { "bulkhead": { "validate": rules } } });
    let package = one(
        json!({
            "a": property(json!({ "exactlyOneOf": ["b"] })),
            "b": property(json!({ "exactlyOneOf": ["a"], "requires": ["c"] })),
            "c": property(json!({ "conflictsWith": ["d"] })),
            "d": property(json!({})),
            "e": property(json!({ "requires": ["d"] })),
        }),
        json!({}),
        json!({}),
    );
    let ty = &resource(&package).inputs;
    let mut chosen = std::collections::BTreeSet::new();
    for seed in 0..64 {
        for extent in [Extent::Required, Extent::Some, Extent::All] {
            let sample = Sampler::new(&package, seed).object(ty, extent);
            assert_eq!(failures(&package, ty, &sample.inputs), [""; 0]);
            chosen.insert(sample.inputs.keys().cloned().collect::<Vec<_>>().concat());
        }
    }
    assert!(chosen.contains("ade") && chosen.contains("bc"), "{chosen:?}");
}

#[test]
fn what_cannot_be_satisfied_is_said_and_left_out() {
    let validated = |ty: &str, rules: Json| json!({ "type": ty, "language": { "bulkhead": { "validate": rules } } });
    assert_eq!(gaps(validated("integer", json!({ "minimum": 3, "maximum": 1 }))), ["in: expected at most 1"]);
    let never = validated("string", json!({ "pattern": "a^b" }));
    assert_eq!(gaps(never.clone()), ["in: expected a string that matches a^b"]);
    let tight = validated("string", json!({ "pattern": "^[ab]{4}$", "maxLength": 3 }));
    assert_eq!(gaps(tight), ["in: expected at most 3 characters"]);

    let package = one(json!({ "in": never, "other": { "type": "boolean" } }), json!({}), json!({}));
    let sample = Sampler::new(&package, 1).object(&resource(&package).inputs, Extent::All);
    assert_eq!(sample.inputs.keys().collect::<Vec<_>>(), ["other"], "optional, so the rest can be tried");
    assert_eq!(sample.gaps.len(), 1);
}

#[test]
fn types_that_multiply_make_samples_that_end() {
    on_a_small_stack(|| {
        let mut types = serde_json::Map::new();
        for level in 0..200 {
            let next = json!({ "$ref": format!("#/types/t:index:T{}", level + 1) });
            types.insert(
                format!("t:index:T{level}"),
                json!({ "properties": { "one": next, "two": next }, "required": ["one", "two"] }),
            );
        }
        types.insert("t:index:T200".to_owned(), json!({}));
        let mut package = one(json!({ "in": { "$ref": "#/types/t:index:T0" } }), json!({}), types.into());
        package.resource_mut("t:index:R").unwrap().inputs.required.insert("in".to_owned());
        let sample = Sampler::new(&package, 1).object(&resource(&package).inputs, Extent::All);
        assert!(!sample.gaps.is_empty(), "two to the power of 200 values aren't made");
    });
}

#[test]
fn a_mistake_is_one_only_if_the_schema_says_so() {
    let property = json!({
        "size": { "type": "integer", "language": { "bulkhead": { "validate": { "minimum": 1 } } } },
        "name": { "type": "string", "language": { "bulkhead": { "validate": { "minLength": 2, "pattern": "^[a-z]+$" } } } },
        "any": { "$ref": "pulumi.json#/Any" },
    });
    let mut package = one(property, json!({}), json!({}));
    package.resource_mut("t:index:R").unwrap().inputs.required.insert("size".to_owned());
    let ty = &resource(&package).inputs;
    let right = Sampler::new(&package, 1).object(ty, Extent::All).inputs;
    let found: Vec<String> =
        wrong(&package, ty, &right).iter().map(|wrong| format!("{} {}", wrong.property, wrong.mistake)).collect();
    assert_eq!(
        found,
        [
            "notInTheSchema with a property that isn't in the schema",
            "name with a value of another type",
            "name with a string of the wrong length",
            "name with a string that doesn't match the pattern",
            "size without a required property",
            "size with a value of another type",
            "size with a number out of range",
        ]
    );
}
