//! Configuration: checked and compared like inputs, then handed to the guest once.

use bulkhead_schema::{CheckRequest as SchemaCheck, Checked, Difference, configuration, secrets};
use bulkhead_value::{Object, PropertyPath};

use super::{Context, Error, MissingKey, Session};

impl Session {
    /// Checks and completes typed configuration.
    ///
    /// # Errors
    /// A cancelled session, or a failing override.
    pub async fn check_config(&self, prior: Option<&Object>, inputs: &Object) -> Result<Checked, Error> {
        self.running()?;
        if self.package.provider.facts.overrides.check && self.exports.config_check {
            let call = self.reading(&Context::default());
            let mut checked = self.guest.check_config(call, prior, inputs).await?;
            checked.inputs = secrets::mark(&self.package, &self.package.configuration, Some(inputs), checked.inputs);
            return Ok(checked);
        }
        Ok(bulkhead_schema::check(&self.package, self.configuration_check(prior, inputs)))
    }

    /// Compares two typed configurations.
    ///
    /// # Errors
    /// A cancelled session, or a failing override.
    pub async fn diff_config(
        &self,
        prior: &Object,
        inputs: &Object,
        ignore_changes: &[PropertyPath],
    ) -> Result<Difference, Error> {
        self.running()?;
        if self.package.provider.facts.overrides.diff && self.exports.config_diff {
            let call = self.reading(&Context::default());
            return self.guest.diff_config(call, prior, inputs, ignore_changes).await;
        }
        Ok(bulkhead_schema::diff_configuration(&self.package, prior, inputs, ignore_changes))
    }

    /// Takes the configuration. Members may be unknown, in previews.
    ///
    /// # Errors
    /// Missing required keys, a second configuration, or the guest's failure.
    pub async fn configure(&self, inputs: &Object) -> Result<(), Error> {
        self.begin_configuration()?;
        let outcome = self.hand_over(inputs).await;
        match outcome {
            Ok(()) => self.finish_configuration(),
            Err(_) => self.abandon_configuration(),
        }
        outcome
    }

    async fn hand_over(&self, inputs: &Object) -> Result<(), Error> {
        let missing = self.missing_keys(inputs);
        // A component that checks its configuration itself has found it complete.
        if !missing.is_empty() && !self.package.provider.facts.overrides.check {
            return Err(Error::missing_configuration(missing));
        }
        if !self.exports.config {
            return Ok(());
        }
        // Defaults again, for callers that skip the check because the values come from an earlier one.
        let completed = bulkhead_schema::check(&self.package, self.configuration_check(None, inputs)).inputs;
        self.guest.configure(self.reading(&Context::default()), &completed).await
    }

    fn missing_keys(&self, inputs: &Object) -> Vec<MissingKey> {
        let configuration = &self.package.configuration;
        let absent = configuration.required.iter().filter(|name| !inputs.contains_key(name.as_str()));
        absent
            .filter_map(|name| configuration.properties.get(name).map(|property| (name, property)))
            .filter(|(_, property)| property.default.is_none())
            .map(|(name, property)| MissingKey {
                name: name.clone(),
                description: property.description.clone().unwrap_or_default(),
            })
            .collect()
    }

    fn configuration_check<'a>(&'a self, prior: Option<&'a Object>, inputs: &'a Object) -> SchemaCheck<'a> {
        SchemaCheck { prior, exempt: &configuration::EXEMPT, ..SchemaCheck::of(&self.package.configuration, inputs) }
    }
}
