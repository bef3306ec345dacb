//! What of somebody's word a component asks for.
//!
//! Who grants one line means what the component asks for by now. A line that says more has no effect today, and would be a grant
//! already, which nobody is asked about, to the build that asks for more.

use std::mem;

use crate::endpoint::Endpoint;
use crate::grant::{FilesystemGrant, Grant, NetworkGrant};
use crate::request::Requests;
use crate::upgrade::phases;

impl Grant {
    /// What of it a component asks for, and what it doesn't. Where no methods are named, or no phases, those are meant that it asks for.
    #[must_use]
    pub fn asked_for(&self, requests: &Requests) -> (Self, Self) {
        let (mut asked, mut unasked) = self.left_for(requests);
        for granted in mem::take(&mut asked.network) {
            let parts = granted.parts_in(requests);
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
    /// What of it each request asks for, and none of that twice. A request of the very endpoint doesn't stand for those around it: what it
    /// asks for is rarely what somebody was denied who has asked for more there.
    fn parts_in(&self, requests: &Requests) -> Vec<Self> {
        // What may be configured may be just the server that was granted, where it can be that one.
        let is_part = |asked: &Endpoint| {
            let is_referring = asked.fixed().is_none() && self.endpoint.only_host().is_some();
            (is_referring && asked.may_meet(&self.endpoint)) || self.endpoint.is_within(asked)
        };
        let asking = requests.network.iter().filter(|request| is_part(&request.endpoint));
        let mut parts: Vec<Self> = Vec::new();
        for part in asking.filter_map(|request| self.shared(&request.methods, &request.phases)) {
            if !parts.iter().any(|known| known.is_as_much_as(&part)) {
                parts.retain(|known| !part.is_as_much_as(known));
                parts.push(part);
            }
        }
        parts
    }

    /// Whether it has all methods of another one for the same endpoint, and in all phases.
    pub fn is_as_much_as(&self, other: &Self) -> bool {
        let each = other.methods.iter().all(|method| self.has_method(method));
        let methods = self.methods.is_empty() || (each && !other.methods.is_empty());
        methods && phases(&other.phases).all(|phase| phase.is_among(&self.phases))
    }

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
        let around = r#""endpoint":"https://a.b","methods":["GET"]},{"reason":"r","endpoint":"https://*.b""#;
        let database = r#""endpoint":"https://a.b","methods":["GET"]},{"reason":"r","endpoint":"tcp://${config.d}:1"},{"reason":"r","endpoint":"https://${config.r}.other""#;
        let apart = r#""endpoint":"https://a.b","methods":["PUT"],"phases":["create","check"]},{"reason":"r","endpoint":"https://*.b","methods":["GET"]"#;
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
            // What can't be configured to be that server asks for nothing of it.
            (database, r#""https://a.b""#, &[r#"{ endpoint = "https://a.b", methods = ["GET"] }"#], None),
            (
                database,
                r#"{ endpoint = "https://a.b", methods = ["PUT"] }"#,
                &[],
                Some(r#"{ endpoint = "https://a.b", methods = ["PUT"] }"#),
            ),
            // Where one of them asks for the very endpoint, the other one asks for more of it.
            (around, r#""https://a.b""#, &[r#""https://a.b""#], None),
            (
                around,
                r#"{ endpoint = "https://a.b", methods = ["PUT"], phases = ["create"] }"#,
                &[r#"{ endpoint = "https://a.b", methods = ["PUT"], phases = ["create"] }"#],
                None,
            ),
            (
                around,
                r#"{ endpoint = "https://a.b", methods = ["PUT"], phases = ["create", "check"] }"#,
                &[r#"{ endpoint = "https://a.b", methods = ["PUT"], phases = ["create"] }"#],
                Some(r#"{ endpoint = "https://a.b", phases = ["check"] }"#),
            ),
            (
                apart,
                r#""https://a.b""#,
                &[
                    r#"{ endpoint = "https://a.b", methods = ["PUT"], phases = ["create"] }"#,
                    r#"{ endpoint = "https://a.b", methods = ["GET"] }"#,
                ],
                None,
            ),
            (apart, r#""https://*.b""#, &[r#"{ endpoint = "https://*.b", methods = ["GET"] }"#], None),
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
