//! The configuration between two calls.

use std::cell::OnceCell;
use std::rc::Rc;

use crate::config::{Config, read};
use crate::error::{Error, Result};
use crate::value::{Fields, Value};

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

    /// Takes the configuration. What is wrong with it and known is reported now, and whether it works, unless another instance
    /// has found out before.
    pub(super) fn configure(&self, package: &'static str, fields: Fields, replay: bool) -> Result<()> {
        if !fields.values().any(Value::has_unknowns) {
            let config = read::<C>(package, fields.clone())?;
            if !replay && self.read.get().is_none() {
                config.verify()?;
            }
            // A second configuration breaks the contract; the first one stays.
            self.read.set(Rc::new(config)).map_err(|_| Error::bug("the host configured the instance twice"))?;
        }
        self.given.set(fields).map_err(|_| Error::bug("the host configured the instance twice"))
    }

    pub(super) fn get(&self, package: &'static str) -> Result<Rc<C>> {
        if let Some(config) = self.read.get() {
            return Ok(Rc::clone(config));
        }
        let config = match self.given.get() {
            // What was given holds something unknown, or it would have been read.
            Some(given) => read::<C>(package, given.clone())
                .map_err(|error| Error::failed(format!("the configuration can't be used yet: {error}")))?,
            // Without `config` in `provider!` nobody configures, and there is nothing to read.
            None => read::<C>(package, Fields::new())?,
        };
        Ok(Rc::clone(self.read.get_or_init(|| Rc::new(config))))
    }
}

impl<C: Config> Default for Configured<C> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::config::Connects;
    use crate::error::ErrorKind;
    use crate::fields;

    /// Where to find it.
    #[derive(crate::Config)]
    struct Settings {
        /// Where it is.
        endpoint: String,
        verbose: Option<bool>,
    }

    fn configured(fields: Fields) -> Result<Configured<Settings>> {
        let configured = Configured::new();
        configured.configure("dns", fields, false)?;
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
        assert_eq!(error.to_string(), "the configuration can't be used yet: `endpoint` isn't known yet");
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
            configured.configure("dns", fields! { "endpoint": "f" }, false).unwrap_err().kind(),
            ErrorKind::Bug(_)
        ));
        assert_eq!(configured.get("dns").unwrap().endpoint, "e");
    }

    thread_local! {
        static CONNECTIONS: Cell<u32> = const { Cell::new(0) };
    }

    /// Where to connect to.
    #[derive(crate::Config)]
    #[bulkhead(connects)]
    struct Remote {
        endpoint: String,
    }

    impl Connects for Remote {
        fn connect(&self) -> Result<()> {
            CONNECTIONS.set(CONNECTIONS.get() + 1);
            if self.endpoint == "unreachable" { Err(Error::failed("nobody answers")) } else { Ok(()) }
        }
    }

    #[test]
    fn a_configuration_that_connects_does_so_once_and_as_soon_as_it_is_known() {
        let configure = |endpoint: Value, replay| {
            Configured::<Remote>::new().configure("dns", fields! { "endpoint": endpoint }, replay)
        };
        configure("e".into(), false).unwrap();
        assert_eq!(CONNECTIONS.get(), 1);
        assert_eq!(configure("unreachable".into(), false).unwrap_err().to_string(), "nobody answers");
        assert_eq!(CONNECTIONS.get(), 2);
        configure("unreachable".into(), true).unwrap();
        configure(Value::Unknown, false).unwrap();
        assert_eq!(CONNECTIONS.get(), 2, "neither a second instance nor what isn't known yet");
    }
}
