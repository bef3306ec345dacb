//! The values that are being written, back to front.

use super::{Capabilities, EncodeError, Refusal, leaf};
use crate::{
    Archive, ArchiveSource, Output, Value, signature,
    tree::{self, Children, Step},
    wire::{
        format::{LIST, STRUCT},
        writer::{Mark, Writer},
    },
};

pub(super) struct Encoder<'v> {
    capabilities: &'v Capabilities,
    writer: Writer,
    open: Vec<Frame<'v>>,
}

/// A value of which a part has been written.
struct Frame<'v> {
    form: Form<'v>,
    /// What is below it and not written yet; the last one comes first.
    children: Children<'v>,
    /// The child that is being written.
    step: Step<'v>,
    /// Where the message of that child ends.
    child_end: Mark,
    /// Where the message of this value ends.
    end: Mark,
    /// Where its children end.
    children_end: Mark,
}

/// What a value is written as.
#[derive(Clone, Copy)]
pub(super) enum Form<'v> {
    /// As the one value below it.
    Bare,
    /// As a `Struct` that no `Value` is around.
    Properties,
    List,
    Object,
    Archive,
    Secret,
    Output(&'v Output),
}

static UNKNOWN: Value = Value::Unknown;

impl<'v> Encoder<'v> {
    pub(super) fn new(capabilities: &'v Capabilities) -> Self {
        Self { capabilities, writer: Writer::default(), open: Vec::new() }
    }

    pub(super) fn open(&mut self, form: Form<'v>, children: Children<'v>) {
        let mark = self.writer.mark();
        self.open_at(mark, form, children);
    }

    /// Opens a value of which what was written since the mark, if anything, is the end.
    fn open_at(&mut self, end: Mark, form: Form<'v>, children: Children<'v>) {
        let mark = self.writer.mark();
        self.open.push(Frame { form, children, step: Step::Root, child_end: mark, end, children_end: mark });
    }

    pub(super) fn run(mut self) -> Result<Vec<u8>, EncodeError> {
        match self.write() {
            Ok(()) => Ok(self.writer.finish()),
            Err(refusal) => self.refuse(refusal),
        }
    }

    /// The error for what is being written now.
    pub(super) fn refuse<T>(&self, refusal: Refusal) -> Result<T, EncodeError> {
        Err(EncodeError { path: tree::place(self.open.iter().map(|frame| frame.step)), refusal })
    }

    fn write(&mut self) -> Result<(), Refusal> {
        while let Some(frame) = self.open.last_mut() {
            let Some((step, value)) = frame.children.next_back() else {
                if let Some(frame) = self.open.pop() {
                    frame.close(&mut self.writer);
                    self.close_child();
                }
                continue;
            };
            frame.step = step;
            frame.child_end = self.writer.mark();
            if matches!(frame.form, Form::Archive) && !matches!(value, Value::Asset(_) | Value::Archive(_)) {
                return Err(Refusal::StrayMember { found: value.kind() });
            }
            let open = self.open.len();
            self.enter(value)?;
            if self.open.len() == open {
                self.close_child();
            }
        }
        Ok(())
    }

    /// Writes a value that has nothing below it, or opens one that has.
    fn enter(&mut self, value: &'v Value) -> Result<(), Refusal> {
        let (may, writer) = (self.capabilities, &mut self.writer);
        match value {
            Value::Null => writer.null(),
            Value::Bool(truth) => writer.truth(*truth),
            Value::Number(number) => writer.number(*number),
            Value::String(text) => writer.text(leaf::checked(text)?),
            Value::Bytes(bytes) if may.byte_strings => leaf::bytes(bytes, writer),
            Value::Bytes(_) => return Err(Refusal::Bytes),
            Value::List(list) => self.open(Form::List, Children::items(list)),
            Value::Object(object) if object.contains_key(signature::KEY) => return Err(Refusal::Key),
            Value::Object(object) => self.open(Form::Object, Children::members(object)),
            Value::Asset(asset) => leaf::asset(asset, writer)?,
            Value::Archive(archive) => self.archive(archive)?,
            Value::Unknown if may.unknowns => writer.text(signature::UNKNOWN),
            Value::Unknown => return Err(Refusal::Unknown),
            Value::Secret(secret) => self.secret(true, secret.inner()),
            Value::Output(output) => self.output(output)?,
            Value::Reference(reference) => leaf::reference(reference, may, writer)?,
        }
        Ok(())
    }

    fn secret(&mut self, secret: bool, inner: &'v Value) {
        let form = if secret && self.capabilities.secrets { Form::Secret } else { Form::Bare };
        self.open(form, Children::within(inner));
    }

    fn output(&mut self, output: &'v Output) -> Result<(), Refusal> {
        if !self.capabilities.outputs {
            let inner = output.value.as_deref().unwrap_or(&UNKNOWN);
            self.secret(output.secret && !matches!(inner, Value::Secret(_)), inner);
            return Ok(());
        }
        if output.value.is_none() && !self.capabilities.unknowns {
            return Err(Refusal::Unknown);
        }
        output.dependencies.iter().try_for_each(|urn| leaf::checked(urn).map(drop))?;
        let children = output.value.as_deref().map_or(Children::none(), Children::within);
        self.open(Form::Output(output), children);
        Ok(())
    }

    fn archive(&mut self, archive: &'v Archive) -> Result<(), Refusal> {
        match &archive.source {
            ArchiveSource::Members(members) => {
                let end = self.writer.mark();
                leaf::hash(archive.hash.as_deref(), &mut self.writer)?;
                if members.contains_key(signature::KEY) {
                    return Err(Refusal::Key);
                }
                self.open_at(end, Form::Archive, Children::members(members));
                Ok(())
            }
            _ => leaf::archive(archive, &mut self.writer),
        }
    }

    /// Makes what was just written a child of the value around it.
    fn close_child(&mut self) {
        let Some(frame) = self.open.last() else { return };
        match (frame.form, frame.step) {
            (Form::Bare, _) | (_, Step::Root) => {}
            (_, Step::Index(_)) => self.writer.close_item(frame.child_end),
            (_, Step::Name(name)) => self.writer.close_entry(name, frame.child_end),
            (_, Step::Within) => self.writer.close_entry("value", frame.child_end),
        }
    }
}

impl Frame<'_> {
    /// Writes what stands before the children.
    fn close(&self, writer: &mut Writer) {
        match self.form {
            Form::Bare | Form::Properties => return,
            Form::List => return writer.close(LIST, self.end),
            Form::Object => {}
            Form::Archive => {
                writer.close(STRUCT, self.children_end);
                writer.close_entry("assets", self.children_end);
                writer.text_entry(signature::KEY, signature::ARCHIVE);
            }
            Form::Secret => writer.text_entry(signature::KEY, signature::SECRET),
            Form::Output(output) => {
                leaf::output_facts(output, writer);
                writer.text_entry(signature::KEY, signature::OUTPUT);
            }
        }
        writer.close(STRUCT, self.end);
    }
}
