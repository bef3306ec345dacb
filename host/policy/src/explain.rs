//! Requests in words, one line each, as `bulkhead inspect` shows them.

use crate::package::PackageGrant;
use crate::request::Requests;

/// One line per request: the capability, the subject, and the reason in the component's own words.
pub fn explain(requests: &Requests) -> Vec<String> {
    let said = |request: String, reason: &str| format!("{request}: {}", brief(reason));
    let network = requests.network.iter().map(|request| {
        let methods = if request.methods.is_empty() { "any method".to_owned() } else { request.methods.join(", ") };
        let phases: Vec<String> = request.phases.iter().map(ToString::to_string).collect();
        let phases = if phases.is_empty() { String::new() } else { format!(" in {}", phases.join(", ")) };
        said(format!("network {} ({methods}{phases})", request.endpoint), &request.reason)
    });
    let environment =
        requests.environment.iter().map(|request| said(format!("environment {}", request.name), &request.reason));
    let filesystem = requests
        .filesystem
        .iter()
        .map(|request| said(format!("filesystem {} ({})", request.path, request.access), &request.reason));
    let limits = requests
        .limits
        .iter()
        .map(|request| said(format!("limit {} up to {}", request.limit.name(), request.value), &request.reason));
    let packages = requests
        .packages
        .iter()
        .map(|request| said(format!("packages {}", PackageGrant::from(request).subject()), &request.reason));
    network.chain(environment).chain(filesystem).chain(packages).chain(limits).collect()
}

/// The most of a reason that is shown, characters: whoever decides has more to read than that.
const LONGEST: usize = 300;

/// A component's reason as an operator sees it. A long one would bury what else is asked for.
pub(crate) fn brief(reason: &str) -> String {
    beginning(reason, LONGEST)
}

/// A text, or so many characters of it.
pub fn beginning(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_bury_nothing() {
        for long in ["☃".repeat(500_000), "a ".repeat(250_000)] {
            let shown = brief(&long);
            assert_eq!((shown.chars().count(), shown.ends_with('…')), (301, true));
        }
        assert_eq!(brief(&"a".repeat(300)), "a".repeat(300));
        let requests = r#"{"environment":[{"name":"A","reason":"REASON"}],"limits":[{"limit":"memory","value":"2gib","reason":"REASON"}]}"#;
        let requests: Requests = serde_json::from_str(&requests.replace("REASON", &"a".repeat(500_000))).unwrap();
        assert!(explain(&requests).iter().all(|line| line.len() < 340));
    }

    #[test]
    fn every_kind_of_request_has_its_line() {
        let requests: Requests = serde_json::from_str(
            r#"{"network":[{"endpoint":"https://a.example","methods":["GET"],"reason":"looks up"},
                           {"endpoint":"https://b.example","phases":["check","read"],"reason":"asks"}],
                "environment":[{"name":"T","reason":"token"}],
                "filesystem":[{"path":"certs","access":"read","reason":"keys"}],
                "packages":[{"package":"random","reason":"names"},{"package":"shop","from":"https://c.example","reason":"buys"}],
                "limits":[{"limit":"memory","value":"2GiB","reason":"DNS zones"}]}"#,
        )
        .unwrap();
        assert_eq!(
            explain(&requests),
            [
                "network https://a.example (GET): looks up",
                "network https://b.example (any method in check, read): asks",
                "environment T: token",
                "filesystem certs (read): keys",
                "packages random: names",
                "packages shop from https://c.example: buys",
                "limit memory up to 2GiB: DNS zones",
            ]
        );
        assert!(explain(&Requests::default()).is_empty());
    }
}
