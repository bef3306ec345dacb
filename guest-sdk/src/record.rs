//! Structs whose fields are properties: inputs, state, configuration, nested objects.
//!
//! The derives implement [`Record`], which is all that the rest of the SDK knows about an author's struct.

use crate::compile_time::Names;
use crate::engine::{Pairs, Slot, Whole};
use crate::output::Output;
use crate::schema::{Facts, PropertySet, ToJson};
use crate::value::{Fields, Misfit, Property, Value};

/// A struct whose fields are properties. Derived, never written by hand.
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't a struct of properties",
    label = "derive `bulkhead_sdk::Inputs`, `State`, `Config` or `Object` for it"
)]
pub trait Record: Sized {
    /// The struct's doc comment.
    const DESCRIPTION: &'static str;
    /// The names of its properties, without those of flattened structs.
    const NAMES: &'static [&'static str];

    /// The same with those of flattened structs.
    const ALL_NAMES: &'static Names = &Names { own: Self::NAMES, below: &[] };

    /// Whether a property is called so, of a flattened struct too.
    fn has(name: &str) -> bool {
        Self::ALL_NAMES.has(name)
    }

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
/// `#[derive(State)]` implements it for a struct. A struct of inputs may be part of it with `#[bulkhead(flatten)]`, and is a state by
/// itself where there is nothing else to record: such a struct derives `Inputs` alone.
///
/// ```
/// use bulkhead_sdk::{Create, Created, Inputs, Resource, Result, provider, resource};
///
/// /// What issues are marked with.
/// #[derive(Inputs)]
/// struct Label {
///     #[bulkhead(replace)]
///     name: String,
///     color: String,
/// }
///
/// #[resource(token = "tracker:index:Label")]
/// impl Resource for Label {
///     type Inputs = Self;
///
///     fn create(request: Create<Self>) -> Result<Created<Self>> {
///         Ok(Created::new(request.inputs.name.clone(), request.inputs))
///     }
/// }
///
/// provider! { name: "tracker", resources: [Label] }
/// # let driver = bulkhead_sdk::testing::Driver::new(&PROVIDER, ());
/// # let label = driver.create::<Label>(bulkhead_sdk::fields! { "name": "bug", "color": "red" })?;
/// # assert_eq!((label.id.as_str(), label.state.color.as_str()), ("bug", "red"));
/// # Ok::<(), bulkhead_sdk::Error>(())
/// ```
///
/// An [`Object`] is none: what is both a resource and an element of a list has two structs, of which the object may be flattened into the state.
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
    const NAMES: &'static [&'static str] = &[];

    fn describe(_: &mut PropertySet<'_>) {}

    fn take(_: &mut Fields) -> Result<Self, Misfit> {
        Ok(())
    }

    fn put(&self, _: &mut Fields) -> Result<(), Misfit> {
        Ok(())
    }
}

impl Inputs for () {}

/// What is given may be all that there is to record.
#[diagnostic::do_not_recommend]
impl<T: Inputs> State for T {}

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

/// The value, if it is what it must be. For derived code.
pub fn constant<T: Property + PartialEq + ToJson>(value: T, constant: T, name: &str) -> Result<T, Misfit> {
    if value == constant || value.is_absent() {
        return Ok(value);
    }
    Err(Misfit::new(format!("must be {}", constant.to_json())).field(name))
}

/// Whether any of these properties is there. For derived code.
pub fn is_any_given(fields: &Fields, names: &[&str]) -> bool {
    names.iter().any(|name| fields.get(*name).is_some_and(|value| *value.plain() != Value::Null))
}

/// How a property of type `T` is described, read and written. For derived code, which makes one for each field.
pub struct Accessor<T> {
    describe: fn(&mut PropertySet<'_>, &'static str, &Facts),
    from_value: fn(Value) -> Result<T, Misfit>,
    to_value: fn(&T) -> Result<Value, Misfit>,
    absent: fn() -> Option<T>,
    is_absent: fn(&T) -> bool,
    lift: fn(&Whole, &'static str) -> Output<T>,
    give: fn(Slot<T>, &'static str, &mut Pairs),
}

/// What a property is when it is left out. For derived code.
pub enum Otherwise<T> {
    /// Absent, or an error if it can't be.
    Absent,
    /// Absent, or this if it can't be.
    AbsentOr(fn() -> T),
    /// This.
    Default(fn() -> T),
}

/// Knows all that must be known about `T`. For derived code, and not an associated function, so that what isn't a property is
/// explained as [`Property`] explains it.
pub const fn accessor<T: Property>() -> Accessor<T> {
    // What is wrong with a type shows where it is used.
    _ = T::ITEMS;
    Accessor {
        describe: |properties, name, facts| properties.add::<T>(name, facts),
        from_value: T::from_value,
        to_value: T::to_value,
        absent: T::absent,
        is_absent: T::is_absent,
        lift: |whole, name| whole.output(name),
        give: |slot, name, pairs| pairs.add(name, slot),
    }
}

impl<T> Accessor<T> {
    /// Describes the property.
    pub fn describe(&self, properties: &mut PropertySet<'_>, name: &'static str, facts: &Facts) {
        (self.describe)(properties, name, facts);
    }

    /// Takes the property from what is there.
    pub fn take(&self, fields: &mut Fields, name: &str, otherwise: Otherwise<T>) -> Result<T, Misfit> {
        let given = fields.remove(name);
        // A secret nothing as well: that is what SDKs send for a secret that isn't configured.
        let is_nothing = given.as_ref().is_none_or(|value| *value.plain() == Value::Null);
        match (given, otherwise) {
            (_, Otherwise::AbsentOr(default)) if is_nothing => Ok((self.absent)().unwrap_or_else(default)),
            (_, Otherwise::Default(default)) if is_nothing => Ok(default()),
            (None, _) => (self.absent)().ok_or_else(|| Misfit::missing(name)),
            (Some(value), _) => (self.from_value)(value).map_err(|misfit| misfit.field(name)),
        }
    }

    /// Writes the property: its default if it is absent, nothing if there is none.
    pub fn put(&self, fields: &mut Fields, name: &str, value: &T, default: Option<fn() -> T>) -> Result<(), Misfit> {
        if let Some(value) = self.value(name, value, default)? {
            fields.insert(name.to_owned(), value);
        }
        Ok(())
    }

    /// The same, as secret.
    pub fn put_secret(
        &self,
        fields: &mut Fields,
        name: &str,
        value: &T,
        default: Option<fn() -> T>,
    ) -> Result<(), Misfit> {
        if let Some(value) = self.value(name, value, default)? {
            fields.insert(name.to_owned(), value.secret());
        }
        Ok(())
    }

    /// The property as an output.
    pub fn lift(&self, whole: &Whole, name: &'static str) -> Output<T> {
        (self.lift)(whole, name)
    }

    /// Adds what was given for the property.
    pub fn give(&self, slot: Slot<T>, name: &'static str, pairs: &mut Pairs) {
        (self.give)(slot, name, pairs);
    }

    fn value(&self, name: &str, value: &T, default: Option<fn() -> T>) -> Result<Option<Value>, Misfit> {
        let written = match default {
            _ if !(self.is_absent)(value) => (self.to_value)(value),
            Some(default) => (self.to_value)(&default()),
            None => return Ok(None),
        };
        written.map(Some).map_err(|misfit| misfit.field(name))
    }
}
