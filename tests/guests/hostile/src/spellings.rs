//! Ways to spell a secret where only names fit.

/// A secret as names of hosts: each within a domain of somebody's, in labels that are short enough.
pub fn names(secret: &str) -> Vec<String> {
    let kept = |keep: fn(char) -> bool| secret.chars().filter(|character| keep(*character)).collect::<String>();
    let letters = kept(|character| character.is_ascii_alphanumeric());
    let hexadecimal: String = secret.bytes().map(|byte| format!("{byte:02x}")).collect();
    let spelt = [
        letters.clone(),
        letters.to_uppercase(),
        kept(|character| character.is_ascii_alphanumeric() || character == '-'),
        split(&letters, 3, "."),
        split(&letters, 1, "-"),
        split(&hexadecimal, 20, "."),
        hexadecimal.to_uppercase(),
        in_base(secret, 5, b"abcdefghijklmnopqrstuvwxyz234567"),
        in_base(secret, 6, b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"),
    ];
    spelt.into_iter().map(|spelt| format!("{spelt}.evil.example")).collect()
}

/// A text in pieces of so many characters at most.
fn split(text: &str, length: usize, between: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    characters.chunks(length).map(|piece| piece.iter().collect::<String>()).collect::<Vec<_>>().join(between)
}

/// A text in so many bits a character.
pub fn in_base(text: &str, bits: usize, alphabet: &[u8]) -> String {
    let all: Vec<u8> = text.bytes().flat_map(|byte| (0..8).rev().map(move |place| (byte >> place) & 1)).collect();
    let index = |some: &[u8]| (0..bits).fold(0, |index, bit| (index << 1) | usize::from(some.get(bit) == Some(&1)));
    all.chunks(bits).filter_map(|some| alphabet.get(index(some))).map(|byte| char::from(*byte)).collect()
}
