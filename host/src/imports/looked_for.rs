//! What engines look for elsewhere: packages and plugins that they don't have, by name and version.
//!
//! Registries and servers are asked for those, so nothing of it may spell a secret. But what an operator grants, or a manifest asks for, by
//! its very name was written down before there was one: it stays what it is, whatever is secret in a call, and however much.

use bulkhead_value::{Object, Value};

use crate::provider::{PROVIDERS, ResourceOptions, Spelt, flaw_of_length, owner_of, package_of};
use crate::store::State;
use crate::wit::bindings::types::Error;

impl State {
    /// Whether the engine may be asked for a token's package, and for a plugin of a version. An address is only allowed as it is granted.
    ///
    /// # Errors
    /// What the guest is told of why not.
    pub(super) fn may_look_for(&self, token: &str, options: &ResourceOptions) -> Result<(), Error> {
        self.may_name_package(package_of(owner_of(token)))?;
        self.may_name_version(token, options)
    }

    /// Whether the engine may be told of a plugin's version, which it looks for nowhere as long as nobody is asked for anything.
    ///
    /// # Errors
    /// What the guest is told of why not.
    pub(super) fn may_name_version(&self, token: &str, options: &ResourceOptions) -> Result<(), Error> {
        let package = package_of(owner_of(token));
        options.version.as_deref().map_or(Ok(()), |version| self.may_say(package, version, VERSION))
    }

    /// Whether the engine may be told of a provider with these inputs, in which it reads which plugin that is.
    ///
    /// # Errors
    /// What the guest is told of why not.
    pub(super) fn may_look_for_plugin(&self, token: &str, inputs: &Object) -> Result<(), Error> {
        if !token.starts_with(PROVIDERS) {
            return Ok(());
        }
        let plain = |key: &str| inputs.get(key).and_then(Value::as_str);
        plain("name").map_or(Ok(()), |name| self.may_name_package(name))?;
        plain("version").map_or(Ok(()), |version| self.may_say(package_of(token), version, VERSION))
    }

    /// Whether the engine may be asked for a package by its name.
    ///
    /// # Errors
    /// What the guest is told of why not.
    pub(super) fn may_name_package(&self, package: &str) -> Result<(), Error> {
        match self.is_own(package) || self.call.authority.permissions().has_written(package) {
            true => Ok(()),
            false => self.may_say(package, package, PACKAGE),
        }
    }

    /// Whether the engine may ask others for something of a package in these words. Else that is written down as denials are.
    ///
    /// # Errors
    /// What the guest is told of why not.
    pub(super) fn may_say(&self, package: &str, words: &str, asked: Asked) -> Result<(), Error> {
        of_some_length([package, words])?;
        let (why, error) = match self.call.leaks.spelt_by(words) {
            Spelt::None => return Ok(()),
            Spelt::Secret => {
                let message = format!("the provider named {} by what repeats a secret", asked.what);
                ("what the engine would be told of it repeats a secret", Error::Bug(message))
            }
            // The user's, who has so many.
            Spelt::Unknown => {
                let Asked { part, hint, .. } = asked;
                let message = format!("the request holds more secrets than can be looked for in {part}; hint: {hint}");
                ("what the engine would be told of it may repeat one of too many secrets", Error::Other(message))
            }
        };
        self.call.authority.barred(package, why);
        Err(error)
    }
}

/// Refuses names that are longer than anybody's. Whoever is asked for is found, decided on, denied and written down by name, and each of
/// that takes a copy or more, which nobody counts.
///
/// # Errors
/// One is.
pub(super) fn of_some_length<'n>(names: impl IntoIterator<Item = &'n str>) -> Result<(), Error> {
    let flaw = names.into_iter().find_map(flaw_of_length);
    flaw.map_or(Ok(()), |flaw| Err(Error::Bug(format!("the provider asked the engine for something by {flaw}"))))
}

/// What words are that an engine is asked by.
#[derive(Clone, Copy)]
pub(super) struct Asked {
    what: &'static str,
    part: &'static str,
    hint: &'static str,
}

const PACKAGE: Asked =
    Asked { what: "a package", part: "the name of a package", hint: "to use it all the same, grant it by its name" };
pub(super) const VERSION: Asked = Asked {
    what: "a plugin's version",
    part: "the version of a plugin",
    hint: "use the provider without this version, or with fewer secrets",
};
pub(super) const PARAMETER: Asked = Asked {
    what: "a package's parameter",
    part: "the parameter of a package",
    hint: "use the provider without this parameter, or with fewer secrets",
};
