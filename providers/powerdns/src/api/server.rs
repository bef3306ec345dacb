//! [`Server`].

use std::time::Duration;

use bulkhead_sdk::http::{Client, Method, Request, Response, Url};
use bulkhead_sdk::{operation, session};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::Problem;

/// How often what failed in the server is asked again, where it may be.
const AGAIN: u32 = 4;
/// How long to wait before the first time.
const PAUSE: Duration = Duration::from_millis(200);
/// What is left of a call's time to say what the server said.
const MARGIN: Duration = Duration::from_millis(250);
/// How large an answer may be, in bytes: a list of 100,000 zones, or a zone of some hundred thousand records.
const LARGEST: usize = 128 << 20;
/// The lock that those hold who change something.
const TURN: &str = "change";

/// A server's API: where it is, and who asks.
#[derive(Debug)]
pub struct Server {
    client: Client,
    base: Url,
}

/// What a server says about itself.
#[derive(Debug, Deserialize)]
pub struct About {
    /// Its id.
    pub id: String,
    /// What it is: `authoritative` here.
    pub daemon_type: String,
    /// Its version.
    pub version: String,
}

impl Server {
    /// The server `id` at an endpoint such as `http://127.0.0.1:8081`, with or without `/api/v1` behind it.
    pub fn new(endpoint: &str, key: &str, id: &str) -> Result<Self, Problem> {
        let endpoint = endpoint.trim_end_matches('/');
        let root = endpoint.strip_suffix("/api/v1").unwrap_or(endpoint);
        let root = Url::parse(root).map_err(Problem::Endpoint)?;
        let base = root.segment("api").segment("v1").segment("servers").segment(id);
        let client = Client::new().header("x-api-key", key).header("accept", "application/json").max_body(LARGEST);
        Ok(Self { client, base })
    }

    /// What the server says about itself.
    pub fn about(&self) -> Result<About, Problem> {
        self.get(self.url([]))?.ok_or(Problem::NoServer)
    }

    /// Makes sure that what isn't there is gone. At a wrong path, or before a server that is being moved, nothing is there either.
    pub fn is_gone(&self) -> Result<(), Problem> {
        self.about().map(drop)
    }

    /// The URL of these steps below the server.
    pub(super) fn url<const N: usize>(&self, steps: [&str; N]) -> Url {
        steps.into_iter().fold(self.base.clone(), Url::segment)
    }

    /// What is there; none if nothing is.
    pub(super) fn get<T: DeserializeOwned>(&self, url: Url) -> Result<Option<T>, Problem> {
        match self.send(&Request::new(Method::Get, url)) {
            Ok(response) => read(&response).map(Some),
            Err(Problem::NotFound) => Ok(None),
            Err(problem) => Err(problem),
        }
    }

    /// Creates something.
    pub(super) fn post<T: DeserializeOwned>(&self, url: Url, body: &impl Serialize) -> Result<T, Problem> {
        read(&self.change(&request(Method::Post, url, body)?)?)
    }

    /// Creates something in a list that each server has.
    pub(super) fn post_to_list<T: DeserializeOwned>(&self, url: Url, body: &impl Serialize) -> Result<T, Problem> {
        match self.post(url, body) {
            // The server isn't there, or is for questions only, as a router has it.
            Err(Problem::NotFound) => {
                self.is_gone().map_err(Problem::before_any_change)?;
                Err(Problem::NotLetThrough)
            }
            outcome => outcome,
        }
    }

    /// Replaces something.
    pub(super) fn put(&self, url: Url, body: &impl Serialize) -> Result<Response, Problem> {
        self.change(&request(Method::Put, url, body)?)
    }

    /// Changes parts of something, in a way that may be repeated.
    pub(super) fn patch(&self, url: Url, body: &impl Serialize) -> Result<(), Problem> {
        self.change(&patch(url, body)?).map(drop)
    }

    /// Deletes something, if it is there.
    pub(super) fn delete(&self, url: Url, is_there: impl FnOnce() -> Result<bool, Problem>) -> Result<(), Problem> {
        self.deleted(self.change(&Request::new(Method::Delete, url)), is_there)
    }

    /// What became of a deletion: what isn't there is deleted, if the server is there to say so. A router that lets questions through only
    /// says of what is there that it isn't.
    pub(super) fn deleted<T>(
        &self,
        outcome: Result<T, Problem>,
        is_there: impl FnOnce() -> Result<bool, Problem>,
    ) -> Result<(), Problem> {
        match outcome {
            Err(Problem::NotFound) if is_there()? => Err(Problem::NotLetThrough),
            Err(Problem::NotFound) => self.is_gone(),
            outcome => outcome.map(drop),
        }
    }

    /// Changes something, one after the other: two changes at once would count a zone's serial once, and some of the server's databases
    /// fail when they are busy. Others change things too, so what may be repeated is.
    pub(super) fn change(&self, request: &Request) -> Result<Response, Problem> {
        let _turn = self.turn()?;
        self.repeated(request)
    }

    /// Waits until nobody else here changes anything, for as long as what it gives is kept.
    pub(super) fn turn(&self) -> Result<session::Guard, Problem> {
        session::lock(TURN).map_err(Problem::Ended)
    }

    /// Changes something in a turn, again if that may be and the server fails.
    pub(super) fn repeated(&self, request: &Request) -> Result<Response, Problem> {
        let mut outcome = self.send(request);
        for number in 0..AGAIN {
            let failed = match outcome {
                Err(failed @ Problem::Status(500, _)) if request.is_idempotent() => failed,
                outcome => return outcome,
            };
            // It may have had an effect, which isn't forgotten because a later attempt was never made or got nowhere.
            let pause = PAUSE * 2_u32.pow(number);
            let has_time = operation::remaining().is_none_or(|left| left > pause + MARGIN);
            if !has_time || operation::sleep(pause).is_err() {
                return Err(failed);
            }
            outcome = self.send(request);
            if matches!(&outcome, Err(later @ (Problem::Unanswered(_) | Problem::Status(..))) if !later.is_uncertain())
            {
                return Err(failed);
            }
        }
        outcome
    }

    fn send(&self, request: &Request) -> Result<Response, Problem> {
        let response = self.client.send(request)?;
        if response.is_success() { Ok(response) } else { Err(Problem::of(&response)) }
    }
}

/// A request with a body.
pub(super) fn request(method: Method, url: Url, body: &impl Serialize) -> Result<Request, Problem> {
    let body = serde_json::to_string(body).map_err(|error| Problem::Malformed(error.to_string()))?;
    Ok(Request::new(method, url).json(body))
}

/// A change of parts of something, which may be repeated.
pub(super) fn patch(url: Url, body: &impl Serialize) -> Result<Request, Problem> {
    Ok(request(Method::Patch, url, body)?.idempotent(true))
}

/// Reads an answer. Messages of the parser name places, not values.
pub(super) fn read<T: DeserializeOwned>(response: &Response) -> Result<T, Problem> {
    serde_json::from_slice(response.body()).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        Problem::Malformed(format!("{:?} error at line {line}, column {column}", error.classify()).to_lowercase())
    })
}

/// The id of a zone in URLs, made from its name as the server makes it.
pub(super) fn zone_id(name: &str) -> String {
    if name == "." {
        return "=2E".to_owned();
    }
    let mut id = String::with_capacity(name.len());
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-') {
            id.push(byte.into());
        } else {
            id.push_str(&format!("={byte:02X}"));
        }
    }
    id
}

/// The name that such an id stands for.
pub(super) fn zone_name(id: &str) -> String {
    let mut pieces = id.split('=');
    let mut name = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let spelled = piece.split_at_checked(2).and_then(|(digits, rest)| {
            let byte = u8::from_str_radix(digits, 16).ok().filter(u8::is_ascii)?;
            Some((char::from(byte), rest))
        });
        match spelled {
            Some((character, rest)) => {
                name.push(character);
                name.push_str(rest);
            }
            None => {
                name.push('=');
                name.push_str(piece);
            }
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_zones_are_the_servers() {
        for (name, id) in [
            ("example.org.", "example.org."),
            ("0/25.2.0.192.in-addr.arpa.", "0=2F25.2.0.192.in-addr.arpa."),
            ("_x.example.", "=5Fx.example."),
            (".", "=2E"),
        ] {
            assert_eq!(zone_id(name), id);
        }
    }

    #[test]
    fn endpoints_may_name_the_api_or_not() {
        for endpoint in ["http://127.0.0.1:8081", "http://127.0.0.1:8081/", "http://127.0.0.1:8081/api/v1/"] {
            let server = Server::new(endpoint, "k", "localhost").unwrap();
            assert_eq!(server.url(["zones"]).to_string(), "http://127.0.0.1:8081/api/v1/servers/localhost/zones");
        }
        let behind = Server::new("https://proxy.example/dns", "k", "a/b").unwrap();
        assert_eq!(behind.url([]).to_string(), "https://proxy.example/dns/api/v1/servers/a%2Fb");
        let wrong = Server::new("127.0.0.1:8081", "k", "localhost").unwrap_err().to_string();
        assert_eq!(
            wrong,
            "the endpoint has no scheme, such as http://\nhint: `powerdns:endpoint` is a URL such as http://127.0.0.1:8081"
        );
    }
}
