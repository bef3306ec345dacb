//! Structs whose fields are properties: inputs, state, configuration, nested objects.
//!
//! The derives implement [`Record`], which is all that the rest of the SDK knows about an author's struct.

use crate::schema::PropertySet;
use crate::value::{Fields, Misfit, Property, Value};

/// A struct whose fields are properties. Derived, never written by hand.
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't a struct of properties",
    label = "derive `bulkhead_sdk::Inputs`, `State`, `Config` or `Object` for it"
)]
pub trait Record: Sized {
    /// The struct's doc comment.
    const DESCRIPTION: &'static str;

    /// Describes the properties.
    fn describe(properties: &mut PropertySet<'_>);

    /// Reads the properties, leaving those that it doesn't know.
    fn take(fields: &mut Fields) -> Result<Self, Misfit>;

    /// Writes the properties. Those before a misfit are there afterwards.
    fn put(&self, fields: &mut Fields) -> Result<(), Misfit>;
}

/// What a program gives: a resource's inputs or a function's arguments.
///
/// `#[derive(Inputs)]` implements it for a struct; see the [crate's page](crate) for the attributes of fields.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be given by a program",
    label = "not inputs",
    note = "derive `bulkhead_sdk::Inputs` for it"
)]
pub trait Inputs: Record {}

/// What is recorded of a resource, or what a function returns.
///
/// `#[derive(State)]` implements it for a struct. A struct of inputs may be part of it with `#[bulkhead(flatten)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be recorded",
    label = "not a state",
    note = "derive `bulkhead_sdk::State` for it"
)]
pub trait State: Record {}

/// An object of properties that is a property itself.
///
/// `#[derive(Object)]` implements it for a struct, which becomes a type of its own in the schema.
pub trait Object: Record + Property {}

/// No inputs, or no state worth recording.
impl Record for () {
    const DESCRIPTION: &'static str = "";

    fn describe(_: &mut PropertySet<'_>) {}

    fn take(_: &mut Fields) -> Result<Self, Misfit> {
        Ok(())
    }

    fn put(&self, _: &mut Fields) -> Result<(), Misfit> {
        Ok(())
    }
}

impl Inputs for () {}
impl State for () {}

/// Reads an object. For derived code.
pub fn read<T: Record>(value: Value) -> Result<T, Misfit> {
    match value.into_plain() {
        Value::Fields(mut fields) => T::take(&mut fields),
        other => Err(Misfit::expected("an object", &other)),
    }
}

/// Writes an object. For derived code.
pub fn write<T: Record>(record: &T) -> Result<Value, Misfit> {
    let mut fields = Fields::new();
    record.put(&mut fields)?;
    Ok(Value::Fields(fields))
}

/// Takes the property `name`. For derived code.
pub fn take<T: Property>(fields: &mut Fields, name: &str) -> Result<T, Misfit> {
    match fields.remove(name) {
        Some(value) => T::from_value(value).map_err(|misfit| misfit.field(name)),
        None => T::absent().ok_or_else(|| Misfit::missing(name)),
    }
}

/// Takes the property `name`, or what it stands for when it is left out. For derived code.
pub fn take_or<T: Property>(fields: &mut Fields, name: &str, default: impl FnOnce() -> T) -> Result<T, Misfit> {
    match fields.remove(name) {
        None | Some(Value::Null) => Ok(default()),
        Some(value) => T::from_value(value).map_err(|misfit| misfit.field(name)),
    }
}

/// Writes the property `name`, unless it is left out. For derived code.
pub fn put<T: Property>(fields: &mut Fields, name: &str, value: &T) -> Result<(), Misfit> {
    if !value.is_absent() {
        fields.insert(name.to_owned(), value.to_value().map_err(|misfit| misfit.field(name))?);
    }
    Ok(())
}

/// Writes the property `name`, as secret. For derived code.
pub fn put_secret<T: Property>(fields: &mut Fields, name: &str, value: &T) -> Result<(), Misfit> {
    if !value.is_absent() {
        let value = value.to_value().map_err(|misfit| misfit.field(name))?;
        fields.insert(name.to_owned(), value.secret());
    }
    Ok(())
}
