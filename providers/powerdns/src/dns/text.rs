//! The words of a record's content: bare, or strings in quotes.

/// The longest string of DNS, in bytes.
pub(super) const STRING: usize = 255;

/// A word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// Without quotes, as it stands.
    Bare(String),
    /// In quotes, its escapes resolved.
    Quoted(Vec<u8>),
}

impl Word {
    /// The word without quotes; none if it has some.
    pub(super) fn bare(&self) -> Option<&str> {
        if let Self::Bare(text) = self { Some(text) } else { None }
    }

    /// What the word says as a string.
    pub(super) fn string(&self) -> Result<Vec<u8>, String> {
        match self {
            Self::Quoted(bytes) => Ok(bytes.clone()),
            Self::Bare(text) => unescape(text),
        }
    }
}

/// The words of a content.
pub(super) fn words(content: &str) -> Result<Vec<Word>, String> {
    let mut words = Vec::new();
    let mut rest = content.trim_matches([' ', '\t']);
    while !rest.is_empty() {
        let (word, after) = match rest.strip_prefix('"') {
            Some(quoted) => {
                let end = closing(quoted).ok_or("a quotation mark isn't closed")?;
                let (inside, after) = (quoted.get(..end), quoted.get(end + 1..));
                let (inside, after) = (inside.unwrap_or_default(), after.unwrap_or_default());
                if !after.is_empty() && !after.starts_with([' ', '\t']) {
                    return Err("there is no space after a quoted string".to_owned());
                }
                (Word::Quoted(unescape(inside)?), after)
            }
            None => {
                let (word, after) = rest.split_at(rest.find([' ', '\t']).unwrap_or(rest.len()));
                (Word::Bare(word.to_owned()), after)
            }
        };
        words.push(word);
        rest = after.trim_start_matches([' ', '\t']);
    }
    Ok(words)
}

/// Where the string ends: at the first quotation mark that isn't escaped.
fn closing(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return Some(at),
            _ => {}
        }
    }
    None
}

/// A backslash stands before three digits of a byte, or before one character that means itself.
fn unescape(text: &str) -> Result<Vec<u8>, String> {
    let wrong = || "a backslash is followed by three digits up to 255, or by one character".to_owned();
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        let first = rest.next().ok_or_else(wrong)?;
        if !first.is_ascii_digit() {
            bytes.push(first);
            continue;
        }
        let mut number = u32::from(first - b'0');
        for _ in 0..2 {
            let digit = rest.next().filter(u8::is_ascii_digit).ok_or_else(wrong)?;
            number = number * 10 + u32::from(digit - b'0');
        }
        bytes.push(u8::try_from(number).map_err(|_| wrong())?);
    }
    Ok(bytes)
}

/// A string in quotes, as the server spells it.
pub(super) fn quoted(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() + 2);
    text.push('"');
    for byte in bytes {
        match byte {
            b'"' | b'\\' => {
                text.push('\\');
                text.push((*byte).into());
            }
            b' '..=b'~' => text.push((*byte).into()),
            byte => text.push_str(&format!("\\{byte:03}")),
        }
    }
    text.push('"');
    text
}

/// Strings in quotes, long ones in several parts.
pub(super) fn split(bytes: &[u8]) -> Vec<String> {
    if bytes.is_empty() { vec![quoted(bytes)] } else { bytes.chunks(STRING).map(quoted).collect() }
}
