//! What every export needs to know of the component: its table and its configuration.

use std::cell::OnceCell;
use std::rc::Rc;
use std::thread::LocalKey;

use crate::bindings::wit::types as wit;
use crate::config::{ChecksConfig, Config, DiffsConfig, read};
use crate::error::{Error, Result};
use crate::provider::Provider;
use crate::value::Fields;

use super::panic;

/// A component. `provider!` implements it.
pub trait Component: 'static {
    /// The configuration.
    type Config: Config;

    /// The table.
    fn provider() -> &'static Provider<Self::Config>;

    /// Where the configuration is kept.
    fn configured() -> &'static LocalKey<Configured<Self::Config>>;
}

/// A component whose configuration is given to it.
pub trait Configures: Component {}

/// A component that checks its configuration itself.
pub trait ChecksItsConfig: Component<Config: ChecksConfig> {}

/// A component that compares its configuration itself.
pub trait DiffsItsConfig: Component<Config: DiffsConfig> {}

/// The configuration between two calls.
///
/// It is read when it is first needed: in a preview members may be unknown, which must fail the calls that need them and no other.
pub struct Configured<C> {
    given: OnceCell<Fields>,
    read: OnceCell<Rc<C>>,
}

impl<C: Config> Configured<C> {
    /// Not configured.
    pub const fn new() -> Self {
        Self { given: OnceCell::new(), read: OnceCell::new() }
    }

    /// Takes the configuration. What is wrong with it and known is reported now.
    pub(super) fn configure(&self, package: &'static str, fields: Fields) -> Result<()> {
        if !fields.values().any(contains_unknown) {
            let config = read::<C>(package, fields.clone())?;
            // A second configuration breaks the contract; the first one stays.
            self.read.set(Rc::new(config)).map_err(|_| Error::bug("the host configured the instance twice"))?;
        }
        self.given.set(fields).map_err(|_| Error::bug("the host configured the instance twice"))
    }

    fn get(&self, package: &'static str) -> Result<Rc<C>> {
        if let Some(config) = self.read.get() {
            return Ok(Rc::clone(config));
        }
        // Without `config` in `provider!` nobody configures, and there is nothing to read.
        let config = Rc::new(read::<C>(package, self.given.get().cloned().unwrap_or_default())?);
        Ok(Rc::clone(self.read.get_or_init(|| config)))
    }
}

impl<C: Config> Default for Configured<C> {
    fn default() -> Self {
        Self::new()
    }
}

fn contains_unknown(value: &crate::Value) -> bool {
    match value.plain() {
        crate::Value::Unknown => true,
        crate::Value::Items(items) => items.iter().any(contains_unknown),
        crate::Value::Fields(fields) => fields.values().any(contains_unknown),
        _ => false,
    }
}

/// The configuration, for a call that needs it.
pub(super) fn config<T: Component>() -> Result<Rc<T::Config>> {
    T::configured().with(|configured| configured.get(T::provider().metadata.name))
}

/// Serves one call.
pub(super) fn answer<T>(call: impl FnOnce() -> Result<T>) -> Result<T, wit::Error> {
    panic::report();
    call().map_err(wit::Error::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use crate::{Value, fields};

    /// Where to find it.
    #[derive(crate::Config)]
    struct Settings {
        /// Where it is.
        endpoint: String,
        verbose: Option<bool>,
    }

    fn configured(fields: Fields) -> Result<Configured<Settings>> {
        let configured = Configured::new();
        configured.configure("dns", fields)?;
        Ok(configured)
    }

    #[test]
    fn configuration_is_read_once() {
        let configured = configured(fields! { "endpoint": "e", "verbose": Value::from(true).secret() }).unwrap();
        let first = configured.get("dns").unwrap();
        assert_eq!((first.endpoint.as_str(), first.verbose), ("e", Some(true)));
        assert!(Rc::ptr_eq(&first, &configured.get("dns").unwrap()));
    }

    #[test]
    fn what_is_wrong_and_known_fails_at_once() {
        assert!(matches!(configured(fields! { "endpoint": 1 }).err().unwrap().kind(), ErrorKind::Rejected(_)));
        let missing = configured(fields! {}).err().unwrap();
        assert_eq!(missing.to_string(), "`endpoint` is not configured");
    }

    #[test]
    fn what_a_preview_doesnt_know_fails_only_who_needs_it() {
        let configured = configured(fields! { "endpoint": Value::Unknown.secret() }).unwrap();
        let error = configured.get("dns").err().unwrap();
        assert_eq!(error.to_string(), "`endpoint` isn't known yet");
    }

    #[test]
    fn unknown_members_that_nobody_reads_do_no_harm() {
        let configured = configured(fields! { "endpoint": "e", "other": vec![Value::Unknown] }).unwrap();
        assert_eq!(configured.get("dns").unwrap().endpoint, "e");
    }

    #[test]
    fn a_second_configuration_is_refused() {
        let configured = configured(fields! { "endpoint": "e" }).unwrap();
        assert!(matches!(
            configured.configure("dns", fields! { "endpoint": "f" }).unwrap_err().kind(),
            ErrorKind::Bug(_)
        ));
        assert_eq!(configured.get("dns").unwrap().endpoint, "e");
    }
}
