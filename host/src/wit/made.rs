//! What a guest made, from the moment it was read.
//!
//! A reply counts once all of it was read and the guest has freed it again. Much can fail until then: a text that isn't one, more than a
//! limit allows, a crash while it is freed. The resource exists all the same, and only its id finds it again. So whatever of such a
//! reply was read leaves itself behind when it is dropped before anybody took it.

use std::cell::RefCell;
use std::future::Future;

use wasmtime::component::__internal::{CanonicalAbiInfo, InstanceType, InterfaceType, LiftContext};
use wasmtime::component::{ComponentType, Lift};

use super::bindings::exports::resources::Created;
use super::bindings::types::{Error, Failure, MissingKey, Partial};
use super::bindings::values::Tree;
use super::weight::Weigh;

tokio::task_local! {
    static LEFT: RefCell<Option<Left>>;
}

/// What was read of a resource in a reply that failed.
#[derive(Debug)]
pub(crate) struct Left {
    /// Its id, as the guest said it.
    pub(crate) id: String,
    /// Its state, if that was read too.
    pub(crate) state: Option<Tree>,
}

/// Makes a call, and tells what its reply left behind.
pub(crate) async fn leaving<T>(call: impl Future<Output = T>) -> (T, Option<Left>) {
    let watched = async {
        let outcome = call.await;
        (outcome, LEFT.with(RefCell::take))
    };
    LEFT.scope(RefCell::default(), watched).await
}

fn leave(id: String, state: Option<Tree>) {
    if !id.is_empty() {
        // Whoever isn't asked leaves nothing.
        let _ = LEFT.try_with(|left| left.replace(Some(Left { id, state })));
    }
}

/// An id, which is read before anything else is.
pub(crate) struct Id(String);

impl Drop for Id {
    fn drop(&mut self) {
        leave(std::mem::take(&mut self.0), None);
    }
}

#[expect(unsafe_code, reason = "no derived type notices that it was read while what follows it can't be")]
// SAFETY: it is a text in all of this.
unsafe impl ComponentType for Id {
    type Lower = <String as ComponentType>::Lower;

    const ABI: CanonicalAbiInfo = <String as ComponentType>::ABI;

    fn typecheck(ty: &InterfaceType, types: &InstanceType<'_>) -> wasmtime::Result<()> {
        <String as ComponentType>::typecheck(ty, types)
    }
}

#[expect(unsafe_code, reason = "no derived type notices that it was read while what follows it can't be")]
// SAFETY: it is a text in all of this.
unsafe impl Lift for Id {
    fn linear_lift_from_flat(
        context: &mut LiftContext<'_>,
        ty: InterfaceType,
        source: &Self::Lower,
    ) -> wasmtime::Result<Self> {
        String::linear_lift_from_flat(context, ty, source).map(Self)
    }

    fn linear_lift_from_memory(
        context: &mut LiftContext<'_>,
        ty: InterfaceType,
        bytes: &[u8],
    ) -> wasmtime::Result<Self> {
        String::linear_lift_from_memory(context, ty, bytes).map(Self)
    }
}

/// `created`.
#[derive(ComponentType, Lift)]
#[component(record)]
pub(crate) struct Made {
    id: Id,
    state: Tree,
    #[component(name = "refresh-before-update")]
    refresh_before_update: bool,
}

impl Drop for Made {
    fn drop(&mut self) {
        let (id, state) = parts(&mut self.id, &mut self.state);
        leave(id, Some(state));
    }
}

#[cfg(test)]
impl Made {
    /// One that was read, with a state that says nothing.
    pub(crate) fn read(id: &str) -> Self {
        Self { id: Id(id.to_owned()), state: Tree { nodes: Vec::new() }, refresh_before_update: false }
    }
}

impl Weigh for Made {
    fn weight(&self) -> usize {
        let Self { id, state, refresh_before_update: _ } = self;
        id.0.weight().saturating_add(state.weight())
    }
}

impl From<Made> for Created {
    fn from(mut made: Made) -> Self {
        let (id, state) = parts(&mut made.id, &mut made.state);
        Self { id, state, refresh_before_update: made.refresh_before_update }
    }
}

/// `partial`.
#[derive(ComponentType, Lift)]
#[component(record)]
pub(crate) struct Unready {
    id: Id,
    state: Tree,
    inputs: Option<Tree>,
    reasons: Vec<String>,
    #[component(name = "refresh-before-update")]
    refresh_before_update: bool,
}

impl Drop for Unready {
    fn drop(&mut self) {
        let (id, state) = parts(&mut self.id, &mut self.state);
        leave(id, Some(state));
    }
}

#[cfg(test)]
impl Unready {
    /// One that was read, with a state that says nothing.
    pub(crate) fn read(id: &str) -> Self {
        let state = Tree { nodes: Vec::new() };
        Self { id: Id(id.to_owned()), state, inputs: None, reasons: Vec::new(), refresh_before_update: false }
    }
}

impl Weigh for Unready {
    fn weight(&self) -> usize {
        let Self { id, state, inputs, reasons, refresh_before_update: _ } = self;
        let parts = [id.0.weight(), state.weight(), inputs.weight(), reasons.weight()];
        parts.into_iter().fold(0, usize::saturating_add)
    }
}

impl From<Unready> for Partial {
    fn from(mut unready: Unready) -> Self {
        let (id, state) = parts(&mut unready.id, &mut unready.state);
        let (inputs, reasons) = (unready.inputs.take(), std::mem::take(&mut unready.reasons));
        Self { id, state, inputs, reasons, refresh_before_update: unready.refresh_before_update }
    }
}

/// What is taken leaves nothing behind.
fn parts(id: &mut Id, state: &mut Tree) -> (String, Tree) {
    (std::mem::take(&mut id.0), Tree { nodes: std::mem::take(&mut state.nodes) })
}

/// `error`.
#[derive(ComponentType, Lift)]
#[component(variant)]
pub(crate) enum Unmade {
    #[component(name = "rejected")]
    Rejected(Vec<Failure>),
    #[component(name = "missing-configuration")]
    MissingConfiguration(Vec<MissingKey>),
    #[component(name = "failed")]
    Failed(String),
    #[component(name = "not-initialised")]
    NotInitialised(Unready),
    #[component(name = "await-failed")]
    AwaitFailed(String),
    #[component(name = "outcome-unknown")]
    OutcomeUnknown(String),
    #[component(name = "not-found")]
    NotFound(String),
    #[component(name = "cancelled")]
    Cancelled,
    #[component(name = "unsupported")]
    Unsupported(String),
    #[component(name = "bug")]
    Bug(String),
    #[component(name = "other")]
    Other(String),
}

impl Weigh for Unmade {
    fn weight(&self) -> usize {
        match self {
            Self::Rejected(failures) => failures.weight(),
            Self::MissingConfiguration(keys) => keys.weight(),
            Self::NotInitialised(unready) => unready.weight(),
            Self::Failed(text)
            | Self::AwaitFailed(text)
            | Self::OutcomeUnknown(text)
            | Self::NotFound(text)
            | Self::Unsupported(text)
            | Self::Bug(text)
            | Self::Other(text) => text.weight(),
            Self::Cancelled => 0,
        }
    }
}

impl From<Unmade> for Error {
    fn from(unmade: Unmade) -> Self {
        match unmade {
            Unmade::Rejected(failures) => Self::Rejected(failures),
            Unmade::MissingConfiguration(keys) => Self::MissingConfiguration(keys),
            Unmade::Failed(why) => Self::Failed(why),
            Unmade::NotInitialised(unready) => Self::NotInitialised(unready.into()),
            Unmade::AwaitFailed(why) => Self::AwaitFailed(why),
            Unmade::OutcomeUnknown(why) => Self::OutcomeUnknown(why),
            Unmade::NotFound(why) => Self::NotFound(why),
            Unmade::Cancelled => Self::Cancelled,
            Unmade::Unsupported(why) => Self::Unsupported(why),
            Unmade::Bug(why) => Self::Bug(why),
            Unmade::Other(why) => Self::Other(why),
        }
    }
}
