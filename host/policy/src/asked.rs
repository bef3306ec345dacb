//! What of somebody's word a component asks for.
//!
//! Who grants one line means what the component asks for by now. A line that says more has no effect today, and would be a grant
//! already, which nobody is asked about, to the build that asks for more.

use std::mem;

use crate::grant::{FilesystemGrant, Grant, NetworkGrant};
use crate::request::{NetworkRequest, Requests};

impl Grant {
    /// What of it a component asks for, and what it doesn't. Where no methods are named, or no phases, those are meant that it asks for.
    #[must_use]
    pub fn asked_for(&self, requests: &Requests) -> (Self, Self) {
        let (mut asked, mut unasked) = self.left_for(requests);
        for granted in mem::take(&mut asked.network) {
            let parts = requests.meant_by(&granted).filter_map(|(_, request)| {
                // What may be configured may be just what was granted.
                let is_referring = request.endpoint.fixed().is_none() && granted.endpoint.fixed().is_some();
                let is_part = is_referring || granted.endpoint.is_within(&request.endpoint);
                let endpoint = granted.endpoint.clone();
                granted.part_for(&NetworkRequest { endpoint, ..request.clone() }).filter(|_| is_part)
            });
            let parts: Vec<NetworkGrant> = parts.collect();
            unasked.network.extend(granted.missing_from(&parts));
            asked.add(&Self { network: parts, ..Self::of(&Requests::default(), self.digest.clone()) });
        }
        let within = |granted: &FilesystemGrant| {
            let mut requests = requests.filesystem.iter();
            requests.any(|request| granted.is_of(&request.path) && granted.access <= request.access)
        };
        let (within, wider): (Vec<_>, Vec<_>) = mem::take(&mut asked.filesystem).into_iter().partition(within);
        asked.filesystem = within;
        unasked.filesystem.extend(wider);
        (asked, unasked)
    }
}

impl NetworkGrant {
    /// What of it, by name, is in none of its parts.
    fn missing_from(&self, parts: &[Self]) -> Option<Self> {
        let mut missing = self.clone();
        missing.methods.retain(|method| !parts.iter().any(|part| part.methods.is_empty() || part.has_method(method)));
        missing.phases.retain(|phase| !parts.iter().any(|part| phase.is_among(&part.phases)));
        let is_whole = missing.methods.is_empty() && missing.phases.is_empty();
        (parts.is_empty() || !is_whole).then_some(missing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grant::Granted;

    /// What of a line is asked for, and what isn't.
    fn divided(line: &str, asked: &str) -> [Vec<String>; 2] {
        let requests: Requests = serde_json::from_str(asked).unwrap();
        let (asked, unasked) = Grant::parse(&Granted::Development, line).unwrap().asked_for(&requests);
        [asked, unasked].map(|grant| grant.lines(&Requests::default()))
    }

    #[test]
    fn of_a_line_no_more_is_granted_than_is_asked_for() {
        let api = r#""endpoint":"https://a.b""#;
        let reads = r#""endpoint":"https://a.b","methods":["GET"],"phases":["read","list"]"#;
        for (asked, line, granted, unasked) in [
            (api, r#""https://a.b""#, &[r#""https://a.b""#][..], None),
            (
                reads,
                r#""https://a.b""#,
                &[r#"{ endpoint = "https://a.b", methods = ["GET"], phases = ["read", "list"] }"#],
                None,
            ),
            (
                reads,
                r#"{ endpoint = "https://a.b", phases = ["read"], addresses = ["private"] }"#,
                &[r#"{ endpoint = "https://a.b", methods = ["GET"], phases = ["read"], addresses = ["private"] }"#],
                None,
            ),
            (
                reads,
                r#"{ endpoint = "https://a.b", methods = ["GET", "PUT"] }"#,
                &[r#"{ endpoint = "https://a.b", methods = ["GET"], phases = ["read", "list"] }"#],
                Some(r#"{ endpoint = "https://a.b", methods = ["PUT"] }"#),
            ),
            (
                reads,
                r#"{ endpoint = "https://a.b", phases = ["create"] }"#,
                &[],
                Some(r#"{ endpoint = "https://a.b", phases = ["create"] }"#),
            ),
            (api, r#""https://*.b""#, &[], Some(r#""https://*.b""#)),
            (api, r#""https://a.b:*""#, &[], Some(r#""https://a.b:*""#)),
            (r#""endpoint":"https://*.b""#, r#""https://a.b""#, &[r#""https://a.b""#], None),
            (
                r#""endpoint":"${config.e}","methods":["GET"]"#,
                r#""https://a.b""#,
                &[r#"{ endpoint = "https://a.b", methods = ["GET"] }"#],
                None,
            ),
            (api, r#""${config.e}""#, &[], Some(r#""${config.e}""#)),
        ] {
            let requests = format!(r#"{{"network":[{{"reason":"r",{asked}}}]}}"#);
            let [of, beside] = divided(&format!("network = [{line}]"), &requests);
            let network = |entries: &[&str]| entries.iter().map(|entry| format!("network {entry}")).collect::<Vec<_>>();
            assert_eq!(of, network(granted), "{asked} {line}");
            assert_eq!(beside, network(unasked.as_slice()), "{asked} {line}");
        }
    }

    #[test]
    fn what_several_requests_ask_for_may_stand_on_one_line() {
        let asked = r#"{"network":[{"endpoint":"https://a","methods":["GET"],"phases":["read"],"reason":"r"},
                                   {"endpoint":"https://a","methods":["PUT"],"phases":["create"],"reason":"r"}]}"#;
        let both = [
            r#"network { endpoint = "https://a", methods = ["GET"], phases = ["read"] }"#,
            r#"network { endpoint = "https://a", methods = ["PUT"], phases = ["create"] }"#,
        ];
        for line in [r#""https://a""#, r#"{ endpoint = "https://a", methods = ["GET", "PUT"] }"#] {
            let [granted, unasked] = divided(&format!("network = [{line}]"), asked);
            assert_eq!((granted, unasked), (both.map(str::to_owned).to_vec(), Vec::new()), "{line}");
        }
    }

    #[test]
    fn a_directory_that_is_asked_for_to_be_read_is_not_written() {
        let asked = r#"{"filesystem":[{"path":"in","access":"read","reason":"r"},{"path":"out","access":"write","reason":"r"}]}"#;
        let line =
            r#"filesystem = [{ path = "in", access = "write" }, { path = "in/" }, { path = "out", access = "write" }]"#;
        let [granted, unasked] = divided(line, asked);
        assert_eq!(granted, [r#"filesystem "in/""#, r#"filesystem { path = "out", access = "write" }"#]);
        assert_eq!(unasked, [r#"filesystem { path = "in", access = "write" }"#]);
    }
}
