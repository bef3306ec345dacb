//! Keys that sign zones.

use serde::{Deserialize, Serialize};

use super::server::zone_id;
use super::{Problem, Server};

/// A key as the server has it.
#[derive(Clone, Debug, Deserialize)]
pub struct CryptoKey {
    /// Its number in the zone.
    pub id: u32,
    /// `ksk`, `zsk` or `csk`.
    pub keytype: String,
    /// Whether it signs.
    pub active: bool,
    /// Whether it is in the zone.
    #[serde(default = "published")]
    pub published: bool,
    /// Its algorithm, in upper case.
    pub algorithm: String,
    /// Its size.
    pub bits: u32,
    /// 256 or 257.
    #[serde(default)]
    pub flags: u32,
    /// The content of its `DNSKEY` record.
    #[serde(default)]
    pub dnskey: String,
    /// The contents of the `DS` records that the zone above needs; empty for keys that don't need any.
    #[serde(default)]
    pub ds: Vec<String>,
}

/// Servers that can't hide a key don't say that they don't.
fn published() -> bool {
    true
}

/// A key to create.
#[derive(Serialize)]
pub struct NewCryptoKey<'a> {
    /// `ksk`, `zsk` or `csk`.
    pub keytype: &'a str,
    /// Whether it signs.
    pub active: bool,
    /// Whether it is in the zone.
    pub published: bool,
    /// Its algorithm; none leaves it to the server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub algorithm: Option<&'a str>,
    /// Its size; none leaves it to the server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bits: Option<u32>,
    /// The key, in BIND's format; none has the server make one.
    #[serde(skip_serializing_if = "Option::is_none", rename = "privatekey")]
    pub private_key: Option<&'a str>,
}

#[derive(Serialize)]
struct State {
    active: bool,
    published: bool,
}

impl Server {
    /// All keys of a zone, without what is secret; empty if there is no such zone.
    pub fn crypto_keys(&self, zone: &str) -> Result<Vec<CryptoKey>, Problem> {
        Ok(self.get(self.url(["zones", &zone_id(zone), "cryptokeys"]))?.unwrap_or_default())
    }

    /// A key; none if there is none. Asked for by itself, the server tells its private key, too.
    pub fn crypto_key(&self, zone: &str, id: u32) -> Result<Option<CryptoKey>, Problem> {
        Ok(self.crypto_keys(zone)?.into_iter().find(|key| key.id == id))
    }

    /// Creates a key. The answer has the private key, of which nothing is kept.
    pub fn create_crypto_key(&self, zone: &str, key: &NewCryptoKey<'_>) -> Result<CryptoKey, Problem> {
        self.post(self.url(["zones", &zone_id(zone), "cryptokeys"]), key)
    }

    /// Says whether a key signs, and whether it is in the zone.
    pub fn change_crypto_key(&self, zone: &str, id: u32, active: bool, published: bool) -> Result<(), Problem> {
        let url = self.url(["zones", &zone_id(zone), "cryptokeys", &id.to_string()]);
        self.put(url, &State { active, published }).map(drop)
    }

    /// Deletes a key, if it is there.
    pub fn delete_crypto_key(&self, zone: &str, id: u32) -> Result<(), Problem> {
        let url = self.url(["zones", &zone_id(zone), "cryptokeys", &id.to_string()]);
        self.delete(url, || Ok(self.crypto_key(zone, id)?.is_some()))
    }
}
