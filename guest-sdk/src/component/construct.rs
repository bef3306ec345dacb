//! Constructing a component, around what its author wrote.

use std::ops::Deref;

use super::lifecycle::Component;
use crate::bindings::wit::engine as wit_engine;
use crate::bindings::wit::options::{ProviderChoice, ResourceOptions};
use crate::config::{Serves, Source};
use crate::engine::{Nature, ProviderInstance, Registration, Scope};
use crate::error::{Error, Result};
use crate::export::read_error;
use crate::host::imports::engine as host;
use crate::output::{Dependencies, stop, wrap};
use crate::record::Record;
use crate::value::{Fields, Value, encode_fields};

/// What to construct. Children are registered with [`child`](Scope::child) and the other methods of [`Scope`].
#[non_exhaustive]
pub struct Construct<'a, T: Component> {
    /// What the program gave.
    pub inputs: T::Inputs,
    /// The provider's configuration.
    pub config: &'a T::Config,
    scope: Scope,
}

impl<T: Component> Deref for Construct<'_, T> {
    type Target = Scope;

    fn deref(&self) -> &Scope {
        &self.scope
    }
}

/// What to construct, its types forgotten.
pub(crate) struct RawConstruct {
    pub(crate) token: String,
    pub(crate) name: String,
    pub(crate) inputs: Fields,
    pub(crate) options: ResourceOptions,
    pub(crate) preview: bool,
}

/// A component that was registered.
pub(crate) struct RawConstructed {
    pub(crate) urn: String,
    pub(crate) state: Fields,
}

/// Constructs a component: what is generic here is compiled once per component.
pub(super) fn construct<T: Component, C: Serves<T::Config>>(
    request: RawConstruct,
    config: Source<'_, C>,
) -> Result<RawConstructed> {
    around(request, &mut |inputs, scope| {
        let inputs = T::Inputs::take(inputs).map_err(Error::unfit_input)?;
        let component = C::with(config, |config| T::construct(Construct { inputs, config, scope }))?;
        // Writing outputs waits for each in turn, so that all else must be under way.
        stop::settle()?;
        let mut state = Fields::new();
        component.put(&mut state).map_err(|misfit| Error::bug(format!("the outputs can't be recorded: {misfit}")))?;
        Ok(state)
    })
}

/// What happens to every component: it is registered, built, and its outputs are said.
fn around(
    request: RawConstruct,
    build: &mut dyn FnMut(&mut Fields, Scope) -> Result<Fields>,
) -> Result<RawConstructed> {
    stop::begin();
    let built = steps(request, build);
    stop::finish(built)
}

fn steps(request: RawConstruct, build: &mut dyn FnMut(&mut Fields, Scope) -> Result<Fields>) -> Result<RawConstructed> {
    let RawConstruct { token, name, mut inputs, options, preview } = request;
    let choice = |choice: &ProviderChoice| ProviderInstance::from_reference(&choice.package, &choice.provider);
    let providers = options.providers.iter().map(choice).collect();
    let protect = options.protect;
    let registration = wit_engine::Registration {
        token,
        name: name.clone(),
        custom: false,
        remote: false,
        inputs: encode_fields(inputs.clone()),
        options,
    };
    let pending = host::register(&registration).map_err(read_error)?;
    let itself = Registration::waiting(Some(pending), Nature { custom: false, preview });
    // Children are told apart by their parent's URN, so that it can't be waited for later.
    let urn = urn_of(&itself)?;
    let state = build(&mut inputs, Scope::new(name, itself, providers, protect, preview))?;
    host::register_outputs(&urn, &encode_fields(state.clone())).map_err(read_error)?;
    Ok(RawConstructed { urn, state })
}

fn urn_of(registration: &Registration) -> Result<String> {
    let urn = registration.urn();
    let urn = urn.resolve()?.value.as_deref();
    urn.cloned().ok_or_else(|| Error::bug("the engine registered a component without a URN"))
}

/// Gives properties the dependencies that an engine names beside them, which is how it does where it sends no outputs.
pub(crate) fn with_dependencies(mut fields: Fields, dependencies: Vec<(String, Vec<String>)>) -> Fields {
    for (name, urns) in dependencies {
        let Some(value) = fields.get_mut(&name) else { continue };
        if urns.is_empty() || holds_outputs(value) || is_reference_to(value, &urns) {
            continue;
        }
        let plain = std::mem::replace(value, Value::Null);
        let dependencies = Dependencies::from_iter(urns);
        *value = wrap(plain, false, dependencies);
    }
    fields
}

/// Whether a value says itself what it depends on.
fn holds_outputs(value: &Value) -> bool {
    match value {
        Value::Output(_) => true,
        Value::Secret(inner) => holds_outputs(inner),
        Value::Items(items) => items.iter().any(holds_outputs),
        Value::Fields(fields) => fields.values().any(holds_outputs),
        _ => false,
    }
}

/// Who refers to a resource depends on it anyway.
fn is_reference_to(value: &Value, urns: &[String]) -> bool {
    matches!((value.plain(), urns), (Value::Reference(reference), [urn]) if reference.urn == *urn)
}
