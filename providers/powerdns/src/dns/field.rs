//! The fields that contents consist of.

use std::net::{Ipv4Addr, Ipv6Addr};

use base64::Engine as _;
use base64::alphabet;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};

use super::address;
use super::name::Name;
use super::text::{self, STRING, Word};

/// Base64 as the server reads it, which overlooks bits at the end that mean nothing.
const STANDARD: GeneralPurpose =
    GeneralPurpose::new(&alphabet::STANDARD, GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true));

/// What stands in a place of a content.
#[derive(Clone, Copy, Debug)]
pub(super) enum Field {
    /// A number up to this one.
    Number(u32),
    /// One of some numbers.
    OneOf(&'static [u32]),
    /// A full name.
    Name,
    /// An IPv4 address.
    Ipv4,
    /// An IPv6 address.
    Ipv6,
    /// A string of up to 255 bytes.
    Text,
    /// A string of any length.
    LongText,
    /// A word of letters and digits, spelled in lower case.
    Tag,
    /// The mnemonic of a record type.
    Type,
    /// A salt: hexadecimal, or a dash for none.
    Salt,
    /// So many pairs of hexadecimal digits.
    Hardware(usize),
    /// Half of an IPv6 address.
    Half,
    /// All that is left: hexadecimal.
    Hex,
    /// All that is left: base64.
    Base64,
    /// All that is left: strings of up to 255 bytes, at least one.
    Texts,
    /// All that is left: mnemonics of record types, or nothing.
    Types,
}

impl Field {
    /// Whether it takes all that is left.
    pub(super) fn is_rest(self) -> bool {
        matches!(self, Self::Hex | Self::Base64 | Self::Texts | Self::Types)
    }

    /// What it must be, after "must be".
    pub(super) fn must_be(self) -> String {
        match self {
            Self::Number(greatest) => format!("a number from 0 to {greatest}"),
            Self::OneOf(numbers) => {
                format!("one of {}", numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(", "))
            }
            Self::Name => "a full name, such as mail.example.org.".to_owned(),
            Self::Ipv4 => "an IPv4 address, such as 192.0.2.1".to_owned(),
            Self::Ipv6 => "an IPv6 address, such as 2001:db8::1".to_owned(),
            Self::Text => "a string of up to 255 bytes".to_owned(),
            Self::LongText | Self::Texts => "a string".to_owned(),
            Self::Tag => "a word of letters and digits".to_owned(),
            Self::Type | Self::Types => "a record type, such as AAAA".to_owned(),
            Self::Salt => "hexadecimal digits, or - for none".to_owned(),
            Self::Hardware(pairs) => format!("{pairs} pairs of hexadecimal digits with dashes between"),
            Self::Half => "four groups of hexadecimal digits with colons between".to_owned(),
            Self::Hex => "pairs of hexadecimal digits".to_owned(),
            Self::Base64 => "base64".to_owned(),
        }
    }

    /// The server's spelling of one word; none if the word doesn't fit, an error if more can be said about it.
    pub(super) fn spell(self, word: &Word) -> Result<Option<String>, String> {
        if matches!(self, Self::Text | Self::LongText) {
            let bytes = word.string()?;
            let fits = matches!(self, Self::LongText) || bytes.len() <= STRING;
            return Ok(fits.then(|| text::quoted(&bytes)));
        }
        let Some(bare) = word.bare() else { return Ok(None) };
        Ok(match self {
            Self::Number(greatest) => {
                number(bare).filter(|number| *number <= greatest).map(|number| number.to_string())
            }
            Self::OneOf(numbers) => {
                number(bare).filter(|number| numbers.contains(number)).map(|number| number.to_string())
            }
            Self::Name if bare.parse::<Ipv4Addr>().is_ok() || bare.parse::<Ipv6Addr>().is_ok() => {
                return Err("it is an address, and must be a name".to_owned());
            }
            Self::Name => Some(Name::target(bare).map_err(|error| error.to_string())?.to_string()),
            Self::Ipv4 => bare.parse::<Ipv4Addr>().ok().map(|address| address.to_string()),
            Self::Ipv6 => bare.parse::<Ipv6Addr>().ok().map(|address| address.to_string()),
            Self::Tag => {
                let fits = !bare.is_empty() && bare.bytes().all(|byte| byte.is_ascii_alphanumeric());
                fits.then(|| bare.to_ascii_lowercase())
            }
            Self::Type => is_type(bare).then(|| bare.to_ascii_uppercase()),
            Self::Salt => match bare {
                "-" => Some(bare.to_owned()),
                salt => hex(salt),
            },
            Self::Hardware(pairs) => address::hardware(bare, pairs),
            Self::Half => address::half(bare),
            Self::Text | Self::LongText | Self::Hex | Self::Base64 | Self::Texts | Self::Types => None,
        })
    }

    /// The server's spelling of all words that are left.
    pub(super) fn spell_rest(self, words: &[Word]) -> Result<Option<String>, String> {
        let joined = || -> Option<String> { words.iter().map(Word::bare).collect() };
        Ok(match self {
            Self::Hex => joined().and_then(|digits| hex(&digits)),
            Self::Base64 => joined()
                .and_then(|text| STANDARD.decode(text).ok())
                .filter(|bytes| !bytes.is_empty())
                .map(|bytes| STANDARD.encode(bytes)),
            Self::Texts => {
                let mut strings = Vec::new();
                for word in words {
                    strings.extend(text::split(&word.string()?));
                }
                (!strings.is_empty()).then(|| strings.join(" "))
            }
            Self::Types => {
                let types: Option<Vec<&str>> =
                    words.iter().map(|word| word.bare().filter(|bare| is_type(bare))).collect();
                types.map(|types| types.join(" ").to_ascii_uppercase())
            }
            _ => None,
        })
    }
}

/// A number in decimal digits and nothing else.
pub(super) fn number(text: &str) -> Option<u32> {
    let is_plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_plain { text.parse().ok() } else { None }
}

fn hex(digits: &str) -> Option<String> {
    let fits =
        !digits.is_empty() && digits.len().is_multiple_of(2) && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    fits.then(|| digits.to_ascii_lowercase())
}

/// Whether this could be the mnemonic of a record type.
pub(super) fn is_type(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}
