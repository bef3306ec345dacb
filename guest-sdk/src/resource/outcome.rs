//! What the four methods return.

use super::Resource;

/// A resource that exists.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Created<R> {
    /// Its id: not empty, opaque to everybody else, the same for the resource's whole life.
    pub id: String,
    /// Its state.
    pub state: R,
    /// Whether to refresh the resource before it is next updated.
    pub refresh_before_update: bool,
}

impl<R> Created<R> {
    /// A resource with this id and state.
    pub fn new(id: impl Into<String>, state: R) -> Self {
        Self { id: id.into(), state, refresh_before_update: false }
    }

    /// Asks for a refresh before the resource is next updated.
    pub fn refresh_before_update(mut self) -> Self {
        self.refresh_before_update = true;
        self
    }
}

/// A resource as it was found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Snapshot<R: Resource> {
    /// Its id, equal to the one asked for unless that was an abbreviation of this one.
    pub id: String,
    /// Its actual state.
    pub state: R,
    /// The inputs that would give this state; the host derives them from the state where they are absent.
    pub inputs: Option<R::Inputs>,
    /// Whether to refresh the resource before it is next updated.
    pub refresh_before_update: bool,
}

impl<R: Resource> Snapshot<R> {
    /// A resource with this id and state.
    pub fn new(id: impl Into<String>, state: R) -> Self {
        Self { id: id.into(), state, inputs: None, refresh_before_update: false }
    }

    /// Says which inputs would give the state.
    pub fn inputs(mut self, inputs: R::Inputs) -> Self {
        self.inputs = Some(inputs);
        self
    }

    /// Asks for a refresh before the resource is next updated.
    pub fn refresh_before_update(mut self) -> Self {
        self.refresh_before_update = true;
        self
    }
}

/// A resource after an update. Its id can't change.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Updated<R> {
    /// Its state.
    pub state: R,
    /// Whether to refresh the resource before it is next updated.
    pub refresh_before_update: bool,
}

impl<R> Updated<R> {
    /// A resource with this state.
    pub fn new(state: R) -> Self {
        Self { state, refresh_before_update: false }
    }

    /// Asks for a refresh before the resource is next updated.
    pub fn refresh_before_update(mut self) -> Self {
        self.refresh_before_update = true;
        self
    }
}
