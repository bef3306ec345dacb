//! What the host would say, to overrides that ask. A native test has none, and says it itself.

use std::rc::Rc;

use super::Driver;
use crate::config::{CheckConfig, ChecksConfig, Config, DiffConfig, DiffsConfig};
use crate::error::{Error, Result};
use crate::host::native;
use crate::resource::{Check, Checked, Diff, Difference};
use crate::value::Fields;

impl<C: Config> Driver<C> {
    /// Says what the host would say of a check, for overrides that ask.
    pub fn host_checks(&self, answer: impl Fn(&Check) -> Result<Checked> + 'static) {
        native::defaults::change(|answers| answers.check = Some(Rc::new(answer)));
    }

    /// Says what the host would say of a comparison, for overrides that ask.
    pub fn host_diffs(&self, answer: impl Fn(&Diff<()>) -> Result<Difference> + 'static) {
        native::defaults::change(|answers| answers.diff = Some(Rc::new(answer)));
    }

    /// Says what the host would predict of these inputs, for overrides that ask.
    pub fn host_previews(&self, answer: impl Fn(&Fields) -> Result<Fields> + 'static) {
        native::defaults::change(|answers| answers.preview = Some(Rc::new(answer)));
    }

    /// Says what the host would say of a check of the configuration, for overrides that ask.
    pub fn host_checks_config(&self, answer: impl Fn(&CheckConfig) -> Result<Checked> + 'static) {
        native::defaults::change(|answers| answers.check_config = Some(Rc::new(answer)));
    }

    /// Says what the host would say of a comparison of configurations, for overrides that ask.
    pub fn host_diffs_config(&self, answer: impl Fn(&DiffConfig) -> Result<Difference> + 'static) {
        native::defaults::change(|answers| answers.diff_config = Some(Rc::new(answer)));
    }
}

impl<C: ChecksConfig> Driver<C> {
    /// Checks a configuration, if the provider overrides that: `prior` is what the last check returned.
    pub fn check_config(&self, prior: Option<Fields>, inputs: Fields) -> Result<Checked> {
        self.overridden("check")?;
        C::check(CheckConfig { prior_inputs: prior, inputs })
    }
}

impl<C: DiffsConfig> Driver<C> {
    /// Compares two configurations, if the provider overrides that.
    pub fn diff_config(&self, prior: Fields, inputs: Fields) -> Result<Difference> {
        self.overridden("diff")?;
        C::diff(DiffConfig { prior_inputs: prior, inputs, ignore_changes: Vec::new() })
    }
}

impl<C: Config> Driver<C> {
    /// An override that isn't in `provider!` is never called.
    fn overridden(&self, name: &str) -> Result<()> {
        if self.provider.configuration_overrides.contains(&name) {
            return Ok(());
        }
        Err(Error::unsupported(format!("`provider!` doesn't say `overrides: [config_{name}]`")))
    }
}
