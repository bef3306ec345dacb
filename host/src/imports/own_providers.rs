//! Providers that a component registers itself, its own among them.
//!
//! Engines read of a provider's inputs which plugin it is and where that is to be had, and install and run it: what stands there is
//! held to the permissions as options are. And a provider of the component's own package is configured by the component, where a grant
//! may rest on what a user configured. This decides about inputs; whose resources may be asked for stands in `other_packages`.
//!
//! Each of them is another process, or another thread with a listener, from its registration to the end of the deployment, in a preview
//! too: without a bound a component of a few lines has the operator's machine run thousands.

use bulkhead_value::{Object, Value};

use crate::provider::{PROVIDERS, Registration, WRITTEN_BY_ENGINES, package_of};
use crate::store::State;
use crate::wit::bindings::types::Error;

/// Providers of its own package that one call registers. Programs have one for each account or region, some dozens at most.
const MOST: u32 = 100;

impl State {
    /// Whether the engine may be told of a provider with these inputs.
    ///
    /// # Errors
    /// What the guest is told of the denial.
    pub(super) fn may_configure(&mut self, token: &str, inputs: &Object) -> Result<(), Error> {
        if !token.starts_with(PROVIDERS) {
            return Ok(());
        }
        if let Some(key) = WRITTEN_BY_ENGINES.into_iter().find(|key| inputs.contains_key(*key)) {
            return Err(Error::Bug(format!(
                "the provider registered a provider with `{key}`, which engines alone write"
            )));
        }
        let package = package_of(token);
        let (version, from) = (plain(inputs, "version")?, plain(inputs, "pluginDownloadURL")?);
        self.may_have_run(package, version, from)?;
        // Engines take it for the plugin's, where they haven't written down another.
        if let Some(plugin) = plain(inputs, "name")?.filter(|plugin| *plugin != package) {
            self.may_have_run(plugin, version, from)?;
        }
        if self.call.package.as_ref().is_none_or(|own| own.name != package) {
            return Ok(());
        }
        let references = self.call.authority.permissions().references();
        let mut rested_on = references.into_iter().filter_map(|name| name.split('.').next());
        match rested_on.find(|name| inputs.contains_key(*name)).map(str::to_owned) {
            None => self.may_run_another(package),
            Some(name) => {
                let why = format!("permissions rest on its `{name}`, which the component would configure");
                self.call.authority.barred(package, &why);
                Err(Error::Failed(format!(
                    "the component would configure `{name}` of its own provider, on which permissions rest that are the operator's to \
                     give; hint: register the provider in the program, and hand it to the component with the resource option `providers`"
                )))
            }
        }
    }

    /// Counts a provider of the component's own package.
    ///
    /// # Errors
    /// What the guest is told of the denial, once they are too many.
    fn may_run_another(&mut self, package: &str) -> Result<(), Error> {
        if self.call.own_providers < MOST {
            self.call.own_providers += 1;
            return Ok(());
        }
        self.call.authority.barred(package, &format!("engines run at most {MOST} of its own providers for one call"));
        Err(Error::Failed(format!(
            "the component registered {MOST} of its own providers, each of which an engine runs, and no call has it run more; hint: share \
             providers between resources, or register them in the program, and hand them to the component with the resource option `providers`"
        )))
    }
}

/// What is wrong with how a provider is registered, as the end of a sentence. Engines record what isn't created as one all the same, and
/// find nothing there that they could run once they read it again: nothing of the stack can be deployed any more then.
pub(super) fn flaw_of_provider(registration: &Registration, id: Option<&str>) -> Option<String> {
    let Registration { token, custom, remote, options, .. } = registration;
    let is_created = *custom && !remote && id.is_none() && options.import_id.is_none();
    (token.starts_with(PROVIDERS) && !is_created)
        .then(|| "the type of a provider, which can only be created".to_owned())
}

/// What an input of a provider says to the engine, which reads no text that is secret or isn't known yet.
fn plain<'i>(inputs: &'i Object, key: &str) -> Result<Option<&'i str>, Error> {
    match inputs.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => value.as_str().map(Some).ok_or_else(|| {
            Error::Bug(format!(
                "the provider registered a provider with a `{key}` that isn't plain text, as engines need it"
            ))
        }),
    }
}
