//! An import knows nothing but the text that the user typed as the id, and each kind of resource packs into it what it
//! can't do without. The forms are the native provider's.

use std::num::ParseIntError;

use uuid::Uuid;

use crate::encodings;

/// Why an id can't be imported. Nothing of the id is repeated, nor what a decoder says of it: it may be a key.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The wrong number of parts.
    #[error("read the id: it must have the form {form}")]
    Form {
        /// The form.
        form: &'static str,
    },
    /// A part isn't a whole number.
    #[error("read the id: {part} is not a whole number in 64 bits")]
    Number {
        /// Which part.
        part: &'static str,
        /// What is wrong with it.
        #[source]
        source: ParseIntError,
    },
    /// A number that a value can't carry.
    #[error("read the id: {part} must be between -9007199254740991 and 9007199254740991")]
    TooLarge {
        /// Which part.
        part: &'static str,
    },
    /// What isn't shown can't be an id.
    #[error("read the id: it has control characters, such as the end of a line; hint: trim it")]
    Unprintable,
    /// The id isn't Base64, or not of the right kind.
    #[error("read the id: it is not {notation}")]
    Notation {
        /// The notation.
        notation: &'static str,
    },
    /// Nothing is left to import.
    #[error("read the id: it stands for no bytes at all")]
    Empty,
    /// The id isn't a UUID.
    #[error("read the id: it is not a UUID")]
    Uuid,
}

/// An integer to import: `RESULT,MIN,MAX` or `RESULT,MIN,MAX,SEED`.
#[derive(Debug, PartialEq, Eq)]
pub struct Integer<'a> {
    /// The result as it was typed, which becomes the id.
    pub id: &'a str,
    /// The result.
    pub result: i64,
    /// The lowest result there could have been.
    pub min: i64,
    /// The highest.
    pub max: i64,
    /// The seed.
    pub seed: Option<&'a str>,
}

/// Reads the id of an integer.
pub fn integer(text: &str) -> Result<Integer<'_>, ImportError> {
    let number = |part: &'static str, text: &str| {
        let number = text.parse::<i64>().map_err(|source| ImportError::Number { part, source })?;
        if number.unsigned_abs() < 1 << 53 { Ok(number) } else { Err(ImportError::TooLarge { part }) }
    };
    let parts: Vec<&str> = text.split(',').collect();
    let (id, min, max, seed) = match *parts.as_slice() {
        [id, min, max] => (id, min, max, None),
        [id, min, max, seed] => (id, min, max, Some(seed)),
        _ => return Err(ImportError::Form { form: "RESULT,MIN,MAX or RESULT,MIN,MAX,SEED" }),
    };
    let result = number("the result", id)?;
    Ok(Integer { id, result, min: number("min", min)?, max: number("max", max)?, seed })
}

/// Random bytes in the notation of a `RandomId`, with what stands before it: `ID` or `PREFIX,ID`.
#[derive(Debug, PartialEq, Eq)]
pub struct Id<'a> {
    /// The prefix, which may contain commas; an empty one is none.
    pub prefix: Option<&'a str>,
    /// The bytes as they were typed, which becomes the id.
    pub id: &'a str,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// Reads the id of a `RandomId`.
pub fn id(text: &str) -> Result<Id<'_>, ImportError> {
    let (prefix, id) = text.rsplit_once(',').unwrap_or(("", text));
    let bytes = encodings::from_base64_url(id)
        .map_err(|_| ImportError::Notation { notation: "Base64 for URLs without padding" })?;
    Ok(Id { prefix: Some(prefix).filter(|prefix| !prefix.is_empty()), id, bytes: not_empty(bytes)? })
}

/// Reads the id of random bytes: padded Base64.
pub fn bytes(text: &str) -> Result<Vec<u8>, ImportError> {
    let bytes = encodings::from_base64(text).map_err(|_| ImportError::Notation { notation: "padded Base64" })?;
    not_empty(bytes)
}

/// Reads an id that is the result.
pub fn printable(text: &str) -> Result<&str, ImportError> {
    if text.contains(controls) { Err(ImportError::Unprintable) } else { Ok(text) }
}

/// What the host takes in no id: control characters, ends of lines and paragraphs, and what turns the direction of all that follows.
fn controls(character: char) -> bool {
    matches!(character, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}') || character.is_control()
}

fn not_empty(bytes: Vec<u8>) -> Result<Vec<u8>, ImportError> {
    if bytes.is_empty() { Err(ImportError::Empty) } else { Ok(bytes) }
}

/// Reads the id of a UUID in any of its usual spellings, and gives the canonical one. Natively whatever two characters stand
/// around it are braces.
pub fn uuid(text: &str) -> Result<String, ImportError> {
    let within = text.get(1..37).filter(|_| text.len() == 38).unwrap_or(text);
    Uuid::try_parse(within).map(|uuid| uuid.hyphenated().to_string()).map_err(|_| ImportError::Uuid)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason<T: std::fmt::Debug>(result: Result<T, ImportError>) -> String {
        result.unwrap_err().to_string()
    }

    #[test]
    fn integers_bring_their_range() {
        let expected = Integer { id: "5", result: 5, min: 1, max: 9, seed: None };
        assert_eq!(integer("5,1,9").unwrap(), expected);
        assert_eq!(integer("5,1,9,salt").unwrap(), Integer { seed: Some("salt"), ..expected });
        assert_eq!(integer("-05,-9,9").unwrap(), Integer { id: "-05", result: -5, min: -9, max: 9, seed: None });
    }

    #[test]
    fn integers_in_other_forms_are_refused() {
        let form = "read the id: it must have the form RESULT,MIN,MAX or RESULT,MIN,MAX,SEED";
        assert_eq!(reason(integer("5")), form);
        assert_eq!(reason(integer("5,1,9,a,b")), form);
        assert_eq!(reason(integer("x,1,9")), "read the id: the result is not a whole number in 64 bits");
        assert_eq!(reason(integer("5, 1,9")), "read the id: min is not a whole number in 64 bits");
        assert_eq!(reason(integer("5,1,9e3")), "read the id: max is not a whole number in 64 bits");
    }

    #[test]
    fn integers_that_no_value_carries_are_refused_by_their_bound() {
        let bound = "must be between -9007199254740991 and 9007199254740991";
        let large = "9007199254740993,0,9007199254740993";
        assert_eq!(reason(integer(large)), format!("read the id: the result {bound}"));
        assert_eq!(reason(integer("5,-9007199254740992,9")), format!("read the id: min {bound}"));
        assert!(integer("9007199254740991,0,9007199254740991").is_ok());
    }

    #[test]
    fn ids_may_have_a_prefix() {
        let bytes = vec![0xc6, 0x7a, 0xc1, 0x49];
        for (text, prefix) in
            [("xnrBSQ", None), ("p-,xnrBSQ", Some("p-")), ("a,b,xnrBSQ", Some("a,b")), (",xnrBSQ", None)]
        {
            assert_eq!(id(text).unwrap(), Id { prefix, id: "xnrBSQ", bytes: bytes.clone() }, "{text}");
        }
    }

    #[test]
    fn ids_and_bytes_must_be_base64_of_something() {
        assert_eq!(reason(id("secret!")), "read the id: it is not Base64 for URLs without padding",);
        assert_eq!(reason(bytes("d2RtNQ")), "read the id: it is not padded Base64");
        assert_eq!(reason(id("p,")), "read the id: it stands for no bytes at all");
        assert_eq!(reason(bytes("")), "read the id: it stands for no bytes at all");
        assert_eq!(bytes("d2RtNQ==").unwrap(), b"wdm5");
    }

    #[test]
    fn uuids_become_canonical() {
        let canonical = "9615dfe3-db80-22da-b96f-58c82d07e685";
        for text in [
            canonical,
            "9615DFE3-DB80-22DA-B96F-58C82D07E685",
            "9615dfe3db8022dab96f58c82d07e685",
            "urn:uuid:9615dfe3-db80-22da-b96f-58c82d07e685",
            "URN:UUID:9615dfe3-db80-22da-b96f-58c82d07e685",
            "{9615dfe3-db80-22da-b96f-58c82d07e685}",
            "(9615dfe3-db80-22da-b96f-58c82d07e685)",
            " 9615dfe3-db80-22da-b96f-58c82d07e685\n",
        ] {
            assert_eq!(uuid(text).unwrap(), canonical, "{text}");
        }
        for text in ["{9615dfe3db8022dab96f58c82d07e685}", "é9615dfe3-db80-22da-b96f-58c82d07e685", ""] {
            assert_eq!(reason(uuid(text)), "read the id: it is not a UUID", "{text}");
        }
        assert_eq!(reason(uuid("x")), "read the id: it is not a UUID");
    }
}
