//! Bytes that no encoder wrote.

use bulkhead_value::{Bounds, Object, wire};
use proptest::{collection, prelude::*, sample::Index};

use crate::arbitrary::properties;

const ALL: wire::Capabilities = wire::Capabilities::ALL;

/// One change to some bytes.
#[derive(Debug, Clone)]
enum Mutation {
    Flip(Index, u8),
    Insert(Index, u8),
    Remove(Index),
    Cut(Index),
    Repeat(Index, Index),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    prop_oneof![
        4 => (any::<Index>(), 0_u32..8).prop_map(|(at, bit)| Mutation::Flip(at, 1 << bit)),
        2 => (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Mutation::Insert(at, byte)),
        2 => any::<Index>().prop_map(Mutation::Remove),
        1 => any::<Index>().prop_map(Mutation::Cut),
        1 => (any::<Index>(), any::<Index>()).prop_map(|(from, to)| Mutation::Repeat(from, to)),
    ]
}

fn apply(mutation: &Mutation, bytes: &mut Vec<u8>) {
    let length = bytes.len();
    match mutation {
        Mutation::Insert(at, byte) => bytes.insert(at.index(length + 1), *byte),
        _ if bytes.is_empty() => {}
        Mutation::Flip(at, bits) => bytes[at.index(length)] ^= bits,
        Mutation::Remove(at) => drop(bytes.remove(at.index(length))),
        Mutation::Cut(at) => bytes.truncate(at.index(length)),
        Mutation::Repeat(from, to) => {
            let tail = bytes[from.index(length)..].to_vec();
            bytes.splice(to.index(length)..to.index(length), tail);
        }
    }
}

/// Whatever is accepted is a value like any other: it can be written, and is read back the same.
fn check(bytes: &[u8]) -> Result<(), TestCaseError> {
    let (bounds, first) = (Bounds::default(), wire::decode::properties(bytes, &Bounds::default()));
    let object: Object = match first {
        Ok(object) => object,
        Err(error) => {
            prop_assert!(error.to_string().chars().count() < 400, "{}", error);
            return Ok(());
        }
    };
    let written = wire::encode::properties(&object, &ALL);
    prop_assert!(written.is_ok(), "{:?} of {:?}", written, object);
    prop_assert_eq!(wire::decode::properties(&written.unwrap_or_default(), &bounds), Ok(object));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_bytes_are_a_value_or_an_error(bytes in collection::vec(any::<u8>(), 0..64)) {
        check(&bytes)?;
    }

    #[test]
    fn bytes_of_likely_tags_are_a_value_or_an_error(
        bytes in collection::vec(prop_oneof![
            prop::sample::select(vec![0x0a_u8, 0x12, 0x08, 0x11, 0x1a, 0x20, 0x2a, 0x32]), 0_u8..12, any::<u8>(),
        ], 0..64),
    ) {
        check(&bytes)?;
    }

    #[test]
    fn damaged_properties_are_a_value_or_an_error(object in properties(), mutations in collection::vec(mutation(), 1..6)) {
        let mut bytes = wire::encode::properties(&object, &ALL).unwrap();
        mutations.iter().for_each(|mutation| apply(mutation, &mut bytes));
        check(&bytes)?;
    }
}

#[test]
fn every_beginning_of_properties_is_a_value_or_an_error() {
    let golden = include_str!("../golden/properties.jsonl").lines().nth(2).unwrap();
    let json: serde_json::Value = serde_json::from_str(golden).unwrap();
    let bytes = crate::structs::bytes(&json["properties"]);
    for end in 0..bytes.len() {
        let error = wire::decode::properties(&bytes[..end], &Bounds::default());
        // A message may end between its fields, and only there.
        assert!(error.is_err() || check(&bytes[..end]).is_ok(), "{end}");
    }
}
