//! Replies, weighed as soon as they are read.
//!
//! A guest runs once more after its reply was read, to free it, and others run meanwhile. Whoever has to know what was read can't wait for
//! that.

use std::cell::RefCell;
use std::future::Future;

use wasmtime::component::__internal::{CanonicalAbiInfo, InstanceType, InterfaceType, LiftContext};
use wasmtime::component::{ComponentType, Lift};

use super::weight::Weigh;

type Told = Box<dyn FnMut(usize) -> wasmtime::Result<()> + Send>;

tokio::task_local! {
    static TOLD: RefCell<Told>;
}

/// Makes a call, and tells what its reply weighs before the guest goes on. Its failure is the call's, and the reply is dropped.
pub(crate) async fn weighing<T>(
    told: impl FnMut(usize) -> wasmtime::Result<()> + Send + 'static,
    call: impl Future<Output = T>,
) -> T {
    TOLD.scope(RefCell::new(Box::new(told)), call).await
}

/// A reply that was weighed.
pub(crate) struct Reply<T>(pub(crate) T);

impl<T: Weigh> Reply<T> {
    fn weighed(reply: T) -> wasmtime::Result<Self> {
        // Where nobody asks, it has no weight.
        TOLD.try_with(|told| (*told.borrow_mut())(reply.weight())).unwrap_or(Ok(()))?;
        Ok(Self(reply))
    }
}

#[expect(unsafe_code, reason = "no derived type notices that it was read")]
// SAFETY: it is what it holds in all of this.
unsafe impl<T: ComponentType> ComponentType for Reply<T> {
    type Lower = T::Lower;

    const ABI: CanonicalAbiInfo = T::ABI;

    fn typecheck(ty: &InterfaceType, types: &InstanceType<'_>) -> wasmtime::Result<()> {
        T::typecheck(ty, types)
    }
}

#[expect(unsafe_code, reason = "no derived type notices that it was read")]
// SAFETY: it is what it holds in all of this.
unsafe impl<T: Lift + Weigh> Lift for Reply<T> {
    fn linear_lift_from_flat(
        context: &mut LiftContext<'_>,
        ty: InterfaceType,
        source: &Self::Lower,
    ) -> wasmtime::Result<Self> {
        T::linear_lift_from_flat(context, ty, source).and_then(Self::weighed)
    }

    fn linear_lift_from_memory(
        context: &mut LiftContext<'_>,
        ty: InterfaceType,
        bytes: &[u8],
    ) -> wasmtime::Result<Self> {
        T::linear_lift_from_memory(context, ty, bytes).and_then(Self::weighed)
    }
}
