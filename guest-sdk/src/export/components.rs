//! `components`: construct, call.

use super::component::{Component, answer, config};
use crate::bindings::composing::exports::bulkhead::provider::components::{
    CallRequest, Called, ConstructRequest, Constructed, Guest, PropertyDependencies,
};
use crate::bindings::wit::types::Error;
use crate::component::{RawCall, RawConstruct, with_dependencies};
use crate::value::{decode_fields, encode, encode_fields};

impl<T: Component> Guest for T {
    fn construct(request: ConstructRequest) -> Result<Constructed, Error> {
        answer(|| {
            let entry = T::provider().component(&request.token)?;
            let inputs = with_dependencies(decode_fields(request.inputs)?, dependencies(request.input_dependencies));
            let ConstructRequest { token, name, options, preview, .. } = request;
            let constructed = (entry.construct)(RawConstruct { token, name, inputs, options, preview }, &config::<T>)?;
            let state = encode_fields(constructed.state);
            // What outputs depend on they say themselves.
            Ok(Constructed { urn: constructed.urn, state, state_dependencies: Vec::new() })
        })
    }

    fn call(request: CallRequest) -> Result<Called, Error> {
        answer(|| {
            let entry = T::provider().method(&request.token)?;
            let arguments = decode_fields(request.arguments)?;
            let arguments = with_dependencies(arguments, dependencies(request.argument_dependencies));
            let value = (entry.call)(RawCall { arguments, preview: request.preview }, &config::<T>)?;
            Ok(Called { value: encode(value), dependencies: Vec::new() })
        })
    }
}

fn dependencies(properties: Vec<PropertyDependencies>) -> Vec<(String, Vec<String>)> {
    properties.into_iter().map(|property| (property.name, property.urns)).collect()
}
