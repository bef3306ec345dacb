//! Requests by the SDK's own client, as a function.

use bulkhead_sdk::http::{Client, Method, Request, Url};
use bulkhead_sdk::{Error, Inputs, Result, State, function};

#[derive(Inputs)]
pub(crate) struct Args {
    /// `GET`, `POST`, `PUT` or `DELETE`.
    method: String,
    /// Where.
    url: String,
    /// None if absent.
    body: Option<String>,
}

/// What came back.
#[derive(State)]
pub(crate) struct Answer {
    status: u32,
}

/// Asks somebody for something, as providers do.
#[function(token = "networked:index:ask")]
pub(crate) fn ask(args: Args) -> Result<Answer> {
    let all = [Method::Get, Method::Post, Method::Put, Method::Delete];
    let method = all.into_iter().find(|method| method.as_str() == args.method);
    let method = method.ok_or_else(|| Error::failed("there is no such method"))?;
    let url = Url::parse(&args.url).map_err(Error::failed)?;
    let request = Request::new(method, url).body(args.body.unwrap_or_default());
    let response = Client::new().send(&request).map_err(|error| {
        let sent = if error.may_have_been_sent() { "perhaps sent" } else { "never sent" };
        Error::failed(format!("{error} ({sent})"))
    })?;
    Ok(Answer { status: response.status().into() })
}
