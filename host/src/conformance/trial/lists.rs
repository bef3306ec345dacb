//! Lists, asked for for real: whether what they name can be read, and whether pages are parts of the whole.

use bulkhead_proto::provider as pb;
use bulkhead_proto::provider::list_response::Response as Part;
use bulkhead_schema::{Extent, ObjectType};
use bulkhead_value::Object;
use tonic::Response;

use super::engine::{Engine, Reply, wire};
use super::run::Trial;
use super::subject::Subject;
use crate::conformance::finding::{Finding, Level, Stage};

const STAGE: Stage = Stage::Lists;
/// How many results are asked for. A real account may hold any number.
const MOST: i64 = 20;
/// How many of them are read.
const READ: usize = 3;

/// Lists the resources of a type that can be listed.
pub(super) async fn attempt(trial: &mut Trial<'_>, subject: &Subject<'_>, query: &ObjectType) {
    trial.tried.lists += 1;
    let query = trial.sampler(0).object(query, Extent::Required).inputs;
    let (ids, _) = match trial.engine.list(subject.token(), &query, MOST, 0, "").await {
        Ok(listed) => listed,
        Err(refusal) => {
            let hint = "the query was generated: what it asks for may not exist";
            trial.refused(STAGE, subject.token(), &refusal, hint);
            return;
        }
    };
    if subject.resource.facts.methods.read {
        for id in ids.iter().take(READ) {
            readable(trial, subject, id).await;
        }
    }
    if ids.len() > 1 {
        paged(trial, subject, &query, &ids).await;
    }
}

/// What is listed can be imported.
async fn readable(trial: &mut Trial<'_>, subject: &Subject<'_>, id: &str) {
    match trial.engine.import(&subject.urn, id).await {
        Ok(true) => {}
        Ok(false) => {
            let message = "it lists a resource that isn't found when it is read by its id";
            let finding = Finding::new(Level::Error, STAGE, subject.token(), message);
            trial.findings.add(finding.hint("list the ids that `read` takes: programs import what they list"));
        }
        Err(refusal) => trial.failed(STAGE, subject.token(), &refusal),
    }
}

/// One result at a time is the same list, from its beginning to its end.
async fn paged(trial: &mut Trial<'_>, subject: &Subject<'_>, query: &Object, whole: &[String]) {
    let (mut found, mut continuation) = (Vec::new(), String::new());
    // One page more than there are results: what is promised after the last of them may be nothing.
    for _ in 0..=whole.len() {
        match trial.engine.list(subject.token(), query, MOST, 1, &continuation).await {
            Ok((ids, next)) => {
                found.extend(ids);
                match next.filter(|_| whole.starts_with(&found)) {
                    Some(next) => continuation = next,
                    None => break,
                }
            }
            Err(refusal) => {
                trial.failed(STAGE, subject.token(), &refusal);
                return;
            }
        }
    }
    if found != whole {
        let message = "in pages of one it lists other resources than as a whole";
        let finding = Finding::new(Level::Warning, STAGE, subject.token(), message);
        trial
            .findings
            .add(finding.hint("go on where the last page ended, in an order that stays, until there is no more"));
    }
}

impl Engine {
    /// Ids, and where more are to be had.
    async fn list(
        &self,
        token: &str,
        query: &Object,
        limit: i64,
        page_size: i64,
        continuation: &str,
    ) -> Reply<(Vec<String>, Option<String>)> {
        let request = pb::ListRequest {
            token: token.to_owned(),
            query: Some(wire(query)?),
            limit,
            page_size,
            continuation_token: continuation.to_owned(),
        };
        let mut stream = self.told(self.client().list(request)).await?;
        let (mut ids, mut next) = (Vec::new(), None);
        // What breaks a list off breaks its stream.
        while let Some(message) = self.told(async { stream.message().await.map(Response::new) }).await? {
            match message.response {
                Some(Part::Result(result)) => ids.push(result.id),
                Some(Part::Continuation(continuation)) => next = Some(continuation.continuation_token),
                Some(Part::Computed(_)) | None => {}
            }
        }
        Ok((ids, next))
    }

    /// Whether a resource is found by its id alone.
    async fn import(&self, urn: &str, id: &str) -> Reply<bool> {
        let request = pb::ReadRequest { urn: urn.to_owned(), id: id.to_owned(), ..pb::ReadRequest::default() };
        let read = self.told(self.client().read(request)).await?;
        Ok(!read.id.is_empty())
    }
}
