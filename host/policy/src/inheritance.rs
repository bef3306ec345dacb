//! What the next component inherits of a grant that was written for some of its requests.
//!
//! An entry may mean more than the request that somebody wrote it for. Taken over as it is, it would widen what an operator has narrowed
//! since, under another request. So no more of it is taken over than is meant for the requests in question.

use crate::grant::{Grant, NetworkGrant};
use crate::request::{NetworkRequest, Phase, Requests};
use crate::upgrade::phases;

impl Grant {
    /// What of it was written for some of a component's requests, and for none of the others.
    #[must_use]
    pub fn written_for(&self, some: &Requests, requests: &Requests) -> Self {
        let among: Vec<bool> = requests.network.iter().map(|request| some.network.contains(request)).collect();
        let is_among = |position: usize| among.get(position).is_some_and(|among| *among);
        let mut left = Self { certificates: Vec::new(), network: Vec::new(), ..self.clone() };
        for granted in &self.network {
            let mut met = requests.network.iter().enumerate();
            // Whoever it was written for, it means nothing else of what is asked for.
            let whole =
                met.all(|(position, request)| is_among(position) || !request.endpoint.may_meet(&granted.endpoint));
            let mut meant = requests.meant_by(granted).filter(|(position, _)| is_among(*position)).peekable();
            match whole {
                true => left.network.extend(meant.peek().map(|_| granted.clone())),
                false => left.network.extend(meant.filter_map(|(_, request)| granted.part_for(request))),
            }
        }
        left.environment.retain(|name| some.environment.iter().any(|request| request.name == *name));
        left.filesystem.retain(|granted| some.filesystem.iter().any(|request| granted.is_of(&request.path)));
        left.packages.retain(|granted| requests.of_package(granted).is_some_and(|meant| some.packages.contains(meant)));
        // They are believed for the endpoints beside them, and say nothing of any others.
        if !left.network.is_empty() {
            left.certificates.clone_from(&self.certificates);
        }
        left
    }
}

impl NetworkGrant {
    /// What of it is meant by one request. None if nothing is, or nobody can say before something is configured.
    pub(crate) fn part_for(&self, request: &NetworkRequest) -> Option<Self> {
        let (granted, asked) = (&self.endpoint, &request.endpoint);
        let endpoint =
            if asked.is_within(granted) { asked } else { Some(granted).filter(|_| granted.is_within(asked))? };
        let shared = self.shared(&request.methods, &request.phases)?;
        Some(Self { endpoint: endpoint.clone(), ..shared })
    }

    /// As much of it as is for methods and phases that are asked for. None if nothing is.
    pub(crate) fn shared(&self, asked: &[String], at: &[Phase]) -> Option<Self> {
        let methods = match (self.methods.is_empty(), asked.is_empty()) {
            (_, true) => self.methods.clone(),
            (true, false) => asked.to_vec(),
            (false, false) => {
                let both = asked.iter().filter(|method| self.has_method(method));
                Some(both.cloned().collect::<Vec<_>>()).filter(|both| !both.is_empty())?
            }
        };
        let both: Vec<Phase> = phases(&self.phases).filter(|phase| phase.is_among(at)).collect();
        // As somebody wrote them, wherever these are all.
        let phases = match both.len() {
            0 => return None,
            all if all == phases(&self.phases).count() => self.phases.clone(),
            all if all == phases(at).count() => at.to_vec(),
            _ => both,
        };
        Some(Self { methods, phases, ..self.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grant::Granted;

    fn grant(text: &str) -> Grant {
        Grant::parse(&Granted::Development, text).unwrap()
    }

    fn requests(text: &str) -> Requests {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn what_was_written_for_some_requests_brings_nothing_of_others_along() {
        let all = requests(
            r#"{"network":[{"endpoint":"https://a","reason":"r"},{"endpoint":"https://*","reason":"r"}],
                "environment":[{"name":"A","reason":"r"},{"name":"B","reason":"r"}],
                "filesystem":[{"path":"x","access":"write","reason":"r"},{"path":"y","access":"write","reason":"r"}],
                "packages":[{"package":"q","reason":"r"},{"package":"r","reason":"r"}]}"#,
        );
        let granted = grant(
            "network = [\"https://a\", { endpoint = \"https://*\", methods = [\"GET\"] }]\nenvironment = [\"A\", \"B\"]\n\
             filesystem = [\"x\", \"y\"]\npackages = [\"q\", \"r\"]\ncertificates = [\"ca.pem\"]",
        );
        let second = Requests {
            network: all.network[1..].to_vec(),
            environment: all.environment[1..].to_vec(),
            filesystem: all.filesystem[1..].to_vec(),
            packages: all.packages[1..].to_vec(),
            limits: Vec::new(),
        };
        let lines = granted.written_for(&second, &all).lines(&Requests::default());
        let expected = [
            r#"network { endpoint = "https://*", methods = ["GET"] }"#,
            "environment B",
            r#"filesystem "y""#,
            "certificates ca.pem",
            r#"packages "r""#,
        ];
        assert_eq!(lines, expected);
        let without = granted.written_for(&Requests { network: Vec::new(), ..second }, &all);
        assert!(without.certificates.is_empty(), "they are believed for endpoints");
        assert!(granted.written_for(&Requests::default(), &all).is_empty());
    }

    #[test]
    fn an_entry_that_means_others_too_is_inherited_as_far_as_it_means_the_request() {
        let any = r#""endpoint":"https://*.a""#;
        let (x, y) = (r#""endpoint":"https://x.a""#, r#""endpoint":"https://y.a""#);
        let configured = r#""endpoint":"${config.e}""#;
        for (first, second, granted, expected) in [
            (x, y, r#""https://*.a""#, &[r#""https://y.a""#][..]),
            (
                x,
                y,
                r#"{ endpoint = "https://*.a", methods = ["GET"], phases = ["read"], addresses = ["private"] }"#,
                &[r#"{ endpoint = "https://y.a", methods = ["GET"], phases = ["read"], addresses = ["private"] }"#],
            ),
            // Both ask for the same endpoint, and each for its own methods or phases.
            (
                r#""endpoint":"https://a","methods":["GET"]"#,
                r#""endpoint":"https://a","methods":["PUT","POST"]"#,
                r#"{ endpoint = "https://a", methods = ["get", "put"] }"#,
                &[r#"{ endpoint = "https://a", methods = ["PUT"] }"#],
            ),
            (
                r#""endpoint":"https://a","phases":["read","list"]"#,
                r#""endpoint":"https://a","phases":["create","list"]"#,
                r#"{ endpoint = "https://a", phases = ["read", "list"] }"#,
                &[r#"{ endpoint = "https://a", phases = ["list"] }"#],
            ),
            (
                r#""endpoint":"https://a","phases":["read"]"#,
                r#""endpoint":"https://a","phases":["create"]"#,
                r#""https://a""#,
                &[r#"{ endpoint = "https://a", phases = ["create"] }"#],
            ),
            (
                r#""endpoint":"https://a","phases":["check"]"#,
                r#""endpoint":"https://a""#,
                r#""https://a""#,
                &[r#""https://a""#],
            ),
            (
                r#""endpoint":"https://a","methods":["GET"]"#,
                r#""endpoint":"https://a","methods":["PUT"]"#,
                r#"{ endpoint = "https://a", methods = ["GET"] }"#,
                &[],
            ),
            // It is one request's by name, and reaches what the other asks for.
            (
                x,
                r#""endpoint":"https://*.a","methods":["GET"]"#,
                r#""https://*.a""#,
                &[r#"{ endpoint = "https://*.a", methods = ["GET"] }"#],
            ),
            // What may be configured may be anything, and `https://*.a` is granted to the other one.
            (any, configured, r#""https://x.a""#, &[]),
            (x, y, r#""${config.e}""#, &[]),
            (r#""endpoint":"https://b""#, y, r#""https://*.a""#, &[r#""https://*.a""#]),
        ] {
            let all = requests(&format!(r#"{{"network":[{{"reason":"1",{first}}},{{"reason":"2",{second}}}]}}"#));
            let some = Requests { network: all.network[1..].to_vec(), ..Requests::default() };
            let left = grant(&format!("network = [{granted}]")).written_for(&some, &all);
            let left: Vec<String> = left.network.iter().map(ToString::to_string).collect();
            assert_eq!(left, expected, "{first} {second} {granted}");
            let whole = grant(&format!("network = [{granted}]")).written_for(&all, &all);
            assert_eq!(whole.network.len(), 1, "{granted} is for either");
        }
    }
}
