//! List: the resources that exist, in a stream that is only as fast as the engine reads.

use std::collections::VecDeque;

use bulkhead_proto::provider::list_response::{Computed, Continuation, Response, Result as ListResult};
use bulkhead_proto::provider::{ListRequest, ListResponse};
use futures_util::stream;
use tonic::Status;
use tonic::codegen::BoxStream;

use super::conversation::Conversation;
use super::internal_keys::hidden;
use super::large;
use super::properties::required;
use super::share::Share;
use super::status::failed;
use crate::audit::Cause;
use crate::provider::{Found, Kept, ListRequest as Request, Listing, Pages};

const DOING: &str = "list the resources";

pub(super) fn list(conversation: &Conversation, request: ListRequest) -> Result<BoxStream<ListResponse>, Status> {
    let session = conversation.sessions.of(&request.token);
    let listing = session.list(Request {
        token: request.token,
        query: hidden(required(request.query, "query")?),
        limit: u64::try_from(request.limit).ok().filter(|limit| *limit > 0),
        page_size: page_size(request.page_size),
        continuation: Some(request.continuation_token).filter(|token| !token.is_empty()),
    });
    Ok(match listing.map_err(|error| failed(DOING, error))? {
        Listing::Unknown => Box::pin(stream::iter([Ok(response(Response::Computed(Computed {})))])),
        Listing::Pages(pages) => {
            let (cause, share) = (Cause::present(), conversation.share.clone());
            let streaming = Streaming { pages, cause, share, kept: None, ready: VecDeque::new(), ended: false };
            Box::pin(stream::try_unfold(streaming, next))
        }
    })
}

/// Below 1, the provider chooses; more than it can be told of is as good as all.
fn page_size(asked: i64) -> Option<u32> {
    u32::try_from(asked).ok().filter(|size| *size > 0)
}

struct Streaming {
    pages: Box<Pages>,
    /// The call that asked for them, which is over for whoever watches once the stream begins.
    cause: Cause,
    share: Share,
    /// What is kept for the last page.
    kept: Option<Kept>,
    ready: VecDeque<Response>,
    ended: bool,
}

/// The next message. Nothing is asked of the guest before the last page was read; if the stream is dropped meanwhile, so is the
/// call into the guest.
async fn next(mut streaming: Streaming) -> Result<Option<(ListResponse, Streaming)>, Status> {
    loop {
        if let Some(ready) = streaming.ready.pop_front() {
            return Ok(Some((response(ready), streaming)));
        }
        if streaming.ended {
            return Ok(None);
        }
        streaming.kept = None;
        let mut pages = streaming.pages;
        // A page may have millions of values, all of which are looked at.
        let asked = large::part(&streaming.share, streaming.cause.clone(), async move {
            let found = pages.next().await;
            (pages, found)
        });
        let ((pages, found), kept) = asked.await?;
        (streaming.pages, streaming.kept) = (pages, kept);
        match found.map_err(|error| failed(DOING, error))? {
            Some(found) => streaming.ready.extend(found.into_iter().map(result)),
            None => {
                streaming.ended = true;
                let last = streaming.pages.continuation();
                streaming
                    .ready
                    .extend(last.map(|token| Response::Continuation(Continuation { continuation_token: token })));
            }
        }
    }
}

fn result(found: Found) -> Response {
    Response::Result(ListResult { id: found.id, name: found.name.unwrap_or_default() })
}

fn response(response: Response) -> ListResponse {
    ListResponse { response: Some(response) }
}
