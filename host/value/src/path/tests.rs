use std::collections::HashSet;

use proptest::prelude::*;

use super::{AccessError, PathError, PropertyPath, Segment};
use crate::{Kind, Object, Value};

fn path(text: &str) -> PropertyPath {
    PropertyPath::parse(text).unwrap()
}

fn field(name: &str) -> Segment {
    Segment::Field(name.into())
}

/// `{ a: { b: [1, 2], "x.y": 3 }, l: [{ n: 1 }, { n: 2, m: 3 }], s: secret { k: 1 }, z: null }`
fn sample() -> Value {
    let item = |members: &[(&str, i32)]| Value::from(members.iter().copied().collect::<Object>());
    Object::from([
        ("a", Object::from([("b", Value::from(vec![1.into(), 2.into()])), ("x.y", 3.into())]).into()),
        ("l", vec![item(&[("n", 1)]), item(&[("n", 2), ("m", 3)])].into()),
        ("s", item(&[("k", 1)]).secret()),
        ("z", Value::Null),
    ])
    .into()
}

#[test]
fn the_examples_of_the_specification_parse_and_print() {
    let key = |name: &str| Segment::Key(name.into());
    let index = Segment::Index;
    let star = || Segment::Wildcard;
    for (text, segments, printed) in [
        ("root", vec![field("root")], "root"),
        ("root.nested", vec![field("root"), field("nested")], "root.nested"),
        (r#"root["nested"]"#, vec![field("root"), key("nested")], "root.nested"),
        ("root.double.nest", vec![field("root"), field("double"), field("nest")], "root.double.nest"),
        (r#"root["double"].nest"#, vec![field("root"), key("double"), field("nest")], "root.double.nest"),
        (r#"root["double"]["nest"]"#, vec![field("root"), key("double"), key("nest")], "root.double.nest"),
        ("root.array[0]", vec![field("root"), field("array"), index(0)], "root.array[0]"),
        ("root.array[100]", vec![field("root"), field("array"), index(100)], "root.array[100]"),
        (
            "root.array[0].nested",
            vec![field("root"), field("array"), index(0), field("nested")],
            "root.array[0].nested",
        ),
        (
            "root.array[0][1].nested",
            vec![field("root"), field("array"), index(0), index(1), field("nested")],
            "root.array[0][1].nested",
        ),
        (
            "root.nested.array[0].double[1]",
            vec![field("root"), field("nested"), field("array"), index(0), field("double"), index(1)],
            "root.nested.array[0].double[1]",
        ),
        (
            r#"root["key with \"escaped\" quotes"]"#,
            vec![field("root"), key(r#"key with "escaped" quotes"#)],
            r#"root["key with \"escaped\" quotes"]"#,
        ),
        (r#"root["key with a ."]"#, vec![field("root"), key("key with a .")], r#"root["key with a ."]"#),
        (
            r#"["root key with \"escaped\" quotes"].nested"#,
            vec![key(r#"root key with "escaped" quotes"#), field("nested")],
            r#"["root key with \"escaped\" quotes"].nested"#,
        ),
        (r#"["root key with a ."][100]"#, vec![key("root key with a ."), index(100)], r#"["root key with a ."][100]"#),
        ("root.array[*].field", vec![field("root"), field("array"), star(), field("field")], "root.array[*].field"),
        (
            r#"root.array["*"].field"#,
            vec![field("root"), field("array"), star(), field("field")],
            "root.array[*].field",
        ),
    ] {
        let parsed = path(text);
        assert_eq!(parsed.segments(), segments, "{text}");
        assert_eq!(parsed.to_string(), printed);
        assert_eq!(path(printed), parsed);
    }
}

#[test]
fn what_engines_read_is_read() {
    assert_eq!(path("a..b"), path("a.b"));
    assert_eq!(path("a...[0]"), path("a[0]"));
    assert_eq!(path("a[0]b"), path("a[0].b"));
    assert_eq!(path(r#"["a"]b[+1]"#), path("a.b[1]"));
    assert_eq!(path(r"a.b\.c"), PropertyPath::from(vec![field("a"), field(r"b\"), field("c")]));
    assert_eq!(path("a.[0].b"), path("a[0].b"));
    assert_eq!(path("foo-bar.$x"), PropertyPath::from(vec![field("foo-bar"), field("$x")]));
    assert_eq!(path("a.*.b"), path("a[*].b"));
    assert_eq!(path(r#"a["back\slash"]"#).segments(), [field("a"), field(r"back\slash")]);
    assert_eq!(path(r#"a[""]"#).segments(), [field("a"), field("")]);
    assert_eq!(path(""), PropertyPath::root());
}

#[test]
fn malformed_paths_are_errors_with_a_position() {
    for (text, error) in [
        (".a", PathError::Name { at: 0 }),
        (".", PathError::Name { at: 0 }),
        (".[0]", PathError::Name { at: 0 }),
        ("a.", PathError::Name { at: 2 }),
        ("a[0].", PathError::Name { at: 5 }),
        ("a..", PathError::Name { at: 3 }),
        ("..a", PathError::Name { at: 0 }),
        ("a[", PathError::Bracket { at: 1 }),
        ("a[0", PathError::Bracket { at: 1 }),
        (r#"a["b""#, PathError::Bracket { at: 1 }),
        (r#"a["b"x]"#, PathError::Bracket { at: 1 }),
        (r#"a["b"#, PathError::Quote { at: 2 }),
        (r#"a["b\"]"#, PathError::Quote { at: 2 }),
        (r#"a[""#, PathError::Quote { at: 2 }),
        ("a[]", PathError::Index { at: 1 }),
        ("a[x]", PathError::Index { at: 1 }),
        ("a[-1]", PathError::Index { at: 1 }),
        ("a[+]", PathError::Index { at: 1 }),
        ("a[9223372036854775808]", PathError::Index { at: 1 }),
        ("a[1.5]", PathError::Index { at: 1 }),
        ("a[٣]", PathError::Index { at: 1 }),
        ("a[99999999999999999999999]", PathError::Index { at: 1 }),
    ] {
        assert_eq!(text.parse::<PropertyPath>(), Err(error), "{text}");
    }
    let message = |text| PropertyPath::parse(text).unwrap_err().to_string();
    assert_eq!(message("a."), "parse a property path: a name is missing at position 2");
    assert_eq!(
        message("a[x]"),
        "parse a property path: no index stands in the bracket at position 1; hint: write `[0]`, `[*]` or `[\"name\"]`"
    );
}

#[test]
fn a_name_prints_bare_only_where_upstream_prints_it_so() {
    for (name, printed) in [
        ("a_B9", "x.a_B9"),
        ("9", "x.9"),
        ("a.b", r#"x["a.b"]"#),
        ("a-b", r#"x["a-b"]"#),
        ("a[0]", r#"x["a[0]"]"#),
        ("é", r#"x["é"]"#),
        ("$a", r#"x["$a"]"#),
    ] {
        assert_eq!(PropertyPath::field("x").child(field(name)).to_string(), printed);
    }
    assert_eq!(PropertyPath::field("a.b").to_string(), r#"["a.b"]"#);
    assert_eq!(PropertyPath::root().to_string(), "");
}

#[test]
fn a_name_that_upstream_prints_as_no_path_prints_as_one() {
    for (name, printed) in [("", r#"x[""].y"#), (r"C:\", r"x.C:\.y"), (r"\", r"x.\.y"), (r#"a"\"#, r#"x.a"\.y"#)] {
        let written: PropertyPath = [field("x"), field(name), field("y")].into_iter().collect();
        assert_eq!(written.to_string(), printed);
        assert_eq!(path(printed), written);
        assert!(field(name).can_be_written());
    }
    for name in [r"a.b\", r"[\"] {
        assert!(!field(name).can_be_written());
        assert_ne!(PropertyPath::parse(&PropertyPath::field(name).to_string()), Ok(PropertyPath::field(name)));
    }
}

#[test]
fn a_path_in_a_message_is_cut_to_a_readable_length() {
    assert_eq!(format!("{:.5}", path("abc.d")), "abc.d");
    assert_eq!(format!("{:.4}", path("abc.d")), "abc.…");
    assert_eq!(format!("{:.3}", PropertyPath::field("🦀🦀")), "[\"🦀…");
    assert_eq!(format!("{:.0}", PropertyPath::root()), "");
    let deep: PropertyPath = (0..100_000).map(Segment::Index).collect();
    let error = deep.set(&mut Value::Null, Value::Null).unwrap_err().to_string();
    assert_eq!(error, "reach property `[0]`: it would be in null");
    let described = deep.described().to_string();
    assert!(described.starts_with("property `[0][1]") && described.ends_with("…`"), "{described}");
    assert_eq!(described.chars().count(), "property ``".len() + 120 + 1);
}

#[test]
fn fields_and_keys_are_equal_by_name() {
    let key = Segment::Key("a".into());
    assert_eq!(key, field("a"));
    assert_eq!(HashSet::from([key.clone(), field("a")]).len(), 1);
    assert!(key < field("b") && field("b") < Segment::Index(0));
    assert!(Segment::Index(9) < Segment::Index(10) && Segment::Index(10) < Segment::Wildcard);
    assert_eq!(path("a.b").first_name(), Some("a"));
    assert_eq!(path("[0].b").first_name(), None);
}

#[test]
fn a_path_contains_what_is_in_it() {
    for (outer, inner, contains) in [
        ("", "a.b", true),
        ("a", "a", true),
        ("a", "a.b[0]", true),
        ("a.b", "a", false),
        ("a.b", "a.c", false),
        ("a", "ab", false),
        (r#"foo["bar"][1]"#, "foo.bar[1].baz", true),
        ("a[0]", "a[1]", false),
        ("a[0]", r#"a["0"]"#, false),
        ("rules[*].port", "rules[3].port.from", true),
        ("rules[*].port", "rules.x.port", true),
        ("rules[*].port", "rules[3].host", false),
        ("[*]", "a", true),
        ("[*]", "", false),
        ("a[0]", "a[*]", false),
    ] {
        assert_eq!(path(outer).contains(&path(inner)), contains, "{outer} and {inner}");
    }
}

#[test]
fn get_follows_lists_and_objects_only() {
    let value = sample();
    for (text, found) in [
        ("a.b[1]", Some(Value::from(2))),
        (r#"a["x.y"]"#, Some(3.into())),
        ("z", Some(Value::Null)),
        ("a.b[2]", None),
        ("a.b.c", None),
        ("a[0]", None),
        ("z.y", None),
        ("s.k", None),
        ("l[*].n", None),
        ("missing", None),
    ] {
        assert_eq!(path(text).get(&value), found.as_ref(), "{text}");
    }
    assert_eq!(PropertyPath::root().get(&value), Some(&value));
}

#[test]
fn get_all_follows_wildcards_in_order() {
    let value = sample();
    let all = |text| path(text).get_all(&value).into_iter().map(|v| v.as_number().unwrap()).collect::<Vec<_>>();
    assert_eq!(all("l[*].n"), [1.0, 2.0]);
    assert_eq!(all("l[*].m"), [3.0]);
    assert_eq!(all("l[*][*]"), [1.0, 3.0, 2.0]);
    assert_eq!(all("a.b[0]"), [1.0]);
    assert_eq!(all("z[*]"), [0.0; 0]);
}

#[test]
fn set_replaces_what_is_there_and_makes_new_names() {
    for text in ["a.b[1]", "a.new", "l[0].n", "z", r#"a["x.y"]"#] {
        let mut value = sample();
        path(text).set(&mut value, "new".into()).unwrap();
        assert_eq!(path(text).get(&value), Some(&"new".into()), "{text}");
        path(text).set(&mut value, path(text).get(&sample()).cloned().unwrap_or(Value::Null)).unwrap();
        path("a.new").delete(&mut value).unwrap();
        assert_eq!(value, sample(), "{text}: all else is as it was");
    }
    let mut value = sample();
    path("l[*].n").set(&mut value, 0.into()).unwrap();
    assert_eq!(path("l[*].n").get_all(&value), [&Value::from(0), &Value::from(0)]);
    path("a.b[*]").set(&mut value, 7.into()).unwrap();
    assert_eq!(path("a.b").get(&value), Some(&vec![7.into(), 7.into()].into()));
}

#[test]
fn set_and_delete_say_what_is_in_the_way_and_change_nothing() {
    let missing = |text| AccessError::Missing { path: path(text) };
    let mismatch = |text, parent| AccessError::Mismatch { path: path(text), parent };
    for (text, error) in [
        ("", AccessError::Root),
        ("a.b[2]", missing("a.b[2]")),
        ("a.no.c", missing("a.no")),
        ("a[0]", mismatch("a[0]", Kind::Object)),
        ("a.b.c", mismatch("a.b.c", Kind::List)),
        ("a.b[0].c", mismatch("a.b[0].c", Kind::Number)),
        ("s.k", mismatch("s.k", Kind::Secret)),
        ("z[0]", mismatch("z[0]", Kind::Null)),
        ("l[*][0]", mismatch("l[*][0]", Kind::Object)),
        ("l[*].no.x", missing("l[*].no")),
    ] {
        let mut value = sample();
        assert_eq!(path(text).set(&mut value, Value::Null), Err(error.clone()), "set {text}");
        assert_eq!(path(text).delete(&mut value), Err(error), "delete {text}");
        assert_eq!(value, sample());
    }
    let error = path("s.k").delete(&mut sample()).unwrap_err();
    assert_eq!(error.to_string(), "reach property `s.k`: it would be in a secret");
}

#[test]
fn add_makes_what_is_missing() {
    for (text, made) in [
        ("z.y.x", Value::from(Object::from([("y", Value::from(Object::from([("x", 1)])))]))),
        ("z[2]", vec![Value::Null, Value::Null, 1.into()].into()),
        ("z[1].x", vec![Value::Null, Value::from(Object::from([("x", 1)]))].into()),
    ] {
        let mut value = sample();
        path(text).add(&mut value, 1.into()).unwrap();
        assert_eq!(path("z").get(&value), Some(&made), "{text}");
    }
    let mut value = sample();
    path("a.b[3]").add(&mut value, 4.into()).unwrap();
    assert_eq!(path("a.b").get(&value), Some(&vec![1.into(), 2.into(), Value::Null, 4.into()].into()));
    let mut nothing = Value::Null;
    path("a[0]").add(&mut nothing, true.into()).unwrap();
    assert_eq!(nothing, Object::from([("a", vec![Value::from(true)])].map(|(k, v)| (k, Value::from(v)))).into());
}

#[test]
fn add_refuses_before_it_changes_anything() {
    for (text, message) in [
        ("", "change a value by a path: the path is empty"),
        ("l[*].n", "add property `l[*].n`: the path has a wildcard"),
        ("s.k", "reach property `s.k`: it would be in a secret"),
        ("a.b.c", "reach property `a.b.c`: it would be in a list"),
        (
            "new.x[4000000000].y",
            "add property `new.x[4000000000]`: the index is more than 65536 past the end of the list",
        ),
        ("z[65536]", "add property `z[65536]`: the index is more than 65536 past the end of the list"),
    ] {
        let mut value = sample();
        assert_eq!(path(text).add(&mut value, 1.into()).unwrap_err().to_string(), message);
        assert_eq!(value, sample());
    }
}

#[test]
fn delete_removes_names_and_empties_elements() {
    let mut value = sample();
    path(r#"a["x.y"]"#).delete(&mut value).unwrap();
    path("a.never").delete(&mut value).unwrap();
    path("a.b[0]").delete(&mut value).unwrap();
    assert_eq!(
        path("a").get(&value),
        Some(&Object::from([("b", vec![Value::Null, 2.into()])].map(|(k, v)| (k, Value::from(v)))).into())
    );
    path("l[*].n").delete(&mut value).unwrap();
    assert_eq!(path("l[*].n").get_all(&value).len(), 0);
    path("a[*]").delete(&mut value).unwrap();
    assert_eq!(path("a").get(&value), Some(&Object::new().into()));
}

fn segment() -> impl Strategy<Value = Segment> {
    let name = || "[a-z.\\[\\]\"\\\\* é🦀]{0,5}";
    let segment = prop_oneof![
        name().prop_map(Segment::Field),
        name().prop_map(Segment::Key),
        (0..=usize::MAX >> 1).prop_map(Segment::Index),
        Just(Segment::Wildcard),
    ];
    segment.prop_filter("there is no text for it", |segment| segment.can_be_written() && segment.name() != Some("*"))
}

#[test]
fn a_path_in_a_message_stays_on_its_line() {
    let path = PropertyPath::field("a\nhint: run me\u{1b}");
    for told in [format!("{path:#}"), format!("{path:.80}")] {
        assert_eq!(told, "[\"a\u{fffd}hint: run me\u{fffd}\"]");
    }
    assert_eq!(format!("{:#}", PropertyPath::field(&"x".repeat(2_000))), format!("{}…", "x".repeat(1_000)));
    assert_eq!(path.to_string(), "[\"a\nhint: run me\u{1b}\"]", "an engine finds its property by it");
}

proptest! {
    #[test]
    fn what_is_printed_parses_to_the_same_path(segments in prop::collection::vec(segment(), 0..6)) {
        let path = PropertyPath::from(segments);
        prop_assert_eq!(PropertyPath::parse(&path.to_string()), Ok(path));
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "[a.\\[\\]\"\\\\*0-9é]{0,16}") {
        if let Ok(path) = PropertyPath::parse(&text) {
            prop_assert!(path.contains(&path.child(Segment::Wildcard)));
        }
    }

    #[test]
    fn what_is_added_is_there(segments in prop::collection::vec(prop_oneof!["[a-c]".prop_map(Segment::Field), (0_usize..3).prop_map(Segment::Index)], 1..5)) {
        let path = PropertyPath::from(segments);
        let mut value = Value::Null;
        prop_assert_eq!(path.add(&mut value, "x".into()), Ok(()));
        prop_assert_eq!(path.get(&value), Some(&"x".into()));
        prop_assert_eq!(path.get_all(&value).len(), 1);
        prop_assert_eq!(path.delete(&mut value), Ok(()));
        prop_assert!(path.get(&value).is_none_or(Value::is_null));
    }
}
