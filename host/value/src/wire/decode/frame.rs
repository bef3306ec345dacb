//! An object or a list of which a part has been read.

use std::{collections::BTreeMap, mem};

use super::{Fault, shape::Shape};
use crate::{
    List, PropertyPath, Segment, Value,
    wire::{
        format::{ENTRY_KEY, ENTRY_VALUE, LIST_VALUES, STRUCT_FIELDS},
        reader::Reader,
    },
};

pub(super) struct Frame<'a> {
    rest: Reader<'a>,
    content: Content,
}

enum Content {
    List {
        items: Vec<Value>,
        /// Whether the next element is being read.
        reading: bool,
    },
    Object {
        shape: Shape,
        fields: BTreeMap<String, Value>,
        /// The name of the member that is being read.
        reading: Option<String>,
    },
}

impl<'a> Frame<'a> {
    pub(super) fn list(message: &'a [u8]) -> Self {
        Self { rest: Reader::new(message), content: Content::List { items: Vec::new(), reading: false } }
    }

    pub(super) fn object(message: &'a [u8], parent: Option<&Frame<'_>>) -> Result<Self, Fault> {
        let shape = match Shape::of(message)? {
            Shape::Plain if parent.is_some_and(Frame::reads_members) => Shape::Members,
            shape => shape,
        };
        let content = Content::Object { shape, fields: BTreeMap::new(), reading: None };
        Ok(Self { rest: Reader::new(message), content })
    }

    fn reads_members(&self) -> bool {
        matches!(&self.content, Content::Object { shape: Shape::Archive, reading: Some(name), .. } if name == "assets")
    }

    /// The message of the next value below, if there is one.
    pub(super) fn next_child(&mut self) -> Result<Option<&'a [u8]>, Fault> {
        match &mut self.content {
            Content::List { reading, .. } => {
                let Some(item) = self.rest.next(LIST_VALUES)? else { return Ok(None) };
                *reading = true;
                Ok(Some(item.bytes()?))
            }
            Content::Object { reading, .. } => {
                let Some(entry) = self.rest.next(STRUCT_FIELDS)? else { return Ok(None) };
                let (key, value) = read_entry(entry.bytes()?)?;
                *reading = Some(str::from_utf8(key).map_err(|_| Fault::Utf8)?.to_owned());
                Ok(Some(value))
            }
        }
    }

    /// Takes the value that was read.
    pub(super) fn put(&mut self, value: Value) -> Result<(), Fault> {
        match &mut self.content {
            Content::List { items, reading } => {
                items.push(value);
                *reading = false;
            }
            Content::Object { shape, fields, reading } => {
                if *shape == Shape::Members && !matches!(value, Value::Asset(_) | Value::Archive(_)) {
                    return Err(Fault::StrayMember { found: value.kind() });
                }
                fields.insert(reading.take().unwrap_or_default(), value);
            }
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<Value, Fault> {
        match &mut self.content {
            Content::List { items, .. } => Ok(Value::List(List::from(mem::take(items)))),
            Content::Object { shape, fields, .. } => shape.build(mem::take(fields).into()),
        }
    }
}

/// The key and the value of a map entry, both as bytes; both are optional in protobuf.
pub(super) fn read_entry(entry: &[u8]) -> Result<(&[u8], &[u8]), Fault> {
    let mut fields = Reader::new(entry);
    let (mut key, mut value) = (&[][..], &[][..]);
    while let Some(field) = fields.field()? {
        if field.is(ENTRY_KEY)? {
            key = field.bytes()?;
        } else if field.is(ENTRY_VALUE)? {
            value = field.bytes()?;
        }
    }
    Ok((key, value))
}

/// Where the value that is being read stands. Ends at the first secret or output, and leaves out the members by which
/// other kinds are encoded.
pub(super) fn place(open: &[Frame<'_>]) -> PropertyPath {
    let mut path = PropertyPath::root();
    for frame in open {
        match &frame.content {
            Content::List { items, reading: true } => path.push(Segment::Index(items.len())),
            Content::Object { shape: Shape::Plain, reading: Some(name), .. } => path.push(Segment::Field(name.clone())),
            Content::Object { shape: Shape::Members, reading: Some(name), .. } => path.push(Segment::Key(name.clone())),
            Content::Object { shape: Shape::Secret | Shape::Output, .. } => break,
            Content::List { .. } | Content::Object { .. } => {}
        }
    }
    path
}
