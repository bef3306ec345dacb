//! Property paths.

use bulkhead_value::{Object, PropertyPath, Segment, Value};

/// Parses a path. What parses is printed so that it parses to the same again, but for backslashes, and can be followed, set and deleted in any value.
pub(crate) fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(path) = PropertyPath::parse(text) else { return };
    // Upstream's form has no escape for a backslash, so a name with one may read as another: see `path/print.rs`.
    if !path.segments().iter().filter_map(Segment::name).any(|name| name.contains('\\')) {
        let printed = path.to_string();
        assert_eq!(
            PropertyPath::parse(&printed).as_ref(),
            Ok(&path),
            "{printed:?} should be the path that was printed"
        );
    }
    let list = Value::from(vec![Value::Null, Object::from([("a", Value::from("x").secret())]).into()]);
    let mut value = Value::from(Object::from([("a", list), ("", 1.into())]));
    drop(path.get_all(&value));
    let found = path.get(&value).is_some();
    if path.set(&mut value, Value::Bool(true)).is_ok() && found {
        assert!(path.get(&value).is_some(), "what was set should be there");
    }
    drop(path.add(&mut value, Value::Null));
    drop(path.delete(&mut value));
}
