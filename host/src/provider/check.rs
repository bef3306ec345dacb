//! Check: are these inputs usable, and what is missing from them.

use bulkhead_schema::{Autonaming, CheckRequest as SchemaCheck, Checked, ObjectType, secrets};
use bulkhead_value::{Object, PropertyPath};

use super::{Call, Context, Error, ErrorKind, GuestCheck, Notes, Session};

/// What to check.
#[derive(Clone, Debug, Default)]
pub struct CheckRequest {
    /// The resource.
    pub context: Context,
    /// The inputs last checked; none for a new resource and for a replacement.
    pub prior: Option<Object>,
    /// Whether a newer version of the provider checked them.
    pub prior_is_newer: bool,
    /// What was noted about them.
    pub notes: Notes,
    /// The state on record; none for a new resource, and from front ends that don't know it.
    pub prior_state: Option<Object>,
    /// What the user gave.
    pub inputs: Object,
    /// How the engine wants the resource named.
    pub autonaming: Option<Autonaming>,
}

impl Session {
    /// The inputs of a type that names are made for where none are given; none for unknown types.
    pub fn autonamed(&self, token: &str) -> impl Iterator<Item = &str> {
        let inputs = self.package.resource(token).map(|resource| &resource.inputs);
        inputs.into_iter().flat_map(autonamed)
    }

    /// Whether an input of a type is one of them.
    pub fn is_autonamed(&self, token: &str, name: &str) -> bool {
        self.autonamed(token).any(|autonamed| autonamed == name)
    }

    /// Checks and completes a resource's inputs. Given values stay as they are, and are marked where the schema says
    /// that they are secret; failures are data.
    ///
    /// # Errors
    /// Unknown tokens, a session that isn't configured, a failing override, or one that made unknowns of what is known.
    pub async fn check(&self, mut request: CheckRequest) -> Result<Checked, Error> {
        self.ready()?;
        let resource = self.resource(&request.context.token)?;
        if resource.facts.overrides.upgrade || request.prior_is_newer {
            carry_over(&resource.inputs, &mut request);
        }
        if resource.facts.overrides.check && self.exports.check {
            let call = Call { generated: request.notes.generated, ..self.reading(&request.context) };
            let asked = GuestCheck {
                prior_inputs: request.prior.as_ref(),
                prior_state: request.prior_state.as_ref(),
                inputs: &request.inputs,
                autonaming: request.autonaming.as_ref(),
            };
            let checked = self.guest.check(call, asked).await;
            let fits = |made: &Object| self.fitting_inputs(&resource.inputs, &request.inputs, made);
            let checked = self.held(&resource.inputs, &request.inputs, checked, fits)?;
            let generated = named(&resource.inputs, &request.inputs, &checked.inputs);
            return Ok(Checked { generated, ..checked });
        }
        let found = bulkhead_schema::findings(
            &self.package,
            SchemaCheck {
                prior: request.prior.as_ref(),
                prior_generated: &request.notes.generated,
                seed: request.context.seed.as_deref(),
                name: request.context.name.as_deref(),
                autonaming: request.autonaming.as_ref(),
                environment: &|name| self.guest.variable(name),
                ..SchemaCheck::of(&resource.inputs, &request.inputs)
            },
        );
        let mut checked = found.complete(request.inputs);
        // What is recorded of them is this: not every program marks what the schema says is secret.
        checked.inputs = secrets::mark(&self.package, &resource.inputs, None, checked.inputs);
        Ok(checked)
    }

    /// What an override made of inputs or of a configuration, held to what it was given and to what `fits`, with secrets marked. What it
    /// rejects is as good as what it says is wrong.
    ///
    /// # Errors
    /// The override's own, or the provider's bug: something it made isn't of its type, or isn't known, though all that was given is. An
    /// override is seldom asked in a preview alone, and what is created or configured can't be unknown.
    pub(super) fn held(
        &self,
        ty: &ObjectType,
        given: &Object,
        checked: Result<Checked, Error>,
        fits: impl FnOnce(&Object) -> Result<(), Error>,
    ) -> Result<Checked, Error> {
        let mut checked = match checked {
            Err(Error { kind: ErrorKind::Rejected(failures), .. }) if !failures.is_empty() => {
                Checked { failures, ..Checked::default() }
            }
            checked => checked?,
        };
        if !checked.failures.is_empty() {
            // Nobody gets what it made, but what is said of what was given depends on what of that is secret.
            checked.inputs = secrets::mark(&self.package, ty, None, given.clone());
            return Ok(checked);
        }
        if let Some(path) = checked.inputs.first_unknown().filter(|_| !given.contains_unknown()) {
            let message =
                format!("the provider returned an input that isn't known, at {path:#}, though all that was given is");
            return Err(Error::provider_bug(message));
        }
        checked.inputs = secrets::mark(&self.package, ty, Some(given), checked.inputs);
        fits(&checked.inputs)?;
        Ok(checked)
    }
}

/// The names that a check made where the user gave none. An override says what it checked, not how.
fn named(ty: &ObjectType, given: &Object, checked: &Object) -> Vec<PropertyPath> {
    let made = autonamed(ty).filter(|name| !given.contains_key(*name) && checked.contains_key(*name));
    made.map(PropertyPath::field).collect()
}

fn autonamed(ty: &ObjectType) -> impl Iterator<Item = &str> {
    let properties = ty.properties.iter().filter(|(_, property)| property.facts.autoname.is_some());
    properties.map(|(name, _)| name.as_str())
}

/// Lets a name that was made go along to the property that holds it in another schema version; another name would replace the
/// resource. What becomes of old inputs is for the guest's `upgrade` to say, but that takes the state, which engines don't
/// send to a check. So it is told by what there is: one such name has lost its property, and one property lacks its name.
fn carry_over(ty: &ObjectType, request: &mut CheckRequest) {
    let Some(prior) = &mut request.prior else { return };
    let generated = request.notes.generated.iter().filter_map(PropertyPath::first_name);
    let mut lost = generated.filter(|name| !ty.properties.contains_key(*name)).filter_map(|name| prior.get(name));
    let mut nameless = autonamed(ty).filter(|name| !prior.contains_key(*name));
    if let (Some(name), None, Some(property), None) = (lost.next(), lost.next(), nameless.next(), nameless.next()) {
        let (name, property) = (name.clone(), property.to_owned());
        request.notes.generated.push(PropertyPath::field(&property));
        prior.insert(property, name);
    }
}
