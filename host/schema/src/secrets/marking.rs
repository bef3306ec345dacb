//! Many states that are marked by the same inputs.
//!
//! How many there are, a guest decides, and each may take as long as a comparison may. So they share their steps, and what the inputs
//! have in them is looked for once.

use std::collections::BTreeSet;

use bulkhead_value::Object;

use super::mark::{found, wrap};
use super::repeated;
use crate::{
    model::{ObjectType, Package},
    walk::Steps,
};

/// What marks one state after the other.
#[derive(Debug)]
pub struct Marking {
    inputs: Option<Object>,
    strings: BTreeSet<String>,
    steps: Steps,
}

impl Marking {
    /// By these inputs, all of them in these steps.
    pub fn by(inputs: Option<Object>, steps: Steps) -> Self {
        let strings = inputs.as_ref().map(repeated::strings).unwrap_or_default();
        let strings = strings.into_iter().map(str::to_owned).collect();
        Self { inputs, strings, steps }
    }

    /// The steps that the rest has.
    pub fn steps(&mut self) -> &mut Steps {
        &mut self.steps
    }

    /// Marks a state as [`mark`](super::mark()) does. None once there are no steps left, so that nobody knows what would be secret.
    pub fn mark(&mut self, package: &Package, ty: &ObjectType, mut state: Object) -> Option<Object> {
        let inputs = self.inputs.as_ref().map(|inputs| (inputs, &self.strings));
        let secret = self.steps.spend(package, |shapes| found(shapes, ty, inputs, &state));
        wrap(state.values_mut(), &secret);
        Some(state).filter(|_| !self.steps.are_spent())
    }
}
