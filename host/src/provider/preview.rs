//! Previews: what create and update would return, found out without calling either.

use bulkhead_schema::{Preview, secrets};
use bulkhead_value::Object;

use super::{Context, Error, Prior, Session};

impl Session {
    /// The state that creating would give: every output of the schema, unknown where it isn't certain.
    ///
    /// # Errors
    /// Unknown tokens, a session that isn't configured, or a failing override.
    pub async fn preview_create(&self, context: &Context, inputs: &Object) -> Result<Preview, Error> {
        self.ready()?;
        let resource = self.resource(&context.token)?;
        let mut preview = bulkhead_schema::preview_create(&self.package, resource, inputs);
        if resource.facts.overrides.preview && self.exports.preview {
            let guess = self.guest.preview_create(self.reading(context), &self.typed(resource, inputs)).await?;
            adopt(&mut preview, guess);
        }
        preview.state = secrets::mark(&self.package, &resource.outputs, Some(inputs), preview.state);
        Ok(preview)
    }

    /// The state that updating would give, by the same rules.
    ///
    /// # Errors
    /// As [`Session::preview_create`].
    pub async fn preview_update(&self, context: &Context, prior: &Prior, inputs: &Object) -> Result<Preview, Error> {
        self.ready()?;
        let resource = self.resource(&context.token)?;
        let mut preview = bulkhead_schema::preview_update(&self.package, resource, &prior.state, inputs);
        if resource.facts.overrides.preview && self.exports.preview {
            let (told, typed) = (self.typed_prior(resource, prior), self.typed(resource, inputs));
            let guess = self.guest.preview_update(self.reading(context), &told, &typed).await?;
            adopt(&mut preview, guess);
        }
        preview.state = secrets::mark(&self.package, &resource.outputs, Some(inputs), preview.state);
        Ok(preview)
    }
}

/// Takes a guest's guess over, property by property; what it leaves out stays unknown.
fn adopt(preview: &mut Preview, guess: Object) {
    guess.into_map().into_iter().for_each(|(name, value)| preview.adopt(name, value));
}
