//! Assets that lie on other machines, fetched through the host's own connector on a guest's behalf.
//!
//! Reading such an asset is talking to its server, so the component needs the permission for it, in the phase of the call.

use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use http::header::LOCATION;
use http::{Request, Response, StatusCode};
use http_body_util::{BodyExt, Empty};
use tokio::runtime::Handle;
use url::Url;

use crate::assets::{AssetError, Remote};
use crate::outgoing::{Connector, OutgoingError, ResponseBody, Terms};
use crate::store::{Authority, State};

/// Redirections that are followed, as engines follow them.
const MOST_REDIRECTIONS: usize = 10;

/// Fetches for one call.
struct Fetching {
    connector: Connector,
    authority: Arc<Authority>,
    deadline: Option<Instant>,
    runtime: Handle,
}

impl State {
    /// What fetches for the call being served.
    pub(super) fn fetching(&self) -> Arc<dyn Remote> {
        Arc::new(Fetching {
            connector: self.call.outgoing.clone(),
            authority: Arc::clone(&self.call.authority),
            deadline: self.call.deadline,
            runtime: Handle::current(),
        })
    }
}

impl Remote for Fetching {
    fn fetch(
        &self,
        address: &Url,
        take: &mut (dyn FnMut(&[u8]) -> Result<(), AssetError> + Send),
    ) -> Result<(), AssetError> {
        self.runtime.block_on(async {
            let mut address = address.clone();
            for _ in 0..=MOST_REDIRECTIONS {
                let response = self.get(&address).await?;
                match redirection(&address, &response)? {
                    Some(next) => address = next,
                    None => return received(&address, response, take).await,
                }
            }
            Err(unavailable(&address, "it redirects again and again"))
        })
    }
}

impl Fetching {
    async fn get(&self, address: &Url) -> Result<Response<ResponseBody>, AssetError> {
        // What follows is for the reader, and never sent.
        let (target, _) = address.as_str().split_once('#').unwrap_or((address.as_str(), ""));
        let request = Request::get(target).body(Empty::<Bytes>::new());
        let request = request.map_err(|error| AssetError::Malformed(format!("the address can't be read: {error}")))?;
        let terms = Terms::new(None, None, None, self.deadline);
        self.connector.send(self.authority.as_ref(), request, terms).await.map_err(|error| failed(address, error))
    }
}

/// Where a response leads, if it leads anywhere.
fn redirection<B>(address: &Url, response: &Response<B>) -> Result<Option<Url>, AssetError> {
    use StatusCode as Code;
    let leads =
        [Code::MOVED_PERMANENTLY, Code::FOUND, Code::SEE_OTHER, Code::TEMPORARY_REDIRECT, Code::PERMANENT_REDIRECT];
    if !leads.contains(&response.status()) {
        return Ok(None);
    }
    let location = response.headers().get(LOCATION).and_then(|location| location.to_str().ok());
    let next = location.and_then(|location| address.join(location).ok());
    next.map(Some).ok_or_else(|| unavailable(address, "it redirects to nowhere"))
}

async fn received(
    address: &Url,
    response: Response<ResponseBody>,
    take: &mut (dyn FnMut(&[u8]) -> Result<(), AssetError> + Send),
) -> Result<(), AssetError> {
    if response.status() != StatusCode::OK {
        return Err(unavailable(address, &format!("its server answers {}", response.status())));
    }
    let mut body = response.into_body();
    while let Some(frame) = body.frame().await {
        if let Ok(bytes) = frame.map_err(|error| failed(address, error))?.into_data() {
            take(&bytes)?;
        }
    }
    Ok(())
}

fn failed(address: &Url, error: OutgoingError) -> AssetError {
    match error {
        OutgoingError::Denied(denial) => AssetError::Denied(denial.to_string()),
        OutgoingError::Body(limit) => AssetError::TooLarge(format!("the response is larger than {limit} bytes")),
        error => unavailable(address, &error.to_string()),
    }
}

/// Of an address its server alone: what follows may be a secret.
fn unavailable(address: &Url, why: &str) -> AssetError {
    let host = address.host_str().unwrap_or_default();
    AssetError::Unavailable(format!("`{}://{host}` can't be read: {why}", address.scheme()))
}
