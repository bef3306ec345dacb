//! Upstream's conformance tests, judging providers that run as components (`tests/conformance/README.md`).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use bulkhead_tests::{Conformance, Manifests, repository, temporary_directory};

use crate::{bulkhead, guest};

/// Set to write the list instead of comparing it.
const BLESS: &str = "BULKHEAD_BLESS";

/// What the schemas have no word for.
fn manifests() -> Manifests {
    let overriding = |token: &str, call: &str| {
        format!(r#"{{"manifestVersion":1,"contract":"0.1.0","resources":{{"{token}":{{"overrides":["{call}"]}}}}}}"#)
    };
    let configuration = r#"{"manifestVersion":1,"contract":"0.1.0","configuration":{"overrides":["check"]}}"#;
    let packages = r#"{"manifestVersion":1,"contract":"0.1.0","permissions":{"packages":[{"package":"simple","reason":"a child"}]}}"#;
    Manifests::from([
        // Has a child of another package.
        ("component", packages.to_owned()),
        // Requires a setting that its default instance never has.
        ("configurer", configuration.to_owned()),
        // Fails in previews, which the host predicts without asking.
        ("fail_on_create", overriding("fail_on_create:index:Resource", "preview")),
        // Takes null for absent; the host keeps what is given.
        ("optionalprimitive", overriding("optionalprimitive:index:Resource", "check")),
    ])
}

#[test]
fn upstreams_tests_end_as_the_list_says() {
    let conformance = Conformance::build();
    let plugins = temporary_directory();
    conformance.plugins(&bulkhead(), &guest("conformance"), &[], &manifests(), plugins.path());
    let results = conformance.judge(plugins.path());
    let list = repository().join("tests/conformance/results.txt");
    if std::env::var_os(BLESS).is_some() {
        fs::write(&list, results).unwrap();
        return;
    }
    let listed = fs::read_to_string(&list).unwrap();
    let (listed, found) = (endings(&listed), endings(&results));
    let tests: BTreeSet<&str> = listed.keys().chain(found.keys()).copied().collect();
    let of = |endings: &BTreeMap<&str, &str>, test| endings.get(test).copied().unwrap_or("no such test").to_owned();
    let differing: Vec<String> = tests
        .into_iter()
        .filter(|test| listed.get(test) != found.get(test))
        .map(|test| format!("{test}\n    listed: {}\n    found:  {}", of(&listed, test), of(&found, test)))
        .collect();
    assert!(
        differing.is_empty(),
        "{} of upstream's conformance tests didn't end as {} says:\n{}\n\
         hint: what they said stands above. If the change is meant, run this test once with {BLESS}=1 and commit the list",
        differing.len(),
        list.display(),
        differing.join("\n")
    );
}

/// How each test ended, by name.
fn endings(list: &str) -> BTreeMap<&str, &str> {
    list.lines().filter_map(|line| line.split_once('\t')).collect()
}
