//! Previews: what create and update would return, found out without calling either.

use bulkhead_schema::{Preview, Resource, secrets};
use bulkhead_value::{Object, PropertyPath, Value};

use super::{Context, Error, Record, Session};

impl Session {
    /// The state that creating would give: every output of the schema, unknown where it isn't certain.
    ///
    /// # Errors
    /// Unknown tokens, a session that isn't configured, a failing override, or one whose guess isn't of the outputs' types.
    pub async fn preview_create(&self, context: &Context, inputs: &Object) -> Result<Preview, Error> {
        self.ready()?;
        let resource = self.resource(&context.token)?;
        let mut preview = bulkhead_schema::preview_create(&self.package, resource, inputs);
        let guess = match resource.facts.overrides.preview && self.exports.preview {
            true => self.guest.preview_create(self.reading(context), &self.typed(resource, inputs)).await?,
            false => Object::new(),
        };
        self.adopt(resource, inputs, &Object::new(), &mut preview, guess)?;
        Ok(preview)
    }

    /// The state that updating would give, by the same rules.
    ///
    /// # Errors
    /// As [`Session::preview_create`].
    pub async fn preview_update(
        &self,
        context: &Context,
        record: &Record,
        inputs: &Object,
        ignore_changes: &[PropertyPath],
    ) -> Result<Preview, Error> {
        self.ready()?;
        let resource = self.resource(&context.token)?;
        let record = self.up_to_date(context, record).await?;
        let prior = &record.prior;
        let inputs = &*self.without(resource, ignore_changes, &record, inputs);
        let mut preview = bulkhead_schema::preview_update(&self.package, resource, &prior.state, inputs);
        let guess = match resource.facts.overrides.preview && self.exports.preview {
            true => {
                let (told, typed) = (self.typed_prior(resource, prior), self.typed(resource, inputs));
                self.guest.preview_update(self.reading(context), &told, &typed).await?
            }
            false => Object::new(),
        };
        self.adopt(resource, inputs, &prior.state, &mut preview, guess)?;
        Ok(preview)
    }

    /// Takes a guest's guess over, property by property, and marks the secrets of all. What the guess leaves out is as the
    /// schema says; what is null in it won't be there; what isn't known in it stays as it is, with nothing to conceal yet.
    fn adopt(
        &self,
        resource: &Resource,
        inputs: &Object,
        recorded: &Object,
        preview: &mut Preview,
        guess: Object,
    ) -> Result<(), Error> {
        self.fitting_outputs(&resource.outputs, [recorded, &preview.state], &guess)?;
        let unknown: Vec<String> =
            guess.iter().filter(|(_, value)| matches!(value, Value::Unknown)).map(|(name, _)| name.clone()).collect();
        preview.adopt(guess);
        let state = std::mem::take(&mut preview.state);
        preview.state = secrets::mark(&self.package, &resource.outputs, Some(inputs), state);
        for name in unknown {
            preview.state.insert(name, Value::Unknown);
        }
        Ok(())
    }
}
