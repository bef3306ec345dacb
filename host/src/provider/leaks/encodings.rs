//! The spellings in which programs repeat a text without meaning to hide it.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::alphabet::{Alphabet, STANDARD, URL_SAFE};
use base64::engine::{GeneralPurpose, GeneralPurposeConfig};

/// Bytes that are the same in every spelling of a URL.
const UNRESERVED: &[u8] = b"-._~";
/// What scripts leave as it is besides.
const SCRIPTS: &[u8] = b"-._~!'()*";
/// What forms leave as it is.
const FORMS: &[u8] = b"*-._";

/// All spellings of a text that differ from it: in upper and in lower case, escaped as in JSON and in Rust's debugging output, in
/// hexadecimal, in base64 of both alphabets wherever in a longer text it stands, and as URLs and forms have it.
pub(super) fn spellings(text: &str) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    if let Ok(json) = serde_json::to_string(text) {
        all.push(json.get(1..json.len().saturating_sub(1)).unwrap_or_default().to_owned().into_bytes());
    }
    all.push(text.escape_debug().to_string().into_bytes());
    let bytes = text.as_bytes();
    // Hosts and the names of variables are one or the other.
    all.extend([text.to_lowercase().into_bytes(), text.to_uppercase().into_bytes()]);
    all.push(hexadecimal(bytes, false));
    all.push(hexadecimal(bytes, true));
    for alphabet in [&STANDARD, &URL_SAFE] {
        all.extend((0..3).map(|offset| base64_at(alphabet, bytes, offset)));
    }
    for (kept, space) in [(UNRESERVED, None), (SCRIPTS, None), (FORMS, Some(b'+'))] {
        all.extend([false, true].map(|lower| escaped(bytes, kept, space, lower)));
    }
    all.retain(|spelling| spelling != bytes && spelling.len() >= bytes.len());
    all.sort_unstable();
    all.dedup();
    all
}

fn hexadecimal(bytes: &[u8], upper: bool) -> Vec<u8> {
    let mut text = String::with_capacity(bytes.len().saturating_mul(2));
    for byte in bytes {
        let _ = if upper { write!(text, "{byte:02X}") } else { write!(text, "{byte:02x}") };
    }
    text.into_bytes()
}

/// The characters that only these bytes decide, where so many others come before them in their group of three.
fn base64_at(alphabet: &Alphabet, bytes: &[u8], offset: usize) -> Vec<u8> {
    let unpadded = GeneralPurposeConfig::new().with_encode_padding(false);
    let encoded = GeneralPurpose::new(alphabet, unpadded).encode([vec![0; offset], bytes.to_vec()].concat());
    // A byte takes part in the character that it begins in and in the next.
    let first = if offset == 0 { 0 } else { offset + 1 };
    let shared = !(offset + bytes.len()).is_multiple_of(3);
    let last = encoded.len().saturating_sub(usize::from(shared));
    encoded.get(first..last).unwrap_or_default().as_bytes().to_vec()
}

/// In base32, which survives where case doesn't, wherever in a longer text it stands.
pub(super) fn base32(text: &str) -> Vec<Vec<u8>> {
    const ALPHABET: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
    let spelt = |offset: usize| {
        // So many bits belong to a character that begins before the text.
        let mut bits = text.bytes().flat_map(|byte| (0..8).rev().map(move |place| (byte >> place) & 1)).skip(offset);
        let characters = std::iter::from_fn(move || {
            let five: Vec<u8> = bits.by_ref().take(5).collect();
            let index = five.iter().fold(0, |index, bit| (index << 1) | bit);
            ALPHABET.get(usize::from(index)).copied().filter(|_| five.len() == 5)
        });
        characters.collect()
    };
    (0..5).map(spelt).collect()
}

fn escaped(bytes: &[u8], kept: &[u8], space: Option<u8>, lower: bool) -> Vec<u8> {
    let mut text = Vec::with_capacity(bytes.len());
    for byte in bytes {
        match (byte, space) {
            (b' ', Some(space)) => text.push(space),
            (byte, _) if byte.is_ascii_alphanumeric() || kept.contains(byte) => text.push(*byte),
            (byte, _) => {
                text.push(b'%');
                text.extend(hexadecimal(&[*byte], !lower));
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
    use proptest::prelude::*;

    use super::*;

    fn spelt(text: &str, within: &str) -> bool {
        let within = within.as_bytes();
        spellings(text).iter().any(|spelling| within.windows(spelling.len()).any(|window| window == spelling))
    }

    #[test]
    fn what_programs_print_is_known() {
        let secret = "p\"ss wörd/+\n?";
        for printed in [
            &serde_json::json!({ "password": secret }).to_string(),
            &format!("{:?}", Err::<(), _>(secret)),
            "<70227373 is no part of it>: 702273732077c3b672642f2b0a3f",
            "702273732077C3B672642F2B0A3F",
            "p%22ss%20w%C3%B6rd%2F%2B%0A%3F",
            "https://h/?q=p%22ss+w%c3%b6rd%2f%2b%0a%3f",
        ] {
            assert!(spelt(secret, printed), "{printed}");
        }
    }

    #[test]
    fn nothing_that_is_only_like_it_is_known() {
        assert!(!spelt("password", "passwort") && !spelt("password", "cGFzc3dvcnQ="));
    }

    proptest! {
        #[test]
        fn base64_is_known_wherever_the_text_stands(
            before in proptest::collection::vec(any::<u8>(), 0..9),
            secret in "\\PC{8,40}",
            after in proptest::collection::vec(any::<u8>(), 0..9),
        ) {
            let whole = [before, secret.clone().into_bytes(), after].concat();
            prop_assert!(spelt(&secret, &BASE64_STANDARD.encode(&whole)));
            prop_assert!(spelt(&secret, &BASE64_URL_SAFE_NO_PAD.encode(&whole)));
        }
    }
}
