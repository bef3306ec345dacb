//! What every export needs to know of the component: its table and its configuration.

use std::rc::Rc;
use std::thread::LocalKey;

use crate::bindings::wit::types as wit;
use crate::config::{ChecksConfig, Config, DiffsConfig};
use crate::error::Result;
use crate::provider::Provider;

use super::configured::Configured;

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

/// The configuration, for a call that needs it.
pub(super) fn config<T: Component>() -> Result<Rc<T::Config>> {
    T::configured().with(|configured| configured.get(T::provider().metadata.name))
}

/// Serves one call.
pub(super) fn answer<T>(call: impl FnOnce() -> Result<T>) -> Result<T, wit::Error> {
    // Elsewhere a panic is a test's, which reports it better.
    #[cfg(target_arch = "wasm32")]
    super::panic::report();
    call().map_err(wit::Error::from)
}
