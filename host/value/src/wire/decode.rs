//! Bytes to values.
//!
//! The bytes come from a peer, so they may be anything. A field that this version doesn't know is skipped, and of a key
//! or a kind that is given twice the last one counts, as protobuf has it. (The parts of one object that was sent in
//! pieces aren't merged: no encoder does that.) All else that isn't a value is an error that names the property. What
//! is decoded takes memory for the bytes that are there, never for a length that was claimed.

mod error;
mod frame;
mod shape;

pub use self::error::{DecodeError, Fault, Problem};
use self::frame::Frame;
use super::{
    format::{BOOL, LIST, NULL, NUMBER, STRING, STRUCT},
    reader::Reader,
};
use crate::{Bounds, Object, Value, signature};

/// Decodes a `google.protobuf.Struct`: the properties of a request. No bytes are no properties.
pub fn properties(bytes: &[u8], bounds: &Bounds) -> Result<Object, DecodeError> {
    let mut decoder = Decoder { bounds, nodes: 0, open: Vec::new() };
    let decoded = decoder.check_size(bytes).and_then(|()| decoder.run(Head::Object(bytes)));
    decoded.and_then(into_properties).map_err(|fault| decoder.locate(fault))
}

/// Decodes a `google.protobuf.Value`.
pub fn value(bytes: &[u8], bounds: &Bounds) -> Result<Value, DecodeError> {
    let mut decoder = Decoder { bounds, nodes: 0, open: Vec::new() };
    let decoded = decoder.check_size(bytes).and_then(|()| head(bytes)).and_then(|head| decoder.run(head));
    decoded.map_err(|fault| decoder.locate(fault))
}

fn into_properties(value: Value) -> Result<Object, Fault> {
    match value {
        Value::Object(object) => Ok(object),
        other => Err(Fault::NotProperties { found: other.kind() }),
    }
}

/// A value as far as it can be told without looking at what is below it.
enum Head<'a> {
    Leaf(Value),
    List(&'a [u8]),
    Object(&'a [u8]),
}

/// Reads which kind of value a message holds.
fn head(message: &[u8]) -> Result<Head<'_>, Fault> {
    let mut fields = Reader::new(message);
    let mut head = None;
    while let Some(field) = fields.field()? {
        if field.is(NULL)? {
            head = Some(Head::Leaf(Value::Null));
        } else if field.is(NUMBER)? {
            head = Some(Head::Leaf(Value::Number(field.double()?)));
        } else if field.is(STRING)? {
            head = Some(Head::Leaf(string(field.text()?)));
        } else if field.is(BOOL)? {
            head = Some(Head::Leaf(Value::Bool(field.varint()? != 0)));
        } else if field.is(STRUCT)? {
            head = Some(Head::Object(field.bytes()?));
        } else if field.is(LIST)? {
            head = Some(Head::List(field.bytes()?));
        }
    }
    head.ok_or(Fault::NoKind)
}

fn string(text: &str) -> Value {
    if signature::is_unknown(text) { Value::Unknown } else { Value::from(text) }
}

struct Decoder<'a, 'b> {
    bounds: &'b Bounds,
    nodes: usize,
    /// The objects and lists that are being read, outermost first.
    open: Vec<Frame<'a>>,
}

impl<'a> Decoder<'a, '_> {
    fn check_size(&self, bytes: &[u8]) -> Result<(), Fault> {
        if bytes.len() <= self.bounds.bytes {
            return Ok(());
        }
        Err(Fault::TooLarge { bytes: bytes.len(), limit: self.bounds.bytes })
    }

    fn run(&mut self, root: Head<'a>) -> Result<Value, Fault> {
        let mut ready = self.enter(root)?;
        while let Some(frame) = self.open.last_mut() {
            if let Some(value) = ready.take() {
                frame.put(value)?;
            }
            ready = match frame.next_child()? {
                Some(message) => self.enter(head(message)?)?,
                None => self.open.pop().map(Frame::finish).transpose()?,
            };
        }
        ready.ok_or(Fault::NoKind)
    }

    /// Counts a value, and returns it if there is nothing below it to read.
    fn enter(&mut self, head: Head<'a>) -> Result<Option<Value>, Fault> {
        self.nodes = self.nodes.saturating_add(1);
        if self.nodes > self.bounds.nodes {
            return Err(Fault::TooManyNodes { limit: self.bounds.nodes });
        }
        if self.open.len() >= self.bounds.depth {
            return Err(Fault::TooDeep { limit: self.bounds.depth });
        }
        let frame = match head {
            Head::Leaf(value) => return Ok(Some(value)),
            Head::List(message) => Frame::list(message),
            Head::Object(message) => Frame::object(message, self.open.last())?,
        };
        self.open.push(frame);
        Ok(None)
    }

    fn locate(&self, fault: Fault) -> DecodeError {
        DecodeError { path: frame::place(&self.open), fault }
    }
}
