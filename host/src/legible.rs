//! Texts of strangers, made fit to be read on a terminal.
//!
//! A component's names, reasons and messages reach whoever operates it. Control characters among them would move the
//! cursor, hide what else is shown, or forge it; others have what follows read from right to left, or aren't seen. Whatever is told of a
//! stranger passes here: in the host's messages, and in what commands print.

use std::fmt::Write as _;

/// A text without what steers a terminal. Ends of lines and tabulators stay.
pub(crate) fn legible(text: String) -> String {
    if !text.contains(steers) {
        return text;
    }
    let lines = text.replace("\r\n", "\n");
    lines.chars().map(|character| if steers(character) { char::REPLACEMENT_CHARACTER } else { character }).collect()
}

/// The same on one line and without runs of blanks, for lists in which a line more would pass for an entry.
pub(crate) fn on_one_line(text: &str) -> String {
    let text = legible(text.to_owned());
    let mut line = String::with_capacity(text.len());
    for character in text.chars() {
        // Blanks enough would have what follows begin where an entry does.
        match is_blank(character) {
            true if line.ends_with(' ') => {}
            true => line.push(' '),
            false => line.push(character),
        }
    }
    line
}

/// JSON that says the same without what steers a terminal. That stands in strings alone, where an escape means the character, but
/// for returns, which mean nothing between values and are no part of strings.
pub(crate) fn legible_json(json: Vec<u8>) -> Vec<u8> {
    let text = match String::from_utf8(json) {
        Ok(text) if text.contains(steers) => text,
        Ok(text) => return text.into_bytes(),
        Err(error) => return error.into_bytes(),
    };
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\r' => {}
            character if steers(character) => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    // Writing to a string can't fail.
                    let _ = write!(escaped, "\\u{unit:04x}");
                }
            }
            character => escaped.push(character),
        }
    }
    escaped.into_bytes()
}

/// White space by name, and what fonts show as such.
fn is_blank(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{115f}' | '\u{1160}' | '\u{2800}' | '\u{3164}' | '\u{ffa0}')
}

/// A control character, of terminals or of the direction that letters run in.
pub(crate) fn controls(character: char) -> bool {
    match character {
        // Ends of lines and paragraphs, and what turns the direction, until further notice, of whatever follows.
        '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        character => character.is_control(),
    }
}

/// Steers a terminal, or hides on it.
fn steers(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        // What nobody sees, by which two names would look the same. What joins letters and emojis isn't among them.
        '\u{ad}' | '\u{200b}' | '\u{2060}'..='\u{2065}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}' => true,
        character => controls(character),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_replaced_and_lines_stay() {
        assert_eq!(legible("a\r\n\tb ☃".into()), "a\n\tb ☃");
        assert_eq!(
            legible("granted\u{202e}on\u{2069} \u{5d0}\u{200f}".into()),
            "granted\u{fffd}on\u{fffd} \u{5d0}\u{200f}"
        );
        assert_eq!(legible("a\u{200b}b\u{feff}\u{200d}".into()), "a\u{fffd}b\u{fffd}\u{200d}");
        assert_eq!(legible("\u{1b}[2Jerror\rok\0\u{9b}m".into()), "\u{fffd}[2Jerror\u{fffd}ok\u{fffd}\u{fffd}m");
    }

    #[test]
    fn json_says_the_same_and_steers_nothing() {
        let steering = "a\u{9b}31m\u{202e}b\u{e0041}\u{7f} ☃";
        let json = format!("{{\r\n\t\"{steering}\": [\"\\u001b\"]\r}}");
        let told = String::from_utf8(legible_json(json.clone().into_bytes())).unwrap();
        assert_eq!(told, "{\n\t\"a\\u009b31m\\u202eb\\udb40\\udc41\\u007f ☃\": [\"\\u001b\"]}");
        let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(read(&told), read(&json));
        assert_eq!(legible_json(vec![0xff]), [0xff]);
    }

    #[test]
    fn an_entry_of_a_list_stays_one() {
        assert_eq!(on_one_line("a\r\nhint: b\tc\u{1b}[2J"), "a hint: b c\u{fffd}[2J");
        let padded = format!("A: to sign in{}\u{3000}\n\u{2800}\u{3164} B", " ".repeat(10_000));
        assert_eq!(on_one_line(&padded), "A: to sign in B");
    }
}
