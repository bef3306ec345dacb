//! What there is to grant to a component, and how much of it is new.

use bulkhead_policy::{Endpoint, Grant, Granted, NetworkGrant, OperatorFile, Requests, belongs_to_engine, explain};
use bulkhead_schema::Package;

/// What could be granted.
pub(super) struct Proposal {
    /// What it would have in all.
    pub(super) grant: Grant,
    /// What isn't granted yet, in words.
    pub(super) new: Vec<String>,
    /// What was granted to the component before this one, in words, where there was one.
    pub(super) before: Option<(Granted, Vec<String>)>,
    /// What can't be granted, in words.
    pub(super) never: Vec<String>,
    /// Limits that it asks to raise, by the words of the file.
    pub(super) limits: Vec<(&'static str, String)>,
}

impl Proposal {
    /// What a component asks for, against what a file grants already.
    pub(super) fn of(package: &Package, requests: &Requests, digest: Granted, file: &OperatorFile) -> Self {
        let mut requests = requests.clone();
        let (of_engine, others) =
            requests.environment.into_iter().partition(|request| belongs_to_engine(&request.name));
        requests.environment = others;
        let never = explain(&Requests { environment: of_engine, ..Requests::default() });
        let existing = file.grants(&package.name);
        let own = existing.iter().find(|grant| grant.digest == digest);
        let earlier = own.is_none().then(|| existing.last()).flatten();
        // What was said of an earlier component, such as where a directory lies, is what was meant of this one too.
        let mut grant = own.or(earlier).cloned().unwrap_or_else(|| Grant::of(&Requests::default(), digest.clone()));
        grant.digest = digest.clone();
        if own.is_none() {
            // No manifest asks for them, and where code comes from is to be said of each component anew.
            grant.packages.clear();
            keep_requested(&mut grant, &requests);
        }
        let (covered, left) = requests.divided(&grant);
        let mut new = explain(&left);
        let asked = Grant::of(&left, digest);
        grant.network.extend(asked.network);
        grant.environment.extend(asked.environment);
        for asked in asked.filesystem {
            match grant.filesystem.iter_mut().find(|granted| granted.path == asked.path) {
                Some(granted) => granted.access = asked.access,
                None => grant.filesystem.push(asked),
            }
        }
        for (name, endpoint) in defaults(package, &requests) {
            if !grant.network.iter().any(|granted| granted.endpoint == endpoint) {
                new.push(format!("network {endpoint}: the component's default of `{name}`"));
                grant.network.push(NetworkGrant::from(endpoint));
            }
        }
        let limits = requests.limits.iter().map(|request| (request.limit.name(), request.value.clone())).collect();
        let before = earlier.map(|earlier| (earlier.digest.clone(), explain(&covered)));
        Self { grant, new, before, never, limits }
    }
}

/// Drops what isn't asked for any more.
fn keep_requested(grant: &mut Grant, requests: &Requests) {
    grant.network.retain(|granted| requests.network.iter().any(|request| request.endpoint == granted.endpoint));
    grant.environment.retain(|name| requests.environment.iter().any(|request| request.name == *name));
    grant.filesystem.retain(|granted| requests.filesystem.iter().any(|request| request.path == granted.path));
}

/// The endpoints that requests mean where nobody configures anything: the component's own word, so that they have to be granted
/// as what they are.
fn defaults(package: &Package, requests: &Requests) -> Vec<(String, Endpoint)> {
    let referred = requests.network.iter().flat_map(|request| {
        let names: Vec<&str> = request.endpoint.references().collect();
        names.into_iter().map(|name| (name.to_owned(), request.endpoint.to_string())).collect::<Vec<_>>()
    });
    let found = referred.filter_map(|(name, text)| {
        let default = package.configuration.properties.get(&name)?.value_if_omitted()?.as_str()?.to_owned();
        let text = text.replace(&format!("${{config.{name}}}"), origin(&default));
        Some((name, Endpoint::parse(&text).ok()?))
    });
    found.collect()
}

/// A URL without its path.
fn origin(url: &str) -> &str {
    let begin = url.find("://").map_or(0, |at| at.saturating_add(3));
    let end = url.get(begin..).and_then(|rest| rest.find('/')).map_or(url.len(), |at| begin.saturating_add(at));
    url.get(..end).unwrap_or(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_default_of_the_schema_has_to_be_granted_as_what_it_is() {
        let schema = br#"{"name":"dns","config":{"variables":{
            "endpoint":{"type":"string","default":"https://api.vendor.example/v1"},"other":{"type":"string"}}}}"#;
        let package = Package::parse(schema).unwrap();
        let requests: Requests = serde_json::from_str(
            r#"{"network":[{"endpoint":"${config.endpoint}","reason":"the API"},{"endpoint":"https://${config.other}","reason":"more"}],
                "limits":[{"limit":"memory","value":"2GiB","reason":"zones"}]}"#,
        )
        .unwrap();
        let proposal = Proposal::of(&package, &requests, Granted::Development, &OperatorFile::default());
        let granted: Vec<String> = proposal.grant.network.iter().map(ToString::to_string).collect();
        assert_eq!(
            granted,
            [r#""${config.endpoint}""#, r#""https://${config.other}""#, r#""https://api.vendor.example""#]
        );
        assert_eq!(
            proposal.new.last().unwrap(),
            "network https://api.vendor.example: the component's default of `endpoint`"
        );
        assert_eq!(proposal.limits, [("memory", "2GiB".to_owned())]);
    }
}
