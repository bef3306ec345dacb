//! Requests in words, one line each, as `bulkhead inspect` shows them.

use crate::package::PackageGrant;
use crate::request::Requests;

/// One line per request: the capability, the subject, and the reason in the component's own words.
pub fn explain(requests: &Requests) -> Vec<String> {
    let network = requests.network.iter().map(|request| {
        let methods = if request.methods.is_empty() { "any method".to_owned() } else { request.methods.join(", ") };
        let phases: Vec<String> = request.phases.iter().map(ToString::to_string).collect();
        let phases = if phases.is_empty() { String::new() } else { format!(" in {}", phases.join(", ")) };
        format!("network {} ({methods}{phases}): {}", request.endpoint, request.reason)
    });
    let environment =
        requests.environment.iter().map(|request| format!("environment {}: {}", request.name, request.reason));
    let filesystem = requests
        .filesystem
        .iter()
        .map(|request| format!("filesystem {} ({}): {}", request.path, request.access, request.reason));
    let limits = requests
        .limits
        .iter()
        .map(|request| format!("limit {:?} up to {}: {}", request.limit, request.value, request.reason).to_lowercase());
    let packages = requests
        .packages
        .iter()
        .map(|request| format!("packages {}: {}", PackageGrant::from(request).subject(), request.reason));
    network.chain(environment).chain(filesystem).chain(packages).chain(limits).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_request_has_its_line() {
        let requests: Requests = serde_json::from_str(
            r#"{"network":[{"endpoint":"https://a.example","methods":["GET"],"reason":"looks up"},
                           {"endpoint":"https://b.example","phases":["check","read"],"reason":"asks"}],
                "environment":[{"name":"T","reason":"token"}],
                "filesystem":[{"path":"certs","access":"read","reason":"keys"}],
                "packages":[{"package":"random","reason":"names"},{"package":"shop","from":"https://c.example","reason":"buys"}],
                "limits":[{"limit":"memory","value":"2gib","reason":"zones"}]}"#,
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
                "limit memory up to 2gib: zones",
            ]
        );
        assert!(explain(&Requests::default()).is_empty());
    }
}
