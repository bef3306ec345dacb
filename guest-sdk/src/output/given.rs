//! What may be given where an output is wanted.

use std::collections::BTreeMap;

use super::{All, Output, all};
use crate::value::{Property, Value};

/// A value or an output of one: what the arguments of a resource take.
///
/// Whatever becomes one with `into`: values, outputs, strings, and lists, maps and options of outputs.
///
/// ```
/// use bulkhead_sdk::{Input, Output};
///
/// let plain: Input<String> = "a".into();
/// let eventual: Input<String> = Output::from("a".to_owned()).into();
/// let list: Input<Vec<String>> = vec![Output::from("a".to_owned())].into();
/// # _ = (plain, eventual, list);
/// ```
#[derive(Clone, Debug)]
pub enum Input<T> {
    /// A value.
    Value(T),
    /// An output.
    Output(Output<T>),
}

impl<T: 'static> Input<T> {
    /// The output, which for a value is known.
    pub fn into_output(self) -> Output<T> {
        match self {
            Self::Value(value) => value.into(),
            Self::Output(output) => output,
        }
    }
}

impl<T> From<T> for Input<T> {
    fn from(value: T) -> Self {
        Self::Value(value)
    }
}

impl<T> From<Output<T>> for Input<T> {
    fn from(output: Output<T>) -> Self {
        Self::Output(output)
    }
}

impl<T> From<&Output<T>> for Input<T> {
    fn from(output: &Output<T>) -> Self {
        Self::Output(output.clone())
    }
}

impl<T> From<T> for Input<Option<T>> {
    fn from(value: T) -> Self {
        Self::Value(Some(value))
    }
}

impl<T: Clone + 'static> From<Output<T>> for Input<Option<T>> {
    fn from(output: Output<T>) -> Self {
        Self::Output(Some(output).all())
    }
}

impl<T: Clone + 'static> From<&Output<T>> for Input<Option<T>> {
    fn from(output: &Output<T>) -> Self {
        Self::from(output.clone())
    }
}

impl From<&str> for Input<String> {
    fn from(text: &str) -> Self {
        Self::Value(text.to_owned())
    }
}

impl From<&str> for Input<Option<String>> {
    fn from(text: &str) -> Self {
        Self::Value(Some(text.to_owned()))
    }
}

impl<T: Property + Clone + 'static> From<Vec<Output<T>>> for Input<Vec<T>> {
    fn from(outputs: Vec<Output<T>>) -> Self {
        Self::Output(all(outputs))
    }
}

impl<T: Property + Clone + 'static> From<BTreeMap<String, Output<T>>> for Input<BTreeMap<String, T>> {
    fn from(outputs: BTreeMap<String, Output<T>>) -> Self {
        Self::Output(all(outputs))
    }
}

/// Waits for the output. For [`fields!`](crate::fields), in untyped arguments. One that fails ends the call.
impl<T: Property> From<Output<T>> for Value {
    fn from(output: Output<T>) -> Self {
        // An output that can't be written has stopped the call, or is stopped with it now.
        output.write().unwrap_or_else(|misfit| {
            super::stop::stop(crate::Error::bug(format!("an output can't be written: {misfit}")));
            Self::Unknown
        })
    }
}

impl<T: Property> From<&Output<T>> for Value {
    fn from(output: &Output<T>) -> Self {
        output.clone().into()
    }
}
