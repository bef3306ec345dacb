//! Domain names.

use std::fmt;

/// The longest label, in bytes.
const LABEL: usize = 63;
/// The longest name as it goes over the wire, in bytes.
const WIRE: usize = 255;

/// A full domain name in its one spelling: lower case, a dot at the end, escaped only what must be.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Name(String);

/// Why a text is no name. Reads well after "must be a name: " and doesn't repeat the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameError {
    /// There is nothing.
    Empty,
    /// Two dots in a row, or one at the start.
    EmptyLabel,
    /// More than 63 bytes between two dots.
    LongLabel,
    /// More than 255 bytes in all.
    Long,
    /// A character that stands for itself nowhere in DNS.
    Character,
    /// An international name.
    International,
    /// A backslash with nothing that makes sense after it.
    Escape,
    /// One label without a dot.
    Bare,
    /// It isn't in the zone.
    OutOfZone,
}

impl Name {
    /// A full name, whether or not the dot at its end is written.
    pub fn parse(text: &str) -> Result<Self, NameError> {
        match text {
            "" => return Err(NameError::Empty),
            "." => return Ok(Self(text.to_owned())),
            _ => {}
        }
        let mut name = String::with_capacity(text.len() + 1);
        // The length byte of each label, and the root's.
        let (mut label, mut wire) = (0, 1);
        let mut characters = text.chars();
        while let Some(character) = characters.next() {
            let byte = match character {
                '.' if label == 0 => return Err(NameError::EmptyLabel),
                '.' => {
                    wire += label + 1;
                    label = 0;
                    name.push('.');
                    continue;
                }
                '\\' => escaped(&mut characters)?,
                character => literal(character)?,
            };
            label += 1;
            if label > LABEL {
                return Err(NameError::LongLabel);
            }
            spell(byte.to_ascii_lowercase(), &mut name);
        }
        if label > 0 {
            wire += label + 1;
            name.push('.');
        }
        if wire > WIRE { Err(NameError::Long) } else { Ok(Self(name)) }
    }

    /// A name in the content of a record, which must be full: one label without a dot could mean two things.
    pub fn target(text: &str) -> Result<Self, NameError> {
        let is_bare = !text.contains('.');
        if is_bare && !text.is_empty() { Err(NameError::Bare) } else { Self::parse(text) }
    }

    /// The name of a record in a zone: full, relative to the zone (`www`), or `@` for the zone's own. A full name needs no dot at its end if
    /// it ends in the zone's.
    pub fn in_zone(text: &str, zone: &Self) -> Result<Self, NameError> {
        if text == "@" {
            return Ok(zone.clone());
        }
        let full = Self::parse(text)?;
        if full.is_within(zone) {
            Ok(full)
        } else if text.ends_with('.') {
            Err(NameError::OutOfZone)
        } else if zone.0 == "." {
            Ok(full)
        } else {
            Self::parse(&format!("{text}.{zone}"))
        }
    }

    /// Whether this is the zone's own name or one below.
    pub fn is_within(&self, zone: &Self) -> bool {
        if zone.0 == "." || self == zone {
            return true;
        }
        let above = self.0.strip_suffix(&zone.0).and_then(|rest| rest.strip_suffix('.'));
        // Of two backslashes the second is escaped, and escapes no dot.
        above.is_some_and(|above| (above.len() - above.trim_end_matches('\\').len()).is_multiple_of(2))
    }

    /// As text, with the dot at its end.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// As text, without the dot at its end.
    pub fn without_dot(&self) -> &str {
        self.0.strip_suffix('.').filter(|name| !name.is_empty()).unwrap_or(&self.0)
    }
}

fn literal(character: char) -> Result<u8, NameError> {
    match u8::try_from(character) {
        Ok(byte) if byte.is_ascii_graphic() && !matches!(byte, b'"' | b'(' | b')' | b';' | b'@' | b'$') => Ok(byte),
        Ok(byte) if byte.is_ascii() => Err(NameError::Character),
        _ => Err(NameError::International),
    }
}

/// What a backslash escapes: three digits, or one character.
fn escaped(characters: &mut std::str::Chars<'_>) -> Result<u8, NameError> {
    let first = characters.next().ok_or(NameError::Escape)?;
    let Some(hundreds) = first.to_digit(10) else {
        return u8::try_from(first).ok().filter(u8::is_ascii_graphic).ok_or(NameError::Escape);
    };
    let mut digit = || characters.next().and_then(|character| character.to_digit(10)).ok_or(NameError::Escape);
    let number = hundreds * 100 + digit()? * 10 + digit()?;
    u8::try_from(number).map_err(|_| NameError::Escape)
}

/// A byte of a label, as the server spells it.
fn spell(byte: u8, name: &mut String) {
    match byte {
        b'.' | b'\\' => {
            name.push('\\');
            name.push(byte.into());
        }
        byte if byte.is_ascii_graphic() => name.push(byte.into()),
        byte => name.push_str(&format!("\\{byte:03}")),
    }
}

impl fmt::Display for Name {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl fmt::Display for NameError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Empty => "it is empty",
            Self::EmptyLabel => "it starts with a dot or has two in a row",
            Self::LongLabel => "it has more than 63 bytes between two dots",
            Self::Long => "it has more than 255 bytes",
            Self::Character => "it has spaces or other characters that must be escaped",
            Self::International => "international names are written in their ASCII form, which starts with xn--",
            Self::Escape => "a backslash is followed by three digits up to 255, or by one character",
            Self::Bare => "write it in full, such as mail.example.org",
            Self::OutOfZone => "it isn't in the zone",
        })
    }
}
