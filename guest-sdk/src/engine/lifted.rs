//! Structs of properties as outputs: resources of this package as the children of a component, and objects.

use super::registration::Registration;
use crate::output::{Output, Parts};
use crate::record::{Object, Record};
use crate::resource::Declared;
use crate::value::{Property, Value};

/// A struct of properties as outputs: what `#[derive(Inputs)]`, `#[derive(State)]` and `#[derive(Object)]` make of the fields.
#[diagnostic::on_unimplemented(message = "`{Self}` has no outputs", label = "derive `bulkhead_sdk::State` for it")]
pub trait Lifted: Record {
    /// A struct with the same fields, each an [`Output`](crate::Output).
    type Outputs;

    /// The outputs that something has.
    fn lift(whole: &Whole) -> Self::Outputs;
}

impl Lifted for () {
    type Outputs = ();

    fn lift(_: &Whole) {}
}

/// What has outputs. For derived code.
#[derive(Debug)]
pub enum Whole {
    /// A resource.
    Resource(Registration),
    /// An object, which is an output itself.
    Object(Output<Value>),
}

impl Whole {
    /// Its output `name`, as the schema spells it.
    pub fn output<T: Property>(&self, name: &'static str) -> Output<T> {
        match self {
            Self::Resource(resource) => resource.output(name),
            Self::Object(object) => object.glimpse_field(name),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<O: Object + Lifted> Parts for O {
    type Parts = O::Outputs;

    fn parts(whole: &Output<Self>) -> O::Outputs {
        O::lift(&Whole::Object(whole.wire()))
    }
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
