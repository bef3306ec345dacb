//! Secrets that have a form: one text, of which programs use, and say, a part.
//!
//! The key file of a cloud account is one secret to whoever configures it, and a dozen texts to whoever reads it. An error repeats one
//! of them, in which nobody finds the whole.

use bulkhead_schema::sounds_secret;
use percent_encoding::percent_decode_str;
use serde_json::Value as Json;

/// All texts in a value that travels as JSON.
pub(super) fn texts(value: &str) -> Vec<String> {
    told(value, true)
}

/// What is secret by itself in a secret. Of JSON these are the texts whose names say so: the others are addresses, kinds and accounts,
/// without which no error would be understood. Of an address it is the password, and what its query says is secret.
pub(super) fn credentials(secret: &str) -> Vec<String> {
    if secret.trim_start().starts_with(['{', '[']) {
        return told(secret, false);
    }
    let Some((_, address)) = secret.trim().split_once("://") else { return Vec::new() };
    // Not as an address is parsed: those of clusters have several hosts, and others two schemes.
    let place = address.split(['/', '?', '#']).next().unwrap_or_default();
    let password = place.rsplit_once('@').and_then(|(user, _)| user.split_once(':')).map(|(_, password)| password);
    let said = address.split(['?', '&', ';', '#']).filter_map(|pair| pair.split_once('='));
    let said = said.filter(|(name, _)| sounds_secret(name)).map(|(_, value)| value);
    let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    password.into_iter().chain(said).filter(|text| !text.is_empty()).map(decoded).collect()
}

/// The texts in a value: all, or those that are beneath a name that sounds secret.
fn told(value: &str, all: bool) -> Vec<String> {
    let whole = serde_json::from_str::<Json>(value).map(|json| (json, all));
    let (mut texts, mut open) = (Vec::new(), Vec::from_iter(whole));
    while let Some((json, telling)) = open.pop() {
        match json {
            Json::String(text) if telling => texts.push(text),
            Json::Array(elements) => open.extend(elements.into_iter().map(|element| (element, telling))),
            Json::Object(members) => {
                open.extend(members.into_iter().map(|(name, member)| (member, telling || sounds_secret(&name))));
            }
            Json::String(_) | Json::Null | Json::Bool(_) | Json::Number(_) => {}
        }
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_a_secret_if_it_says_so() {
        let account = r#" {"type": "service_account", "private_key": "-----BEGIN-----\nMII", "project": "p", "nested": [{"clientSecret": "c"}],
            "credentials": {"deep": ["d", 1, null]}}"#;
        let sorted = |mut texts: Vec<String>| {
            texts.sort();
            texts
        };
        assert_eq!(sorted(credentials(account)), ["-----BEGIN-----\nMII", "c", "d"]);
        assert_eq!(sorted(texts(account)), ["-----BEGIN-----\nMII", "c", "d", "p", "service_account"]);
        for (secret, expected) in [
            ("postgres://admin:hunter%2F2%20@db.internal:5432/x", &["hunter/2 "][..]),
            ("https://token@example.org/", &[]),
            ("https://:x@", &["x"]),
            ("mailto:a:b@c", &[]),
            ("mongodb://app:correct-horse@h1:27017,h2:27017/db", &["correct-horse"]),
            ("jdbc:postgresql://h/db?user=a&password=correct%20horse&x", &["correct horse"]),
            ("jdbc:sqlserver://h:1433;user=a;password=correct-horse", &["correct-horse"]),
            ("amqp://a:cor;rect@h1,h2", &["cor;rect"]),
            ("s3://bucket/@a:b?sig=&apiToken=t-1", &["t-1"]),
            (r#"{"password": "#, &[]),
            (r#"["password"]"#, &[]),
            ("", &[]),
        ] {
            assert_eq!(credentials(secret), expected, "{secret}");
        }
    }
}
