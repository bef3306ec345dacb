//! Directories as components call them, and where they lie.

use super::*;

#[test]
fn a_directory_is_granted_however_its_name_is_spelt() {
    let asked = |path: &str| -> Requests {
        serde_json::from_str(&format!(r#"{{"filesystem":[{{"path":{path:?},"access":"read","reason":"r"}}]}}"#))
            .unwrap()
    };
    for (path, granted, is) in [
        ("certs", "certs/", true),
        ("certs", "./certs", true),
        ("./certs/", "certs", true),
        (".", "./", true),
        ("a/b", "a//./b", true),
        ("certs", "/certs", false),
        ("certs", "certs/below", false),
        ("certs", "../certs", false),
        ("a", "b/../a", false),
    ] {
        let mine = permissions(asked(path), &format!("filesystem = [{granted:?}]"), &[]);
        assert_eq!(mine.directories().next().unwrap().1.is_ok(), is, "{path} by {granted}");
    }
}
