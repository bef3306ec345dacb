//! Other packages, which a component has its engine use: it registers their resources, calls their functions, asks for their
//! schemas. An engine runs whatever provider has that name, native ones too, and installs it if need be; so it is asked only where
//! the operator's files allow it. What others are configured with in secret is theirs. This decides who is meant, and asks; it may
//! not talk to the engine.

use std::collections::BTreeSet;

use bulkhead_value::{Object, Urn, Value};

use super::looked_for::of_some_length;
use crate::provider::{Alias, ConfigEntry, ResourceOptions, Surroundings, flaw_of_type, package_of, shortened};
use crate::store::State;
use crate::wit::bindings::types::Error;

/// The argument that a method is called on.
pub(super) const RECEIVER: &str = "__self__";
/// Characters of a name that leads somewhere.
const LONGEST_NAME: usize = 256;

impl State {
    /// Whether the engine may be asked for a resource, a function or a method.
    ///
    /// # Errors
    /// What the guest is told of the denial.
    pub(super) fn may_use(&self, token: &str, options: &ResourceOptions) -> Result<(), Error> {
        self.may_have_run(package_of(token), options.version.as_deref(), options.plugin_download_url.as_deref())?;
        self.may_name_providers(options)
    }

    /// Whether the engine may be told of the providers that options name. Whoever is named looks after the resource, whatever it is, and
    /// after the children of a component that name none themselves.
    ///
    /// # Errors
    /// What the guest is told of the denial.
    pub(super) fn may_name_providers(&self, options: &ResourceOptions) -> Result<(), Error> {
        let providers = options.providers.iter().map(|(_, provider)| provider).chain(&options.provider);
        of_some_length(providers.clone().map(String::as_str))?;
        self.may_name(providers.filter_map(|provider| of_urn(provider)))
    }

    /// Whether the engine may be told what a resource replaces or goes with. What it has on record under another name it takes for the
    /// resource's old state, which it has whoever made it delete.
    ///
    /// # Errors
    /// What the guest is told of the denial.
    pub(super) fn may_replace(&self, options: &ResourceOptions) -> Result<(), Error> {
        let urns = options.aliases.iter().filter_map(|alias| match alias {
            Alias::Urn(urn) => Some(urn),
            Alias::Parts(parts) => parts.parent.as_ref(),
        });
        of_some_length(urns.chain(&options.deleted_with).map(String::as_str))?;
        let token = |alias: &Alias| match alias {
            Alias::Urn(urn) => Urn::parse(urn).ok().map(|urn| urn.token().to_owned()),
            Alias::Parts(parts) => parts.token.clone(),
        };
        let tokens: Vec<String> = options.aliases.iter().filter_map(token).collect();
        if let Some(flaw) = tokens.iter().find_map(|token| flaw_of_type(token)) {
            return Err(Error::Bug(format!("the provider registered a resource with an alias of {flaw}")));
        }
        if options.aliases.iter().any(is_misread) {
            let flaw = "an alias whose stack, project or parent engines read as more than that";
            return Err(Error::Bug(format!("the provider registered a resource with {flaw}")));
        }
        let aliases = tokens.iter().map(|token| package_of(token).to_owned());
        self.may_name(aliases.chain(options.deleted_with.as_deref().and_then(of_urn)))
    }

    /// Each package once.
    fn may_name(&self, packages: impl Iterator<Item = String>) -> Result<(), Error> {
        let packages: BTreeSet<String> = packages.collect();
        packages.iter().try_for_each(|package| self.may_have_run(package, None, None))
    }

    /// Whether the engine may be asked what is on record of a resource.
    ///
    /// # Errors
    /// What the guest is told of the denial.
    pub(super) fn may_look_up(&self, urn: &str) -> Result<(), Error> {
        of_some_length([urn])?;
        // What is no URN nobody finds.
        of_urn(urn).map_or(Ok(()), |package| self.may_have_run(&package, None, None))
    }

    /// Whether a method may be called on what its arguments name: engines send it to whoever looks after that, whatever its token says.
    ///
    /// # Errors
    /// What the guest is told of the denial.
    pub(super) fn may_call_on(&self, arguments: &Object) -> Result<(), Error> {
        let urn = match arguments.get(RECEIVER).map(Value::plain) {
            None | Some(Value::Unknown) => return Ok(()),
            Some(Value::Reference(reference)) => Some(reference.urn.as_str()),
            Some(Value::Object(members)) => members.get("urn").and_then(|urn| text(urn.plain())),
            Some(_) => None,
        };
        let Some(urn) = urn else {
            return Err(Error::Bug(format!("the provider called a method on a `{RECEIVER}` that is no resource")));
        };
        of_some_length([urn])?;
        // Engines look for a provider by what its URN and its id are together, so that an id may complete a URN. That of a whole one says
        // whose it is, whatever follows.
        let whole = Urn::parse(urn).map_err(|_| {
            Error::Bug("the provider called a method on a resource with less than a whole URN".to_owned())
        })?;
        // A component whose type is only a name for others has no provider, and engines go by the token.
        if whole.token().contains(':') { self.may_look_up(urn) } else { Ok(()) }
    }

    /// Whether the engine may be shown a view of a type, which it records. It installs and runs what a provider's is of, and what is recorded
    /// under the type of others' resources is theirs.
    ///
    /// # Errors
    /// What the guest is told of why not.
    pub(super) fn may_show(&self, token: &str) -> Result<(), Error> {
        if token.starts_with("pulumi:") {
            return Err(Error::Bug("the provider published a view of a type of the engine's own".to_owned()));
        }
        // What is only a name for others is nobody's.
        if token.contains(':') { self.may_have_run(package_of(token), None, None) } else { Ok(()) }
    }

    /// What is being deployed, without what other packages are configured with in secret: the stack's configuration is all of theirs.
    pub(super) fn without_secrets_of_others(&self, surroundings: Surroundings) -> Surroundings {
        let Surroundings { config, project, .. } = surroundings;
        let own = |entry: &ConfigEntry| {
            let package = package_of(&entry.key);
            package == project || self.is_own(package)
        };
        let config = config.into_iter().filter(|entry| !entry.secret || own(entry)).collect();
        Surroundings { config, project, ..surroundings }
    }

    /// Whether a package is the component's own, by its name.
    pub(super) fn is_own(&self, package: &str) -> bool {
        self.call.package.as_ref().is_some_and(|own| own.name == package)
    }

    /// Whether the engine may be asked to run a package's plugin, in some version, from somewhere. It looks for an executable of that
    /// name: one with a slash is a path.
    ///
    /// # Errors
    /// What the guest is told of the denial.
    pub(super) fn may_have_run(&self, package: &str, version: Option<&str>, from: Option<&str>) -> Result<(), Error> {
        of_some_length([package])?;
        if package.contains(['/', '\\']) {
            return Err(self.leading(package));
        }
        self.may_have_used(package, version, from)
    }

    /// Whether the engine may be asked to use a package, in some version, from somewhere. A denial is never `failed`, which would take back
    /// what was announced before.
    ///
    /// # Errors
    /// What the guest is told of the denial.
    pub(super) fn may_have_used(&self, package: &str, version: Option<&str>, from: Option<&str>) -> Result<(), Error> {
        of_some_length([Some(package), version, from].into_iter().flatten())?;
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
        self.call.authority.package(package, from).map_err(|denial| Error::Other(denial.to_string()))
    }

    /// What a guest is told of a name that leads somewhere. Nobody could grant it, and it is written down as denials are.
    pub(super) fn leading(&self, source: &str) -> Error {
        self.call.authority.barred(source, "engines are asked for packages by their names only");
        let source = shortened(source.escape_debug().to_string(), LONGEST_NAME);
        Error::Other(format!(
            "the provider asked for the package `{source}`, and components ask engines for packages by their names only"
        ))
    }
}

/// Whether parts of an alias are none. Engines write them one after the other and read what comes out as a URN: of another type, where a part
/// brings its own separators.
fn is_misread(alias: &Alias) -> bool {
    let Alias::Parts(parts) = alias else { return false };
    let parent = parts.parent.as_deref().filter(|parent| !parent.is_empty());
    let is_plain = |parent: &str| Urn::parse(parent).is_ok_and(|parent| !parent.name().contains("::"));
    parts.stack.iter().chain(&parts.project).any(|part| part.contains(':'))
        || parent.is_some_and(|parent| !is_plain(parent))
}

/// What engines read as a string.
fn text(value: &Value) -> Option<&str> {
    match value {
        Value::Bytes(bytes) => str::from_utf8(bytes).ok(),
        value => value.as_str(),
    }
}

/// The package of a resource that a URN names, or a reference to a provider, which begins with one.
fn of_urn(urn: &str) -> Option<String> {
    Urn::parse(urn).ok().map(|urn| package_of(urn.token()).to_owned())
}
