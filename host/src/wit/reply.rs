//! Replies, weighed as soon as they are read.
//!
//! A guest runs once more after its reply was read, to free it, and others run meanwhile. Whoever has to know what was read can't wait for
//! that.

use std::cell::RefCell;
use std::future::Future;

use wasmtime::component::__internal::{CanonicalAbiInfo, InstanceType, InterfaceType, LiftContext};
use wasmtime::component::{ComponentType, Lift};

use super::weight::Weigh;

/// What a reply takes, which is given back when it is dropped.
pub(crate) type Taken = Box<dyn Send + Sync>;

/// Who is told what a reply weighs, and what it takes for it.
struct Scale {
    told: Box<dyn Fn(usize) -> wasmtime::Result<Option<Taken>> + Send>,
    taken: Option<Taken>,
}

tokio::task_local! {
    static SCALE: RefCell<Scale>;
}

/// Makes a call, and tells what its reply weighs before the guest goes on. Its failure is the call's, and the reply is dropped. Beside the
/// outcome is what was taken for it, if anything.
pub(crate) async fn weighing<T>(
    told: impl Fn(usize) -> wasmtime::Result<Option<Taken>> + Send + 'static,
    call: impl Future<Output = T>,
) -> (T, Option<Taken>) {
    let weighed = async {
        let outcome = call.await;
        (outcome, SCALE.with(|scale| scale.borrow_mut().taken.take()))
    };
    SCALE.scope(RefCell::new(Scale { told: Box::new(told), taken: None }), weighed).await
}

/// A reply that was weighed.
pub(crate) struct Reply<T>(pub(crate) T);

impl<T: Weigh> Reply<T> {
    fn weighed(reply: T) -> wasmtime::Result<Self> {
        let weigh = |scale: &RefCell<Scale>| -> wasmtime::Result<()> {
            let mut scale = scale.borrow_mut();
            scale.taken = (scale.told)(reply.weight())?;
            Ok(())
        };
        // Where nobody asks, it has no weight.
        SCALE.try_with(weigh).unwrap_or(Ok(()))?;
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
