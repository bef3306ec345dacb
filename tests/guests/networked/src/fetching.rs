//! Requests over HTTP, as a function.

use bulkhead_sdk::{Error, Inputs, Result, State, function, log};

use crate::exchange::{Came, Wish, begun, exchange, finished, sent};

#[derive(Inputs)]
pub(crate) struct Args {
    /// The host, and whatever else a guest puts there.
    authority: String,
    /// `GET` if absent.
    method: Option<String>,
    /// `http` if absent.
    scheme: Option<String>,
    /// `/` if absent.
    path: Option<String>,
    /// `name: value`.
    headers: Option<Vec<String>>,
    /// The request's body.
    body: Option<String>,
    /// How long to wait, in milliseconds: to connect, for the first byte, between bytes.
    waits: Option<Vec<u32>>,
    /// Where it is redirected to, it goes.
    follow: Option<bool>,
    /// How many responses to hold at once.
    hold: Option<u32>,
    /// How many responses to keep whose bodies are read.
    keep: Option<u32>,
    /// How many requests to begin and forget.
    abandon: Option<u32>,
}

/// What came back.
#[derive(State)]
pub(crate) struct Fetched {
    status: u32,
    /// `name: value`.
    headers: Vec<String>,
    /// The beginning of the body.
    body: String,
    /// How many bytes the body has.
    length: u32,
    /// How many calls this instance has served.
    served: u32,
}

/// Asks somebody for something.
#[function(token = "networked:index:fetch")]
pub(crate) fn fetch(args: Args) -> Result<Fetched> {
    let wish = Wish {
        method: args.method.unwrap_or_else(|| "GET".to_owned()),
        scheme: args.scheme.unwrap_or_else(|| "http".to_owned()),
        authority: args.authority,
        path: args.path,
        headers: args.headers.unwrap_or_default(),
        body: args.body,
        waits: args.waits.unwrap_or_default(),
    };
    log::info("fetching");
    for _ in 0..args.abandon.unwrap_or(0) {
        drop(sent(&wish).map_err(Error::failed)?);
    }
    let held: Result<Vec<_>, _> = (0..args.hold.unwrap_or(0)).map(|_| begun(&wish)).collect();
    let held = held.map_err(Error::failed)?;
    let kept: Result<Vec<_>, _> = (0..args.keep.unwrap_or(0)).map(|_| finished(&wish)).collect();
    let kept = kept.map_err(Error::failed)?;
    let mut came = exchange(&wish).map_err(Error::failed)?;
    while let Some(there) = redirected(&came).filter(|_| args.follow == Some(true)) {
        let (authority, path) = there.split_once('/').unwrap_or((&there, ""));
        let next = Wish { authority: authority.to_owned(), path: Some(format!("/{path}")), ..wish.clone() };
        came = exchange(&next).map_err(Error::failed)?;
    }
    drop((held, kept));
    Ok(fetched(came))
}

/// Where a response sends on to, without its scheme.
fn redirected(came: &Came) -> Option<String> {
    let to = came.headers.iter().find_map(|header| header.strip_prefix("location: http://"));
    to.filter(|_| (300..400).contains(&came.status)).map(str::to_owned)
}

fn fetched(came: Came) -> Fetched {
    use std::sync::atomic::{AtomicU32, Ordering};
    static SERVED: AtomicU32 = AtomicU32::new(0);
    let length = u32::try_from(came.body.len()).unwrap_or(u32::MAX);
    let body: String = String::from_utf8_lossy(&came.body).chars().take(4_000).collect();
    let served = SERVED.fetch_add(1, Ordering::Relaxed) + 1;
    Fetched { status: came.status.into(), headers: came.headers, body, length, served }
}
