//! Metadata of zones.

use bulkhead_sdk::http::Method;
use serde::{Deserialize, Serialize};

use super::server::{request, zone_id};
use super::{Problem, Server};

#[derive(Deserialize, Serialize)]
struct Metadata {
    metadata: Vec<String>,
}

impl Server {
    /// The values of a kind; empty if there are none, or no such zone.
    pub fn metadata(&self, zone: &str, kind: &str) -> Result<Vec<String>, Problem> {
        let found: Option<Metadata> = self.get(self.url(["zones", &zone_id(zone), "metadata", kind]))?;
        Ok(found.map(|found| found.metadata).unwrap_or_default())
    }

    /// Sets the values of a kind that has none; nobody here sets some in between.
    pub fn create_metadata(&self, zone: &str, kind: &str, values: &[String]) -> Result<(), Problem> {
        let metadata = Metadata { metadata: values.to_vec() };
        let create = request(Method::Put, self.url(["zones", &zone_id(zone), "metadata", kind]), &metadata)?;
        let _turn = self.turn()?;
        if !self.metadata(zone, kind).map_err(Problem::before_any_change)?.is_empty() {
            return Err(Problem::Conflict);
        }
        self.repeated(&create).map(drop)
    }

    /// Puts values in the place of all of a kind.
    pub fn replace_metadata(&self, zone: &str, kind: &str, values: &[String]) -> Result<(), Problem> {
        let metadata = Metadata { metadata: values.to_vec() };
        self.put(self.url(["zones", &zone_id(zone), "metadata", kind]), &metadata).map(drop)
    }

    /// Deletes the values of a kind, if there are some.
    pub fn delete_metadata(&self, zone: &str, kind: &str) -> Result<(), Problem> {
        let url = self.url(["zones", &zone_id(zone), "metadata", kind]);
        self.delete(url, || Ok(!self.metadata(zone, kind)?.is_empty()))
    }
}
