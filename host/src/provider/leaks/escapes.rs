//! Texts as they read once what is escaped in them is undone.
//!
//! Whoever puts a text into a URL, into JSON or into markup escapes of it what has to be, and what that is, every library decides
//! for itself: a `+`, a `&` or a `-` stays in one and not in another. So there are more spellings of a secret than anybody could
//! list. But all of them read the same.

/// A way to escape.
#[derive(Clone, Copy)]
enum Escape {
    /// `\n`, `\"`, `\x2f`, `\u00e4`, `\u{e4}`: JSON, source code, shells.
    Backslash,
    /// `%2F`: URLs and forms.
    Percent,
    /// `&amp;`, `&#38;`, `&#x26;`: markup.
    Entity,
}

const ALL: [Escape; 3] = [Escape::Backslash, Escape::Percent, Escape::Entity];
/// What begins an escape of any kind.
const MARKS: [char; 3] = ['\\', '%', '&'];
/// Bytes of the longest name or number of an entity that is known.
const LONGEST_ENTITY: usize = 9;

/// The most bytes that an escape makes of one: `\U00000026`.
pub(super) const LONGEST: usize = 10;

/// How often a text is read at most, beside as it is.
pub(super) const READINGS: usize = 7;

/// A text that was made of another one.
#[derive(Default)]
pub(super) struct Reading {
    pub(super) text: Vec<u8>,
    /// Of each byte, from where to where what it was made of stands in the other.
    places: Vec<(usize, usize)>,
}

/// Whether there may be anything to undo in a text.
pub(super) fn may_be_in(text: &str) -> bool {
    // One after the other: to look for all of them at once goes through a text letter by letter.
    MARKS.into_iter().any(|mark| text.contains(mark))
}

/// All readings of a text that differ from it. What is escaped may be a part of JSON, and a URL a part of another one, such as where a
/// sign-in leads back to: then it is escaped twice.
pub(super) fn readings(text: &str) -> Vec<Reading> {
    let text = text.as_bytes();
    let mut all: Vec<Reading> = undone(text, Escape::Entity).into_iter().collect();
    if let Some(url) = undone(text, Escape::Percent) {
        all.extend(undone(&url.text, Escape::Percent).map(|inner| inner.within(&url)));
        all.push(url);
    }
    if let Some(quoted) = undone(text, Escape::Backslash) {
        all.extend(ALL.into_iter().filter_map(|escape| Some(undone(&quoted.text, escape)?.within(&quoted))));
        all.push(quoted);
    }
    all
}

impl Reading {
    /// Where in the other text a part of this one stands.
    pub(super) fn place(&self, (from, to): (usize, usize)) -> (usize, usize) {
        let place = |at: usize| self.places.get(at).copied().unwrap_or_default();
        (place(from).0, place(to.saturating_sub(1)).1)
    }

    /// The same, of a reading as a reading of what that was made of.
    fn within(mut self, outer: &Self) -> Self {
        for place in &mut self.places {
            *place = outer.place(*place);
        }
        self
    }

    fn put(&mut self, bytes: &[u8], place: (usize, usize)) {
        self.text.extend_from_slice(bytes);
        self.places.resize(self.text.len(), place);
    }
}

fn undone(text: &[u8], escape: Escape) -> Option<Reading> {
    let mark = match escape {
        Escape::Backslash => b'\\',
        Escape::Percent => b'%',
        Escape::Entity => b'&',
    };
    if !text.contains(&mark) {
        return None;
    }
    let mut reading = Reading::default();
    let (mut at, mut any) = (0, false);
    while let Some(rest @ [first, ..]) = text.get(at..) {
        let meant = if *first == mark { escape.meant(rest) } else { None };
        any |= meant.is_some();
        let (meant, length) = meant.unwrap_or((Meant::Byte(*first), 1));
        let place = (at, at.saturating_add(length));
        match meant {
            Meant::Byte(byte) => reading.put(&[byte], place),
            Meant::Character(character) => reading.put(character.encode_utf8(&mut [0; 4]).as_bytes(), place),
        }
        at = place.1;
    }
    any.then_some(reading)
}

/// What an escape stands for.
enum Meant {
    Byte(u8),
    Character(char),
}

impl Escape {
    /// What a text begins with, if that is an escape, and how long it is.
    fn meant(self, text: &[u8]) -> Option<(Meant, usize)> {
        match self {
            Self::Backslash => backslash(text),
            Self::Percent => Some((Meant::Byte(u8::try_from(number(text.get(1..3)?, 16)?).ok()?), 3)),
            Self::Entity => entity(text),
        }
    }
}

fn backslash(text: &[u8]) -> Option<(Meant, usize)> {
    let byte = |byte| Some((Meant::Byte(byte), 2));
    match *text.get(1)? {
        b'n' => byte(b'\n'),
        b'r' => byte(b'\r'),
        b't' => byte(b'\t'),
        b'b' => byte(8),
        b'f' => byte(12),
        b'0' => byte(0),
        b'x' => Some((Meant::Byte(u8::try_from(number(text.get(2..4)?, 16)?).ok()?), 4)),
        b'u' if text.get(2) == Some(&b'{') => {
            let digits = text.get(3..)?.iter().take(6).take_while(|digit| digit.is_ascii_hexdigit()).count();
            let end = digits.saturating_add(3);
            let closed = text.get(end) == Some(&b'}');
            let character = char::from_u32(number(text.get(3..end)?, 16)?).filter(|_| closed)?;
            Some((Meant::Character(character), end.saturating_add(1)))
        }
        b'u' => {
            let unit = |from: usize| u16::try_from(number(text.get(from..from.saturating_add(4))?, 16)?).ok();
            let first = unit(2)?;
            if let Some(character) = char::from_u32(first.into()) {
                return Some((Meant::Character(character), 6));
            }
            let second = text.get(6..8).filter(|begin| *begin == br"\u").and_then(|_| unit(8))?;
            let character = char::decode_utf16([first, second]).next()?.ok()?;
            Some((Meant::Character(character), 12))
        }
        b'U' => Some((Meant::Character(char::from_u32(number(text.get(2..10)?, 16)?)?), 10)),
        other if other.is_ascii_punctuation() => byte(other),
        _ => None,
    }
}

fn entity(text: &[u8]) -> Option<(Meant, usize)> {
    let named = text.get(1..)?;
    let length = named.iter().take(LONGEST_ENTITY).position(|byte| *byte == b';')?;
    let character = match named.get(..length)? {
        b"amp" => '&',
        b"lt" => '<',
        b"gt" => '>',
        b"quot" => '"',
        b"apos" => '\'',
        [b'#', b'x' | b'X', digits @ ..] => char::from_u32(number(digits, 16)?)?,
        [b'#', digits @ ..] => char::from_u32(number(digits, 10)?)?,
        _ => return None,
    };
    Some((Meant::Character(character), length.saturating_add(2)))
}

/// A number of nothing but digits.
fn number(digits: &[u8], base: u32) -> Option<u32> {
    let digits = std::str::from_utf8(digits).ok()?;
    let plain = digits.chars().all(|digit| digit.is_digit(base));
    u32::from_str_radix(digits, base).ok().filter(|_| plain)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn reads(text: &str) -> Vec<String> {
        readings(text).into_iter().map(|reading| String::from_utf8_lossy(&reading.text).into_owned()).collect()
    }

    #[test]
    fn whatever_is_escaped_reads_as_it_was_meant() {
        for (escaped, meant) in [
            ("a%2Fb%2dc%2B", "a/b-c+"),
            (r#"a\u0026\"b\"\/\u00e4\ud83d\ude00"#, "a&\"b\"/ä😀"),
            (r"\u{e4}\x2f\U000000e4\$\\n", "ä/ä$\\n"),
            ("a&amp;&lt;&#39;&#x27;&quot;b", "a&<''\"b"),
            ("%C3%A4", "ä"),
        ] {
            assert!(reads(escaped).contains(&meant.to_owned()), "{escaped}: {:?}", reads(escaped));
        }
        assert!(
            reads("https://h/?back=https%3A%2F%2Fi%2F%3Fkey%3Da%252Fb")
                .contains(&"https://h/?back=https://i/?key=a/b".to_owned())
        );
        assert!(reads(r"https:\/\/h\/?a%2Fb").contains(&"https://h/?a/b".to_owned()));
        assert!(reads(r#""{\"a\":\"b\\\"c\"}""#).contains(&r#""{"a":"b"c"}""#.to_owned()));
    }

    #[test]
    fn what_is_no_escape_stays() {
        for text in
            ["plain", "100 % of it", "%+1", "%zz", r"C:\Users", r"\u12", r"\ud800x", r"\u{}", "&nbsp;", "&#x;", "a & b"]
        {
            let unchanged = reads(text).iter().all(|reading| reading == text);
            assert!(unchanged, "{text}: {:?}", reads(text));
        }
    }

    proptest! {
        #[test]
        fn a_place_is_that_of_what_was_undone(before in "[a-z%&]{0,5}", secret in "\\PC{1,9}", after in "\\PC{0,5}") {
            let escaped: String = secret.bytes().map(|byte| format!("%{byte:02X}")).collect();
            let text = format!("{before} {escaped}{after}");
            let begin = before.len() + 1;
            let read = undone(text.as_bytes(), Escape::Percent).unwrap();
            prop_assert!(read.text.len() == read.places.len() && readings(&text).len() <= READINGS);
            let found = read.text.windows(secret.len()).rposition(|window| window == secret.as_bytes());
            let from = read.places.iter().position(|place| place.0 == begin).unwrap();
            prop_assert!(found.is_some());
            prop_assert_eq!(read.place((from, from + secret.len())), (begin, begin + escaped.len()));
        }
    }
}
