//! Keys that sign transfers and updates.

use serde::{Deserialize, Serialize};

use bulkhead_sdk::http::{Method, Request};

use super::server::{read, request};
use super::{Problem, Server};

/// A key as the server has it.
#[derive(Deserialize)]
pub struct TsigKey {
    /// Its id: the name, with a dot at the end.
    pub id: String,
    /// Its name, without a dot at the end.
    pub name: String,
    /// Its algorithm.
    pub algorithm: String,
    /// The key, in base64; empty in lists.
    #[serde(default)]
    pub key: String,
}

/// A key to create or to change.
#[derive(Serialize)]
pub struct TsigKeyChange<'a> {
    /// Its name, without a dot at the end.
    pub name: &'a str,
    /// Its algorithm.
    pub algorithm: &'a str,
    /// The key, in base64; none has the server make one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<&'a str>,
}

impl Server {
    /// All keys, without what is secret. A server without keys still has the list.
    pub fn tsig_keys(&self) -> Result<Vec<TsigKey>, Problem> {
        self.get(self.url(["tsigkeys"]))?.ok_or(Problem::NoServer)
    }

    /// A key; none if there is none.
    pub fn tsig_key(&self, id: &str) -> Result<Option<TsigKey>, Problem> {
        self.get(self.url(["tsigkeys", id]))
    }

    /// Creates a key.
    pub fn create_tsig_key(&self, key: &TsigKeyChange<'_>) -> Result<TsigKey, Problem> {
        self.post_to_list(self.url(["tsigkeys"]), key)
    }

    /// Changes a key. What isn't said stays, so say it all. Databases tell keys apart by name and algorithm: under another algorithm there
    /// are two then, and the server uses either.
    pub fn change_tsig_key(&self, id: &str, key: &TsigKeyChange<'_>) -> Result<TsigKey, Problem> {
        read(&self.put(self.url(["tsigkeys", id]), key)?)
    }

    /// Puts a key in the place of all that have its name. The server has none between the two requests, so nothing else comes in between.
    pub fn renew_tsig_key(&self, id: &str, key: &TsigKeyChange<'_>) -> Result<TsigKey, Problem> {
        let create = request(Method::Post, self.url(["tsigkeys"]), key)?.idempotent(true);
        let _turn = self.turn()?;
        let deletion = self.repeated(&Request::new(Method::Delete, self.url(["tsigkeys", id])));
        self.deleted(deletion, || Ok(self.tsig_key(id)?.is_some()))?;
        match self.repeated(&create) {
            // An attempt whose answer was lost made it.
            Err(Problem::Conflict) => self.tsig_key(id)?.ok_or(Problem::NotFound),
            outcome => read(&outcome?),
        }
    }

    /// Deletes a key, if it is there.
    pub fn delete_tsig_key(&self, id: &str) -> Result<(), Problem> {
        self.delete(self.url(["tsigkeys", id]), || Ok(self.tsig_key(id)?.is_some()))
    }
}
