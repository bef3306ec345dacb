//! `SVCB` and `HTTPS`: how to reach a service.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, Ipv6Addr};

use super::field::Field;
use super::text::Word;

/// The parameters with a name, by their numbers. Servers before 5.1 know the last three by their numbers alone, and say so.
const KEYS: &[&str] = &[
    "mandatory",
    "alpn",
    "no-default-alpn",
    "port",
    "ipv4hint",
    "ech",
    "ipv6hint",
    "dohpath",
    "ohttp",
    "tls-supported-groups",
];
/// Hints that the server fills in by the addresses that the zone has.
const AUTO: &str = "auto";

/// The server's spelling: priority, target, parameters in the order of their numbers.
pub(super) fn spell(words: &[Word]) -> Result<String, String> {
    let [priority, target, parameters @ ..] = words else {
        return Err("it must consist of: priority, target, parameters".to_owned());
    };
    let priority = Field::Number(u16::MAX.into()).spell(priority)?;
    let priority = priority.ok_or("the priority must be a number from 0 to 65535")?;
    let target = Field::Name.spell(target).map_err(|reason| format!("the target is wrong: {reason}"))?;
    let target = target.ok_or("the target must be a full name, or . for the record's own")?;
    if priority == "0" && !parameters.is_empty() {
        return Err("with priority 0 it is an alias, which has no parameters".to_owned());
    }
    let mut spelled = BTreeMap::new();
    for parameter in parameters {
        let text = parameter.bare().ok_or("a parameter starts with its name, such as alpn=h2")?;
        let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        let name = name.to_ascii_lowercase();
        let number = number(&name)
            .ok_or_else(|| format!("a parameter must be one of {}, or key and its number", KEYS.join(", ")))?;
        let value =
            value.map(|value| value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value));
        check(&name, value)?;
        let text = match value {
            Some(value) => format!("{name}={}", spell_value(&name, value)),
            None => name,
        };
        if spelled.insert(number, text).is_some() {
            return Err("a parameter is given twice".to_owned());
        }
    }
    let all: Vec<String> = [priority, target].into_iter().chain(spelled.into_values()).collect();
    Ok(all.join(" "))
}

fn number(name: &str) -> Option<u16> {
    let known = KEYS.iter().zip(0_u16..).find(|(key, _)| **key == name).map(|(_, number)| number);
    known.or_else(|| name.strip_prefix("key")?.parse().ok())
}

fn check(name: &str, value: Option<&str>) -> Result<(), String> {
    let each = |fits: fn(&str) -> bool| value.is_some_and(|value| value.split(',').all(fits));
    let hints = |fits: fn(&str) -> bool| value == Some(AUTO) || each(fits);
    let (fits, must) = match name {
        "no-default-alpn" | "ohttp" => (value.is_none(), "has no value"),
        "port" => (value.is_some_and(|value| value.parse::<u16>().is_ok()), "must be a number from 0 to 65535"),
        "ipv4hint" => {
            (hints(|part| part.parse::<Ipv4Addr>().is_ok()), "must be IPv4 addresses with commas between, or auto")
        }
        "ipv6hint" => {
            (hints(|part| part.parse::<Ipv6Addr>().is_ok()), "must be IPv6 addresses with commas between, or auto")
        }
        "mandatory" => {
            (each(|part| number(part).is_some_and(|key| key > 0)), "must be names of parameters with commas between")
        }
        "alpn" => (each(|part| !part.is_empty()), "must be names of protocols with commas between"),
        "ech" => (value.is_some_and(|value| !value.is_empty()), "must be base64"),
        "dohpath" => (value.is_some_and(|value| !value.is_empty()), "must be a path, such as /dns-query{?dns}"),
        "tls-supported-groups" => {
            (each(|part| part.parse::<u16>().is_ok()), "must be numbers from 0 to 65535 with commas between")
        }
        _ => (true, ""),
    };
    if fits { Ok(()) } else { Err(format!("{name} {must}")) }
}

fn spell_value(name: &str, value: &str) -> String {
    match name {
        "ipv6hint" if value != AUTO => {
            respelled(value, |part| part.parse::<Ipv6Addr>().ok().map(|part| part.to_string()))
        }
        "tls-supported-groups" => respelled(value, |part| part.parse::<u16>().ok().map(|part| part.to_string())),
        "mandatory" => {
            let keys: BTreeMap<Option<u16>, &str> = value.split(',').map(|key| (number(key), key)).collect();
            keys.into_values().collect::<Vec<_>>().join(",")
        }
        // The server sees to their quotation marks.
        name if name == "dohpath" || name.starts_with("key") => format!("\"{value}\""),
        _ => value.to_owned(),
    }
}

/// A list with each part in the server's spelling.
fn respelled(value: &str, spell: impl Fn(&str) -> Option<String>) -> String {
    value.split(',').filter_map(spell).collect::<Vec<_>>().join(",")
}
