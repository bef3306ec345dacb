//! Delete: of a type without it, the resource is forgotten.

use super::outcome::look_again;
use super::{Context, Error, Outcome, Record, Session};

/// What to do about a resource of a type that a later version of the package did away with.
const LEFT: &str = "use the version of the provider that it was made with, or take it off the record with \
                    `pulumi state delete`, which leaves it in place";

impl Session {
    /// Deletes a resource; succeeds if it is gone already.
    ///
    /// # Errors
    /// Only what kept the guest from being called. What came of the call is the [`Outcome`].
    pub async fn delete(&self, context: &Context, record: &Record) -> Result<Outcome<()>, Error> {
        self.ready()?;
        let resource = self.resource(&context.token).map_err(|error| match self.package.resource(&context.token) {
            // Nobody misspelt what is on record.
            None => error.hint(LEFT),
            Some(_) => error,
        })?;
        if !resource.facts.methods.delete {
            return Ok(Outcome::Done(()));
        }
        self.guest_has_resources()?;
        let record = self.upgraded(context, record).await?;
        let told = self.typed_prior(resource, &record.prior);
        match self.guest.delete(self.changing(context), &told).await {
            Ok(()) => Ok(Outcome::Done(())),
            Err(super::Fault::Error(error)) if matches!(error.kind, super::ErrorKind::NotFound) => {
                Ok(Outcome::Done(()))
            }
            Err(fault) => Ok(Outcome::from_fault(fault, look_again(resource))),
        }
    }
}
