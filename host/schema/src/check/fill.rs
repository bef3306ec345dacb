//! What an absent property is filled with.

use bulkhead_value::{Object, Value};

use super::{environment, inputs::Checker, names, relations::Exclusions, validation};
use crate::{
    FailureKind, failure,
    model::{Autoname, ObjectType, Property},
};

impl<'a> Checker<'a> {
    /// Completes an object with a property that it doesn't have, if there is anything to complete it with: tells whether there was.
    pub(super) fn complete(
        &mut self,
        name: &'a str,
        property: &Property,
        ty: &'a ObjectType,
        object: &Object,
        exclusions: &mut Option<Exclusions<'a>>,
    ) -> bool {
        if let Some(constant) = &property.constant {
            return self.fill(name, property, constant.clone());
        }
        if !property.is_filled() && !ty.requires(name) {
            return false;
        }
        let exclusions = exclusions.get_or_insert_with(|| Exclusions::of(ty, object));
        if exclusions.has(ty, object, name) {
            // A default or a generated name would contradict what was given.
            false
        } else if let Some(autoname) = property.facts.autoname.as_ref().filter(|_| self.is_at_top()) {
            self.name(name, property, autoname)
        } else if let Some((variable, text)) = property.environment_default(self.request.environment) {
            self.fill_from_environment(name, property, variable, &text)
        } else if let Some(default) = &property.default {
            self.fill(name, property, default.clone())
        } else {
            if ty.requires(name) {
                self.missing(name);
            }
            false
        }
    }

    fn fill_from_environment(&mut self, name: &'a str, property: &Property, variable: &str, text: &str) -> bool {
        let variable = failure::shown(variable);
        let Some(value) = environment::value(self.package, &property.ty, text) else {
            let reason = format!("environment variable '{variable}', its default, isn't of the property's type");
            self.fail_at(name, FailureKind::Environment, reason);
            return false;
        };
        for reason in validation::broken_rules(Some(property), &value, &mut self.tries) {
            let reason = format!("environment variable '{variable}', its default, is unusable: {reason}");
            self.fail_at(name, FailureKind::Environment, reason);
        }
        self.fill(name, property, value)
    }

    /// Only what is at the top is named: notes of generated names are kept there, and without one each check would make another name.
    fn name(&mut self, name: &'a str, property: &Property, autoname: &Autoname) -> bool {
        if !self.prior_generated.is_empty()
            && self.prior_generated.contains(&self.place_of(name))
            && let Some(kept) = self.request.prior.and_then(|prior| prior.get(name))
            && let Value::String(text) = kept.plain()
        {
            let name_again = Value::String(text.clone());
            // One that a user gave may be a secret, where nobody noted who gave it.
            let conceals = kept.contains_secret() && !property.secret;
            return self.fill_generated(name, property, if conceals { name_again.secret() } else { name_again });
        }
        match names::choose(&self.request, property, autoname, &self.place_of(name), &mut self.tries) {
            Ok(chosen) => self.fill_generated(name, property, chosen),
            Err(reason) => {
                self.fail_at(name, FailureKind::Name, format!("{}: {reason}", failure::missing(name)));
                false
            }
        }
    }
}
