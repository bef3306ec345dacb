//! The text form of a path.

use std::fmt::{self, Write};

use super::{PropertyPath, Segment};

/// Characters of a path in a message, at most.
const READABLE: usize = 120;
/// The same where the message is about nothing else.
const LONGEST: usize = 1_000;

/// As upstream prints them, so that an engine finds its property: names of ASCII letters, digits and `_` stand bare,
/// others in brackets and quotes, quotes escaped. A wildcard is `[*]`. The root is the empty text. Upstream prints two sorts of
/// names as what nobody reads, and an engine gives up on a difference that it can't read: the empty one stands in quotes here, and
/// one that ends with a backslash bare if it can, since the backslash would escape the closing quote.
///
/// In messages, `{path:#}`, it is on one line, and ends with `…` once it has a thousand characters, or as many as a precision says,
/// `{path:.80}`: whoever sends a value chooses what its names are.
impl fmt::Display for PropertyPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match f.precision().or(f.alternate().then_some(LONGEST)) {
            None => write_path(self, f),
            Some(limit) => {
                let mut cut = Cut { to: f, left: limit };
                // The writer fails once it is full: the rest of the path isn't even looked at.
                if write_path(self, &mut cut).is_err() && cut.left == 0 { f.write_str("…") } else { Ok(()) }
            }
        }
    }
}

impl PropertyPath {
    /// How messages name the place: "property \`a.b\`", cut to a readable length, or "the value" for the root.
    pub fn described(&self) -> impl fmt::Display {
        if self.is_root() { "the value".to_owned() } else { format!("property `{self:.READABLE$}`") }
    }
}

fn write_path(path: &PropertyPath, to: &mut impl Write) -> fmt::Result {
    for (position, segment) in path.segments().iter().enumerate() {
        match segment {
            Segment::Field(name) | Segment::Key(name) => write_name(name, position == 0, to)?,
            Segment::Index(index) => write!(to, "[{index}]")?,
            Segment::Wildcard => to.write_str("[*]")?,
        }
    }
    Ok(())
}

fn write_name(name: &str, first: bool, to: &mut impl Write) -> fmt::Result {
    let plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if plain || (name.ends_with('\\') && !name.contains(['.', '['])) {
        return write!(to, "{}{name}", if first { "" } else { "." });
    }
    to.write_str("[\"")?;
    for c in name.chars() {
        if c == '"' {
            to.write_char('\\')?;
        }
        to.write_char(c)?;
    }
    to.write_str("\"]")
}

/// A writer that fails when it is full, and keeps to one line: a message goes on behind the path, and what follows an end of a line in a
/// name would pass for another message.
struct Cut<'a, W> {
    to: &'a mut W,
    left: usize,
}

impl<W: Write> Write for Cut<'_, W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for c in text.chars() {
            self.left = self.left.checked_sub(1).ok_or(fmt::Error)?;
            self.to.write_char(if c.is_control() { char::REPLACEMENT_CHARACTER } else { c })?;
        }
        Ok(())
    }
}
