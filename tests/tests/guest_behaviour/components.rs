//! Components: what they register, what they are told, and what becomes of their results.

mod asking;
mod ending;
mod methods;
mod registering;
mod results;
mod written;

use bulkhead_tests::serving::Serving;
use bulkhead_value::{Object, Output, Value};

use crate::{guest, object};

/// The component of the guest `composer`.
const COMPOSER: &str = "composer:index:Composer";
/// The custom resource of the guest `composer`.
const PART: &str = "composer:index:Part";

/// The guest `composer`, served and configured.
async fn composer() -> Serving {
    let serving = Serving::composing(&guest("composer"), Default::default()).await;
    serving.ready(object([("label", "test")])).await
}

/// Inputs that ask for an act, and others.
fn act<const N: usize>(act: &str, others: [(&str, Value); N]) -> Object {
    [("act", Value::from(act))].into_iter().chain(others).collect()
}

/// An eventual value.
fn output(value: Option<Value>, secret: bool, dependencies: &[&str]) -> Value {
    let dependencies = dependencies.iter().map(|urn| (*urn).to_owned()).collect();
    Value::from(Output { value: value.map(Box::new), secret, dependencies })
}
