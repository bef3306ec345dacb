//! Other packages, which a component has its engine use: it registers their resources, calls their functions, asks for their
//! schemas. An engine runs whatever provider has that name, native ones too, and installs it if need be; so it is asked only where
//! the operator's files allow it. What others are configured with in secret is theirs. This decides who is meant, and asks; it may
//! not talk to the engine.

use bulkhead_value::Urn;

use crate::provider::{ConfigEntry, ResourceOptions, Surroundings, package_of};
use crate::store::State;
use crate::wit::bindings::types::Error;

impl State {
    /// Whether the engine may be asked for a resource, a function or a method.
    ///
    /// # Errors
    /// What the guest is told of the denial.
    pub(super) fn may_use(&self, token: &str, options: &ResourceOptions) -> Result<(), Error> {
        self.may_have_used(package_of(token), options.version.as_deref(), options.plugin_download_url.as_deref())
    }

    /// Whether the engine may be asked what is on record of a resource.
    ///
    /// # Errors
    /// What the guest is told of the denial.
    pub(super) fn may_look_up(&self, urn: &str) -> Result<(), Error> {
        // What is no URN nobody finds.
        Urn::parse(urn).map_or(Ok(()), |urn| self.may_have_used(package_of(urn.token()), None, None))
    }

    /// What is being deployed, without what other packages are configured with in secret: the stack's configuration is all of theirs.
    pub(super) fn without_secrets_of_others(&self, surroundings: Surroundings) -> Surroundings {
        let Surroundings { config, project, .. } = surroundings;
        let own = |entry: &ConfigEntry| {
            let package = package_of(&entry.key);
            package == project || self.call.package.as_ref().is_some_and(|own| own.name == package)
        };
        let config = config.into_iter().filter(|entry| !entry.secret || own(entry)).collect();
        Surroundings { config, project, ..surroundings }
    }

    /// Whether the engine may be asked to use a package, in some version, from somewhere.
    ///
    /// # Errors
    /// What the guest is told of the denial.
    pub(super) fn may_have_used(&self, package: &str, version: Option<&str>, from: Option<&str>) -> Result<(), Error> {
        let from = from.filter(|from| !from.is_empty());
        // Another version of what is the component's own by name may be anybody's.
        let version = version.filter(|version| !version.is_empty());
        let own = self.call.package.as_ref().is_some_and(|own| {
            let has = |version: &str| own.version.as_ref().is_some_and(|own| own.to_string() == version);
            own.name == package && from.is_none() && version.is_none_or(has)
        });
        if own {
            return Ok(());
        }
        self.call.authority.package(package, from).map_err(|denial| Error::Failed(denial.to_string()))
    }
}
