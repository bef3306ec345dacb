use super::equivalent;
use crate::{Archive, ArchiveSource, Asset, AssetSource, Object, Output, Reference, ReferenceId, Value};

fn path_asset(hash: Option<&str>, path: &str) -> Value {
    Asset { hash: hash.map(Into::into), source: AssetSource::Path(path.into()) }.into()
}

fn path_archive(hash: Option<&str>, path: &str) -> Value {
    Archive { hash: hash.map(Into::into), source: ArchiveSource::Path(path.into()) }.into()
}

fn reference(id: Option<ReferenceId>, version: &str) -> Value {
    Reference { urn: "urn".into(), id, package_version: version.into() }.into()
}

#[test]
fn what_matters_decides() {
    let hello = Asset::hash_of(b"hello");
    let one = |value: Value| Value::from(Object::from([("a", vec![value])].map(|(k, v)| (k, Value::from(v)))));
    let known = |id: &str| Some(ReferenceId::new(id));
    for (a, b, same) in [
        (Value::Null, Value::Null, true),
        (Value::Null, false.into(), false),
        (f64::NAN.into(), f64::NAN.into(), true),
        (0.0.into(), (-0.0).into(), true),
        (1.into(), "1".into(), false),
        // Secrets and outputs.
        (one("x".into()), one(Value::from("x").secret()), true),
        (one("x".into()).secret(), one(Output::known("x").into()), true),
        (one("x".into()).secret(), one("y".into()), false),
        (Value::from(Output::known("x")).secret(), Output::known(Value::from("x").secret()).into(), true),
        // Unknown values.
        (Value::Unknown, Value::Unknown, false),
        (Value::Unknown, Value::Null, false),
        (one(Value::Unknown), one(Value::Unknown), false),
        (Output::default().into(), Output::default().into(), false),
        // Assets.
        (Asset::text("hello").into(), path_asset(Some(&hello), "./f"), true),
        (Asset::text("hello").into(), Asset::elided(&hello).into(), true),
        (Asset { hash: None, source: AssetSource::Text("hello".into()) }.into(), Asset::elided(&hello).into(), true),
        (path_asset(Some("a"), "./f"), path_asset(Some("b"), "./f"), false),
        (path_asset(None, "./f"), path_asset(None, "./f"), true),
        (path_asset(None, "./f"), path_asset(None, "./g"), false),
        (path_asset(None, "./f"), Asset::elided(&hello).into(), false),
        (Asset::text("").into(), Asset::elided("ab").into(), false),
        // Archives.
        (path_archive(Some("a"), "./f"), Archive::elided("a").into(), true),
        (path_archive(Some("a"), "./f"), path_archive(Some("b"), "./f"), false),
        (path_archive(None, "./f"), path_archive(None, "./f"), true),
        (
            Archive::members([("m", Asset::text("hello"))]).into(),
            Archive::members([("m", path_asset(Some(&hello), "./f"))]).into(),
            true,
        ),
        (
            Archive::members([("m", Asset::text("hello"))]).into(),
            Archive::members([("n", Asset::text("hello"))]).into(),
            false,
        ),
        (Archive::elided("a").into(), Asset::elided("a").into(), false),
        // References.
        (reference(known("i"), "1.0.0"), reference(known("i"), "2.0.0"), true),
        (reference(known("i"), ""), reference(known("j"), ""), false),
        (reference(None, ""), reference(None, ""), true),
        (reference(None, ""), reference(known("i"), ""), false),
        (reference(None, ""), reference(known(""), ""), true),
        (reference(known(""), ""), reference(known(""), ""), false),
        // Bytes.
        (Value::Bytes(b"abc".to_vec()), "abc".into(), true),
        (Value::Bytes(vec![0xff]), "\u{ff}".into(), false),
        // Shapes.
        (vec![Value::Null].into(), Value::from(vec![]), false),
        (Object::from([("a", Value::Null)]).into(), Object::new().into(), false),
    ] {
        assert_eq!(equivalent(&a, &b), same, "{a:?} and {b:?}");
        assert_eq!(equivalent(&b, &a), same, "{b:?} and {a:?}");
    }
}
