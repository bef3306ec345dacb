//! Outputs to and from values, with all that is said about them.

use std::rc::Rc;

use super::marks::{Marks, bare, wrap};
use super::stop::stop;
use super::{Output, Resolved};
use crate::error::{Error, Result};
use crate::record::{self, Record};
use crate::schema::{ToJson, TypeSpec, Types};
use crate::value::{FromLiteral, Misfit, Property, Value};

impl<T: Property> Resolved<T> {
    /// Reads a value. What doesn't fit only because it isn't known is an unknown value.
    pub(crate) fn read(value: Value) -> Result<Self, Misfit> {
        let marks = Marks::of(&value);
        let read = match T::HOLDS_UNKNOWNS {
            true if marks.unknown => Err(Misfit::unknown()),
            // What is said about parts is said of the whole, and a closure sees values only.
            true => T::from_value(bare(value.clone())),
            false => T::from_value(value.clone()),
        };
        let read = match read {
            // An object may take anything in one of its members, which its type says nothing of.
            Ok(read) if marks.unknown && read.to_value().is_ok_and(|value| value.has_unknowns()) => None,
            Ok(read) => Some(Rc::new(read)),
            Err(misfit) if misfit.is_unknown() => None,
            Err(misfit) => return Err(misfit),
        };
        Ok(Self { value: read, wire: Some(Rc::new(value)), secret: marks.secret, dependencies: marks.dependencies })
    }

    pub(crate) fn write(&self) -> Result<Value, Misfit> {
        if let Some(wire) = &self.wire {
            return Ok((**wire).clone());
        }
        let value = match &self.value {
            Some(value) => value.to_value()?,
            None => Value::Unknown,
        };
        Ok(wrap(value, self.secret, self.dependencies.clone()))
    }
}

impl<T: Property> Output<T> {
    /// Waits for the value and writes it.
    pub(crate) fn write(&self) -> Result<Value, Misfit> {
        self.resolve().map_err(|stopped| Misfit::new(format!("isn't there: {stopped}")))?.write()
    }
}

impl<T: Property + 'static> Output<T> {
    /// The same, written down.
    pub(crate) fn wire(&self) -> Output<Value> {
        self.look(|resolved| {
            let value = resolved.write().map_err(|misfit| stop(Error::bug(misfit)))?;
            Resolved::read(value).map_err(|misfit| stop(Error::bug(misfit)))
        })
    }
}

/// Eventual, and a `T` in the schema. Reading never fails for what isn't known yet; writing waits.
impl<T: Property> Property for Output<T> {
    type Plain = T::Plain;
    const OPTIONAL: bool = T::OPTIONAL;
    const SECRET: bool = T::SECRET;
    const BOUNDS: Option<(i64, i64)> = T::BOUNDS;
    const ITEMS: Option<u32> = T::ITEMS;
    const PATTERN: Option<&'static str> = T::PATTERN;

    fn type_spec(types: &mut Types) -> TypeSpec {
        T::type_spec(types).eventual()
    }

    fn from_value(value: Value) -> Result<Self, Misfit> {
        Resolved::read(value).map(Self::resolved)
    }

    fn to_value(&self) -> Result<Value, Misfit> {
        self.write()
    }

    fn absent() -> Option<Self> {
        T::absent().map(Self::from)
    }

    fn is_absent(&self) -> bool {
        let absent = |resolved: &Resolved<T>| {
            resolved.dependencies.is_empty() && resolved.value.as_deref().is_some_and(T::is_absent)
        };
        // What failed is written, which fails again.
        self.resolve().is_ok_and(absent)
    }
}

impl<L, T: FromLiteral<L>> FromLiteral<L> for Output<T> {
    fn from_literal(literal: L) -> Self {
        Self::from(T::from_literal(literal))
    }
}

/// For defaults, which are known.
impl<T: ToJson> ToJson for Output<T> {
    fn to_json(&self) -> String {
        let value = self.resolve().ok().and_then(|resolved| resolved.value.as_deref());
        value.map_or_else(|| "null".to_owned(), T::to_json)
    }
}

/// One output of all fields of a struct: `plain` is a struct whose properties have the same names and plain types. It depends on what each
/// field depends on, is unknown if any is, and secret if any is.
///
/// ```
/// use bulkhead_sdk::{Inputs, Object, Output, output::gather};
///
/// #[derive(Inputs)]
/// struct Args {
///     host: Output<String>,
///     port: u32,
/// }
///
/// #[derive(Object)]
/// struct Address {
///     host: String,
///     port: u32,
/// }
///
/// let args = Args { host: Output::from("example.com".to_owned()), port: 80 };
/// let address = gather::<Address>(&args)?.map(|address| format!("{}:{}", address.host, address.port));
/// assert_eq!(format!("{address:?}"), "\"example.com:80\"");
/// # Ok::<(), bulkhead_sdk::Error>(())
/// ```
pub fn gather<P: Property>(record: &impl Record) -> Result<Output<P>> {
    let value = record::write(record).map_err(|misfit| Error::bug(format!("outputs can't be gathered: {misfit}")))?;
    Output::from_value(value).map_err(|misfit| Error::bug(format!("what was gathered doesn't fit: {misfit}")))
}
