//! A resource of the deployment, while it is registered and afterwards.

use std::fmt;

use super::arguments::eventual;
use crate::bindings::wit::engine as wit;
use crate::error::{Error, Result};
use crate::export::read_error;
use crate::host::imports::engine as host;
use crate::output::stop::{Stopped, stop};
use crate::output::{Dependencies, Output, Resolved};
use crate::value::{Fields, Property, Ref, Reference, ReferenceId, Value, decode};

/// A resource of the deployment, of any package. A clone is the same resource.
#[derive(Clone)]
pub struct Registration {
    answer: Output<Answer>,
    nature: Nature,
}

/// What is known of a resource before the engine says anything.
#[derive(Clone, Copy)]
pub(crate) struct Nature {
    /// Whether it is a custom resource; a component otherwise.
    pub(crate) custom: bool,
    /// Whether this is a preview.
    pub(crate) preview: bool,
}

/// What the engine said of a resource.
struct Answer {
    urn: String,
    /// Absent for components, and while unknown.
    id: Option<String>,
    /// Absent where the engine leaves the resource out, or knows nothing of its type.
    state: Option<Fields>,
}

impl Registration {
    /// A resource whose registration was sent, if there was something to send.
    pub(crate) fn waiting(pending: Option<host::PendingResource>, nature: Nature) -> Self {
        let wait = move || pending.map_or_else(|| Ok(Resolved::unknown()), |pending| answered(pending.wait()));
        Self { answer: Output::started(wait), nature }
    }

    /// A resource whose registration is sent when `send` can, at the latest before the call ends.
    pub(super) fn sending(
        send: impl FnOnce() -> Result<Option<host::PendingResource>, Stopped> + 'static,
        nature: Nature,
    ) -> Self {
        let sent = Output::unsent(move || Ok(send()?.map_or_else(Resolved::unknown, Resolved::known)));
        let wait = move || match &sent.resolve()?.value {
            Some(pending) => answered(pending.wait()),
            None => Ok(Resolved::unknown()),
        };
        Self { answer: Output::started(wait), nature }
    }

    /// A resource of this deployment with this URN, looked up when something needs it.
    pub(crate) fn of_urn(urn: Output<String>, nature: Nature) -> Self {
        let look_up = move || {
            let urn = urn.resolve()?;
            match &urn.value {
                Some(known) => {
                    let pending = host::hydrate(known).map_err(|error| stop(read_error(error)))?;
                    Ok(answered(pending.wait())?.marked(urn.secret, &urn.dependencies))
                }
                None => Ok(Resolved::unknown().marked(urn.secret, &urn.dependencies)),
            }
        };
        Self { answer: Output::lazy(look_up), nature }
    }

    /// Its URN.
    pub fn urn(&self) -> Output<String> {
        self.part(|answer| Ok(Some(answer.urn.clone())))
    }

    /// Its id. Unknown in a preview of its creation. Components have none, so that asking ends the call.
    pub fn id(&self) -> Output<String> {
        let preview = self.nature.preview;
        self.part(move |answer| match &answer.id {
            Some(id) if !id.is_empty() => Ok(Some(id.clone())),
            _ if preview => Ok(None),
            _ => Err(Error::failed(format!("{} has no id", answer.urn))),
        })
    }

    /// The same, or what stands for an id that isn't known.
    pub(super) fn id_or_unknown(&self, unknown: &'static str) -> Output<String> {
        let id = |answer: &Answer| answer.id.clone().filter(|id| !id.is_empty());
        self.part(move |answer| Ok(Some(id(answer).unwrap_or_else(|| unknown.to_owned()))))
    }

    fn part(&self, take: impl FnOnce(&Answer) -> Result<Option<String>> + 'static) -> Output<String> {
        self.answer.look(|answer| {
            let part = answer.value.as_deref().map(take).transpose().map_err(stop)?.flatten();
            Ok(part.map_or_else(Resolved::unknown, Resolved::known).marked(answer.secret, &answer.dependencies))
        })
    }

    /// Its output `name`, as the schema of its package spells it.
    ///
    /// Unknown where a preview doesn't know it. One that is of another type, or that isn't there and isn't optional, ends the call as soon as
    /// something needs it.
    pub fn output<T: Property + 'static>(&self, name: impl Into<String>) -> Output<T> {
        let (name, preview) = (name.into(), self.nature.preview);
        self.answer.look(move |answer| {
            let resolved = match answer.value.as_deref() {
                None | Some(Answer { state: None, .. }) => Resolved::unknown(),
                Some(Answer { urn, state: Some(state), .. }) => match (state.get(&name), T::absent()) {
                    (Some(value), _) => Resolved::read(value.clone()).map_err(|misfit| {
                        stop(Error::failed(format!("the output `{name}` of {urn} isn't what is expected: {misfit}")))
                    })?,
                    (None, _) if preview => Resolved::unknown(),
                    (None, Some(absent)) => Resolved::known(absent),
                    (None, None) => return Err(stop(Error::failed(format!("{urn} has no output `{name}`")))),
                },
            };
            Ok(resolved.marked(answer.secret, &answer.dependencies))
        })
    }

    /// All its outputs.
    pub fn outputs(&self) -> Output<Value> {
        self.answer.look(|answer| {
            let Some(state) = answer.value.as_deref().and_then(|known| known.state.as_ref()) else {
                return Ok(Resolved::unknown().marked(answer.secret, &answer.dependencies));
            };
            let outputs = eventual(Value::Fields(state.clone()));
            Ok(outputs.resolve()?.clone().marked(answer.secret, &answer.dependencies))
        })
    }

    /// A reference to it, for inputs and outputs that are resources.
    pub fn reference(&self) -> Output<Value> {
        let custom = self.nature.custom;
        self.answer.look(move |answer| {
            let known = answer.value.as_deref();
            let reference = known.map_or(Value::Unknown, |known| Value::Reference(known.reference(custom)));
            let reference = eventual(reference);
            Ok(reference.resolve()?.clone().marked(answer.secret, &answer.dependencies))
        })
    }
}

impl Answer {
    fn reference(&self, custom: bool) -> Reference {
        let id = match &self.id {
            Some(id) if !id.is_empty() => Some(ReferenceId::Known(id.clone())),
            _ if custom => Some(ReferenceId::Unknown),
            _ => None,
        };
        Reference { urn: self.urn.clone(), id, package_version: String::new() }
    }
}

/// Who depends on what a resource became depends on the resource.
fn answered(answer: Result<wit::Registered, crate::bindings::wit::types::Error>) -> Result<Resolved<Answer>, Stopped> {
    let wit::Registered { urn, id, state } = answer.map_err(|error| stop(read_error(error)))?;
    let state = match decode(state).map_err(stop)?.into_plain() {
        Value::Fields(state) => Some(state),
        Value::Unknown => None,
        other => return Err(stop(Error::bug(format!("the outputs of {urn} are {}, not an object", other.kind())))),
    };
    let dependencies = Dependencies::from_iter([urn.clone()]);
    Ok(Resolved::known(Answer { urn, id, state }).marked(false, &dependencies))
}

impl fmt::Debug for Registration {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Registration").field(&self.urn()).finish()
    }
}

/// What leads to a resource of this deployment.
pub trait Hydrate {
    /// The resource's URN.
    fn urn(&self) -> Output<String>;
}

impl Hydrate for Reference {
    fn urn(&self) -> Output<String> {
        Output::from(self.urn.clone())
    }
}

impl<R> Hydrate for Ref<R> {
    fn urn(&self) -> Output<String> {
        Output::from(self.reference().map_or_else(|| self.id_or_urn().to_owned(), |reference| reference.urn.clone()))
    }
}

impl<H: Hydrate + Property + 'static> Hydrate for Output<H> {
    fn urn(&self) -> Output<String> {
        // The URN is known before the id is, which makes the reference itself unknown.
        self.wire().look(|reference| {
            let wire = reference.wire.as_deref().map(Value::plain);
            let urn = match wire {
                Some(Value::Reference(reference)) => Resolved::known(reference.urn.clone()),
                Some(Value::Text(urn)) => Resolved::known(urn.clone()),
                _ => Resolved::unknown(),
            };
            Ok(urn.marked(reference.secret, &reference.dependencies))
        })
    }
}

impl Hydrate for Output<Reference> {
    fn urn(&self) -> Output<String> {
        self.map(|reference| reference.urn.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Input;
    use crate::testing::known;
    use crate::value::encode;

    #[test]
    fn a_resource_that_the_engine_goes_on_without_has_unknown_outputs_and_a_urn() {
        let registered = wit::Registered { urn: "urn:a".to_owned(), id: None, state: encode(Value::Unknown) };
        let answer = Output::started(move || answered(Ok(registered)));
        let resource = Registration { answer, nature: Nature { custom: true, preview: false } };
        assert_eq!(known(&resource.urn()).unwrap().value.as_deref(), Some("urn:a"));
        assert_eq!(known(&resource.output::<String>("name")).unwrap().value, None);
        assert_eq!(known(&resource.outputs()).unwrap().value, None);
        let _: Input<Value> = (&resource).into();
    }
}
