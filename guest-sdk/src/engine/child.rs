//! A child of a component, until it is said what it is.

use super::arguments::{Arguments, Pairs};
use super::lifted::Registrable;
use super::options::Options;
use super::provider::ProviderInstance;
use super::registered::Registered;
use super::registration::{Nature, Registration};
use super::scope::Scope;
use crate::bindings::wit::engine as wit;
use crate::error::Result;
use crate::export::read_error;
use crate::host::imports::engine as host;
use crate::output::stop::{self, Stopped, stop};
use crate::output::{Dependencies, Input, Marks, Output};
use crate::value::{self, Fields, Property, Value, encode_fields};

/// A child of a component, until it is said what it is: [`register`](Self::register) and its siblings. The other methods are the options
/// of [`Options`].
#[must_use = "nothing is registered until it is said what it is"]
pub struct Child<'a> {
    scope: &'a Scope,
    name: String,
    pub(super) options: Options,
}

impl<'a> Child<'a> {
    pub(super) fn new(scope: &'a Scope, name: String) -> Self {
        Self { scope, name, options: Options::default() }
    }

    /// Options that several children have. What was said before is forgotten.
    pub fn options(mut self, options: &Options) -> Self {
        self.options = options.clone();
        self
    }

    /// Registers a resource or a component of this package.
    ///
    /// It is started at once if nothing in its inputs must be waited for, and else as soon as something needs it, or the call ends. An error
    /// says that the arguments can't be sent.
    pub fn register<R: Registrable>(self, arguments: impl Arguments<R::Given>) -> Result<Registered<R>> {
        let inputs = arguments.into_pairs()?;
        let kind = Kind { token: R::DECLARATION.token.to_owned(), custom: R::CUSTOM, remote: !R::CUSTOM };
        Ok(Registered::new(self.send(kind, inputs, None)))
    }

    /// Registers a custom resource of any package, by its type token.
    pub fn resource(self, token: impl Into<String>, inputs: Fields) -> Registration {
        self.send(Kind { token: token.into(), custom: true, remote: false }, inputs.into(), None)
    }

    /// Registers a component of any package, which its provider constructs.
    pub fn component(self, token: impl Into<String>, inputs: Fields) -> Registration {
        self.send(Kind { token: token.into(), custom: false, remote: true }, inputs.into(), None)
    }

    /// Registers a resource that only groups others, which name it as their [`parent`](Self::parent). Who
    /// [depends on](Self::depends_on) it doesn't wait for them.
    pub fn group(self, token: impl Into<String>) -> Registration {
        let kind = Kind { token: token.into(), custom: false, remote: false };
        let group = self.send(kind, Pairs::default(), None);
        // It has no outputs, but isn't done until that is said, which happens by the end of the call.
        _ = group.urn().try_map(|urn| host::register_outputs(urn, &encode_fields(Fields::new())).map_err(read_error));
        group
    }

    /// Registers a provider of `package` with a configuration of its own.
    pub fn provider_instance(self, package: impl Into<String>, configuration: Fields) -> ProviderInstance {
        let package = package.into();
        let kind = Kind { token: format!("pulumi:providers:{package}"), custom: true, remote: false };
        ProviderInstance::from_resource(package, &self.send(kind, configuration.into(), None))
    }

    /// Reads a resource of this package that isn't managed by this deployment.
    pub fn read<R: Registrable>(self, id: impl Into<Input<String>>) -> Registered<R> {
        let kind = Kind { token: R::DECLARATION.token.to_owned(), custom: true, remote: false };
        Registered::new(self.send(kind, Pairs::default(), Some(id.into().into_output())))
    }

    /// Reads a resource of any package that isn't managed by this deployment, with what its provider needs to know to find it.
    pub fn read_resource(self, token: impl Into<String>, id: impl Into<Input<String>>, state: Fields) -> Registration {
        let kind = Kind { token: token.into(), custom: true, remote: false };
        self.send(kind, state.into(), Some(id.into().into_output()))
    }

    fn send(self, kind: Kind, inputs: Pairs, id: Option<Output<String>>) -> Registration {
        let Self { scope, name, mut options } = self;
        let nature = Nature { custom: kind.custom, preview: scope.preview };
        // A parent that the author chose isn't this component, but a child of it, which had the same from it.
        options.protect = options.protect.or(scope.protect);
        if kind.custom {
            options.provider = options.provider.or_else(|| scope.provider_of(&kind.token));
        } else {
            let chosen = options.provider.iter().chain(&options.providers).chain(scope.providers());
            let mut providers: Vec<ProviderInstance> = Vec::new();
            for provider in chosen {
                if providers.iter().all(|other| other.package() != provider.package()) {
                    providers.push(provider.clone());
                }
            }
            options.providers = providers;
        }
        let parent = scope.parent.clone();
        let resolved = options.are_resolved()
            && parent.urn().is_resolved()
            && inputs.0.iter().all(|(_, value)| value.is_resolved())
            && id.as_ref().is_none_or(Output::is_resolved);
        let send = move || begin(kind, name, inputs, options, &parent, id);
        if !resolved {
            return Registration::sending(send, nature);
        }
        match stop::check().and_then(|()| send()) {
            Ok(pending) => Registration::waiting(pending, nature),
            Err(stopped) => Registration::sending(move || Err(stopped), nature),
        }
    }
}

/// What a child is.
struct Kind {
    token: String,
    custom: bool,
    remote: bool,
}

/// Asks the engine, once everything is there.
fn begin(
    kind: Kind,
    name: String,
    inputs: Pairs,
    options: Options,
    parent: &Registration,
    id: Option<Output<String>>,
) -> Result<Option<host::PendingResource>, Stopped> {
    let mut fields = Fields::new();
    for (name, output) in inputs.0 {
        output.resolve()?;
        let value = output.to_value().map_err(|misfit| stop(crate::Error::bug(misfit)))?;
        fields.insert(name, if kind.remote { value } else { with_references(value) });
    }
    let registration = wit::Registration {
        token: kind.token,
        name,
        custom: kind.custom,
        remote: kind.remote,
        inputs: encode_fields(fields),
        options: options.send(parent)?,
    };
    let pending = match id {
        None => host::register(&registration),
        Some(id) => match id.resolve()?.value.as_deref() {
            Some(id) => host::read(&registration, id),
            // Nobody can read what a preview doesn't know.
            None => return Ok(None),
        },
    };
    pending.map(Some).map_err(|error| stop(read_error(error)))
}

/// Who refers to a resource depends on it, which a reference alone doesn't say. Whoever constructs a component sees for itself.
fn with_references(value: Value) -> Value {
    let marks = Marks::of(&value);
    let mut said = Dependencies::none();
    collect(&value, &mut said);
    if marks.dependencies.iter().all(|urn| said.contains(urn)) {
        return value;
    }
    let missing = marks.dependencies.iter().filter(|urn| !said.contains(urn));
    let dependencies = missing.map(str::to_owned).collect();
    Value::Output(value::Output { value: Some(Box::new(value)), secret: false, dependencies })
}

/// What outputs inside a value say that they depend on.
fn collect(value: &Value, said: &mut Dependencies) {
    match value {
        Value::Secret(inner) => collect(inner, said),
        Value::Output(output) => {
            said.extend(output.dependencies.iter().map(String::as_str));
            if let Some(inner) = &output.value {
                collect(inner, said);
            }
        }
        Value::Items(items) => items.iter().for_each(|item| collect(item, said)),
        Value::Fields(fields) => fields.values().for_each(|field| collect(field, said)),
        _ => {}
    }
}
