//! Resources of this package as the children of a component.

use super::registration::Registration;
use crate::record::Record;
use crate::resource::Declared;

/// A struct of properties as outputs: what `#[derive(Inputs)]` and `#[derive(State)]` make of the fields.
#[diagnostic::on_unimplemented(message = "`{Self}` has no outputs", label = "derive `bulkhead_sdk::State` for it")]
pub trait Lifted: Record {
    /// A struct with the same fields, each an [`Output`](crate::Output).
    type Outputs;

    /// The outputs of a resource.
    fn lift(resource: &Registration) -> Self::Outputs;
}

impl Lifted for () {
    type Outputs = ();

    fn lift(_: &Registration) {}
}

/// A resource of this package that a component may register: `#[resource]` and `#[component]` implement it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be registered",
    label = "no resource of this package",
    note = "put `#[resource(token = \"…\")]` on its `impl Resource`, or `#[component(token = \"…\")]` on its `impl Component`",
    note = "resources of other packages are registered by token: `child(\"name\").resource(\"package:module:Name\", fields! {{ … }})`"
)]
pub trait Registrable: Lifted + Declared {
    /// What it is given.
    type Given;
    /// Whether it is a custom resource; a component otherwise.
    const CUSTOM: bool;
}
