//! Writing protobuf back to front.
//!
//! A message stands behind its length, and the length is known once the message is written. Written from its end, every
//! message is simply complete when its length is due: one pass, no sizes computed ahead, nothing moved.

use super::format::{BOOL, ENTRY_KEY, ENTRY_VALUE, Field, LIST_VALUES, NULL, NUMBER, STRING, STRUCT_FIELDS};

/// Room to begin with, in bytes: most messages need no more.
const ROOM: usize = 256;

/// A message that grows at its front.
pub(crate) struct Writer {
    /// The bytes, the last one first.
    reversed: Vec<u8>,
}

/// How much is written: where a message that is about to be written will end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark(usize);

impl Default for Writer {
    fn default() -> Self {
        Self { reversed: Vec::with_capacity(ROOM) }
    }
}

impl Writer {
    pub(crate) fn mark(&self) -> Mark {
        Mark(self.reversed.len())
    }

    /// Puts the tag and the length of a field in front of what was written since the mark.
    pub(crate) fn close(&mut self, field: Field, end: Mark) {
        let length = self.reversed.len().saturating_sub(end.0);
        self.varint(length as u64);
        self.tag(field);
    }

    /// Makes a map entry of the message of a value that was written since the mark.
    pub(crate) fn close_entry(&mut self, key: &str, end: Mark) {
        self.close(ENTRY_VALUE, end);
        self.bytes(ENTRY_KEY, key.as_bytes());
        self.close(STRUCT_FIELDS, end);
    }

    /// Makes an element of a list of the message of a value that was written since the mark.
    pub(crate) fn close_item(&mut self, end: Mark) {
        self.close(LIST_VALUES, end);
    }

    /// A map entry with a string for its value.
    pub(crate) fn text_entry(&mut self, key: &str, text: &str) {
        let end = self.mark();
        self.text(text);
        self.close_entry(key, end);
    }

    pub(crate) fn null(&mut self) {
        self.varint(0);
        self.tag(NULL);
    }

    pub(crate) fn truth(&mut self, truth: bool) {
        self.varint(u64::from(truth));
        self.tag(BOOL);
    }

    pub(crate) fn number(&mut self, number: f64) {
        self.reversed.extend(number.to_be_bytes());
        self.tag(NUMBER);
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.bytes(STRING, text.as_bytes());
    }

    fn bytes(&mut self, field: Field, bytes: &[u8]) {
        let end = self.mark();
        self.reversed.extend(bytes.iter().rev());
        self.close(field, end);
    }

    fn tag(&mut self, field: Field) {
        self.varint(u64::from(field.tag()));
    }

    fn varint(&mut self, mut number: u64) {
        let start = self.reversed.len();
        while number > 0x7f {
            self.reversed.push((number as u8 & 0x7f) | 0x80);
            number >>= 7;
        }
        self.reversed.push(number as u8);
        if let Some(written) = self.reversed.get_mut(start..) {
            written.reverse();
        }
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.reversed.reverse();
        self.reversed
    }
}
