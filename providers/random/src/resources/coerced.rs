//! [`Coerced`].

use bulkhead_sdk::{Fields, Inputs, record::Record, schema::PropertySet, value::Misfit};

use super::table::Table;
use crate::plan;

/// Inputs in the form in which they are recorded, whatever form they were given in: see [`plan::coerced`].
#[derive(Debug)]
pub struct Coerced<T> {
    pub(super) inputs: T,
    /// Which of them there are to be, where not all.
    only: Option<Vec<String>>,
}

impl<T> Coerced<T> {
    /// Some of the inputs, by name.
    pub(super) fn only<N: Into<String>>(inputs: T, names: impl IntoIterator<Item = N>) -> Self {
        Self { inputs, only: Some(names.into_iter().map(Into::into).collect()) }
    }
}

/// Written by hand, since no property is added.
impl<T: Table> Record for Coerced<T> {
    const DESCRIPTION: &'static str = T::DESCRIPTION;
    const NAMES: &'static [&'static str] = T::NAMES;

    fn describe(properties: &mut PropertySet<'_>) {
        T::describe(properties);
    }

    fn take(fields: &mut Fields) -> Result<Self, Misfit> {
        let inputs = T::take(&mut plan::predicted(T::ATTRIBUTES, fields))?;
        Ok(Self { inputs, only: None })
    }

    fn put(&self, fields: &mut Fields) -> Result<(), Misfit> {
        self.inputs.put(fields)?;
        if let Some(only) = &self.only {
            fields.retain(|name, _| only.contains(name));
        }
        Ok(())
    }
}

impl<T: Table> Inputs for Coerced<T> {}
