//! Several outputs as one.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::{Output, Resolved};
use crate::output::stop::{self, Stopped};
use crate::value::{Property, Value};

/// Several outputs that can become one: tuples of up to eight, lists, maps and options, of outputs or of each other.
///
/// Structs become one with [`gather`](super::gather).
pub trait All {
    /// The same, of plain values.
    type Plain;

    /// One output of them all.
    fn all(self) -> Output<Self::Plain>;
}

/// One output of several. It depends on what each depends on, is unknown if any is, and secret if any is.
///
/// Single elements of a list or a map can be had with [`Output::index`] and [`Output::get`] even if others are unknown.
///
/// ```
/// use bulkhead_sdk::{Output, output::all};
///
/// let sum = all(vec![Output::from(1), Output::from(2)]).map(|numbers| numbers.iter().sum::<i32>());
/// assert_eq!(format!("{sum:?}"), "3");
/// ```
pub fn all<A: All>(outputs: A) -> Output<A::Plain> {
    outputs.all()
}

/// One output, made once all its parts are there: at once, if they are.
fn together<T: 'static>(resolved: bool, make: impl FnOnce() -> Result<Resolved<T>, Stopped> + 'static) -> Output<T> {
    if !resolved {
        return Output::started(make);
    }
    match make() {
        Ok(resolved) => Output::resolved(resolved),
        Err(stopped) => Output::stopped(stopped.into()),
    }
}

/// One value of several that are written down, of which each may still be waited for. What is said about each stays there.
pub(crate) fn assemble(parts: Vec<Output<Value>>, whole: impl FnOnce(Vec<Value>) -> Value + 'static) -> Output<Value> {
    together(parts.iter().all(Output::is_resolved), move || {
        let parts = parts.iter().map(written).collect::<Result<_, _>>()?;
        Resolved::read(whole(parts)).map_err(|misfit| stop::stop(crate::Error::bug(misfit)))
    })
}

/// Where parts end. What is inside of it stays as it is.
impl<T: 'static> All for Output<T> {
    type Plain = T;

    fn all(self) -> Output<T> {
        self
    }
}

impl All for () {
    type Plain = ();

    fn all(self) -> Output<()> {
        Output::from(())
    }
}

macro_rules! tuple {
    ($($part:ident $slot:ident),*) => {
        impl<$($part: All<Plain: Clone + 'static>),*> All for ($($part,)*) {
            type Plain = ($($part::Plain,)*);

            fn all(self) -> Output<Self::Plain> {
                let ($($slot,)*) = self;
                let ($($slot,)*) = ($($slot.all(),)*);
                together(true $(&& $slot.is_resolved())*, move || {
                    let mut whole = Resolved::unknown();
                    $(let $slot = $slot.resolve()?.take(&mut whole)?;)*
                    if let ($(Some($slot),)*) = ($($slot,)*) {
                        whole.value = Some(Rc::new(($((*$slot).clone(),)*)));
                    }
                    Ok(whole)
                })
            }
        }
    };
}

tuple!(A a);
tuple!(A a, B b);
tuple!(A a, B b, C c);
tuple!(A a, B b, C c, D d);
tuple!(A a, B b, C c, D d, E e);
tuple!(A a, B b, C c, D d, E e, F f);
tuple!(A a, B b, C c, D d, E e, F f, G g);
tuple!(A a, B b, C c, D d, E e, F f, G g, H h);

impl<A: All<Plain: Property + Clone>> All for Vec<A> {
    type Plain = Vec<A::Plain>;

    fn all(self) -> Output<Vec<A::Plain>> {
        let outputs: Vec<_> = self.into_iter().map(A::all).collect();
        together(outputs.iter().all(Output::is_resolved), move || {
            let mut whole = Resolved::unknown();
            let mut values = Some(Vec::with_capacity(outputs.len()));
            let mut wire = Vec::with_capacity(outputs.len());
            for output in &outputs {
                let value = output.resolve()?.take(&mut whole)?;
                values = values.zip(value).map(|(mut values, value)| {
                    values.push((*value).clone());
                    values
                });
                wire.push(written(output)?);
            }
            whole.value = values.map(Rc::new);
            whole.wire = Some(Rc::new(Value::Items(wire)));
            Ok(whole)
        })
    }
}

macro_rules! map {
    ($map:ident) => {
        impl<A: All<Plain: Property + Clone>> All for $map<String, A> {
            type Plain = $map<String, A::Plain>;

            fn all(self) -> Output<$map<String, A::Plain>> {
                let outputs: Vec<_> = self.into_iter().map(|(key, part)| (key, part.all())).collect();
                together(outputs.iter().all(|(_, output)| output.is_resolved()), move || {
                    let mut whole = Resolved::unknown();
                    let mut values = Some($map::new());
                    let mut wire = BTreeMap::new();
                    for (key, output) in &outputs {
                        let value = output.resolve()?.take(&mut whole)?;
                        values = values.zip(value).map(|(mut values, value)| {
                            values.insert(key.clone(), (*value).clone());
                            values
                        });
                        wire.insert(key.clone(), written(output)?);
                    }
                    whole.value = values.map(Rc::new);
                    whole.wire = Some(Rc::new(Value::Fields(wire)));
                    Ok(whole)
                })
            }
        }
    };
}

map!(BTreeMap);
map!(HashMap);

impl<A: All<Plain: Clone + 'static>> All for Option<A> {
    type Plain = Option<A::Plain>;

    fn all(self) -> Output<Option<A::Plain>> {
        match self {
            Some(part) => part.all().map(|value| Some(value.clone())),
            None => Output::from(None),
        }
    }
}

fn written<T: Property>(output: &Output<T>) -> Result<Value, Stopped> {
    output.write().map_err(|misfit| stop::stop(crate::Error::bug(format!("an output can't be written: {misfit}"))))
}
