//! Functions and methods of other packages, which the provider asks for under `permissions`, as for any package that isn't its own.

use super::options::{Options, unsaid};
use super::provider::{ProviderInstance, package_of};
use super::registration::Registration;
use super::scope::Scope;
use crate::bindings::wit::options::ResourceOptions;
use crate::error::Error;
use crate::export::read_error;
use crate::host::imports::engine as host;
use crate::output::stop::{Stopped, stop};
use crate::output::{Marks, Output, Resolved, bare};
use crate::value::{Fields, Property, Value, decode, encode_fields};

/// A function of any package, until it is called.
#[must_use = "nothing is called until it is said how"]
pub struct Function<'a> {
    scope: &'a Scope,
    token: String,
    options: Options,
}

/// A call that was sent, unless its arguments aren't known, and what is said of them.
type Begun = (Option<host::PendingValue>, Marks);

impl<'a> Function<'a> {
    pub(super) fn new(scope: &'a Scope, token: String) -> Self {
        Self { scope, token, options: Options::default() }
    }

    /// The provider that answers.
    pub fn provider(mut self, provider: &ProviderInstance) -> Self {
        self.options.provider = Some(provider.clone());
        self
    }

    /// The version of the function's package.
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.options.version = Some(version.into());
        self
    }

    /// Where the package's plugin is to be had.
    pub fn plugin_download_url(mut self, url: impl Into<String>) -> Self {
        self.options.plugin_download_url = Some(url.into());
        self
    }

    /// Calls the function. What comes depends on what its arguments depend on, is secret if one of them is, and unknown without a call
    /// if one of them is.
    pub fn invoke<T: Property + 'static>(self, arguments: Fields) -> Output<T> {
        let token = self.token.clone();
        self.ask(token, arguments, |token, arguments, options| {
            let marks = Marks::of(&Value::Fields(arguments.clone()));
            if marks.unknown {
                return Ok((None, marks));
            }
            // Functions know neither secrets nor outputs. Who looks something up has it wait for what that comes from.
            let depends_on = marks.dependencies.iter().map(str::to_owned).collect();
            let options = ResourceOptions { depends_on, ..options };
            let arguments = arguments.into_iter().map(|(name, value)| (name, bare(value))).collect();
            let pending =
                host::invoke(token, &encode_fields(arguments), &options).map_err(|error| stop(read_error(error)))?;
            Ok((Some(pending), marks))
        })
    }

    /// Calls the method of a resource, which may be given anything: what isn't known, secrets, and resources.
    pub fn call<T: Property + 'static>(self, on: &impl AsRef<Registration>, mut arguments: Fields) -> Output<T> {
        arguments.insert("__self__".to_owned(), on.as_ref().reference().into());
        let token = self.token.clone();
        self.ask(token, arguments, |token, arguments, options| {
            let marks = Marks { unknown: false, secret: false, ..Marks::of(&Value::Fields(arguments.clone())) };
            let pending =
                host::call(token, &encode_fields(arguments), &options).map_err(|error| stop(read_error(error)))?;
            Ok((Some(pending), marks))
        })
    }

    /// Starts the call at once if it can be, and else when somebody needs its result.
    fn ask<T: Property + 'static>(
        self,
        token: String,
        arguments: Fields,
        begin: fn(&str, Fields, ResourceOptions) -> Result<Begun, Stopped>,
    ) -> Output<T> {
        let Self { scope, mut options, .. } = self;
        options.provider = options.provider.or_else(|| scope.provider(package_of(&token)).cloned());
        let resolved = options.are_resolved() && scope.parent.urn().is_resolved();
        let parent = scope.parent.clone();
        let name = token.clone();
        let send = move || {
            let sent = options.send(&parent)?;
            // Everything else is said of resources.
            let options = ResourceOptions {
                parent: sent.parent,
                provider: sent.provider,
                version: sent.version,
                plugin_download_url: sent.plugin_download_url,
                ..unsaid()
            };
            begin(&token, arguments, options).map(Resolved::known)
        };
        let sent = if resolved { Output::now(send) } else { Output::unsent(send) };
        Output::started(move || {
            let Some(sent) = &sent.resolve()?.value else { return Ok(Resolved::unknown()) };
            let (pending, marks) = &**sent;
            let value = match pending {
                Some(pending) => {
                    let tree = pending.wait().map_err(|error| stop(read_error(error)))?;
                    decode(tree).map_err(stop)?
                }
                None => Value::Unknown,
            };
            result(&name, value, marks)
        })
    }
}

fn result<T: Property>(token: &str, value: Value, marks: &Marks) -> Result<Resolved<T>, Stopped> {
    let read = Resolved::read(value)
        .map_err(|misfit| stop(Error::failed(format!("the result of `{token}` isn't what is expected: {misfit}"))))?;
    Ok(read.marked(marks.secret, &marks.dependencies))
}
