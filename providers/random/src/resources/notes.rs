//! [`Notes`].

use std::marker::PhantomData;

use bulkhead_sdk::engine::{Lifted, Whole};
use bulkhead_sdk::{Fields, State, record::Record, schema::PropertySet, value::Misfit};

use super::table::Table;
use crate::plan;

/// What the native provider records beside the properties: the id once more, and how to read the state again. Neither is in
/// the schema, and the host hides both when it hands a state back. Must be the last part of a state, as it is about the others.
#[derive(Debug)]
pub(super) struct Notes<T> {
    id: Option<String>,
    /// The state, where what stands before the notes isn't it.
    state: Option<Fields>,
    about: PhantomData<fn() -> T>,
}

impl<T> Notes<T> {
    /// The notes in the state of the resource with this id.
    pub(super) fn of(id: impl Into<String>) -> Self {
        Self { id: Some(id.into()), state: None, about: PhantomData }
    }

    /// The same, with a state that takes the place of what stands before the notes.
    pub(super) fn beside(id: impl Into<String>, state: Fields) -> Self {
        Self { state: Some(state), ..Self::of(id) }
    }
}

/// Written by hand, since nothing of it is a property.
impl<T: Table> Record for Notes<T> {
    const DESCRIPTION: &'static str = "";
    const NAMES: &'static [&'static str] = &[];

    fn describe(_: &mut PropertySet<'_>) {}

    fn take(_: &mut Fields) -> Result<Self, Misfit> {
        Ok(Self { id: None, state: None, about: PhantomData })
    }

    fn put(&self, fields: &mut Fields) -> Result<(), Misfit> {
        if let Some(state) = &self.state {
            fields.clone_from(state);
        }
        let (key, note) = plan::encoding(T::ATTRIBUTES, T::LISTS, T::RENAMED, fields);
        fields.insert(key, note);
        if let Some(id) = self.id.as_ref().filter(|_| T::REPEATS_ID) {
            fields.insert("id".to_owned(), id.clone().into());
        }
        Ok(())
    }
}

impl<T: Table> State for Notes<T> {}

impl<T: Table> Lifted for Notes<T> {
    type Outputs = ();

    fn lift(_: &Whole) {}
}
