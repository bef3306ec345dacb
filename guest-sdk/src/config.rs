//! The provider's configuration.

use std::cell::OnceCell;
use std::rc::Rc;

use crate::error::{Error, ErrorKind, MissingKey, Result};
use crate::path::Path;
use crate::record::Record;
use crate::resource::{Checked, Difference};
use crate::schema::{ObjectSpec, Side, Types};
use crate::value::{Fields, Misfit};

/// What a user configures once for all resources of a provider.
///
/// `#[derive(Config)]` implements it for a struct. Calls get it as `request.config`; it is never a global. Fields with
/// `#[bulkhead(skip)]` aren't configured but made by `Default`: a [`Connection`], say. With `#[bulkhead(connects)]` on the struct, the provider
/// [connects](Connects) when it is configured.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be configured",
    label = "not a configuration",
    note = "derive `bulkhead_sdk::Config` for it"
)]
pub trait Config: Record + 'static {
    /// Finds out whether it works, when the provider is configured. Written by the derive.
    #[doc(hidden)]
    fn verify(&self) -> Result<()> {
        Ok(())
    }
}

/// A provider without configuration.
impl Config for () {}

/// Says that a provider with this configuration can serve resources and functions that work with `C`: its own, and those
/// that need none. Derived with [`Config`].
#[diagnostic::on_unimplemented(
    message = "the provider's configuration is `{Self}`, but this works with `{C}`",
    label = "works with another configuration",
    note = "say `config: {C}` in `provider!`, or change the type behind `Config`"
)]
pub trait Serves<C>: Sized {
    /// Calls `call` with the configuration that it sees. One that nobody sees isn't asked for: in a preview it may be unknown.
    fn with<T>(source: Source<'_, Self>, call: impl FnOnce(&C) -> Result<T>) -> Result<T>;
}

/// Where the configuration comes from, or why there is none.
pub type Source<'a, C> = &'a dyn Fn() -> Result<Rc<C>>;

impl Serves<()> for () {
    fn with<T>(_: Source<'_, Self>, call: impl FnOnce(&()) -> Result<T>) -> Result<T> {
        call(&())
    }
}

/// Reads the configuration. Reports all required keys that are absent, not just the first.
pub(crate) fn read<C: Config>(package: &'static str, mut fields: Fields) -> Result<C> {
    let keys = ObjectSpec::describe(&mut Types::new(package), Side::Input, C::describe).keys;
    let present: Vec<String> = fields.keys().cloned().collect();
    C::take(&mut fields).map_err(|misfit| unfit(misfit, keys, &present))
}

fn unfit(misfit: Misfit, keys: Vec<(&'static str, &'static str)>, present: &[String]) -> Error {
    // What an object lacks is no key of the configuration.
    if !misfit.is_missing() || !misfit.is_of_a_member() {
        return Error::unfit_input(misfit);
    }
    let absent = keys.into_iter().filter(|(name, _)| !present.iter().any(|present| present == name));
    let missing =
        absent.map(|(name, description)| MissingKey { name: name.to_owned(), description: description.to_owned() });
    ErrorKind::MissingConfiguration(missing.collect()).into()
}

/// Something that is made from the configuration when it is first needed: a client, a token.
///
/// Configuring should be cheap, since it also happens in previews and once for each of several instances. A connection that failed
/// is tried again at the next call. Whoever wants it to fail at once has the configuration [connect](Connects).
///
/// What was made is kept for as long as the instance is there, so nothing that ends belongs in it: a token for an hour is
/// [`session::get_or_make_for`](crate::session::get_or_make_for)'s. A call that used a socket, printed or opened files takes its instance along.
///
/// ```
/// use bulkhead_sdk::{Config, Connection, Result};
///
/// struct Client(String);
///
/// #[derive(Config)]
/// struct Settings {
///     /// Where the service is.
///     endpoint: String,
///     #[bulkhead(skip)]
///     client: Connection<Client>,
/// }
///
/// impl Settings {
///     fn client(&self) -> Result<&Client> {
///         self.client.get_or_connect(|| Ok(Client(self.endpoint.clone())))
///     }
/// }
/// ```
#[derive(Debug)]
pub struct Connection<T>(OnceCell<T>);

impl<T> Default for Connection<T> {
    fn default() -> Self {
        Self(OnceCell::new())
    }
}

impl<T> Connection<T> {
    /// What was made before, or what `connect` makes now.
    pub fn get_or_connect(&self, connect: impl FnOnce() -> Result<T>) -> Result<&T> {
        if let Some(made) = self.0.get() {
            return Ok(made);
        }
        let made = connect()?;
        Ok(self.0.get_or_init(|| made))
    }
}

/// A configuration that is tried out when the provider is configured, under `#[bulkhead(connects)]`: what fails then fails before any
/// resource is touched. Without it, the first call that needs a connection is told.
///
/// Once for each provider of a program, in previews too, if all of the configuration is known by then; further instances connect when they
/// need it. Whatever it asks for over the network has to be granted for the phase `configure`.
///
/// What the service refuses is [`Error::rejected`] with the key that it is about, as the schema spells it: where the stack configures the provider,
/// the user is told the command that sets it, `pulumi config set --secret dns:password`.
///
/// ```
/// use bulkhead_sdk::config::Connects;
/// use bulkhead_sdk::http::{Client, Method, Request, Url};
/// use bulkhead_sdk::{Config, Error, Result, Secret};
///
/// #[derive(Config)]
/// #[bulkhead(connects)]
/// struct Settings {
///     /// Where the service is.
///     endpoint: Url,
///     /// Who is asking.
///     password: Secret<String>,
/// }
///
/// impl Connects for Settings {
///     fn connect(&self) -> Result<()> {
///         let client = Client::new().header("x-password", &*self.password);
///         let answer = client.send(&Request::new(Method::Get, self.endpoint.clone().segment("version")))?;
///         if answer.status() == 401 {
///             return Err(Error::rejected("password", "isn't the service's"));
///         }
///         answer.ok()?;
///         Ok(())
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` doesn't connect",
    label = "`#[bulkhead(connects)]` needs `Connects`",
    note = "write `impl bulkhead_sdk::config::Connects for {Self}`, or leave `connects` out"
)]
pub trait Connects: Config {
    /// Connects, or says why it can't be done.
    fn connect(&self) -> Result<()>;
}

/// Configuration to check.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CheckConfig {
    /// The configuration on record: the one last checked, or after `pulumi import` the one last given.
    pub prior_inputs: Option<Fields>,
    /// What the user gave, typed as the schema says; members may be unknown or secret.
    pub inputs: Fields,
}

impl CheckConfig {
    /// What the host would say.
    pub fn defaults(&self) -> Result<Checked> {
        crate::host::defaults::check_config(self)
    }
}

/// Configurations to compare.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DiffConfig {
    /// The configuration before.
    pub prior_inputs: Fields,
    /// The configuration now.
    pub inputs: Fields,
    /// What to treat as unchanged.
    pub ignore_changes: Vec<Path>,
}

impl DiffConfig {
    /// What the host would say.
    pub fn defaults(&self) -> Result<Difference> {
        crate::host::defaults::diff_config(self)
    }
}

/// A configuration that is checked by its author, for a provider with `overrides: [config_check]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` doesn't check itself",
    label = "`overrides: [config_check]` needs `ChecksConfig`",
    note = "write `impl bulkhead_sdk::config::ChecksConfig for {Self}`, or leave `config_check` out"
)]
pub trait ChecksConfig: Config {
    /// Checks and completes configuration, instead of the host. Pure: no connection exists yet.
    fn check(request: CheckConfig) -> Result<Checked>;
}

/// A configuration that is compared by its author, for a provider with `overrides: [config_diff]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` doesn't compare itself",
    label = "`overrides: [config_diff]` needs `DiffsConfig`",
    note = "write `impl bulkhead_sdk::config::DiffsConfig for {Self}`, or leave `config_diff` out"
)]
pub trait DiffsConfig: Config {
    /// Compares, instead of the host. A change replaces only if no resource made under the old configuration can be managed
    /// under the new one.
    fn diff(request: DiffConfig) -> Result<Difference>;
}
