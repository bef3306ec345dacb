//! A request that may be sent: read, decided on by its name, and put into the one form in which it leaves.
//!
//! None of that waits for anybody, so it is no part of sending: whoever asks for what is denied has it denied as part of asking, however
//! often, and however much there is to read.

use bulkhead_policy::Reach;
use bytes::Bytes;
use http::{Request, Uri, Version};
use http_body_util::BodyExt;
use hyper::body::Body;

use super::connection::{BodyError, RequestBody};
use super::error::OutgoingError;
use super::headers;
use super::policy::Policy;
use super::target::Target;

/// A request that policy lets go to its destination. Each address is still to be asked for.
#[derive(Debug)]
pub(crate) struct Decided {
    pub(super) request: Request<RequestBody>,
    pub(super) target: Target,
    pub(super) reach: Reach,
}

impl Decided {
    /// Decides on a request.
    ///
    /// # Errors
    /// A denial, or a request that isn't sent to anybody.
    pub(crate) fn of<B>(policy: &dyn Policy, request: Request<B>) -> Result<Self, OutgoingError>
    where
        B: Body<Data = Bytes> + Send + 'static,
        B::Error: Into<BodyError>,
    {
        let target = Target::of(request.method(), request.uri())?;
        let reach = policy.destination(&target.to).map_err(OutgoingError::Denied)?;
        let request = final_form(request, &target)?.map(|body| body.map_err(Into::into).boxed_unsync());
        Ok(Self { request, target, reach })
    }
}

/// A request as it is sent.
fn final_form<B>(request: Request<B>, target: &Target) -> Result<Request<B>, OutgoingError> {
    let (given, body) = request.into_parts();
    let mut request = Request::new(body);
    *request.method_mut() = given.method;
    *request.uri_mut() = Uri::from(target.path.clone());
    *request.version_mut() = Version::HTTP_11;
    *request.headers_mut() = headers::for_destination(given.headers, &target.authority)?;
    Ok(request)
}
