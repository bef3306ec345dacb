//! Requests that are no use to anybody, whatever an operator grants, or not as they are written.

use std::path::{Component, Path};

use bulkhead_policy::{Access, FilesystemRequest, NetworkRequest, Requests, Ungrantable};
use bulkhead_schema::Package;

use super::finding::{Finding, Findings, Level, Stage};

/// Looks at what is asked for.
pub(super) fn look(package: &Package, requests: &Requests, findings: &mut Findings) {
    let mut found = |level, kind: &str, position: usize, message: String, hint: &str| {
        let location = format!("manifest#/permissions/{kind}/{position}");
        findings.add(Finding::new(level, Stage::Manifest, location, message).hint(hint));
    };
    for (position, request) in requests.network.iter().enumerate() {
        for (level, message, hint) in endpoint(package, request) {
            found(level, "network", position, message, hint);
        }
    }
    for (position, request) in requests.environment.iter().enumerate() {
        let name = &request.name;
        let (why, hint) = match Ungrantable::of(name) {
            Some(Ungrantable::Engines) => ("it is the engine's", "ask for a variable of another name"),
            // That a name is missing is said where the manifest is read.
            Some(Ungrantable::NoName) if !name.trim().is_empty() => {
                ("it is no name of a variable", "write the name as in NAME=value, without `$`")
            }
            _ => continue,
        };
        let message = format!("`{name}` is asked for and can't be granted: {why}");
        found(Level::Warning, "environment", position, message, hint);
    }
    for (position, request) in requests.filesystem.iter().enumerate() {
        if let Some(message) = directory(request) {
            let hint = "ask for a directory of the project by a short name; whoever grants it says where it lies";
            found(Level::Hint, "filesystem", position, message, hint);
        }
    }
}

fn endpoint(package: &Package, request: &NetworkRequest) -> Vec<(Level, String, &'static str)> {
    let mut found = Vec::new();
    for name in request.endpoint.references() {
        let property = name.split('.').next().unwrap_or(name);
        if !package.configuration.properties.contains_key(property) {
            let message = format!("`{}` can't mean anything: `{property}` is no configuration", request.endpoint);
            found.push((Level::Warning, message, "name a property of the schema's configuration"));
        }
    }
    if let Some(why) = request.endpoint.never() {
        let message = format!("`{}` is asked for and can't be granted: {why}", request.endpoint);
        found.push((Level::Warning, message, "don't ask for it"));
    }
    for method in &request.methods {
        if method.chars().any(|c| c.is_ascii_lowercase()) {
            let message = format!("`{method}` is no method of HTTP as servers write them");
            found.push((Level::Hint, message, "write it in capitals"));
        }
    }
    found
}

/// What is wrong with a directory, which others have elsewhere.
fn directory(request: &FilesystemRequest) -> Option<String> {
    let FilesystemRequest { path, access, .. } = request;
    let doing = if *access == Access::Write { "written" } else { "read" };
    let of_one_machine = Path::new(path).has_root() || path.starts_with('~');
    let outside = Path::new(path).components().any(|part| part == Component::ParentDir);
    match (of_one_machine, outside) {
        (true, _) => Some(format!("`{path}` is to be {doing}, which other machines have elsewhere")),
        (_, true) => Some(format!("`{path}` is to be {doing}, which lies outside of whatever project it is")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_can_use_is_found() {
        let package = Package::parse(br#"{"name":"p","config":{"variables":{"endpoint":{"type":"string"}}}}"#).unwrap();
        let requests: Requests = serde_json::from_str(
            r#"{"network":[{"endpoint":"${config.endpoint}","methods":["GET"],"reason":"r"},
                           {"endpoint":"https://${config.hots}","reason":"r"},
                           {"endpoint":"http://169.254.169.254","reason":"r"},
                           {"endpoint":"http://metadata.google.internal","reason":"r"},
                           {"endpoint":"https://a","methods":["get"],"reason":"r"}],
                "environment":[{"name":"FINE","reason":"r"},{"name":"PULUMI_CONFIG","reason":"r"},{"name":"$X","reason":"r"}],
                "filesystem":[{"path":"certs","access":"read","reason":"r"},{"path":"/etc/x","access":"read","reason":"r"},
                              {"path":"a/../../b","access":"write","reason":"r"}]}"#,
        )
        .unwrap();
        let mut findings = Findings::default();
        look(&package, &requests, &mut findings);
        let found: Vec<(String, String)> =
            findings.into_sorted().into_iter().map(|found| (found.location, found.message)).collect();
        let said = |kind: &str, position: usize| -> &str {
            let location = format!("manifest#/permissions/{kind}/{position}");
            found.iter().find(|(at, _)| *at == location).map_or("", |(_, message)| message)
        };
        assert_eq!(found.len(), 8, "{found:?}");
        assert_eq!(said("network", 1), "`https://${config.hots}` can't mean anything: `hots` is no configuration");
        assert!(said("network", 2).ends_with("where the machine's own credentials are handed out"));
        assert!(said("network", 3).ends_with("no grant allows what hands out the machine's own credentials"));
        assert_eq!(said("network", 4), "`get` is no method of HTTP as servers write them");
        assert_eq!(said("environment", 1), "`PULUMI_CONFIG` is asked for and can't be granted: it is the engine's");
        assert_eq!(said("environment", 2), "`$X` is asked for and can't be granted: it is no name of a variable");
        assert_eq!(said("filesystem", 1), "`/etc/x` is to be read, which other machines have elsewhere");
        assert_eq!(said("filesystem", 2), "`a/../../b` is to be written, which lies outside of whatever project it is");
    }
}
