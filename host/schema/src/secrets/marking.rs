//! Many states that are marked by the same inputs.
//!
//! How many there are, a guest decides, and each may take as long as a comparison may. So they share their steps, and what the inputs
//! have in them is looked for once.

use bulkhead_value::Object;

use super::mark::{found, wrap};
use super::repeated::Repeated;
use crate::{
    model::{ObjectType, Package},
    walk::Steps,
};

/// What marks one state after the other.
#[derive(Debug)]
pub struct Marking {
    repeated: Option<Repeated<'static>>,
    steps: Steps,
}

impl Marking {
    /// By these inputs, all of them in these steps.
    pub fn by(inputs: Option<Object>, steps: Steps) -> Self {
        let repeated = inputs.as_ref().map(|inputs| Repeated::of(inputs).into_owned());
        Self { repeated, steps }
    }

    /// The steps that the rest has.
    pub fn steps(&mut self) -> &mut Steps {
        &mut self.steps
    }

    /// Marks a state as [`mark`](super::mark()) does. None once there are no steps left, so that nobody knows what would be secret.
    pub fn mark(&mut self, package: &Package, ty: &ObjectType, mut state: Object) -> Option<Object> {
        let repeated = self.repeated.as_ref();
        let secret = self.steps.spend(package, |shapes| found(shapes, ty, repeated, &state));
        wrap(state.values_mut(), &secret);
        Some(state).filter(|_| !self.steps.are_spent())
    }
}
