//! What an operator reads of each request, before anything is configured.

use super::*;
use crate::denial::Denial;
use crate::request::LimitRequest;

#[test]
fn a_review_says_no_more_than_what_holds() {
    let review = |asked: &str, granted: &str, allowed: &[&str]| {
        let requests: Requests = serde_json::from_str(&format!(r#"{{"network":[{{"reason":"r",{asked}}}]}}"#)).unwrap();
        let granted = if granted.is_empty() { String::new() } else { format!("network = [{granted}]") };
        permissions(requests, &granted, allowed).review(&|at| Ok(at.to_owned()), &[], &|_| None).remove(0).verdict
    };
    let (exact, below, configured) =
        (r#""endpoint":"https://a.example""#, r#""endpoint":"https://*.a.example""#, r#""endpoint":"${config.e}""#);
    let early = r#""endpoint":"https://a.example","phases":["check","create"]"#;
    let some = r#""endpoint":"https://a.example","methods":["GET","PUT"]"#;
    let none = "network = []";
    let denied = "not granted: [allow] of /etc/bulkhead/bulkhead.toml doesn't allow it";
    for (asked, granted, allowed, verdict) in [
        (exact, "", &[][..], "not granted: nothing grants it"),
        (exact, r#""https://a.example""#, &[""], "granted"),
        (exact, r#""https://*""#, &[], "granted"),
        (exact, r#"{ endpoint = "https://a.example", methods = ["GET"] }"#, &[], "granted only with GET"),
        (early, r#""https://a.example""#, &[], "granted only in create"),
        (
            early,
            r#"{ endpoint = "https://a.example", phases = ["read"] }"#,
            &[],
            "not granted: it is granted for other methods or phases",
        ),
        (
            early,
            r#"{ endpoint = "https://a.example", phases = ["check", "create"] }"#,
            &["network = [\"https://*\"]"],
            "granted",
        ),
        (some, r#"{ endpoint = "https://a.example", methods = ["GET"] }"#, &[], "granted only with GET"),
        (some, r#"{ endpoint = "https://a.example", methods = ["GET", "PUT", "PATCH"] }"#, &[], "granted"),
        (
            exact,
            r#"{ endpoint = "https://a.example", methods = ["GET"], phases = ["read"] }, { endpoint = "https://a.example", methods = ["GET"] }"#,
            &[],
            "granted only with GET",
        ),
        (
            exact,
            r#""https://a.example""#,
            &["network = [{ endpoint = \"https://a.example\", methods = [\"GET\"] }]"],
            "granted only with GET, as far as [allow] of /etc/bulkhead/bulkhead.toml allows it",
        ),
        (exact, r#""https://a.example""#, &[none], denied),
        (configured, r#""${config.e}""#, &[none], denied),
        (
            configured,
            r#""${config.e}""#,
            &["", "network = [\"https://*\"]"],
            "granted, as far as [allow] of /etc/bulkhead/bulkhead.toml allows it",
        ),
        (configured, r#""${config.e}""#, &[], "granted"),
        (
            configured,
            r#"{ endpoint = "${config.e}", methods = ["GET"], phases = ["read"] }"#,
            &[],
            "granted only with GET, only in read",
        ),
        (configured, r#""https://db.example""#, &[], "granted as far as it is \"https://db.example\""),
        (
            below,
            r#""https://x.a.example", "https://b.example""#,
            &[],
            "granted as far as it is \"https://x.a.example\"",
        ),
        (below, r#""https://b.example", "tcp://*:1""#, &[], "not granted: nothing grants it"),
        (
            below,
            r#""https://x.a.example", { endpoint = "https://*.a.example", phases = ["read"] }"#,
            &[],
            r#"granted as far as it is "https://x.a.example", { endpoint = "https://*.a.example", phases = ["read"] }"#,
        ),
        (
            r#""endpoint":"https://*.a.example","phases":["check"]"#,
            r#""https://x.a.example", { endpoint = "https://y.a.example", phases = ["check"] }"#,
            &[],
            r#"granted as far as it is { endpoint = "https://y.a.example", phases = ["check"] }"#,
        ),
        (
            early,
            r#"{ endpoint = "https://a.example", phases = ["check", "create"] }"#,
            &[r#"network = [{ endpoint = "https://*", phases = ["check"] }]"#],
            "granted only in check, as far as [allow] of /etc/bulkhead/bulkhead.toml allows it",
        ),
        (
            exact,
            r#"{ endpoint = "https://a.example", methods = ["PUT", "GET"] }, { endpoint = "https://a.example", methods = ["PUT"] }"#,
            &[],
            "granted only with GET, PUT",
        ),
        (below, r#""https://x.a.example""#, &["network = [\"https://b.example\"]"], denied),
        (exact, r#""${config.e}""#, &[], "granted as far as it is \"${config.e}\""),
        (
            r#""endpoint":"http://169.254.169.254""#,
            r#""http://169.254.169.254""#,
            &[],
            "not granted: it stands for 169.254.169.254, where the machine's own credentials are handed out",
        ),
    ] {
        assert_eq!(review(asked, granted, allowed), verdict, "{asked} {granted} {allowed:?}");
    }
    let requests: Requests =
        serde_json::from_str(r#"{"filesystem":[{"path":"out","access":"write","reason":"r"}]}"#).unwrap();
    let all = |granted: &str, allowed: &[&str]| {
        permissions(requests.clone(), granted, allowed)
            .review(&|at| Ok(at.to_owned()), &[], &|_| None)
            .remove(0)
            .verdict
    };
    assert_eq!(all("filesystem = [\"out\"]", &[]), "granted only to read");
    assert_eq!(all("filesystem = [{ path = \"out\", access = \"write\" }]", &[]), "granted");
    assert_eq!(all("filesystem = [{ path = \"out\", access = \"write\" }]", &["filesystem = [\"/project\"]"]), denied);
    assert_eq!(all("filesystem = [\"out\"]", &["filesystem = [\"/srv\"]"]), denied);
    let requests: Requests = serde_json::from_str(
        r#"{"limits":[{"limit":"memory","value":"2GiB","reason":"r"},{"limit":"wall","value":"1h","reason":"r"}]}"#,
    )
    .unwrap();
    let given = |request: &LimitRequest| (request.value == "2GiB").then(|| ("1 GiB".to_owned(), Some("/b".to_owned())));
    let limits = permissions(requests, "", &[]).review(&|at| Ok(at.to_owned()), &[], &given);
    let told = limits.into_iter().map(|reviewed| (reviewed.verdict, reviewed.above.join(" ")));
    let expected = [("granted only up to 1 GiB", "/b"), ("granted", "")];
    assert_eq!(told.collect::<Vec<_>>(), expected.map(|(verdict, above)| (verdict.to_owned(), above.to_owned())));
}

#[test]
fn a_directory_that_nobody_is_given_is_no_granted_one() {
    let requests: Requests = serde_json::from_str(
        r#"{"filesystem":[{"path":"in","access":"read","reason":"r"},{"path":"out","access":"write","reason":"r"}]}"#,
    )
    .unwrap();
    let granted = r#"filesystem = ["in", { path = "out", access = "write" }]"#;
    let withheld = Denial {
        capability: Capability::Filesystem,
        subject: "out (write)".to_owned(),
        why: Why::Other("it lies badly".to_owned()),
        remedy: None,
    };
    let gone = |_: &Path| Err(std::io::Error::other("it is gone"));
    let verdicts = |allowed: &[&str], withheld: &[Denial]| {
        let reviewed = permissions(requests.clone(), granted, allowed).review(&gone, withheld, &|_| None);
        reviewed.into_iter().map(|reviewed| (reviewed.verdict, reviewed.above.len())).collect::<Vec<_>>()
    };
    let granted_in_vain = |name: &str| (format!("granted, but /project/{name} can't be used: it is gone"), 0);
    assert_eq!(verdicts(&[], &[]), [granted_in_vain("in"), granted_in_vain("out")]);
    let badly = |above| ("not granted: it lies badly".to_owned(), above);
    assert_eq!(verdicts(&[], std::slice::from_ref(&withheld)), [granted_in_vain("in"), badly(0)]);
    let above = ("not granted: [allow] of /etc/bulkhead/bulkhead.toml doesn't allow it".to_owned(), 1);
    assert_eq!(verdicts(&["filesystem = []"], &[withheld]), [above, badly(1)], "each is told of what it takes");
}
