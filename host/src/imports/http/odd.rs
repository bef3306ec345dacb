//! Requests that go nowhere, whatever is granted: tunnels, echoes, destinations with more than one reading.
//!
//! An honest component makes none, and who makes one may be after a way around what was granted. Its interface has a code for each,
//! from which no operator learns whom it was to reach, so they are denials as all others are.

use bulkhead_policy::Why;
use http::uri::Authority as Named;
use http::{Method, Uri};

use crate::outgoing::OutgoingError;
use crate::store::Authority;

/// The longest name that is looked at for what may not be told of it, bytes: what is told is shorter.
const LONGEST: usize = 300;

/// A name of the guest's, or what there is to say of one that nobody reads to its end. Half of it isn't told: half of a secret is no
/// secret that anybody would find.
pub(in crate::imports) fn named(name: &str) -> String {
    match name.len() {
        length if length > LONGEST => format!("{length} bytes"),
        _ => name.to_owned(),
    }
}

/// Keeps that a request is denied, if it is one of these.
pub(super) fn refused(authority: &Authority, method: &Method, uri: &Uri, error: &OutgoingError) {
    let why = match error {
        OutgoingError::Method(what) => Why::Never(what),
        OutgoingError::Target(_) => Why::Other(error.to_string()),
        _ => return,
    };
    let place = place(uri.scheme_str().unwrap_or_default(), uri.authority());
    authority.never(format!("{place} ({})", named(method.as_str())), why);
}

/// Whether a scheme that a guest spells out is one of those that have names of their own, and so is decided on as they are.
pub(super) fn is_http(scheme: &str) -> bool {
    ["http", "https"].contains(&scheme)
}

/// Keeps that something is denied that isn't HTTP at all, by its scheme and authority.
pub(super) fn foreign(authority: &Authority, scheme: &str, to: Option<&str>) {
    let to = to.and_then(|to| to.parse().ok());
    let why = OutgoingError::Target("is neither http nor https").to_string();
    authority.never(place(scheme, to.as_ref()), Why::Other(why));
}

/// Keeps that an authority is denied that isn't one by any rule, whatever is sent there.
pub(super) fn illegible(authority: &Authority, to: &str) {
    let to = to.rsplit_once('@').map_or(to, |(_, host)| host);
    let why = OutgoingError::Target("has a host that is written as none is").to_string();
    authority.never(format!("//{}", named(to)), Why::Other(why));
}

/// As a grant would name it. A user and a password before the host are secret, whoever they are.
fn place(scheme: &str, to: Option<&Named>) -> String {
    let host = to.map_or_else(String::new, |to| named(to.host()));
    let port = to.and_then(Named::port_u16).map_or_else(String::new, |port| format!(":{port}"));
    format!("{}://{host}{port}", named(scheme))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_denied_is_told_without_users_and_passwords_and_as_long_as_anybody_reads() {
        let told = |method: &str, uri: &str, error: OutgoingError| {
            let authority = Authority::default();
            refused(&authority, &method.parse().unwrap(), &uri.parse().unwrap(), &error);
            authority.denials().into_iter().map(|denial| denial.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(
            told("CONNECT", "http://evil.example:443/", OutgoingError::Method("tunnels")),
            ["network http://evil.example:443 (CONNECT) is denied: no grant allows tunnels"]
        );
        let long = "x".repeat(LONGEST + 1);
        assert_eq!(
            told(
                &long,
                "http://user:word@there.example/path?query",
                OutgoingError::Target("holds a user or a password")
            ),
            ["network http://there.example (301 bytes) is denied: the destination holds a user or a password"]
        );
        assert_eq!(
            told("GET", &format!("https://{long}:0/"), OutgoingError::Target("is longer than any")),
            ["network https://301 bytes:0 (GET) is denied: the destination is longer than any"]
        );
        // What fails otherwise is nobody's denial.
        assert_eq!(told("GET", "http://there.example/", OutgoingError::ConnectTimeout), Vec::<String>::new());
        let authority = Authority::default();
        illegible(&authority, "user:word@there%2eexample");
        let denials = authority.denials();
        let expected = "network //there%2eexample is denied: the destination has a host that is written as none is";
        assert_eq!(denials.iter().map(ToString::to_string).collect::<Vec<_>>(), [expected]);
        let authority = Authority::default();
        foreign(&authority, "gopher", Some("user@there.example:70"));
        let denials = authority.denials();
        let expected = "network gopher://there.example:70 is denied: the destination is neither http nor https";
        assert_eq!(denials.iter().map(ToString::to_string).collect::<Vec<_>>(), [expected]);
    }
}
