//! Configuration, and functions that say what arrived of it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bulkhead_sdk::config::Connects;
use bulkhead_sdk::{Asset, Config, Error, Object, Ref, Result, State, function, log, operation};

use crate::existing::Existing;

/// Where something is.
#[derive(Clone, Object)]
pub(crate) struct Place {
    /// Its name.
    pub(crate) host: String,
    /// Its number.
    pub(crate) port: u16,
}

#[derive(Config)]
#[bulkhead(connects)]
pub(crate) struct Settings {
    /// What the configuration is called.
    pub(crate) label: String,
    /// How often something is tried.
    pub(crate) retries: Option<u32>,
    /// Where something is.
    pub(crate) place: Option<Place>,
    /// Words about words.
    pub(crate) tags: Option<BTreeMap<String, String>>,
    /// What nobody else may know.
    #[bulkhead(secret)]
    pub(crate) password: Option<String>,
    /// Something that is there.
    pub(crate) neighbour: Option<Ref<Existing>>,
    /// A picture.
    pub(crate) logo: Option<Asset>,
    /// Where everything is made.
    #[bulkhead(replace)]
    pub(crate) region: Option<String>,
}

/// Whether this instance has refused a configuration.
static REFUSED: AtomicBool = AtomicBool::new(false);

impl Connects for Settings {
    fn connect(&self) -> Result<()> {
        match self.label.as_str() {
            "unreachable" => {
                REFUSED.store(true, Ordering::Relaxed);
                Err(Error::failed("nobody answers at `unreachable`"))
            }
            "first" if REFUSED.load(Ordering::Relaxed) => Err(Error::failed("it was given another one before")),
            "slow" => {
                log::debug("connecting");
                // It would do without.
                while operation::sleep(Duration::from_secs(1)).is_ok() {}
                log::debug("connected");
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// The configuration as it arrived.
#[derive(State)]
pub(crate) struct Configuration {
    /// What it is called.
    label: String,
    /// The number.
    retries: Option<u32>,
    /// The object.
    place: Option<Place>,
    /// The map.
    tags: Option<BTreeMap<String, String>>,
    /// What stands for the resource.
    neighbour: Option<String>,
    /// The picture.
    logo: Option<Asset>,
}

/// The configuration, typed.
#[function(token = "behaviours:index:configuration")]
pub(crate) fn configuration(config: &Settings) -> Result<Configuration> {
    Ok(Configuration {
        label: config.label.clone(),
        retries: config.retries,
        place: config.place.clone(),
        tags: config.tags.clone(),
        neighbour: config.neighbour.as_ref().map(|neighbour| neighbour.id_or_urn().to_owned()),
        logo: config.logo.clone(),
    })
}

/// How long the password is: a guest reads its own secrets.
#[derive(State)]
pub(crate) struct Password {
    /// Its length.
    length: u32,
}

/// Reads the secret of the configuration.
#[function(token = "behaviours:index:password")]
pub(crate) fn password(config: &Settings) -> Result<Password> {
    let password = config.password.as_ref();
    let password = password.ok_or_else(|| Error::missing_configuration("password", "What nobody else may know."))?;
    Ok(Password { length: u32::try_from(password.len())? })
}
