//! The same random bytes are offered in several notations. Each is the native provider's to the last character, padding
//! included, since names of other resources were made of them.

use base64::{
    DecodeError, Engine,
    alphabet::{STANDARD, URL_SAFE},
    engine::{
        GeneralPurpose,
        general_purpose::{NO_PAD, PAD},
    },
};
use num_bigint::BigUint;

// When reading, bits beyond the last whole byte may be anything, as in Go.
const PADDED: GeneralPurpose = GeneralPurpose::new(&STANDARD, PAD.with_decode_allow_trailing_bits(true));
const FOR_URLS: GeneralPurpose = GeneralPurpose::new(&URL_SAFE, NO_PAD.with_decode_allow_trailing_bits(true));

/// Base64 with `+` and `/`, padded.
pub fn base64(bytes: &[u8]) -> String {
    PADDED.encode(bytes)
}

/// Base64 with `-` and `_`, without padding.
pub fn base64_url(bytes: &[u8]) -> String {
    FOR_URLS.encode(bytes)
}

/// Two lower-case hexadecimal digits for each byte.
pub fn hexadecimal(bytes: &[u8]) -> String {
    hex::encode(bytes)
}

/// The bytes as one unsigned number, the first the most significant, in decimal digits without leading zeros.
pub fn decimal(bytes: &[u8]) -> String {
    BigUint::from_bytes_be(bytes).to_string()
}

/// The bytes of padded Base64.
pub fn from_base64(text: &str) -> Result<Vec<u8>, DecodeError> {
    PADDED.decode(text)
}

/// The bytes of Base64 for URLs without padding.
pub fn from_base64_url(text: &str) -> Result<Vec<u8>, DecodeError> {
    FOR_URLS.decode(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Computed by Go 1.26.8 with `encoding/base64`, `encoding/hex` and `math/big`.
    const NOTATIONS: [(&[u8], &str, &str, &str, &str); 5] = [
        (&[], "", "", "", "0"),
        (&[0x00], "AA==", "AA", "00", "0"),
        (&[0xff], "/w==", "_w", "ff", "255"),
        (&[0xc6, 0x7a, 0xc1, 0x49], "xnrBSQ==", "xnrBSQ", "c67ac149", "3329933641"),
        (
            &[0x00, 0xfb, 0xef, 0xbe, 0xff, 0x01, 0x02, 0x03, 0x04, 0x05],
            "APvvvv8BAgMEBQ==",
            "APvvvv8BAgMEBQ",
            "00fbefbeff0102030405",
            "4647408288101531059205",
        ),
    ];

    #[test]
    fn notations_equal_those_of_go() {
        for (bytes, padded, url, hex, number) in NOTATIONS {
            assert_eq!(base64(bytes), padded);
            assert_eq!(base64_url(bytes), url);
            assert_eq!(hexadecimal(bytes), hex);
            assert_eq!(decimal(bytes), number);
        }
    }

    proptest! {
        #[test]
        fn what_was_encoded_can_be_read(bytes: Vec<u8>) {
            prop_assert_eq!(from_base64(&base64(&bytes)).unwrap(), bytes.clone());
            prop_assert_eq!(from_base64_url(&base64_url(&bytes)).unwrap(), bytes);
        }
    }

    #[test]
    fn bits_after_the_last_byte_do_not_matter() {
        assert_eq!(from_base64_url("xnrBSR").unwrap(), [0xc6, 0x7a, 0xc1, 0x49]);
        assert_eq!(from_base64("xnrBSR==").unwrap(), [0xc6, 0x7a, 0xc1, 0x49]);
    }

    #[test]
    fn other_notations_are_refused() {
        assert!(from_base64("d2RtNQ").is_err(), "padding is missing");
        assert!(from_base64_url("d2RtNQ==").is_err(), "padding is not wanted");
        assert!(from_base64("_w==").is_err(), "the other alphabet");
    }
}
