//! Names that are made for resources.
//!
//! A name must be the same whenever it is made from the same seed, on every machine and in every version of the host:
//! an engine may check a resource in a preview and again when it creates it. So the characters are drawn from SHA-256 of
//! the seed and the place of the property, and from nothing else. Native providers make other names of the same seed, and did
//! so among themselves: which, depends on the version of the generator that they were built with.

use bulkhead_value::{PropertyPath, Value};
use sha2::{Digest, Sha256};

use super::{
    AutonamingMode, CheckRequest,
    validation::{Tries, broken_rules},
};
use crate::model::{Autoname, Property};

/// The name for a property, unknown if there is nothing to make it from.
pub(super) fn choose(
    request: &CheckRequest<'_>,
    property: &Property,
    autoname: &Autoname,
    place: &PropertyPath,
    tries: &mut Tries,
) -> Result<Value, String> {
    let proposed =
        request.autonaming.filter(|wish| !wish.proposed_name.is_empty() || wish.mode == AutonamingMode::Disable);
    if let Some(wish) = proposed {
        let mut broken = || broken_rule(property, autoname, &wish.proposed_name, tries);
        match wish.mode {
            AutonamingMode::Disable => return Err("automatic names are disabled, so it must be given".to_owned()),
            AutonamingMode::Enforce => {
                return match broken() {
                    Some(reason) => Err(format!("the name that the engine enforces is unusable: {reason}")),
                    None => Ok(wish.proposed_name.as_str().into()),
                };
            }
            AutonamingMode::Propose => match broken() {
                None => return Ok(wish.proposed_name.as_str().into()),
                // Nobody knows whether it could have been taken.
                Some(reason) if tries.are_spent() => return Err(reason),
                Some(_) => {}
            },
        }
    }
    let Some(seed) = request.seed else { return Ok(Value::Unknown) };
    let name = generate(autoname, request.name.unwrap_or_default(), seed, place).into();
    // What the program calls its resource is in it.
    match broken_rules(Some(property), &name, tries).into_iter().next() {
        Some(reason) => Err(format!("the name that would be made of the resource's is unusable: {reason}")),
        None => Ok(name),
    }
}

fn broken_rule(property: &Property, autoname: &Autoname, name: &str, tries: &mut Tries) -> Option<String> {
    if let Some(most) = autoname.max_length.filter(|most| name.chars().count() > *most) {
        return Some(format!("it has more than {most} characters"));
    }
    broken_rules(Some(property), &name.into(), tries).into_iter().next()
}

/// The resource's name, the separator and random characters; the resource's name is cut if the whole would be too long.
fn generate(autoname: &Autoname, name: &str, seed: &[u8], place: &PropertyPath) -> String {
    let charset: Vec<char> = autoname.charset.as_deref().unwrap_or("0123456789abcdef").chars().collect();
    let random: String = Draw::new(seed, place).take_from(&charset, autoname.hex_digits);
    let suffix = match name {
        "" => random,
        _ => format!("{}{random}", autoname.separator),
    };
    let room = autoname.max_length.map_or(usize::MAX, |most| most.saturating_sub(suffix.chars().count()));
    let whole: String = name.chars().take(room).chain(suffix.chars()).collect();
    // A separator that is too long itself: the random characters are at the end, and they fit.
    let excess = autoname.max_length.map_or(0, |most| whole.chars().count().saturating_sub(most));
    whole.chars().skip(excess).collect()
}

/// Numbers drawn from a seed.
struct Draw {
    key: [u8; 32],
    block: u64,
    bytes: Vec<u8>,
}

impl Draw {
    fn new(seed: &[u8], place: &PropertyPath) -> Self {
        let mut key = Sha256::new();
        key.update(b"bulkhead autoname 1\0");
        key.update(Sha256::digest(seed));
        key.update(place.to_string());
        Self { key: key.finalize().into(), block: 0, bytes: Vec::new() }
    }

    fn next(&mut self) -> u8 {
        loop {
            if let Some(byte) = self.bytes.pop() {
                return byte;
            }
            let mut block = Sha256::new();
            block.update(self.key);
            block.update(self.block.to_be_bytes());
            self.block = self.block.wrapping_add(1);
            self.bytes = block.finalize().to_vec();
        }
    }

    /// Characters that are each as likely as the others: numbers beyond the last multiple of their count are drawn again.
    fn take_from(&mut self, charset: &[char], count: usize) -> String {
        let size = u32::try_from(charset.len()).unwrap_or(u32::MAX).max(1);
        let fair = u32::MAX - u32::MAX % size;
        let mut text = String::new();
        for _ in 0..count {
            let number = loop {
                let number = u32::from_be_bytes([self.next(), self.next(), self.next(), self.next()]);
                if number < fair {
                    break number % size;
                }
            };
            text.extend(usize::try_from(number).ok().and_then(|index| charset.get(index)));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::generate;
    use crate::model::Autoname;
    use bulkhead_value::PropertyPath;

    fn name_of(autoname: &Autoname, name: &str, seed: u8) -> String {
        generate(autoname, name, &[seed; 32], &PropertyPath::field("name"))
    }

    #[test]
    fn a_name_is_the_same_for_ever() {
        // Names are in people's states: a change of this text would rename nothing, but make two hosts disagree.
        insta::assert_snapshot!(name_of(&Autoname::default(), "bucket", 7), @"bucket-ef742e1");
    }

    #[test]
    fn a_name_depends_on_its_seed_and_its_place() {
        let plain = Autoname::default();
        assert_eq!(name_of(&plain, "bucket", 1), name_of(&plain, "bucket", 1));
        assert_ne!(name_of(&plain, "bucket", 1), name_of(&plain, "bucket", 2));
        let elsewhere = generate(&plain, "bucket", &[1; 32], &PropertyPath::field("other"));
        assert_ne!(name_of(&plain, "bucket", 1), elsewhere);
    }

    #[test]
    fn a_long_name_is_cut_and_keeps_its_random_end() {
        let autoname = Autoname { max_length: Some(12), ..Autoname::default() };
        let name = name_of(&autoname, "a-very-long-name", 1);
        assert_eq!(name.len(), 12);
        assert!(name.starts_with("a-ve-"), "{name}");

        let tight = Autoname { max_length: Some(7), ..Autoname::default() };
        assert_eq!(name_of(&tight, "name", 1).len(), 7);
        assert!(!name_of(&tight, "name", 1).contains('-'));
    }

    #[test]
    fn characters_come_from_the_charset() {
        let autoname = Autoname { charset: Some("äβ".to_owned()), hex_digits: 64, ..Autoname::default() };
        let name = name_of(&autoname, "", 1);
        assert_eq!(name.chars().count(), 64);
        assert!(name.contains('ä') && name.contains('β') && name.chars().all(|c| "äβ".contains(c)), "{name}");
    }
}
