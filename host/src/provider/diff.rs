//! Diff: what would change, and whether that takes a new resource.

use std::borrow::Cow;

use bulkhead_schema::{Comparison, Difference, ResourceFacts};
use bulkhead_value::{Object, PropertyPath};

use super::{Call, Context, Error, GuestDiff, Notes, Prior, Record, Session};

impl Session {
    /// Compares a resource on record with new checked inputs, and what the check noted about them, or with recorded ones. No changes means
    /// equal.
    ///
    /// # Errors
    /// Unknown tokens, a session that isn't configured, or a failing override.
    pub async fn diff(
        &self,
        context: &Context,
        record: &Record,
        inputs: &Object,
        notes: &Notes,
        ignore_changes: &[PropertyPath],
    ) -> Result<Difference, Error> {
        self.ready()?;
        let present = self.up_to_date(context, record).await?;
        let inputs = match notes.recorded {
            Some(version) => self.renewed(context, [record, &*present], inputs, version).await?,
            None => Cow::Borrowed(inputs),
        };
        self.compared(context, &present, &inputs, notes, ignore_changes).await
    }

    /// The same, of what is on record by the present schema.
    ///
    /// # Errors
    /// Unknown tokens, or a failing override.
    pub(super) async fn compared(
        &self,
        context: &Context,
        record: &Record,
        inputs: &Object,
        notes: &Notes,
        ignore_changes: &[PropertyPath],
    ) -> Result<Difference, Error> {
        let resource = self.resource(&context.token)?;
        let prior = &*self.still_wanted(&context.token, record, inputs);
        if resource.facts.overrides.diff && self.exports.diff {
            let (told, typed) = (self.typed_prior(resource, prior), self.typed(resource, inputs));
            let request = GuestDiff { prior: &told, inputs: &typed, ignore_changes };
            let call = Call { generated: notes.generated.clone(), ..self.reading(context) };
            let difference = self.guest.diff(call, request).await?;
            return Ok(settled(&resource.facts, difference));
        }
        let state = match (&prior.inputs, &record.newer_inputs) {
            (None, Some(newer)) => bulkhead_schema::as_given(&self.package, resource, &prior.state, [newer, inputs]),
            _ => Cow::Borrowed(&prior.state),
        };
        Ok(bulkhead_schema::diff(
            &self.package,
            &Comparison {
                resource,
                old_inputs: prior.inputs.as_ref(),
                old_state: &state,
                new_inputs: inputs,
                ignore_changes,
                generated: &notes.generated,
            },
        ))
    }

    /// What is on record, less the inputs that nobody gave and the new ones leave out. Names that were made are given up only for others.
    fn still_wanted<'r>(&self, token: &str, record: &'r Record, inputs: &Object) -> Cow<'r, Prior> {
        let prior = &record.prior;
        let stays = |name: &str| self.is_autonamed(token, name);
        match prior.inputs.as_ref().map(|old| record.filled.without_lapsed(old, inputs, &stays)) {
            Some(Cow::Owned(inputs)) => Cow::Owned(Prior { inputs: Some(inputs), ..prior.clone() }),
            _ => Cow::Borrowed(prior),
        }
    }
}

/// What a guest found to differ, with what holds for the type whoever compares: nothing updates a resource that has no update.
fn settled(facts: &ResourceFacts, mut difference: Difference) -> Difference {
    if !facts.methods.update && !difference.changes.is_empty() {
        difference.changes.iter_mut().for_each(|change| change.replaces = true);
        difference.stable.clear();
    }
    difference.delete_before_replace |= facts.delete_before_replace;
    difference
}
