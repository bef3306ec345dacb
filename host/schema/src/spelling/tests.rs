use std::borrow::Cow;

use bulkhead_value::{Object, Output, Value};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::typed;
use crate::{
    CheckRequest, Comparison, check, configuration, diff, diff_configuration,
    fixture::{object, one, parsed, resource, value},
    model::Package,
    preview_create, read,
};

fn types() -> Json {
    json!({
        "t:index:Size": { "type": "string", "enum": [{ "value": "1" }, { "value": "2" }] },
        "t:index:Level": { "type": "integer", "enum": [{ "value": 1 }, { "value": 2 }] },
        "t:index:Loose": { "properties": { "n": { "type": "string", "language": { "bulkhead": { "coerces": true } } } } },
        "t:index:Strict": { "properties": { "n": { "type": "string" } } },
    })
}

fn coercing(mut ty: Json) -> Json {
    ty["language"] = json!({ "bulkhead": { "coerces": true } });
    ty
}

/// A package with one property `p` of this type, as input and as output.
fn package(ty: &Json) -> Package {
    one(json!({ "p": ty }), json!({ "p": ty }), types())
}

fn meant(package: &Package, given: &Json) -> Value {
    let given = object(json!({ "p": given }));
    typed(package, &resource(package).inputs, &given)["p"].clone()
}

fn failures(package: &Package, given: &Json) -> Vec<String> {
    let given = object(json!({ "p": given }));
    let checked = check(package, CheckRequest::of(&resource(package).inputs, &given));
    assert_eq!(checked.inputs, given, "what was given stays as it was");
    checked.failures.into_iter().map(|failure| format!("{}: {}", failure.path, failure.reason)).collect()
}

/// Every pair of what is given and what is wanted. `None`: it means nothing, and is refused.
#[test]
fn a_scalar_means_what_its_type_says() {
    let primitive = |name: &str| json!({ "type": name });
    let named = |name: &str| json!({ "$ref": format!("#/types/t:index:{name}") });
    let either = |one: &str, other: &str| json!({ "oneOf": [{ "type": one }, { "type": other }] });
    for (ty, given, expected) in [
        (primitive("string"), json!("1"), Some(json!("1"))),
        (primitive("string"), json!(1), Some(json!("1"))),
        (primitive("string"), json!(1.5), Some(json!("1.5"))),
        (primitive("string"), json!(0.1), Some(json!("0.1"))),
        (primitive("string"), json!(-3), Some(json!("-3"))),
        (primitive("string"), json!(1e21), Some(json!("1000000000000000000000"))),
        (primitive("string"), json!(1e-7), Some(json!("0.0000001"))),
        (primitive("string"), json!(true), Some(json!("true"))),
        (primitive("string"), json!(false), Some(json!("false"))),
        (primitive("string"), json!([1]), None),
        (primitive("string"), json!({ "a": 1 }), None),
        (primitive("boolean"), json!("true"), Some(json!(true))),
        (primitive("boolean"), json!("false"), Some(json!(false))),
        (primitive("boolean"), json!("yes"), None),
        (primitive("boolean"), json!("True"), None),
        (primitive("boolean"), json!(""), None),
        (primitive("boolean"), json!(1), None),
        (primitive("integer"), json!("12"), Some(json!(12))),
        (primitive("integer"), json!("-12"), Some(json!(-12))),
        (primitive("integer"), json!("+12"), Some(json!(12))),
        (primitive("integer"), json!("007"), Some(json!(7))),
        (primitive("integer"), json!("1e3"), Some(json!(1000))),
        (primitive("integer"), json!("12.5"), None),
        (primitive("integer"), json!("1e300"), None),
        (primitive("integer"), json!("12.0"), Some(json!(12))),
        (primitive("integer"), json!("1.5e1"), Some(json!(15))),
        (primitive("integer"), json!("1200e-2"), Some(json!(12))),
        (primitive("integer"), json!("-0.00e-9"), Some(json!(0))),
        (primitive("integer"), json!("1205e-2"), None),
        // Nothing is rounded: it would be another number than the one that was given.
        (primitive("integer"), json!("9007199254740992"), Some(json!(9007199254740992_i64))),
        (primitive("integer"), json!("9007199254740993"), None),
        (primitive("integer"), json!("-9007199254740993"), None),
        (primitive("integer"), json!("9007199254740994"), Some(json!(9007199254740994_i64))),
        (primitive("integer"), json!("9223372036854775807"), None),
        (primitive("integer"), json!("-9223372036854775808"), Some(json!(i64::MIN))),
        (primitive("integer"), json!("9007199254740993.0"), None),
        (primitive("integer"), json!("9007199254740991.5"), None),
        (primitive("integer"), json!("2251799813685248.1"), None),
        (primitive("integer"), json!("1.00000000000000000001"), None),
        (primitive("integer"), json!("0x10"), None),
        (primitive("integer"), json!("1_000"), None),
        (primitive("integer"), json!(" 12"), None),
        (primitive("integer"), json!(""), None),
        (primitive("integer"), json!(true), None),
        (primitive("number"), json!("12.5"), Some(json!(12.5))),
        (primitive("number"), json!("inf"), None),
        (primitive("number"), json!("NaN"), None),
        (primitive("number"), json!("1e999"), None),
        (primitive("number"), json!("e"), None),
        (named("Size"), json!(2), Some(json!("2"))),
        (named("Size"), json!(3), None),
        (named("Level"), json!("2"), Some(json!(2))),
        (named("Level"), json!("3"), None),
        (either("integer", "boolean"), json!("12"), Some(json!(12))),
        (either("integer", "boolean"), json!("true"), Some(json!(true))),
        (either("integer", "string"), json!("12"), Some(json!("12"))),
        (either("integer", "string"), json!(true), Some(json!("true"))),
    ] {
        let package = package(&coercing(ty.clone()));
        assert_eq!(meant(&package, &given), value(expected.clone().unwrap_or(given.clone())), "{ty} {given}");
        let failures = failures(&package, &given);
        assert_eq!(failures.is_empty(), expected.is_some(), "{ty} {given}: {failures:?}");
    }
}

#[test]
fn lists_and_maps_pass_it_on_and_objects_do_not() {
    let list = json!({ "type": "array", "items": { "type": "string" } });
    let map = json!({ "type": "object", "additionalProperties": { "type": "array", "items": { "type": "integer" } } });
    let map = package(&coercing(map));
    assert_eq!(meant(&package(&coercing(list)), &json!([1, "a", true])), value(json!(["1", "a", "true"])));
    assert_eq!(meant(&map, &json!({ "a": ["1", 2], "b": null })), value(json!({ "a": [1, 2], "b": null })));
    assert_eq!(failures(&map, &json!({ "a": ["x"] })), ["p.a[0]: expected an integer, got a string"]);
    let object = |name: &str| json!({ "$ref": format!("#/types/t:index:{name}") });
    assert_eq!(meant(&package(&object("Loose")), &json!({ "n": 1 })), value(json!({ "n": "1" })));
    let strict = package(&json!({ "type": "array", "items": object("Strict") }));
    assert_eq!(meant(&strict, &json!([{ "n": 1 }])), value(json!([{ "n": 1 }])));
    assert_eq!(
        failures(&strict, &json!([{ "n": 1 }])),
        ["p[0].n: expected a string, got a number; hint: put it in quotes"]
    );
}

#[test]
fn without_the_fact_nothing_is_read_into_a_value() {
    let strict = package(&json!({ "type": "object", "additionalProperties": { "type": "string" } }));
    let given = json!({ "version": 1 });
    assert_eq!(meant(&strict, &given), value(given.clone()));
    assert_eq!(failures(&strict, &given), ["p.version: expected a string, got a number; hint: put it in quotes"]);
}

#[test]
fn wrappers_stay_around_what_they_hold() {
    let package = package(&coercing(json!({ "type": "array", "items": { "type": "string" } })));
    let list = json!([{ "<secret>": 1 }, "<unknown>", { "<secret>": "<unknown>" }]);
    let expected = json!([{ "<secret>": "1" }, "<unknown>", { "<secret>": "<unknown>" }]);
    assert_eq!(meant(&package, &list), value(expected.clone()));
    assert_eq!(meant(&package, &json!({ "<secret>": list })), value(json!({ "<secret>": expected })));

    let output = |value: Value| {
        let dependencies = vec!["urn:pulumi:s::p::a:b:C::n".to_owned()];
        Value::from(Output { value: Some(Box::new(value.secret())), secret: false, dependencies })
    };
    let given: Object = [("p", Value::from(vec![output(1.into())]))].into();
    let expected: Object = [("p", Value::from(vec![output("1".into())]))].into();
    assert_eq!(*typed(&package, &resource(&package).inputs, &given), expected);
}

#[test]
fn what_is_typed_already_is_not_copied() {
    let package = package(&coercing(json!({ "type": "object", "additionalProperties": { "type": "string" } })));
    let given = object(json!({ "p": { "a": "1", "__defaults": [1] }, "undeclared": 1, "__internal": 1 }));
    assert!(matches!(typed(&package, &resource(&package).inputs, &given), Cow::Borrowed(_)));
}

#[test]
fn constants_and_rules_are_about_what_is_meant() {
    let constant = package(&coercing(json!({ "type": "string", "const": "1" })));
    assert_eq!(failures(&constant, &json!(1)), [""; 0]);
    assert_eq!(failures(&constant, &json!(2)), ["p: expected '1', got another value"]);
    let mut ranged = coercing(json!({ "type": "integer" }));
    ranged["language"]["bulkhead"]["validate"] = json!({ "minimum": 5 });
    let ranged = package(&ranged);
    assert_eq!(failures(&ranged, &json!("5")), [""; 0]);
    assert_eq!(failures(&ranged, &json!("4")), ["p: expected at least 5"]);
}

#[test]
fn another_spelling_is_no_difference() {
    let package = package(&coercing(json!({ "type": "object", "additionalProperties": { "type": "string" } })));
    let changes = |old: Option<Json>, state: Json, new: Json| {
        let (old, state, new) = (old.map(object), object(state), object(new));
        let difference = diff(&package, &Comparison::of(resource(&package), old.as_ref(), &state, &new));
        difference.changes.into_iter().map(|change| change.path.to_string()).collect::<Vec<_>>()
    };
    let of = |version: Json| json!({ "p": { "version": version } });
    assert_eq!(changes(Some(of(json!(1))), of(json!("1")), of(json!("1"))), [""; 0]);
    assert_eq!(changes(Some(of(json!("1"))), of(json!("1")), of(json!(1))), [""; 0]);
    assert_eq!(changes(Some(of(json!("1"))), of(json!("1")), of(json!(2))), ["p.version"]);
    assert_eq!(changes(Some(of(json!("true"))), of(json!("true")), of(json!({ "<secret>": true }))), [""; 0]);
    // Added, but recorded already; and with no old inputs at all.
    assert_eq!(changes(Some(json!({})), of(json!("1")), of(json!(1))), [""; 0]);
    assert_eq!(changes(None, of(json!("1")), of(json!(1))), [""; 0]);
}

#[test]
fn previews_and_refreshes_speak_of_what_is_meant() {
    let package = package(&coercing(json!({ "type": "object", "additionalProperties": { "type": "string" } })));
    let given = object(json!({ "p": { "a": 1, "b": { "<secret>": true } } }));
    let state = preview_create(&package, resource(&package), &given).state;
    assert_eq!(state, object(json!({ "p": { "a": "1", "b": { "<secret>": "true" } } })));

    // The state has what the provider was given, and that is no drift.
    let recorded = object(json!({ "p": { "a": "1" } }));
    let given = object(json!({ "p": { "a": 1 } }));
    let shown = |prior: &Object, new: &Object| read::shown_inputs(&package, resource(&package), &given, prior, new);
    assert_eq!(shown(&recorded, &recorded), given);
    assert_eq!(shown(&Object::new(), &recorded), given);
    let drifted = object(json!({ "p": { "a": "2" } }));
    assert_eq!(shown(&recorded, &drifted), drifted);
}

#[test]
fn a_configuration_may_coerce_too() {
    let variables = json!({
        "project": coercing(json!({ "type": "string" })),
        "region": { "type": "string" },
        "labels": coercing(json!({ "type": "object", "additionalProperties": { "type": "string" } })),
    });
    let package = parsed(&json!({ "name": "c", "config": { "variables": variables } }));
    let given = object(json!({ "project": 12, "labels": "{\"a\":1}", "region": "eu" }));
    let expected = object(json!({ "project": "12", "labels": { "a": "1" }, "region": "eu" }));
    assert_eq!(configuration::typed(&package, &given), expected);
    let checked = configuration::check(&package, &given, &|_| None);
    assert_eq!((checked.inputs, checked.failures), (given.clone(), vec![]));
    assert_eq!(diff_configuration(&package, &given, &expected, &[]).changes, []);
}

proptest! {
    /// Whatever is given: what it means is of the type exactly if the check accepts it, and means itself.
    #[test]
    fn what_is_meant_is_of_the_type_if_it_is_accepted(
        ty in prop::sample::select(vec!["boolean", "integer", "number", "string"]),
        given in prop_oneof![
            any::<bool>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            any::<i64>().prop_map(|number| Value::from(number.to_string())),
            any::<f64>().prop_map(|number| Value::from(number.to_string())),
            "[-+0-9.eE]{0,8}".prop_map(Value::from),
            ".{0,4}".prop_map(Value::from),
        ],
    ) {
        let loose = package(&coercing(json!({ "type": ty })));
        let strict = package(&json!({ "type": ty }));
        let given: Object = [("p", given)].into();
        let meant = typed(&loose, &resource(&loose).inputs, &given).into_owned();
        let accepted = check(&loose, CheckRequest::of(&resource(&loose).inputs, &given)).failures.is_empty();
        let conforms = check(&strict, CheckRequest::of(&resource(&strict).inputs, &meant)).failures.is_empty();
        prop_assert_eq!(accepted, conforms);
        prop_assert_eq!(&*typed(&loose, &resource(&loose).inputs, &meant), &meant);
    }
}
