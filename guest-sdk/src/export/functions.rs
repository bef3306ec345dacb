//! `functions`: invoke.

use super::component::{Component, answer, config};
use crate::bindings::functional::exports::bulkhead::provider::functions::{Guest, InvokeRequest};
use crate::bindings::wit::types as wit;
use crate::bindings::wit::values::Tree;
use crate::function::RawInvoke;
use crate::value::{decode_fields, encode};

impl<T: Component> Guest for T {
    fn invoke(request: InvokeRequest) -> Result<Tree, wit::Error> {
        answer(|| {
            let entry = T::provider().function(&request.token)?;
            let arguments = decode_fields(request.arguments)?;
            let request = RawInvoke { arguments, preview: request.preview };
            Ok(encode((entry.invoke)(request, &config::<T>)?))
        })
    }
}
