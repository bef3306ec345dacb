//! What is wrong with a zone before any server is asked.

use std::net::{IpAddr, SocketAddr};

use bulkhead_sdk::Value;
use bulkhead_sdk::resource::Checked;

use super::kind::is_fetched;
use crate::dns::{self, Name};
use crate::given;

/// Ways to change a serial when a zone is signed.
const SOA_EDIT: &[&str] = &["INCREMENT-WEEKS", "INCEPTION-EPOCH", "INCEPTION-INCREMENT", "EPOCH", "NONE"];
/// Ways to change a serial through the API.
const SOA_EDIT_API: &[&str] = &["DEFAULT", "INCREASE", "EPOCH", "SOA-EDIT", "SOA-EDIT-INCREASE", "OFF"];

/// An address, perhaps with a port.
fn address(text: &str) -> Option<SocketAddr> {
    text.parse::<IpAddr>().map(|address| SocketAddr::new(address, 53)).or_else(|_| text.parse()).ok()
}

/// An address in its one spelling, with its port; what is none as it is.
pub(super) fn address_key(text: &str) -> String {
    address(text).map_or_else(|| text.to_owned(), |address| address.to_string())
}

/// Rejects what the server wouldn't take, or would take and not do.
pub(super) fn check(checked: &mut Checked) {
    let inputs = checked.inputs.clone();
    for property in ["name", "catalog"] {
        if let Some(name) = given::text(&inputs, property).filter(|name| property == "name" || !name.is_empty()) {
            given::check_name(checked, property.into(), name);
        }
    }
    for property in ["nameservers", "masterTsigKeyIds", "slaveTsigKeyIds"] {
        let mut seen: Vec<Name> = Vec::new();
        for (path, text) in given::texts(&inputs, property) {
            let parsed = if property == "nameservers" { Name::target(text) } else { Name::parse(text) };
            if let Some(name) = given::checked_name(checked, path.clone(), parsed) {
                if seen.contains(&name) {
                    checked.reject(path, "is there twice");
                }
                seen.push(name);
            }
        }
    }
    if inputs.get("slaveTsigKeyIds").and_then(Value::as_items).is_some_and(|keys| keys.len() > 1) {
        checked.reject("slaveTsigKeyIds", "must hold one key: servers use no second one, and since 5.1 they refuse it");
    }
    for (path, master) in given::texts(&inputs, "masters") {
        if address(master).is_none() {
            checked.reject(path, "must be an address, such as 192.0.2.1, 192.0.2.1:5300 or [2001:db8::1]:5300");
        }
    }
    if let Some(kind) = given::text(&inputs, "kind") {
        let fetched = is_fetched(kind);
        if fetched && given::is_empty(&inputs, "masters") {
            checked.reject("masters", "must be given for a zone that is fetched from elsewhere");
        }
        if fetched && !given::is_empty(&inputs, "nameservers") {
            checked.reject("nameservers", "must be left out for a zone whose records are fetched from elsewhere");
        }
        if !fetched && !given::is_empty(&inputs, "masters") {
            checked.reject("masters", "must be left out for a zone whose records are the server's own");
        }
    }
    let unsigned = matches!(inputs.get("dnssec").map(Value::plain), None | Some(Value::Null | Value::Boolean(false)));
    if let Some(parameters) = given::text(&inputs, "nsec3param").filter(|text| !text.is_empty()) {
        match dns::canonical("NSEC3PARAM", parameters) {
            Err(reason) => checked.reject("nsec3param", format!("must be such as `1 0 0 -`: {reason}")),
            Ok(spelled) if !spelled.starts_with("1 ") => {
                checked.reject("nsec3param", "must start with 1: there is no other algorithm");
            }
            Ok(_) if unsigned => checked.reject("nsec3param", "needs `dnssec`"),
            Ok(_) => {}
        }
    } else if !inputs.contains_key("nsec3param") && inputs.get("nsec3narrow").and_then(Value::as_boolean) == Some(true)
    {
        checked.reject("nsec3narrow", "needs `nsec3param`");
    }
    for (property, known) in [("soaEdit", SOA_EDIT), ("soaEditApi", SOA_EDIT_API)] {
        if let Some(text) = given::text(&inputs, property).filter(|text| property == "soaEditApi" || !text.is_empty())
            && !known.contains(&text)
        {
            checked.reject(property, format!("must be one of {}", known.join(", ")));
        }
    }
}
