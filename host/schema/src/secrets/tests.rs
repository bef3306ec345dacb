use std::time::{Duration, Instant};

use bulkhead_value::{Archive, ArchiveSource, Asset, AssetSource, Object, Output, Reference, ReferenceId, Value};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::{Marking, mark, mark_repeating, mark_return, mark_rewritten, mark_value_repeating, telling};
use crate::Steps;
use crate::fixture::{cloud, like_inputs, nested, object, on_a_small_stack, one, parsed, resource, server, value};

fn signed_asset(uri: &str) -> Asset {
    Asset { hash: None, source: AssetSource::Uri(uri.to_owned()) }
}

fn signed_archive(uri: &str) -> Archive {
    Archive { hash: None, source: ArchiveSource::Uri(uri.to_owned()) }
}

/// A state of the server, marked with these inputs.
fn marked(inputs: Json, state: Json) -> Object {
    let package = cloud();
    mark(&package, &server(&package).outputs, Some(&object(inputs)), object(state))
}

fn secret(inner: Json) -> Json {
    json!({ "<secret>": inner })
}

#[test]
fn what_the_schema_says_is_secret_at_every_depth() {
    let state = json!({
        "token": "a", "endpoint": "b",
        "spec": { "key": "c", "zone": "z", "children": [{ "key": "d" }], "child": { "key": null } },
    });
    let expected = json!({
        "token": secret(json!("a")), "endpoint": "b",
        "spec": {
            "key": secret(json!("c")), "zone": "z", "children": [{ "key": secret(json!("d")) }], "child": { "key": null },
        },
    });
    assert_eq!(marked(json!({}), state), object(expected));
    // Unknown ones too: whoever reads them must know.
    assert_eq!(
        marked(json!({}), json!({ "token": "<unknown>" })),
        object(json!({ "token": secret(json!("<unknown>")) }))
    );
}

#[test]
fn what_is_secret_already_stays_as_it_is() {
    let state = json!({ "token": secret(json!("a")), "spec": secret(json!({ "key": "c" })) });
    assert_eq!(marked(json!({}), state.clone()), object(state));
    let package = cloud();
    let output: Object = [("token", Value::from(Output::known("a")))].into();
    let marked = mark(&package, &server(&package).outputs, None, output.clone());
    let mut expected = Output::known("a");
    expected.secret = true;
    assert_eq!(marked, [("token", Value::from(expected))].into(), "an output says it itself");
}

#[test]
fn what_was_secret_under_the_same_name_is_secret_again() {
    for (inputs, state, expected) in [
        (json!({ "ratio": secret(json!(1)) }), json!({ "ratio": 2 }), json!({ "ratio": secret(json!(2)) })),
        // Objects member by member; everything else with a secret in it as a whole.
        (
            json!({ "tags": { "a": secret(json!("x")), "b": "y" } }),
            json!({ "tags": { "a": "1", "b": "2" } }),
            json!({ "tags": { "a": secret(json!("1")), "b": "2" } }),
        ),
        (
            json!({ "rules": [{ "port": secret(json!(1)) }] }),
            json!({ "rules": [{ "port": 1 }, { "port": 2 }] }),
            json!({ "rules": secret(json!([{ "port": 1 }, { "port": 2 }])) }),
        ),
        (
            json!({ "anything": { "a": { "b": secret(json!(1)) } } }),
            json!({ "anything": { "a": { "b": 2, "c": 3 } } }),
            json!({ "anything": { "a": { "b": secret(json!(2)), "c": 3 } } }),
        ),
        (json!({ "ratio": secret(json!(1)) }), json!({ "endpoint": 1 }), json!({ "endpoint": 1 })),
        // What was an object, and is none.
        (
            json!({ "anything": { "a": { "b": secret(json!(1)) }, "c": {} } }),
            json!({ "anything": { "a": 2, "c": 3 } }),
            json!({ "anything": { "a": secret(json!(2)), "c": 3 } }),
        ),
        (
            json!({ "anything": { "a": { "__defaults": secret(json!([])) } } }),
            json!({ "anything": { "a": 2 } }),
            json!({ "anything": { "a": secret(json!(2)) } }),
        ),
        (
            json!({ "anything": { "a": { "__defaults": { "b": secret(json!(1)) }, "c": secret(json!(2)), "d": 1 } } }),
            json!({ "anything": { "a": { "__defaults": { "b": 2 }, "c": 3, "d": 4 } } }),
            json!({ "anything": { "a": { "__defaults": { "b": 2 }, "c": secret(json!(3)), "d": 4 } } }),
        ),
        (
            json!({ "anything": { "a": { "b": 1 }, "c": { "d": secret(json!(1)), "e": { "f": secret(json!(1)) } } } }),
            json!({ "anything": { "a": { "b": 2 }, "c": { "d": 2, "e": { "f": 3, "g": 4 } } } }),
            json!({ "anything": { "a": { "b": 2 }, "c": { "d": secret(json!(2)), "e": { "f": secret(json!(3)), "g": 4 } } } }),
        ),
    ] {
        assert_eq!(marked(inputs.clone(), state.clone()), object(expected.clone()), "{inputs} {state}");
        // As one of many, too.
        let package = cloud();
        let mut marking = Marking::by(Some(object(inputs.clone())), Steps::of(1));
        for _ in 0..2 {
            let marked = marking.mark(&package, &server(&package).outputs, object(state.clone()));
            assert_eq!(marked, Some(object(expected.clone())), "{inputs} {state}");
        }
    }
}

/// A guest decides how many states there are, and nobody counts what is looked at of the inputs as its work.
#[test]
fn inputs_are_gone_through_once_for_all_states() {
    let package = cloud();
    let long = Value::from(vec![Value::Null; 1_000_000]);
    let wide: Object = (0..100_000).map(|i| (i.to_string(), Value::from("hunter2").secret())).collect();
    let inputs: Object = [("ratio", long), ("anything", Value::Object(wide))].into();
    let mut marking = Marking::by(Some(inputs), Steps::of(1));
    let began = Instant::now();
    for _ in 0..10_000 {
        let state = object(json!({ "ratio": 1, "anything": { "7": 1 } }));
        let marked = marking.mark(&package, &server(&package).outputs, state).unwrap();
        assert_eq!(marked, object(json!({ "ratio": 1, "anything": { "7": secret(json!(1)) } })));
    }
    // Gone through for each, they took minutes.
    assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
}

#[test]
fn a_secret_string_is_recognised_from_eight_bytes_on() {
    let inputs = json!({
        "password": secret(json!("hunter2-hunter2")), "tags": secret(json!({ "x": ["deeper-secret"] })),
        "ratio": secret(json!("short")), "label": "open-enough",
    });
    let state = json!({
        "endpoint": "hunter2-hunter2", "arn": "short", "name": "open-enough", "region": "not hunter2-hunter2",
        "anything": [{ "a": "deeper-secret" }, "eight-äö"],
    });
    let expected = json!({
        "endpoint": secret(json!("hunter2-hunter2")), "arn": "short", "name": "open-enough",
        "region": "not hunter2-hunter2", "anything": [{ "a": secret(json!("deeper-secret")) }, "eight-äö"],
    });
    assert_eq!(marked(inputs, state), object(expected));
    // What depends on something is searched too.
    let package = cloud();
    let output = |text: Value| -> Object { [("endpoint", Value::from(Output::known(text)))].into() };
    let given = object(json!({ "password": secret(json!("hunter2-hunter2")) }));
    let marked_output = mark(&package, &server(&package).outputs, Some(&given), output("hunter2-hunter2".into()));
    assert_eq!(marked_output, output(Value::from("hunter2-hunter2").secret()));
    let mut concealed = Output::known("hunter2-hunter2");
    concealed.secret = true;
    let concealed: Object = [("endpoint", Value::from(concealed))].into();
    assert_eq!(mark(&package, &server(&package).outputs, Some(&given), concealed.clone()), concealed, "once is enough");
    // Bytes, not characters.
    let (inputs, state) = (json!({ "password": secret(json!("ääää")) }), json!({ "endpoint": "ääää" }));
    assert_eq!(marked(inputs, state), object(json!({ "endpoint": secret(json!("ääää")) })));
    // What may be anything is recorded as text by some. Of what is measured there may be any number.
    let inputs = json!({ "anything": secret(json!([12345678, 1e21, 1234567, 0.12345678])) });
    let state =
        json!({ "endpoint": "12345678", "name": "1000000000000000000000", "label": "1234567", "arn": "0.12345678" });
    let expected = json!({
        "endpoint": secret(json!("12345678")), "name": secret(json!("1000000000000000000000")),
        "label": "1234567", "arn": "0.12345678",
    });
    assert_eq!(marked(inputs, state), object(expected));
}

/// Whoever rewrites it reads it in clear. Numbers and short texts tell nothing.
#[test]
fn what_is_made_of_a_secret_is_secret_under_whatever_name() {
    let package = cloud();
    let pin = || secret(json!(1));
    for (old, new, expected) in [
        // In another unit, and in another place of the same name.
        (
            json!({ "ratio": pin(), "size": "s" }),
            json!({ "ratio": 1024, "size": "m" }),
            json!({ "ratio": secret(json!(1024)), "size": "m" }),
        ),
        (
            json!({ "tags": { "a": pin() } }),
            json!({ "tags": { "a": 2, "b": 3 } }),
            json!({ "tags": { "a": secret(json!(2)), "b": 3 } }),
        ),
        (json!({ "tags": { "a": pin() } }), json!({ "tags": [1] }), json!({ "tags": secret(json!([1])) })),
        // Under another name, beside what stays as it was.
        (
            json!({ "pin": pin(), "label": "l", "list": [1] }),
            json!({ "code": 1, "label": "l", "list": [1] }),
            json!({ "code": secret(json!(1)), "label": "l", "list": [1] }),
        ),
        (
            json!({ "pin": pin(), "label": "l", "list": [2] }),
            json!({ "label": "l:1", "list": [1, 2] }),
            json!({ "label": secret(json!("l:1")), "list": secret(json!([1, 2])) }),
        ),
        (
            json!({ "pin": pin(), "anything": { "a": "x" } }),
            json!({ "anything": { "a": "x", "pin": 1 } }),
            json!({ "anything": { "a": "x", "pin": secret(json!(1)) } }),
        ),
        (
            json!({ "anything": { "pin": pin(), "a": "x" }, "label": "l" }),
            json!({ "anything": { "a": "x" }, "label": "l", "code": 1 }),
            json!({ "anything": { "a": "x" }, "label": "l", "code": secret(json!(1)) }),
        ),
        (json!({ "pin": pin() }), json!({ "pin": null, "code": 1 }), json!({ "pin": null, "code": secret(json!(1)) })),
        // From where all is secret, and from a list, whose elements have no names.
        (
            json!({ "anything": secret(json!({ "pin": 1, "a": "x" })) }),
            json!({ "anything": { "a": "x" }, "code": 1 }),
            json!({ "anything": secret(json!({ "a": "x" })), "code": secret(json!(1)) }),
        ),
        (
            json!({ "anything": secret(json!({ "b": { "pin": 1 } })), "label": "l" }),
            json!({ "anything": { "b": {} }, "label": "l", "code": 1 }),
            json!({ "anything": secret(json!({ "b": {} })), "label": "l", "code": secret(json!(1)) }),
        ),
        (
            json!({ "list": [{ "pin": pin(), "a": "x" }] }),
            json!({ "list": [{ "a": "x" }], "pins": { "x": 1 } }),
            json!({ "list": secret(json!([{ "a": "x" }])), "pins": secret(json!({ "x": 1 })) }),
        ),
        (
            json!({ "list": secret(json!([{ "pin": 1 }])) }),
            json!({ "list": [{}], "pins": { "x": 1 } }),
            json!({ "list": secret(json!([{}])), "pins": secret(json!({ "x": 1 })) }),
        ),
        // In another unit, and as it was.
        (
            json!({ "anything": secret(json!({ "pin": 1 })) }),
            json!({ "anything": { "pin": 2, "b": 1 }, "code": 3 }),
            json!({ "anything": secret(json!({ "pin": 2, "b": 1 })), "code": 3 }),
        ),
        (
            json!({ "list": [{ "pin": pin() }], "other": [1] }),
            json!({ "list": [{ "pin": 1 }], "other": [2], "code": 3 }),
            json!({ "list": secret(json!([{ "pin": 1 }])), "other": [2], "code": 3 }),
        ),
        // Nothing is gone, or nothing that was anything.
        (json!({ "a": 1 }), json!({ "b": 1 }), json!({ "b": 1 })),
        (json!({ "pin": secret(json!(null)) }), json!({ "code": 1 }), json!({ "code": 1 })),
        // Nobody's.
        (json!({ "pin": pin() }), json!({ "id": "x", "__meta": "y" }), json!({ "id": "x", "__meta": "y" })),
    ] {
        let told = mark_rewritten(&package, &server(&package).outputs, &object(old.clone()), object(new.clone()));
        assert_eq!(told, object(expected), "{old} {new}");
    }
}

/// What is searched for secrets at each of its levels takes its depth times its size: half a minute for one call, which nothing ends.
#[test]
fn deep_states_are_marked_in_hardly_more_time_than_flat_ones() {
    let package = cloud();
    let taken = |depth: usize| {
        let many: Value = value(json!(vec![1; 100_000]));
        let inner = Value::from(Object::from([("many", many), ("secret", Value::from("s").secret())]));
        let state = Object::from([("anything", nested(depth, "n", inner))]);
        let fastest = (0..3).map(|_| {
            let new = state.clone();
            let start = Instant::now();
            drop(mark_rewritten(&package, &server(&package).outputs, &state, new));
            start.elapsed()
        });
        fastest.min().unwrap()
    };
    let (flat, deep) = (taken(10), taken(1000));
    assert!(deep < flat * 10, "{deep:?}, and {flat:?} where it is flat");
}

#[test]
fn keys_that_belong_to_others_are_not_marked() {
    let inputs = json!({ "password": secret(json!("hunter2-hunter2")) });
    let state = json!({
        "id": "hunter2-hunter2", "__meta": "hunter2-hunter2", "anything": { "__defaults": ["hunter2-hunter2"] },
    });
    assert_eq!(marked(inputs, state.clone()), object(state));
}

/// What doesn't conform is saved all the same, and may have its secrets anywhere.
#[test]
fn where_a_value_is_not_what_it_should_be_all_of_it_is_secret() {
    let state = json!({ "spec": ["canary"], "shape": ["open"], "rules": "open" });
    let expected = json!({ "spec": secret(json!(["canary"])), "shape": ["open"], "rules": "open" });
    assert_eq!(marked(json!({}), state), object(expected));

    let types = json!({
        "t:index:A": { "properties": { "kind": { "type": "string", "const": "a" }, "key": { "type": "string", "secret": true } } },
        "t:index:B": { "properties": { "kind": { "type": "string", "const": "b" }, "open": { "type": "string" } } },
    });
    let union = json!({ "oneOf": [{ "$ref": "#/types/t:index:A" }, { "$ref": "#/types/t:index:B" }],
        "discriminator": { "propertyName": "kind" } });
    let map = json!({ "type": "object", "additionalProperties": { "type": "string" } });
    let either = one(json!({}), json!({ "p": { "oneOf": [{ "$ref": "#/types/t:index:A" }, map] } }), types.clone());
    for more in ["id", "__x", "more"] {
        let state = object(json!({ "p": { "key": "k", (more): "x" } }));
        let expected = object(json!({ "p": { "key": secret(json!("k")), (more): "x" } }));
        assert_eq!(super::mark(&either, &resource(&either).outputs, None, state), expected, "{more}");
    }
    let package = one(json!({}), json!({ "p": union }), types);
    let mark = |p: Json| mark(&package, &resource(&package).outputs, None, object(json!({ "p": p })));
    for (p, expected) in [
        (json!({ "kind": "a", "key": "k" }), json!({ "kind": "a", "key": secret(json!("k")) })),
        (json!({ "kind": "b", "open": "k" }), json!({ "kind": "b", "open": "k" })),
        (json!({ "kind": "<unknown>", "key": "k" }), secret(json!({ "kind": "<unknown>", "key": "k" }))),
        (json!({ "kind": "c", "key": "k" }), secret(json!({ "kind": "c", "key": "k" }))),
    ] {
        assert_eq!(mark(p.clone()), object(json!({ "p": expected })), "{p}");
    }
}

/// What a variant nearby calls open may be what another one calls secret.
#[test]
fn what_is_of_no_variant_is_secret_where_any_of_them_says_so() {
    let types = json!({
        "t:index:A": { "properties": {
            "kind": { "type": "string", "const": "a" }, "key": { "type": "string" }, "size": { "type": "integer" },
        } },
        "t:index:B": { "properties": {
            "kind": { "type": "string", "const": "b" }, "key": { "type": "string", "secret": true },
            "inner": { "$ref": "#/types/t:index:B" }, "pin": { "type": "string", "secret": true },
        } },
    });
    let union = json!({ "oneOf": [{ "$ref": "#/types/t:index:A" }, { "$ref": "#/types/t:index:B" }] });
    let package = one(json!({}), json!({ "p": union }), types);
    let mark = |p: Json| mark(&package, &resource(&package).outputs, None, object(json!({ "p": p })));
    let (open, concealed) = (json!("k"), secret(json!("k")));
    for (p, expected) in [
        (json!({ "kind": "a", "key": open }), json!({ "kind": "a", "key": open })),
        (json!({ "kind": "b", "key": open }), json!({ "kind": "b", "key": concealed })),
        (json!({ "kind": "c", "key": open }), json!({ "kind": "c", "key": concealed })),
        // It may be of either yet.
        (json!({ "kind": "<unknown>", "key": open }), secret(json!({ "kind": "<unknown>", "key": open }))),
        (json!({ "kind": "a", "pin": open }), json!({ "kind": "a", "pin": concealed })),
        (
            json!({ "kind": "a", "inner": { "key": open, "kind": "b" } }),
            json!({ "kind": "a", "inner": { "key": concealed, "kind": "b" } }),
        ),
        (
            json!({ "kind": "a", "key": open, "size": "large" }),
            json!({ "kind": "a", "key": concealed, "size": "large" }),
        ),
    ] {
        assert_eq!(mark(p.clone()), object(json!({ "p": expected })), "{p}");
    }
}

/// Of a condition that isn't one of any kind, because of what stands at its bottom, only the secret is one. Each level twice would be all
/// steps there are, and all of it secret.
#[test]
fn what_is_of_no_variant_is_looked_at_once() {
    let nested = |kind: &str| {
        let inner = json!({ "oneOf": [{ "$ref": "#/types/t:index:And" }, { "$ref": "#/types/t:index:Or" }] });
        json!({ "properties": {
            "kind": { "type": "string", "const": kind }, "size": { "type": "integer" }, "inner": inner,
            "pin": { "type": "string", "secret": true },
        } })
    };
    let union = json!({ "oneOf": [{ "$ref": "#/types/t:index:And" }, { "$ref": "#/types/t:index:Or" }] });
    let types = json!({ "t:index:And": nested("and"), "t:index:Or": nested("or") });
    let package = one(json!({}), json!({ "p": union }), types);
    let (mut given, mut expected) =
        (json!({ "size": "large", "pin": "p" }), json!({ "size": "large", "pin": secret(json!("p")) }));
    for _ in 0..40 {
        given = json!({ "kind": "or", "inner": given });
        expected = json!({ "kind": "or", "inner": expected });
    }
    let marked = mark(&package, &resource(&package).outputs, None, object(json!({ "p": given })));
    assert_eq!(marked, object(json!({ "p": expected })));
}

#[test]
fn what_a_function_returns_is_marked_by_its_schema() {
    let package = parsed(&json!({
        "name": "f",
        "types": { "f:index:T": { "properties": { "key": { "type": "string", "secret": true } } } },
        "functions": {
            "f:index:object": { "outputs": { "properties": { "a": { "type": "string", "secret": true }, "b": { "type": "string" } } } },
            "f:index:list": { "outputs": { "type": "array", "items": { "$ref": "#/types/f:index:T" } } },
        },
    }));
    let marked = |token: &str, returned: Json| mark_return(&package, package.function(token).unwrap(), value(returned));
    assert_eq!(
        marked("f:index:object", json!({ "a": "x", "b": "y" })),
        value(json!({ "a": secret(json!("x")), "b": "y" }))
    );
    assert_eq!(marked("f:index:list", json!([{ "key": "x" }])), value(json!([{ "key": secret(json!("x")) }])));
}

#[test]
fn secrets_are_found_by_their_marks_and_by_the_schema() {
    let package = cloud();
    let ty = &server(&package).outputs;
    let given = json!({
        "token": "by-the-schema", "endpoint": "not-a-secret", "password": secret(json!("by-its-mark")),
        "spec": { "key": "by-the-schema-below", "zone": "not-a-secret" }, "label": secret(json!("short")),
        "anything": secret(json!({ "a-name-is-none": ["within-a-list"] })),
    });
    let mut given = object(given);
    let mut output = Output::known("of-an-output");
    output.secret = true;
    given.insert("eventual".to_owned(), Value::from(output));
    given.insert("depended-on".to_owned(), Value::from(Output::known("not-a-secret")));
    given.insert("blob".to_owned(), Value::from(Asset::text("of-an-asset")).secret());
    given.insert("signed".to_owned(), Value::from(signed_asset("https://h/?an-asset")).secret());
    given.insert("packed".to_owned(), Value::from(signed_archive("https://h/?an-archive")).secret());
    given.insert("bytes".to_owned(), Value::Bytes(b"of-some-bytes".to_vec()).secret());
    let found: Vec<_> = telling(&package, &[ty], &given).into_iter().collect();
    let addresses = ["https://h/?an-archive", "https://h/?an-asset"];
    let marked = ["by-its-mark"].into_iter().chain(addresses);
    let marked: Vec<&str> = marked.chain(["of-an-asset", "of-an-output", "of-some-bytes", "within-a-list"]).collect();
    let mut all: Vec<&str> = marked.iter().copied().chain(["by-the-schema", "by-the-schema-below"]).collect();
    all.sort_unstable();
    assert_eq!(found, all);
    let found: Vec<_> = telling(&package, &[], &given).into_iter().collect();
    assert_eq!(found, marked, "nothing is known of the types");
}

#[test]
fn what_depends_on_something_is_as_secret_as_its_place() {
    let package = cloud();
    let ty = &server(&package).outputs;
    let output = |text: &str| Value::from(Output::known(text));
    let spec = Output::known(value(json!({ "key": "below-an-output", "zone": "not-a-secret" })));
    let given: Object = [
        ("token", output("by-the-schema")),
        ("spec", spec.clone().into()),
        ("label", output("by-its-mark").secret()),
        ("anything", Value::from(vec![output("within-a-list")]).secret()),
        ("endpoint", output("not-a-secret")),
    ]
    .into();
    let found: Vec<_> = telling(&package, &[ty], &given).into_iter().collect();
    assert_eq!(found, ["below-an-output", "by-its-mark", "by-the-schema", "within-a-list"]);

    let marked = mark(&package, ty, None, [("spec", Value::from(spec))].into());
    let expected = value(json!({ "key": secret(json!("below-an-output")), "zone": "not-a-secret" }));
    assert_eq!(marked, [("spec", Value::from(Output::known(expected)))].into());
}

#[test]
fn what_repeats_a_secret_is_marked_at_every_depth() {
    let repeats = |text: &str| text.contains("canary");
    let returned = json!({
        "plain": "x", "text": "the canary sings", "list": ["x", "canary", ["canary"]],
        "tags": { "a": { "b": "canary", "__defaults": ["canary"] }, "c": "x" }, "names": { "the canary": 1, "c": "x" },
        "secret": secret(json!("canary")), "__defaults": ["canary"],
    });
    let expected = json!({
        "plain": "x", "text": secret(json!("the canary sings")),
        "list": ["x", secret(json!("canary")), [secret(json!("canary"))]],
        "tags": { "a": { "b": secret(json!("canary")), "__defaults": [secret(json!("canary"))] }, "c": "x" },
        "names": secret(json!({ "the canary": 1, "c": "x" })),
        "secret": secret(json!("canary")), "__defaults": [secret(json!("canary"))],
    });
    assert_eq!(mark_repeating(object(returned), &repeats), object(expected));
    let bytes = mark_value_repeating(Value::Bytes(b"a canary".to_vec()), &repeats);
    assert_eq!(bytes, Value::Bytes(b"a canary".to_vec()).secret());
    let asset = Value::from(Asset::text("canary"));
    assert_eq!(mark_value_repeating(asset.clone(), &repeats), asset.clone().secret());
    let archive = Value::from(Archive::members([("a", asset)]));
    assert_eq!(mark_value_repeating(archive.clone(), &repeats), archive.secret());
    let innocent = Value::from(Archive::members([("a", Value::from(Asset::text("x")))]));
    assert_eq!(mark_value_repeating(innocent.clone(), &repeats), innocent);
    let named = Value::from(Archive::members([("the canary.txt", Value::from(Asset::text("x")))]));
    assert_eq!(mark_value_repeating(named.clone(), &repeats), named.secret());
    for signed in [
        signed_archive("https://h/?canary"),
        Archive::members([("a", Value::from(signed_archive("https://h/?canary")))]),
    ] {
        assert_eq!(mark_value_repeating(Value::from(signed.clone()), &repeats), Value::from(signed).secret());
    }
    let mut output = Output::known("canary");
    output.secret = true;
    assert_eq!(mark_value_repeating(Value::from(Output::known("canary")), &repeats), Value::from(output));
}

/// An engine that records a value records its paths and versions with it.
#[test]
fn what_tells_a_secret_as_a_path_a_hash_or_a_version_is_marked_too() {
    let repeats = |text: &str| text.contains("canary");
    let referred = |id: &str, version: &str| {
        let id = Some(ReferenceId::Known(id.to_owned()));
        Value::from(Reference { urn: "urn:canary".to_owned(), id, package_version: version.to_owned() })
    };
    let path = || "./canary".to_owned();
    let file = || Value::from(Asset { hash: None, source: AssetSource::Path(path()) });
    let packed = Value::from(Archive { hash: None, source: ArchiveSource::Path(path()) });
    let hashed = Value::from(Asset { hash: Some("canary".to_owned()), source: AssetSource::Elided });
    for told in [referred("1", "1.0.0-canary"), file(), packed, hashed, Value::from(Archive::members([("a", file())]))]
    {
        assert_eq!(mark_value_repeating(told.clone(), &repeats), told.secret());
    }
    for found_by in [referred("canary", "1.0.0"), referred("canary", "")] {
        assert_eq!(mark_value_repeating(found_by.clone(), &|text| text.is_empty() || repeats(text)), found_by);
    }
}

#[test]
fn deep_values_are_marked_on_any_stack() {
    on_a_small_stack(|| {
        let package = cloud();
        let deep = |key: Value| nested(1000, "child", Value::from(Object::from([("key", key)])));
        let state: Object = [("spec", deep("k".into())), ("anything", deep("k".into()))].into();
        let inputs: Object = [("anything", deep(Value::from("x").secret()))].into();
        let marked = mark(&package, &server(&package).outputs, Some(&inputs), state);
        let expected = deep(Value::from("k").secret());
        assert_eq!(marked, [("spec", expected.clone()), ("anything", expected)].into());
    });
}

proptest! {
    #[test]
    fn marking_shows_nothing_and_hides_nothing_else(inputs in like_inputs(), state in like_inputs()) {
        let package = cloud();
        let ty = &server(&package).outputs;
        let marked = mark(&package, ty, Some(&inputs), state.clone());
        prop_assert_eq!(marked.clone().without_secrets(), state.without_secrets());
        for (name, value) in &marked {
            let property = ty.properties.get(name);
            if property.is_some_and(|property| property.secret) && !value.is_null() {
                prop_assert!(matches!(value, Value::Secret(_)), "{}", name);
            }
        }
        // A second time changes nothing.
        prop_assert_eq!(mark(&package, ty, Some(&inputs), marked.clone()), marked);
    }
}
