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
use tokio_util::sync::CancellationToken;
use url::Url;

use super::explaining::Explaining;
use crate::assets::{AssetError, Remote};
use crate::outgoing::{Decided, OutgoingError, ResponseBody, Terms};
use crate::store::{Authority, Server, State};

/// Redirections that are followed, as engines follow them.
const MOST_REDIRECTIONS: usize = 10;

/// Fetches for one call.
struct Fetching {
    explaining: Explaining,
    authority: Arc<Authority>,
    deadline: Option<Instant>,
    /// Set when the call is ended.
    ended: CancellationToken,
    runtime: Handle,
}

impl State {
    /// What fetches for the call being served.
    pub(super) fn fetching(&self) -> Arc<dyn Remote> {
        Arc::new(Fetching {
            explaining: Explaining::of(self),
            authority: Arc::clone(&self.call.authority),
            deadline: self.call.deadline,
            ended: self.call.hard.clone(),
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
            tokio::select! {
                biased;
                // A server may take its time, and others wait for the thread and for the connection.
                () = self.ended.cancelled() => Err(AssetError::Stopped),
                fetched = self.followed(address.clone(), take) => fetched,
            }
        })
    }
}

impl Fetching {
    async fn followed(
        &self,
        mut address: Url,
        take: &mut (dyn FnMut(&[u8]) -> Result<(), AssetError> + Send),
    ) -> Result<(), AssetError> {
        for _ in 0..=MOST_REDIRECTIONS {
            let response = self.get(&address).await?;
            match redirection(&address, &response)? {
                Some(next) => address = next,
                None => return received(&address, response, take).await,
            }
        }
        Err(unavailable(&address, "it redirects again and again"))
    }

    async fn get(&self, address: &Url) -> Result<Response<ResponseBody>, AssetError> {
        // What follows is for the reader, and never sent.
        let (target, _) = address.as_str().split_once('#').unwrap_or((address.as_str(), ""));
        let request = Request::get(target).body(Empty::<Bytes>::new());
        let request = request.map_err(|error| AssetError::Malformed(format!("the address can't be read: {error}")))?;
        let terms = Terms::new(None, None, None, self.deadline);
        let response = match Decided::of(self.authority.as_ref(), request) {
            Ok(decided) => self.explaining.connector.send(self.authority.as_ref(), decided, terms).await,
            Err(error) => Err(error),
        };
        let host = self.authority.server(address.host_str().unwrap_or_default());
        let port = address.port_or_known_default().unwrap_or_default();
        let server = Server { host, port, secure: address.scheme() == "https" };
        response.inspect(|_| self.explaining.reached(&server)).map_err(|error| {
            // How large a response may be is told once, whether the server announced its length or not.
            if !matches!(error, OutgoingError::Body(_)) {
                self.explaining.explain(&server, &error);
            }
            failed(address, error)
        })
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
        OutgoingError::Body(limit) => {
            AssetError::Limited("response", format!("the response is larger than {limit} bytes"))
        }
        error => unavailable(address, &error.to_string()),
    }
}

/// Of an address its server alone: what follows may be a secret.
fn unavailable(address: &Url, why: &str) -> AssetError {
    let host = address.host_str().unwrap_or_default();
    AssetError::Unavailable(format!("`{}://{host}` can't be read: {why}", address.scheme()))
}

#[cfg(test)]
mod tests {
    use bulkhead_policy::{Applicant, OperatorFile, Permissions, Phase};
    use tokio::io::AsyncReadExt as _;
    use tokio::net::TcpListener;

    use super::*;
    use crate::audit::Trail;
    use crate::provider::Leaks;

    /// What a call takes is given back when it has ended: others read assets, too.
    #[tokio::test]
    async fn a_server_that_never_answers_is_not_waited_for_once_the_call_has_ended() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let requests = serde_json::from_str(&format!(r#"{{"network":[{{"endpoint":"{address}","reason":"r"}}]}}"#));
        let grants = format!("[[providers.p.grants]]\ndigest = \"dev\"\nnetwork = [\"{address}\"]");
        let file = OperatorFile::parse(&grants).unwrap();
        let applicant = Applicant { development: true, ..Applicant::default() };
        let permissions =
            Permissions::new(applicant, requests.unwrap(), file.grants("p"), Vec::new(), std::path::Path::new("/"));
        let authority = Authority::new(Arc::new(permissions), Phase::Create, Trail::default(), Leaks::default());
        let ended = CancellationToken::new();
        let fetching = Fetching {
            explaining: Explaining::default(),
            authority: Arc::new(authority),
            deadline: None,
            ended: ended.clone(),
            runtime: Handle::current(),
        };
        let url = Url::parse(&address).unwrap();
        let fetched = tokio::task::spawn_blocking(move || fetching.fetch(&url, &mut |_| Ok(())));
        let (mut asked, _) = listener.accept().await.unwrap();
        assert!(asked.read(&mut [0; 64]).await.unwrap() > 0);
        ended.cancel();
        let fetched = tokio::time::timeout(std::time::Duration::from_secs(20), fetched).await;
        assert!(matches!(fetched, Ok(Ok(Err(AssetError::Stopped)))), "{fetched:?}");
    }
}
