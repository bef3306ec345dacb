//! `IPSECKEY`: what stands for the gateway depends on a number before it, and whether there is a key on another.

use super::field::Field::{self, Base64, Ipv4, Ipv6, Name, OneOf};
use super::grammar::{Called, U8};
use super::text::Word;

/// None, an IPv4 address, an IPv6 address, or a name.
const GATEWAYS: Field = OneOf(&[0, 1, 2, 3]);
/// No key, or one of DSA or RSA: the server knows no others.
const ALGORITHMS: Field = OneOf(&[0, 1, 2]);

/// The fields of a content, and its words but for the dot that stands for no gateway: the server would take what comes after it for nothing.
pub(super) fn fields(words: &[Word]) -> (Vec<Called>, Vec<Word>) {
    let number = |at: usize, field: Field| words.get(at).and_then(|word| field.spell(word).ok().flatten());
    let mut fields: Vec<Called> = vec![("precedence", U8), ("gateway type", GATEWAYS), ("algorithm", ALGORITHMS)];
    let mut kept = words.to_vec();
    match number(1, GATEWAYS).as_deref() {
        Some("0") if words.get(3).and_then(Word::bare) == Some(".") => drop(kept.remove(3)),
        Some("0") => {}
        Some("1") => fields.push(("gateway", Ipv4)),
        Some("2") => fields.push(("gateway", Ipv6)),
        _ => fields.push(("gateway", Name)),
    }
    if number(2, ALGORITHMS).as_deref() != Some("0") {
        fields.push(("key", Base64));
    }
    (fields, kept)
}
