//! `Debug`, on one line, without what is secret.

use std::fmt::{self, Formatter};

use super::{Children, Step, is_secret};
use crate::{ArchiveSource, List, Object, Output, Value};

struct Level<'v> {
    children: Children<'v>,
    close: &'static str,
    first: bool,
}

impl<'v> Level<'v> {
    fn new(children: Children<'v>, close: &'static str) -> Self {
        Self { children, close, first: true }
    }
}

pub(crate) fn print_list(list: &List, f: &mut Formatter<'_>) -> fmt::Result {
    f.write_str("[")?;
    print(Level::new(Children::items(list), "]"), f)
}

pub(crate) fn print_object(object: &Object, f: &mut Formatter<'_>) -> fmt::Result {
    f.write_str("{")?;
    print(Level::new(Children::members(object), "}"), f)
}

pub(crate) fn print_output(output: &Output, f: &mut Formatter<'_>) -> fmt::Result {
    match open_output(output, f)? {
        Some(level) => print(level, f),
        None => Ok(()),
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        print(Level::new(Children::root(self), ""), f)
    }
}

fn print(level: Level<'_>, f: &mut Formatter<'_>) -> fmt::Result {
    let mut open = vec![level];
    while let Some(level) = open.last_mut() {
        let Some((step, value)) = level.children.next() else {
            f.write_str(level.close)?;
            open.pop();
            continue;
        };
        if !level.first {
            f.write_str(", ")?;
        }
        level.first = false;
        if let Step::Name(name) = step {
            write!(f, "{name:?}: ")?;
        }
        open.extend(start(value, f)?);
    }
    Ok(())
}

/// Prints a value up to what is below it.
fn start<'v>(value: &'v Value, f: &mut Formatter<'_>) -> Result<Option<Level<'v>>, fmt::Error> {
    match value {
        value if is_secret(value) => f.write_str("[secret]")?,
        Value::Null => f.write_str("null")?,
        Value::Bool(truth) => write!(f, "{truth}")?,
        Value::Number(number) => write!(f, "{number:?}")?,
        Value::String(text) => write!(f, "{text:?}")?,
        Value::Bytes(bytes) => write!(f, "bytes({})", bytes.len())?,
        Value::List(list) => {
            f.write_str("[")?;
            return Ok(Some(Level::new(Children::items(list), "]")));
        }
        Value::Object(object) => {
            f.write_str("{")?;
            return Ok(Some(Level::new(Children::members(object), "}")));
        }
        Value::Asset(asset) => write!(f, "{asset:?}")?,
        Value::Archive(archive) if let ArchiveSource::Members(members) = &archive.source => {
            write!(f, "Archive {{ hash: {:?}, source: Members({{", archive.hash)?;
            return Ok(Some(Level::new(Children::members(members), "}) }")));
        }
        Value::Archive(archive) => write!(f, "{archive:?}")?,
        Value::Unknown => f.write_str("unknown")?,
        Value::Secret(secret) => write!(f, "{secret:?}")?,
        Value::Output(output) => return open_output(output, f),
        Value::Reference(reference) => write!(f, "{reference:?}")?,
    }
    Ok(None)
}

fn open_output<'v>(output: &'v Output, f: &mut Formatter<'_>) -> Result<Option<Level<'v>>, fmt::Error> {
    if output.secret {
        f.write_str("[secret]")?;
        return Ok(None);
    }
    write!(f, "Output {{ dependencies: {:?}, value: ", output.dependencies)?;
    match output.value.as_deref() {
        Some(value) => Ok(Some(Level::new(Children::within(value), " }"))),
        None => {
            f.write_str("unknown }")?;
            Ok(None)
        }
    }
}
