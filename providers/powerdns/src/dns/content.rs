//! The contents of records.

use std::borrow::Cow;

use super::field::{Field, is_type};
use super::text::{self, Word};
use super::{gateway, grammar, location, networks, numbers, service};

/// The longest content, in bytes.
const LONGEST: usize = 65_535;

/// How many fields a `SOA` has, and which of them is its serial.
const SOA_FIELDS: usize = 7;
const SERIAL: usize = 2;

/// How the form for types without a name begins.
const UNKNOWN: &str = "\\#";

/// What is wrong with `\# 4 0a000001` for an address.
const ONLY_UNKNOWN: &str = "\\# begins the form for types without a name, in which the server takes no others";

/// Why there are no records of some types.
const FOR_QUESTIONS: &str = "is for questions, not for records";

/// Why records of a type can't be managed; none if they can.
pub fn refusal(kind: &str) -> Option<Cow<'static, str>> {
    let reason = match kind {
        "RRSIG" | "NSEC" | "NSEC3" => "is made by the server when it signs a zone",
        "NSEC3PARAM" => "is made by the server; set `nsec3param` of the zone",
        "ANY" | "AXFR" | "IXFR" | "OPT" | "TSIG" | "TKEY" | "MAILA" | "MAILB" => FOR_QUESTIONS,
        kind => match numbers::tail(kind) {
            Some(tail) => return refusal_by_number(tail),
            None if is_type(kind) => return None,
            None => "must be a record type, such as AAAA",
        },
    };
    Some(reason.into())
}

fn refusal_by_number(tail: &str) -> Option<Cow<'static, str>> {
    match numbers::number(tail) {
        None => Some("must be TYPE and a number from 1 to 65535, without zeros before it".into()),
        Some(number) if numbers::is_for_questions(number) => Some(FOR_QUESTIONS.into()),
        Some(number) => {
            numbers::name(number).map(|name| format!("has a name, by which the server knows it: write {name}").into())
        }
    }
}

/// The content in the server's spelling, for a record of this type, in upper case. The error says what is wrong, to be read after "is no
/// A record: ", without the value.
///
/// Contents of types that aren't known are checked only for what none may have; they can be in the form for unknown ones (`\# 4 0a000001`).
pub fn canonical(kind: &str, content: &str) -> Result<String, String> {
    if content.len() > LONGEST {
        return Err(format!("it has more than {LONGEST} bytes"));
    }
    if content.trim().is_empty() {
        return Err("it is empty".to_owned());
    }
    // Programs that have a record of any type in that form have it so by mistake, and nobody means such a text.
    if has_grammar(kind) && content.split_ascii_whitespace().next() == Some(UNKNOWN) {
        return Err(ONLY_UNKNOWN.to_owned());
    }
    // Otherwise bytes that people put into plain text, such as tabs and backslashes, would be lost.
    if matches!(kind, "TXT" | "SPF") && !content.trim_start().starts_with('"') {
        return Ok(text::split(content.as_bytes()).join(" "));
    }
    if content.contains(|character: char| character.is_control() && character != '\t') {
        return Err("it has line breaks or other control characters".to_owned());
    }
    if !has_grammar(kind) && content.trim_start().starts_with(UNKNOWN) {
        return unknown_form(content);
    }
    let words = text::words(content)?;
    match kind {
        "SVCB" | "HTTPS" => service::spell(&words),
        "LOC" => location::spell(&words),
        "APL" => networks::spell(&words),
        "IPSECKEY" => {
            let (fields, words) = gateway::fields(&words);
            known(kind, &fields, &words)
        }
        kind => match grammar::fields(kind) {
            Some(fields) => known(kind, fields, &words),
            None => Ok(unknown(&words)),
        },
    }
}

fn known(kind: &str, fields: &[grammar::Called], words: &[Word]) -> Result<String, String> {
    let mut spelled: Vec<String> = Vec::with_capacity(fields.len());
    let mut words = words;
    for (called, field) in fields {
        let wrong = || format!("the {called} must be {}", field.must_be());
        let explained = |reason: String| format!("the {called} is wrong: {reason}");
        if field.is_rest() {
            if words.is_empty() && !matches!(field, Field::Types) {
                return Err(missing(fields));
            }
            let rest = field.spell_rest(words).map_err(explained)?.ok_or_else(wrong)?;
            if !rest.is_empty() {
                spelled.push(rest);
            }
            words = &[];
            continue;
        }
        let Some((word, after)) = words.split_first() else { return Err(missing(fields)) };
        // Code comes in several strings where it is long.
        if kind == "LUA" && matches!(field, Field::LongText) {
            spelled.push(code(words)?);
            words = &[];
            continue;
        }
        spelled.push(field.spell(word).map_err(explained)?.ok_or_else(wrong)?);
        words = after;
    }
    if !words.is_empty() {
        return Err(missing(fields));
    }
    if let [.., number, digest] = spelled.as_slice()
        && let Some(bytes) = grammar::digest_length(kind, number)
        && digest.len() != bytes * 2
        && let Some((called, _)) = fields.last()
    {
        return Err(format!("the {called} must have {} hexadecimal digits", bytes * 2));
    }
    Ok(spelled.join(" "))
}

fn code(words: &[Word]) -> Result<String, String> {
    let strings: Vec<String> =
        words.iter().map(|word| Ok(text::quoted(&word.string()?))).collect::<Result<_, String>>()?;
    Ok(strings.join(" "))
}

fn missing(fields: &[grammar::Called]) -> String {
    let called: Vec<&str> = fields.iter().map(|(called, _)| *called).collect();
    format!("it must consist of: {}", called.join(", "))
}

fn unknown(words: &[Word]) -> String {
    let spelled = words.iter().map(|word| match word {
        Word::Bare(text) => text.clone(),
        Word::Quoted(bytes) => text::quoted(bytes),
    });
    spelled.collect::<Vec<_>>().join(" ")
}

/// Whether the server reads contents of this type in no other form than the type's own.
fn has_grammar(kind: &str) -> bool {
    matches!(kind, "SVCB" | "HTTPS" | "LOC" | "APL" | "IPSECKEY") || grammar::fields(kind).is_some()
}

/// `\# LENGTH HEX`, in which any content can be written.
fn unknown_form(content: &str) -> Result<String, String> {
    let mut words = content.split_ascii_whitespace().skip(1);
    let length = words.next().and_then(|length| length.parse::<usize>().ok());
    let digits: String = words.collect();
    match length {
        Some(length)
            if digits.len() == length.saturating_mul(2) && digits.bytes().all(|byte| byte.is_ascii_hexdigit()) =>
        {
            let separator = if digits.is_empty() { "" } else { " " };
            Ok(format!("\\# {length}{separator}{}", digits.to_ascii_lowercase()))
        }
        _ => Err("after \\# come the number of bytes and so many pairs of hexadecimal digits".to_owned()),
    }
}

/// What all spellings of a content have in common; of what is no such content, itself.
pub fn key(kind: &str, content: &str) -> String {
    canonical(kind, content).unwrap_or_else(|_| content.to_owned())
}

/// Whether two contents mean the same.
pub fn is_same(kind: &str, one: &str, other: &str) -> bool {
    key(kind, one) == key(kind, other)
}

/// The same without what the server itself goes on changing: a zone's serial.
pub fn settled_key(kind: &str, content: &str) -> String {
    let key = key(kind, content);
    let is_soa = kind == "SOA" && key.split(' ').count() == SOA_FIELDS;
    if !is_soa {
        return key;
    }
    let kept = key.split(' ').enumerate().filter(|(at, _)| *at != SERIAL).map(|(_, word)| word);
    kept.collect::<Vec<_>>().join(" ")
}

/// Whether a server's spelling of a content says the same in its strings. One that loses what escapes quotation marks and backslashes in them
/// means another text.
pub fn keeps_strings(given: &str, spelled: &str) -> bool {
    let (Ok(given), Ok(spelled)) = (text::words(given), text::words(spelled)) else { return false };
    let said = |words: &[Word]| -> Result<Vec<u8>, String> {
        words.iter().map(Word::string).collect::<Result<Vec<_>, _>>().map(|strings| strings.concat())
    };
    let has_strings = given.iter().any(|word| word.bare().is_none());
    !has_strings
        || matches!((said(&given), said(&spelled)), (Ok(given), Ok(spelled)) if given.eq_ignore_ascii_case(&spelled))
}

/// A `SOA` in the server's spelling, with the serial of another one unless its own is newer. Serials go round (RFC 1982).
pub fn not_older(soa: &str, than: &str) -> String {
    let serial = |soa: &str| {
        let fields: Vec<&str> = soa.split(' ').collect();
        // Those of the form for unknown types are others.
        if fields.len() == SOA_FIELDS { fields.get(SERIAL)?.parse::<u32>().ok() } else { None }
    };
    match (serial(soa), serial(than)) {
        (Some(own), Some(other)) if own.wrapping_sub(other) >= 1 << 31 => {
            let words = soa.split(' ').enumerate();
            let words = words.map(|(at, word)| if at == SERIAL { other.to_string() } else { word.to_owned() });
            words.collect::<Vec<_>>().join(" ")
        }
        _ => soa.to_owned(),
    }
}
