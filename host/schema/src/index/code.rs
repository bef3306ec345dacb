//! Numbers, texts and collections as bytes, and back.
//!
//! The bytes come from a file, so nothing is allocated for a length that they only claim, and nothing nests deeper than a
//! schema can.

use std::collections::{BTreeMap, BTreeSet};

/// How deep types and values may nest. That of a schema is bounded by 128.
const DEEPEST: usize = 256;

/// What can be written to an index and read from it.
pub(super) trait Code: Sized {
    fn write(&self, writer: &mut Writer);

    /// None if the bytes aren't one.
    fn read(reader: &mut Reader<'_>) -> Option<Self>;
}

/// Bytes that are being written.
#[derive(Default)]
pub(super) struct Writer {
    pub(super) bytes: Vec<u8>,
    /// Whether there was something that no schema can have.
    pub(super) failed: bool,
}

impl Writer {
    /// In groups of seven bits, the least first.
    pub(super) fn number(&mut self, mut number: u64) {
        loop {
            let group = (number & 0x7f).to_le_bytes()[0];
            number >>= 7;
            if number == 0 {
                return self.bytes.push(group);
            }
            self.bytes.push(group | 0x80);
        }
    }

    pub(super) fn length(&mut self, length: usize) {
        self.number(length as u64);
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.length(bytes.len());
        self.bytes.extend_from_slice(bytes);
    }

    pub(super) fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    pub(super) fn tag(&mut self, tag: u8) {
        self.bytes.push(tag);
    }

    /// So many of something.
    pub(super) fn several<T>(&mut self, all: impl ExactSizeIterator<Item = T>, mut write: impl FnMut(&mut Self, T)) {
        self.length(all.len());
        all.for_each(|one| write(self, one));
    }
}

/// Bytes that are being read.
pub(super) struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
    depth: usize,
}

impl<'b> Reader<'b> {
    pub(super) fn of(bytes: &'b [u8]) -> Self {
        Self { bytes, at: 0, depth: 0 }
    }

    /// How far it has come.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn is_done(&self) -> bool {
        self.at == self.bytes.len()
    }

    pub(super) fn take(&mut self, length: usize) -> Option<&'b [u8]> {
        let end = self.at.checked_add(length)?;
        let taken = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(taken)
    }

    pub(super) fn tag(&mut self) -> Option<u8> {
        self.take(1)?.first().copied()
    }

    pub(super) fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.tag()?;
            let group = u64::from(byte & 0x7f);
            let shifted = group << shift;
            if shifted >> shift != group {
                return None;
            }
            number |= shifted;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    pub(super) fn length(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    pub(super) fn bytes(&mut self) -> Option<&'b [u8]> {
        let length = self.length()?;
        self.take(length)
    }

    pub(super) fn text(&mut self) -> Option<&'b str> {
        std::str::from_utf8(self.bytes()?).ok()
    }

    /// So many of something, each of which takes a byte at least.
    pub(super) fn several<T, C: FromIterator<T>>(&mut self, mut read: impl FnMut(&mut Self) -> Option<T>) -> Option<C> {
        (0..self.length()?).map(|_| read(self)).collect()
    }

    /// Something that may hold more of its kind.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth >= DEEPEST {
            return None;
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }
}

impl Code for bool {
    fn write(&self, writer: &mut Writer) {
        writer.tag(u8::from(*self));
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        match reader.tag()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl Code for u32 {
    fn write(&self, writer: &mut Writer) {
        writer.number((*self).into());
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        reader.number()?.try_into().ok()
    }
}

impl Code for usize {
    fn write(&self, writer: &mut Writer) {
        writer.length(*self);
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        reader.length()
    }
}

impl Code for f64 {
    fn write(&self, writer: &mut Writer) {
        writer.bytes.extend_from_slice(&self.to_bits().to_le_bytes());
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        Some(Self::from_bits(u64::from_le_bytes(reader.take(8)?.try_into().ok()?)))
    }
}

impl Code for String {
    fn write(&self, writer: &mut Writer) {
        writer.text(self);
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        reader.text().map(str::to_owned)
    }
}

impl<T: Code> Code for Box<T> {
    fn write(&self, writer: &mut Writer) {
        self.as_ref().write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        T::read(reader).map(Self::new)
    }
}

impl<T: Code> Code for Option<T> {
    fn write(&self, writer: &mut Writer) {
        self.is_some().write(writer);
        if let Some(value) = self {
            value.write(writer);
        }
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        if bool::read(reader)? { T::read(reader).map(Some) } else { Some(None) }
    }
}

impl<T: Code> Code for Vec<T> {
    fn write(&self, writer: &mut Writer) {
        writer.several(self.iter(), |writer, value| value.write(writer));
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        reader.several(T::read)
    }
}

impl<T: Code + Ord> Code for BTreeSet<T> {
    fn write(&self, writer: &mut Writer) {
        writer.several(self.iter(), |writer, value| value.write(writer));
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        reader.several(T::read)
    }
}

impl<T: Code> Code for BTreeMap<String, T> {
    fn write(&self, writer: &mut Writer) {
        writer.several(self.iter(), |writer, (name, value)| {
            writer.text(name);
            value.write(writer);
        });
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        reader.several(|reader| Some((String::read(reader)?, T::read(reader)?)))
    }
}
