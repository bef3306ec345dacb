//! Configuration: checked and compared like inputs, then handed to the guest once.

use bulkhead_schema::{
    CheckRequest as SchemaCheck, Checked, Difference, Failure, FailureKind, Package, Property, configuration, secrets,
};
use bulkhead_value::{Object, PropertyPath};

use super::{Context, Error, ErrorKind, MissingKey, Session, shortened};

/// Characters of what a key is, where more is to be said of it: all of that together is cut where it is too long.
const LONGEST_DESCRIPTION: usize = 2_048;

impl Session {
    /// Checks and completes typed configuration.
    ///
    /// # Errors
    /// A cancelled session, a failing override, or one that made unknowns of what is known.
    pub async fn check_config(&self, prior: Option<&Object>, inputs: &Object) -> Result<Checked, Error> {
        self.running()?;
        if self.overrides_config_check() {
            let call = self.reading(&Context::default());
            let checked = self.guest.check_config(call, prior, inputs).await;
            let fits = |made: &Object| self.fitting_configuration(inputs, made);
            return self.held(&self.package.configuration, inputs, checked, fits);
        }
        let environment = |name: &str| self.guest.variable(name);
        let mut checked = bulkhead_schema::check(&self.package, self.configuration_check(prior, inputs, &environment));
        configuration::explain(&self.package, inputs, &mut checked.failures);
        checked.inputs = secrets::mark(&self.package, &self.package.configuration, None, checked.inputs);
        Ok(checked)
    }

    /// What of a configuration that is to be taken isn't as the schema says: engines that destroy or refresh have nothing checked. What is
    /// missing is refused then, and a guest that checks its configuration itself takes what it likes.
    pub fn unchecked(&self, inputs: &Object) -> Vec<Failure> {
        if self.overrides_config_check() {
            return Vec::new();
        }
        let inputs = secrets::mark(&self.package, &self.package.configuration, None, inputs.clone());
        let environment = |name: &str| self.guest.variable(name);
        let checked = bulkhead_schema::check(&self.package, self.configuration_check(None, &inputs, &environment));
        let mut failures = checked.failures;
        configuration::explain(&self.package, &inputs, &mut failures);
        failures.retain(|failure| failure.kind != FailureKind::Missing);
        failures
    }

    /// Whether the guest checks its configuration, and may change what was given.
    pub fn overrides_config_check(&self) -> bool {
        self.package.provider.facts.overrides.check && self.exports.config_check
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

    /// Of what permissions rest on, the names that checked configuration has from the component itself.
    pub fn unsaid(&self, inputs: &Object) -> Vec<String> {
        self.guest.unsaid(&self.package, inputs)
    }

    /// Takes the configuration, and the names in it that were [`unsaid`](Self::unsaid) when it was checked. Members may be unknown, in
    /// previews.
    ///
    /// # Errors
    /// Missing required keys, a second configuration, or the guest's failure.
    pub async fn configure(&self, inputs: &Object, unsaid: &[String]) -> Result<(), Error> {
        let claim = self.begin_configuration()?;
        self.hand_over(inputs, unsaid).await.map_err(|error| self.advised(error))?;
        claim.used();
        Ok(())
    }

    async fn hand_over(&self, inputs: &Object, unsaid: &[String]) -> Result<(), Error> {
        // A stack that was checked in another environment lacks what this one has.
        let completed = {
            let environment = |name: &str| self.guest.variable(name);
            bulkhead_schema::check(&self.package, self.configuration_check(None, inputs, &environment)).inputs
        };
        let missing = self.missing_keys(&completed);
        // A component that checks its configuration itself completes it, or says what is missing of it.
        if !missing.is_empty() && !self.package.provider.facts.overrides.check {
            let names: Vec<&str> = missing.iter().map(|key| key.name.as_str()).collect();
            let withheld = self.withheld_defaults(&names);
            let error = Error::missing_configuration(missing);
            return Err(match withheld {
                Some(withheld) => error.hint(withheld),
                None => error,
            });
        }
        self.guest.bind(&self.package, &completed, unsaid);
        if !self.exports.config {
            return Ok(());
        }
        self.guest.configure(self.reading(&Context::default()), &completed).await
    }

    /// Why what would fill in keys that are missing doesn't.
    pub fn withheld_defaults(&self, missing: &[&str]) -> Option<String> {
        let properties = missing.iter().filter_map(|name| self.package.configuration.properties.get(*name));
        let mut variables: Vec<&str> = Vec::new();
        for variable in properties.flat_map(|property| &property.default_info.environment) {
            if !variables.contains(&variable.as_str()) {
                variables.push(variable);
            }
        }
        Some(self.guest.withheld(&variables).join("; ")).filter(|told| !told.is_empty())
    }

    fn missing_keys(&self, inputs: &Object) -> Vec<MissingKey> {
        let configuration = &self.package.configuration;
        let is_absent = |name: &str| inputs.there(name).is_none();
        let absent = configuration.required.iter().filter(|name| is_absent(name));
        absent
            .filter_map(|name| configuration.properties.get(name).map(|property| (name, property)))
            .filter(|(_, property)| property.default.is_none())
            .map(|(name, property)| MissingKey {
                name: name.clone(),
                description: property.description.clone().unwrap_or_default(),
            })
            .collect()
    }

    /// The failure with what else there is to do about each missing key, whether the host misses it or the guest.
    fn advised(&self, mut error: Error) -> Error {
        if let ErrorKind::MissingConfiguration(keys) = &mut error.kind {
            for MissingKey { name, description } in keys {
                let name = bare(&self.package, name);
                let property = self.package.configuration.properties.get(name);
                if let Some(hint) = property.and_then(|property| self.how_to_give(name, property)) {
                    *description = shortened(std::mem::take(description), LONGEST_DESCRIPTION);
                    let line = if description.is_empty() { "" } else { "\n" };
                    description.push_str(&format!("{line}hint: {hint}"));
                }
            }
        }
        error
    }

    /// What else there is to do about a missing key than what engines tell of each: to set it, in clear.
    fn how_to_give(&self, name: &str, property: &Property) -> Option<String> {
        let secret = property.secret.then(|| format!("it is secret: {}", setting(&self.package, name)));
        let variables = property.default_info.environment.iter().filter(|variable| self.guest.may_read(variable));
        let variables: Vec<&str> = variables.map(String::as_str).collect();
        let variable = (!variables.is_empty()).then(|| format!("set the variable {}", variables.join(" or ")));
        secret.into_iter().chain(variable).reduce(|secret, variable| format!("{secret}, or {variable}"))
    }

    fn configuration_check<'a>(
        &'a self,
        prior: Option<&'a Object>,
        inputs: &'a Object,
        environment: &'a dyn Fn(&str) -> Option<String>,
    ) -> SchemaCheck<'a> {
        let check = SchemaCheck::of(&self.package.configuration, inputs);
        SchemaCheck { prior, environment, exempt: &configuration::EXEMPT, ..check }
    }
}

/// The key as the schema names it, where its package stands before it.
fn bare<'n>(package: &Package, name: &'n str) -> &'n str {
    name.strip_prefix(&*package.name).and_then(|name| name.strip_prefix(':')).unwrap_or(name)
}

/// How to set a key.
pub(crate) fn setting(package: &Package, key: &str) -> String {
    let property = package.configuration.properties.get(key);
    let secret = if property.is_some_and(|property| property.secret) { "--secret " } else { "" };
    format!("set it with `pulumi config set {secret}{}:{key}`", package.name)
}
