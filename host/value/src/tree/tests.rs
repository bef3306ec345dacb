use std::thread;

use crate::{Archive, ArchiveSource, Asset, List, Object, Output, Value, equivalent};

const LEVELS: usize = 100_000;

/// Nothing that recurses once a level fits in here: it would need a byte and a half of stack each time.
const STACK: usize = 128 << 10;

/// A way to put a value into another one.
type Wrap = fn(Value) -> Value;

const WRAPS: [(&str, Wrap); 5] = [
    ("lists", |value| Value::from(vec![value])),
    ("objects", |value| Object::from([("a", value)]).into()),
    ("secrets in lists", |value| Value::from(vec![value]).secret()),
    ("outputs", |value| Output::known(value).into()),
    ("archives", |value| match value {
        Value::Archive(_) => Archive::members([("a", value)]).into(),
        _ => Archive::members([("a", Asset::text("x"))]).into(),
    }),
];

fn deep(wrap: Wrap) -> Value {
    (0..LEVELS).fold(Value::from(1), |value, _| wrap(value))
}

/// Runs a test for values nested in every way, on a stack that recursion would overflow.
fn for_each_deep(test: fn(&str, Wrap)) {
    for (name, wrap) in WRAPS {
        let run = move || test(name, wrap);
        thread::Builder::new().stack_size(STACK).spawn(run).unwrap().join().unwrap();
    }
}

#[test]
fn secrets_that_are_not_known_are_taken_out_at_every_depth_and_nothing_else_is() {
    let unknown = || Value::Unknown.secret();
    let inner = |value: Value| -> Value { Object::from([("a", "x".into()), ("b", value)]).into() };
    let mut object = Object::from([
        ("gone", unknown()),
        ("unknown", Value::Unknown),
        ("object", inner(unknown())),
        ("list", vec![unknown(), inner(unknown()), "y".into()].into()),
        ("secret", Value::from(vec![Value::from("z").secret(), inner(unknown())]).secret()),
    ]);
    object.drop_unknown_secrets();
    let left = || -> Value { Object::from([("a", "x")]).into() };
    let expected = Object::from([
        ("unknown", Value::Unknown),
        ("object", left()),
        ("list", vec![left(), "y".into()].into()),
        ("secret", Value::from(vec![Value::from("z").secret(), left()]).secret()),
    ]);
    assert_eq!(object, expected);
}

#[test]
fn settled_values_hold_no_outputs() {
    let output = |value: Option<Value>, secret, urn: &str| {
        Value::from(Output { value: value.map(Box::new), secret, dependencies: vec![urn.into()] })
    };
    let mut object: Object = [
        ("known", output(Some("a".into()), false, "u1")),
        ("secret", output(Some("b".into()), true, "u2")),
        ("unknown", output(None, false, "u2")),
        ("secret unknown", output(None, true, "u3")),
        (
            "inside",
            output(Some([output(Some("c".into()), false, "u4")].into_iter().collect::<List>().into()), true, "u1"),
        ),
        ("twice", output(Some("d".into()), true, "u5").secret()),
        ("plain", "e".into()),
    ]
    .into_iter()
    .collect();
    assert!(object.contains_output());
    let dependencies = object.settle();
    assert_eq!(dependencies.into_iter().collect::<Vec<_>>(), ["u1", "u2", "u3", "u4", "u5"]);
    let expected: Object = [
        ("known", "a".into()),
        ("secret", Value::from("b").secret()),
        ("unknown", Value::Unknown),
        ("secret unknown", Value::Unknown.secret()),
        ("inside", Value::from([Value::from("c")].into_iter().collect::<List>()).secret()),
        ("twice", Value::from("d").secret()),
        ("plain", "e".into()),
    ]
    .into_iter()
    .collect();
    assert_eq!(object, expected);
    assert!(!object.contains_output());
}

#[test]
fn a_deep_value_is_dropped_without_recursion() {
    for_each_deep(|_, wrap| drop(deep(wrap)));
}

#[test]
fn a_deep_value_is_cloned_and_compared_without_recursion() {
    for_each_deep(|name, wrap| {
        let value = deep(wrap);
        let same = value.clone();
        assert!(value == same, "{name}");
        assert!(value != wrap(same), "{name}");
    });
}

#[test]
fn a_deep_value_is_printed_without_recursion() {
    for_each_deep(|name, wrap| {
        let printed = format!("{:?}", deep(wrap));
        assert_eq!(printed == "[secret]", name == "secrets in lists");
        assert!(printed.len() > LEVELS || name == "secrets in lists", "{name}");
    });
}

#[test]
fn a_deep_value_is_searched_measured_and_unwrapped_without_recursion() {
    for_each_deep(|name, wrap| {
        let value = deep(wrap);
        assert!(value.depth() > LEVELS, "{name}");
        assert!(value.nodes() > LEVELS, "{name}");
        assert!(!value.contains_unknown(), "{name}");
        assert_eq!(value.contains_secret(), name == "secrets in lists");
        assert!(equivalent(&value, &value.clone().without_secrets()), "{name}");
        assert!(!value.without_secrets().contains_secret(), "{name}");
    });
}

#[test]
fn what_is_searched_for_is_found_at_every_depth() {
    for levels in 0..20 {
        let within = |value| (0..levels).fold(value, |value, _| Value::List(List(vec![Value::Null, value])));
        assert!(!within(Value::Null).contains_unknown() && !within(Value::Null).contains_secret());
        assert!(within(Value::from("x").secret()).contains_secret(), "{levels} levels");
        let unknown = within(Value::Unknown);
        assert!(unknown.contains_unknown(), "{levels} levels");
        assert_eq!(unknown.first_unknown().unwrap().to_string(), "[1]".repeat(levels));
    }
}

#[test]
fn secrets_are_never_printed() {
    let secret = || Value::from("hunter2").secret();
    let output = Output { value: Some(Box::new("hunter2".into())), secret: true, dependencies: vec![] };
    let object = Object::from([
        ("list", Value::from(vec![secret(), "seen".into()])),
        ("object", Object::from([("inner", Value::from(vec![secret()]).secret())]).into()),
        ("output", output.clone().into()),
        ("held", Output::known(secret()).into()),
    ]);
    let printed = format!("{object:?} {:?} {output:?} {:?}", secret(), object.get("list"));
    assert!(!printed.contains("hunter2"), "{printed}");
    assert!(printed.contains("seen"), "{printed}");
}

#[test]
fn values_print_on_one_line() {
    let object = Object::from([
        ("a", Value::Null),
        ("b", vec![true.into(), 1.5.into(), "x\"".into()].into()),
        ("c", Object::new().into()),
        ("d", Value::Bytes(vec![0xff, 0xfe])),
        ("e", Output { value: None, secret: false, dependencies: vec!["urn".into()] }.into()),
        ("f", Output::known(Value::Unknown).into()),
        ("g", Archive::members([("m", Archive::elided("ab"))]).into()),
    ]);
    assert_eq!(
        format!("{object:?}"),
        r#"{"a": null, "b": [true, 1.5, "x\""], "c": {}, "d": bytes(2), "#.to_owned()
            + r#""e": Output { dependencies: ["urn"], value: unknown }, "f": Output { dependencies: [], value: unknown }, "#
            + r#""g": Archive { hash: None, source: Members({"m": Archive { hash: Some("ab"), source: Elided }}) }}"#
    );
    assert_eq!(format!("{:?}", List::from_iter([1, 2])), "[1.0, 2.0]");
}

#[test]
fn every_kind_equals_itself_and_no_other() {
    let values = || {
        [
            Value::Null,
            false.into(),
            true.into(),
            0.into(),
            1.into(),
            "".into(),
            "0".into(),
            Value::Bytes(vec![]),
            Value::from(vec![]),
            vec![Value::Null].into(),
            Object::new().into(),
            Object::from([("a", Value::Null)]).into(),
            Object::from([("b", Value::Null)]).into(),
            Asset::text("").into(),
            Asset { hash: None, source: crate::AssetSource::Text(String::new()) }.into(),
            Asset::elided(Asset::EMPTY_HASH).into(),
            Archive::members(Object::new()).into(),
            Archive::members([("a", Asset::text(""))]).into(),
            Archive::elided("ab").into(),
            Archive { hash: Some("ab".into()), source: ArchiveSource::Path("ab".into()) }.into(),
            Value::Unknown,
            Value::Null.secret(),
            Value::Unknown.secret(),
            Output::default().into(),
            Output::known(Value::Null).into(),
            Output { value: None, secret: true, dependencies: vec![] }.into(),
            Output { value: None, secret: false, dependencies: vec!["a".into()] }.into(),
            crate::Reference { urn: "u".into(), id: None, package_version: String::new() }.into(),
        ]
    };
    for (i, a) in values().iter().enumerate() {
        for (j, b) in values().iter().enumerate() {
            assert_eq!(a == b, i == j, "{a:?} and {b:?}");
        }
        assert!(*a == a.clone(), "{a:?}");
    }
}

#[test]
fn numbers_compare_so_that_equality_is_reflexive() {
    let nan = f64::from_bits(0x7ff8_0000_0000_0001);
    for (a, b, same) in [(f64::NAN, nan, true), (-0.0, 0.0, true), (1.0, 1.0 + f64::EPSILON, false)] {
        assert_eq!(Value::from(a) == Value::from(b), same, "{a} and {b}");
    }
    let negative = Value::from(-0.0).clone().as_number().unwrap();
    assert!(negative.is_sign_negative());
}

#[test]
fn a_wide_value_clones_with_all_its_members() {
    let object: Object = (0..1_000).map(|i| (format!("key{i}"), vec![Value::from(i), "x".into()])).collect();
    assert_eq!(object.clone(), object);
    assert_eq!(Value::from(object).nodes(), 3_001);
}
