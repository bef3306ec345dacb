//! Lists: resources that exist, page by page.
//!
//! A guest keeps nothing between two pages, so it is asked again and again until it has no more, the limit is met or nobody
//! listens. It isn't trusted to come to an end: pages without results and pages that lead to themselves are counted, and
//! between any two calls a listing can be dropped.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bulkhead_schema::secrets::Marking;
use bulkhead_schema::{CheckRequest, Resource, Steps, conform_within};
use bulkhead_value::Object;
use bulkhead_value::signature::is_unknown;
use tokio_util::sync::CancellationToken;

use super::ids::{flaw, flaw_of_name};
use super::{Call, Context, Error, ErrorKind, Session};

/// Pages that one listing may take. Engines that want more of them ask for pages themselves.
const MOST_PAGES: u32 = 100_000;
/// Pages without results, one after the other.
const MOST_EMPTY_PAGES: u32 = 1_000;
/// Bytes of a continuation, which travels back and forth.
const LONGEST_CONTINUATION: usize = 1 << 20;

/// What to list.
#[derive(Clone, Debug, Default)]
pub struct ListRequest {
    /// The resource type.
    pub token: String,
    /// What narrows it down; members may be unknown.
    pub query: Object,
    /// How many results are wanted in all, those of earlier listings included that this one continues.
    pub limit: Option<u64>,
    /// How many results this listing may have. There may be more elsewhere then.
    pub page_size: Option<u32>,
    /// Where an earlier listing said that there is more.
    pub continuation: Option<String>,
}

/// What a listing comes to.
pub enum Listing {
    /// Nobody can tell, since something in the query isn't known.
    Unknown,
    /// Results.
    Pages(Box<Pages>),
}

/// A resource that exists.
#[derive(Clone, Debug)]
pub struct Found {
    /// Its id, which imports it.
    pub id: String,
    /// A name for people.
    pub name: Option<String>,
    /// Its state, where it comes for free.
    pub state: Option<Object>,
}

/// What a guest is asked for. The resource type is what the call is about.
#[derive(Clone, Debug)]
pub struct PageRequest {
    /// What narrows it down: checked, typed, known.
    pub query: Object,
    /// How many results are wanted in all.
    pub limit: Option<u64>,
    /// How many results a page may have.
    pub page_size: Option<u32>,
    /// Where to go on.
    pub continuation: Option<String>,
}

/// A guest's answer.
#[derive(Clone, Debug)]
pub struct Page {
    /// Some of the results.
    pub found: Vec<Found>,
    /// Where the next page starts.
    pub continuation: Option<String>,
}

/// The results of a listing, as they come in.
pub struct Pages {
    session: Arc<Session>,
    token: String,
    request: PageRequest,
    next: Next,
    /// Results so far, in this listing and those that it continues.
    returned: u64,
    pages: u32,
    empty: u32,
}

/// What comes after the results so far.
enum Next {
    /// A page, which starts where the request says.
    Page,
    /// Another listing, which starts here.
    Listing(String),
    /// Nothing.
    Nothing,
}

impl Session {
    /// Begins to list resources of a type.
    ///
    /// # Errors
    /// A type that is unknown or can't be listed, a query that its schema doesn't allow, a continuation of somebody else.
    pub fn list(self: &Arc<Self>, request: ListRequest) -> Result<Listing, Error> {
        if !self.exports.lists {
            return Err(Error::new(ErrorKind::Unsupported, "the component has no lists"));
        }
        self.ready()?;
        let ty = self.resource(&request.token)?.list_inputs.as_ref().ok_or_else(|| {
            let message = format!("resources of the type `{}` can't be listed", request.token);
            Error::new(ErrorKind::InvalidRequest, message)
        })?;
        let checked = bulkhead_schema::check(
            &self.package,
            CheckRequest { environment: &|name| self.guest.variable(name), ..CheckRequest::of(ty, &request.query) },
        );
        if !checked.failures.is_empty() {
            return Err(Error::rejected(checked.failures));
        }
        let (returned, continuation) = request.continuation.as_deref().map_or(Ok((0, None)), continued)?;
        if checked.inputs.first_unknown().is_some() {
            return Ok(Listing::Unknown);
        }
        let query = bulkhead_schema::typed(&self.package, ty, &checked.inputs).into_owned();
        let ListRequest { token, limit, page_size, .. } = request;
        let request = PageRequest { query, limit, page_size, continuation };
        let session = Arc::clone(self);
        Ok(Listing::Pages(Box::new(Pages { session, token, request, next: Next::Page, returned, pages: 0, empty: 0 })))
    }
}

impl Pages {
    /// The next results; none after the last. A call into the guest ends when this is dropped.
    ///
    /// # Errors
    /// The guest's failure, or results that nothing can be done with.
    pub async fn next(&mut self) -> Result<Option<Vec<Found>>, Error> {
        while matches!(self.next, Next::Page) {
            let left = self.request.limit.map(|limit| limit.saturating_sub(self.returned));
            if left == Some(0) {
                self.next = Next::Nothing;
                break;
            }
            let mut found = self.page().await?;
            if let Some(left) = left.and_then(|left| usize::try_from(left).ok()) {
                found.truncate(left);
            }
            self.returned = self.returned.saturating_add(u64::try_from(found.len()).unwrap_or(u64::MAX));
            if !found.is_empty() {
                self.empty = 0;
                if let (Next::Page, Some(_), Some(from)) =
                    (&self.next, self.request.page_size, &self.request.continuation)
                {
                    self.next = match self.request.limit.is_some_and(|limit| limit <= self.returned) {
                        true => Next::Nothing,
                        false => Next::Listing(from.clone()),
                    };
                }
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Where another listing goes on, once this one has no more results.
    pub fn continuation(&self) -> Option<String> {
        match &self.next {
            Next::Listing(from) => Some(format!("{}:{from}", self.returned)),
            Next::Page | Next::Nothing => None,
        }
    }

    /// Asks for a page, and notes what follows it.
    async fn page(&mut self) -> Result<Vec<Found>, Error> {
        self.session.ready()?;
        self.pages += 1;
        self.empty += 1;
        if self.pages > MOST_PAGES {
            let message = format!("the list has more than {MOST_PAGES} pages");
            return Err(
                Error::new(ErrorKind::Exhausted, message).hint("narrow the query down, or ask for a page at a time")
            );
        }
        let context = Context { token: self.token.clone(), ..Context::default() };
        let call = self.session.reading(&context);
        let end = End::of(&call);
        let page = self.session.guest.list_page(call, &self.request).await?;
        if self.request.page_size.is_some_and(|most| usize::try_from(most).is_ok_and(|most| page.found.len() > most)) {
            return Err(Error::provider_bug("the provider returned a page with more results than were asked for"));
        }
        let continuation = page.continuation.filter(|continuation| !continuation.is_empty());
        match &continuation {
            Some(next) if next.len() > LONGEST_CONTINUATION => {
                return Err(Error::provider_bug("the provider returned a continuation of more than 1 MiB"));
            }
            Some(_) if continuation == self.request.continuation => {
                return Err(Error::provider_bug("the provider returned a page that continues with itself"));
            }
            Some(_) if page.found.is_empty() && self.empty >= MOST_EMPTY_PAGES => {
                let message =
                    format!("the provider returned {MOST_EMPTY_PAGES} pages without results, and promised more");
                return Err(Error::provider_bug(message));
            }
            Some(_) => {}
            None => self.next = Next::Nothing,
        }
        self.request.continuation = continuation;
        let resource = self.session.resource(&self.token)?;
        let mut usable = Vec::with_capacity(page.found.len());
        let mut marking = Marking::by(None, Steps::of(1));
        for found in page.found {
            // How many there are was the guest's to say, and each may take as long as a comparison may.
            tokio::task::yield_now().await;
            end.hasnt_come()?;
            usable.push(self.usable(resource, found, &mut marking)?);
        }
        Ok(usable)
    }

    /// A result that can be read and imported.
    fn usable(&self, resource: &Resource, found: Found, marking: &mut Marking) -> Result<Found, Error> {
        let unknown = || Error::provider_bug("the provider listed a resource with something that isn't known");
        if found.id.is_empty() {
            return Err(Error::provider_bug("the provider listed a resource with an empty id"));
        }
        if is_unknown(&found.id) || found.name.as_deref().is_some_and(is_unknown) {
            return Err(unknown());
        }
        if let Some(flaw) = flaw(&found.id).or_else(|| found.name.as_deref().and_then(flaw_of_name)) {
            return Err(Error::provider_bug(format!("the provider listed a resource with {flaw}")));
        }
        let Some(state) = found.state else { return Ok(found) };
        let package = &self.session.package;
        let failures = conform_within(package, &resource.outputs, &state, marking.steps());
        if marking.steps().are_spent() {
            return Err(too_much());
        }
        if let Some(failure) = failures.first() {
            return Err(Error::provider_bug(format!(
                "the provider listed a resource with a state that its schema doesn't allow, at {:#}: {}",
                failure.path, failure.reason
            )));
        }
        let state = marking.mark(package, &resource.outputs, state).ok_or_else(too_much)?;
        Ok(Found { state: Some(state), ..found })
    }
}

fn too_much() -> Error {
    Error::provider_bug(
        "the provider listed a page with too much in its states to be compared with the types that the schema allows",
    )
}

/// The end of a call, for what the host does with its answer.
struct End {
    deadline: Option<Instant>,
    cancel: CancellationToken,
}

impl End {
    /// Of a call that begins now.
    fn of(call: &Call) -> Self {
        let after = |deadline: Duration| Instant::now().checked_add(deadline);
        Self { deadline: call.deadline.and_then(after), cancel: call.cancel.clone() }
    }

    /// # Errors
    /// It has come.
    fn hasnt_come(&self) -> Result<(), Error> {
        if self.cancel.is_cancelled() {
            return Err(Error::cancelled());
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => {
                Err(Error::late().hint("ask for a page at a time, or raise the limit `wall` in bulkhead.toml"))
            }
            _ => Ok(()),
        }
    }
}

/// How many results came before, and where the guest goes on.
fn continued(continuation: &str) -> Result<(u64, Option<String>), Error> {
    let ours = continuation.split_once(':').and_then(|(returned, from)| Some((returned.parse().ok()?, from)));
    let (returned, from) = ours.filter(|(_, from)| !from.is_empty()).ok_or_else(|| {
        Error::new(ErrorKind::InvalidRequest, "the continuation isn't one that this provider gave")
            .hint("begin with an empty one, and pass on what the last page ended with")
    })?;
    Ok((returned, Some(from.to_owned())))
}
