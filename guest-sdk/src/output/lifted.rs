//! Parts of outputs, also where the whole isn't known.

use std::collections::{BTreeMap, HashMap};

use super::marks::{peel, wrap};
use super::stop::{Stopped, stop};
use super::{Output, Resolved};
use crate::error::Error;
use crate::value::{Property, Value};

impl<T: Property + 'static> Output<T> {
    /// The property `name` of an object. It is known where it alone is, and has the object's secrecy and dependencies beside its own.
    ///
    /// `name` is the property's, as the schema spells it. A property that isn't there and isn't optional ends the call.
    pub fn field<U: Property + 'static>(&self, name: impl Into<String>) -> Output<U> {
        let name = name.into();
        self.part(move |whole| field::<U>(whole, &name))
    }

    /// The part that `take` takes, read as a `U`.
    fn part<U: Property>(&self, take: impl FnOnce(Value) -> Result<Option<Value>, Error> + 'static) -> Output<U> {
        self.derive(|source| taken(source, take))
    }

    /// The same as [`field`](Self::field), where nobody may need it.
    pub(crate) fn glimpse_field<U: Property>(&self, name: &'static str) -> Output<U> {
        self.look(move |source| taken(source, |whole| field::<U>(whole, name)))
    }

    /// The element `index` of a tuple, where nobody may need it.
    pub(super) fn glimpse_element<U: Property>(&self, index: usize) -> Output<U> {
        self.look(move |source| taken(source, |whole| element(whole, index)))
    }
}

fn taken<T: Property, U: Property>(
    source: &Resolved<T>,
    take: impl FnOnce(Value) -> Result<Option<Value>, Error>,
) -> Result<Resolved<U>, Stopped> {
    let (whole, marks) = peel(source.write().map_err(|misfit| stop(Error::bug(misfit)))?);
    let part = match whole {
        Value::Unknown => Some(Value::Unknown),
        whole => take(whole).map_err(stop)?,
    };
    match part {
        Some(part) => read(wrap(part, marks.secret, marks.dependencies)),
        None => {
            let absent = U::absent().map_or_else(Resolved::unknown, Resolved::known);
            Ok(absent.marked(marks.secret, &marks.dependencies))
        }
    }
}

fn field<U: Property>(whole: Value, name: &str) -> Result<Option<Value>, Error> {
    match whole {
        Value::Fields(mut fields) => match fields.remove(name) {
            None if U::absent().is_none() => Err(Error::failed(format!("there is no `{name}`, which isn't optional"))),
            found => Ok(found),
        },
        other => Err(Error::failed(format!("there is no `{name}` in {}", other.kind()))),
    }
}

fn element(whole: Value, index: usize) -> Result<Option<Value>, Error> {
    match whole {
        Value::Items(items) => {
            let count = items.len();
            let item = items.into_iter().nth(index);
            item.map(Some).ok_or_else(|| Error::failed(format!("there is no element {index} among {count}")))
        }
        other => Err(Error::failed(format!("there is no element {index} in {}", other.kind()))),
    }
}

fn read<U: Property>(value: Value) -> Result<Resolved<U>, Stopped> {
    Resolved::read(value).map_err(|misfit| stop(Error::failed(format!("an output isn't what is expected: {misfit}"))))
}

impl<T: Property + 'static> Output<Vec<T>> {
    /// The element `index`, counted from 0, which is known where it alone is. One that isn't there ends the call.
    ///
    /// ```
    /// use bulkhead_sdk::{Output, output::all};
    ///
    /// let hosts = all(vec![Output::from("a".to_owned()), Output::unknown()]);
    /// assert_eq!(format!("{hosts:?}, {:?}", hosts.index(0)), "[unknown], \"a\"");
    /// ```
    pub fn index(&self, index: usize) -> Output<T> {
        self.part(move |whole| element(whole, index))
    }
}

macro_rules! map {
    ($map:ident) => {
        impl<T: Property + 'static> Output<$map<String, T>> {
            /// The value of `key`, which is known where it alone is; none if the key isn't there.
            pub fn get(&self, key: impl Into<String>) -> Output<Option<T>> {
                self.field(key)
            }
        }
    };
}

map!(BTreeMap);
map!(HashMap);
