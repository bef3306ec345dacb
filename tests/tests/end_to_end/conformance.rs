//! Upstream's conformance tests, judging providers that run as components (`tests/conformance/README.md`).

use std::fs;

use bulkhead_tests::{Conformance, Manifests, repository, temporary_directory};

use crate::{bulkhead, guest};

#[test]
fn upstreams_tests_end_as_the_list_says() {
    let conformance = Conformance::build();
    let plugins = temporary_directory();
    conformance.plugins(&bulkhead(), &guest("conformance"), &Manifests::new(), plugins.path());
    let results = conformance.judge(plugins.path());
    let list = repository().join("tests/conformance/results.txt");
    let expected = fs::read_to_string(&list).unwrap_or_default();
    if std::env::var_os("BULKHEAD_ACCEPT_CONFORMANCE").is_some() {
        fs::write(&list, results).unwrap();
        return;
    }
    assert_eq!(results, expected);
}
