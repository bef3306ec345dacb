//! Reading protobuf's fields from a buffer, without copying and without trusting a length.

use super::format::{Field, WireType};

/// What is wrong with the bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The bytes end inside a field, or a length is greater than what follows.
    Truncated,
    /// An integer of more than 64 bits.
    Varint,
    /// A field without a valid number, or with a number of more than 29 bits.
    FieldNumber,
    /// A field of another type than the message's definition says, or of a type that isn't in use.
    WireType,
    /// A string that isn't UTF-8.
    Utf8,
}

/// The fields of a message that are still to be read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
}

/// A field as it was found.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found<'a> {
    number: u32,
    content: Content<'a>,
}

#[derive(Debug, Clone, Copy)]
enum Content<'a> {
    Varint(u64),
    Fixed64([u8; 8]),
    Bytes(&'a [u8]),
    Fixed32,
}

impl<'a> Found<'a> {
    /// Whether this is that field; an error if it has its number and another type.
    pub(crate) fn is(&self, field: Field) -> Result<bool, Fault> {
        let wire_type = match self.content {
            Content::Varint(_) => WireType::Varint,
            Content::Fixed64(_) => WireType::Fixed64,
            Content::Bytes(_) => WireType::Bytes,
            Content::Fixed32 => WireType::Fixed32,
        };
        match self.number == field.number {
            true if wire_type == field.wire_type => Ok(true),
            true => Err(Fault::WireType),
            false => Ok(false),
        }
    }

    pub(crate) fn varint(&self) -> Result<u64, Fault> {
        match self.content {
            Content::Varint(number) => Ok(number),
            _ => Err(Fault::WireType),
        }
    }

    pub(crate) fn double(&self) -> Result<f64, Fault> {
        match self.content {
            Content::Fixed64(bytes) => Ok(f64::from_le_bytes(bytes)),
            _ => Err(Fault::WireType),
        }
    }

    pub(crate) fn bytes(&self) -> Result<&'a [u8], Fault> {
        match self.content {
            Content::Bytes(bytes) => Ok(bytes),
            _ => Err(Fault::WireType),
        }
    }

    pub(crate) fn text(&self) -> Result<&'a str, Fault> {
        str::from_utf8(self.bytes()?).map_err(|_| Fault::Utf8)
    }
}

impl<'a> Reader<'a> {
    pub(crate) fn new(message: &'a [u8]) -> Self {
        Self { rest: message }
    }

    /// The next field, known or not.
    pub(crate) fn field(&mut self) -> Result<Option<Found<'a>>, Fault> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let tag = u32::try_from(self.varint()?).map_err(|_| Fault::FieldNumber)?;
        let number = tag >> 3;
        if number == 0 {
            return Err(Fault::FieldNumber);
        }
        let content = match tag & 7 {
            0 => Content::Varint(self.varint()?),
            1 => Content::Fixed64(self.array()?),
            2 => {
                let length = usize::try_from(self.varint()?).map_err(|_| Fault::Truncated)?;
                Content::Bytes(self.take(length)?)
            }
            5 => self.array::<4>().map(|_| Content::Fixed32)?,
            // Groups, which the format gave up long ago, and codes that never meant anything.
            _ => return Err(Fault::WireType),
        };
        Ok(Some(Found { number, content }))
    }

    /// The next occurrence of a field; others are skipped, as a reader of an older definition must.
    pub(crate) fn next(&mut self, field: Field) -> Result<Option<Found<'a>>, Fault> {
        while let Some(found) = self.field()? {
            if found.is(field)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    fn varint(&mut self) -> Result<u64, Fault> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let [byte] = self.array()?;
            let bits = u64::from(byte & 0x7f);
            // The tenth byte has room for one bit.
            if shift == 63 && bits > 1 {
                return Err(Fault::Varint);
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(Fault::Varint)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let (array, rest) = self.rest.split_first_chunk().ok_or(Fault::Truncated)?;
        self.rest = rest;
        Ok(*array)
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], Fault> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or(Fault::Truncated)?;
        self.rest = rest;
        Ok(taken)
    }
}
