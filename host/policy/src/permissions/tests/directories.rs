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

/// What is written to one and read of the other would be the same, or neither would be given.
#[test]
fn each_directory_that_lies_badly_is_told_of_a_place_of_its_own() {
    let requests: Requests = serde_json::from_str(
        r#"{"filesystem":[{"path":"certs","access":"read","reason":"r"},{"path":"/etc/certs","access":"read","reason":"r"},
                          {"path":".","access":"write","reason":"r"},{"path":"files","access":"read","reason":"r"}]}"#,
    )
    .unwrap();
    let granted = r#"filesystem = ["certs", { path = "/etc/certs", access = "write" }, { path = ".", access = "write" }, "files"]"#;
    let mine = permissions(requests.clone(), granted, &[]);
    let mut after = grants(granted);
    for (path, at, access) in [
        ("certs", "./certs-for-dns", "read"),
        ("/etc/certs", "./certs-for-dns-2", "write"),
        (".", "./files-for-dns", "write"),
        ("files", "./files-for-dns-2", "read"),
    ] {
        let line = format!(r#"filesystem = [{{ path = "{path}", at = "{at}", access = "{access}" }}]"#);
        assert_eq!(
            mine.elsewhere(path).to_string(),
            format!(
                "make a directory to stand for it, and add a block [[providers.dns.grants]] with digest = \"sha256:{DIGEST}\" and \
                 {line} to /project/bulkhead.toml"
            )
        );
        after.extend(grants(&line));
    }
    // Whoever does so has them there.
    let mine = super::Permissions::new(applicant(), requests, &after, Vec::new(), Path::new("/project"));
    let places: Vec<_> = mine.directories().map(|(_, directory)| directory.unwrap().at).collect();
    assert_eq!(
        places,
        ["certs-for-dns", "certs-for-dns-2", "files-for-dns", "files-for-dns-2"]
            .map(|name| Path::new("/project").join(name))
    );
}
