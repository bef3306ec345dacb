//! State of an older schema version: rewritten by the guest that knows what it meant, before anything else looks at it. State of a
//! newer one means what nobody here knows, and would lose it if it were recorded again.

use std::borrow::Cow;

use super::{Context, Error, ErrorKind, Prior, Record, Session};

impl Session {
    /// The version that the state of a type is recorded under; 0 for unknown types and those that never changed theirs.
    pub fn schema_version(&self, token: &str) -> u32 {
        self.package.resource(token).map_or(0, |resource| resource.facts.schema_version)
    }

    /// The record in terms of the present schema. Without an upgrade, unknown old keys are tolerated elsewhere.
    pub(super) async fn upgraded<'a>(&self, context: &Context, record: &'a Record) -> Result<Cow<'a, Record>, Error> {
        let facts = &self.resource(&context.token)?.facts;
        if record.schema_version >= facts.schema_version || !facts.overrides.upgrade || !self.exports.upgrade {
            return Ok(Cow::Borrowed(record));
        }
        let mut call = self.reading(context);
        // Nothing becomes of the resource here that could be shown.
        call.context.views = None;
        let prior = self.guest.upgrade(call, record.schema_version, &record.prior).await?;
        // Views are none of the provider's older schema.
        let prior = Prior { views: record.prior.views.clone(), ..prior };
        Ok(Cow::Owned(Record { prior, schema_version: facts.schema_version, ..record.clone() }))
    }

    /// The same of a record that is to be read, compared or updated, for which it mustn't be newer than this provider.
    pub(super) async fn up_to_date<'a>(&self, context: &Context, record: &'a Record) -> Result<Cow<'a, Record>, Error> {
        let known = self.schema_version(&context.token);
        if record.schema_version > known {
            let recorded = record.schema_version;
            let message = format!(
                "use the recorded state of `{}`: it has schema version {recorded}, and this provider knows those up to {known}",
                context.token
            );
            return Err(Error::new(ErrorKind::Failed, message)
                .hint("a newer version of the provider recorded it: use that one or a later one"));
        }
        self.upgraded(context, record).await
    }
}
