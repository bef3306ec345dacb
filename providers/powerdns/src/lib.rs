//! The `powerdns` provider: zones, records, metadata and keys of a PowerDNS authoritative server, through its HTTP API.
//!
//! It asks for one endpoint, the one that is configured, and for nothing else. What it knows lies in three layers: [`dns`] knows names
//! and the contents of records, [`api`] knows what the server is asked and how it says no, [`resources`] knows what that
//! means for a deployment.

pub mod api;
pub mod dns;
pub mod functions;
mod given;
pub mod id;
pub mod resources;
pub mod settings;

#[cfg(test)]
mod tests;

use bulkhead_sdk::provider;
use functions::{get_record_set, get_records, get_server, get_zone, get_zones};
use resources::{CryptoKey, RecordSet, TsigKey, Zone, ZoneMetadata};
use settings::Settings;

provider! {
    name: "powerdns",
    display_name: "PowerDNS",
    description: "Zones, records, metadata and keys of a PowerDNS authoritative server.",
    license: "Apache-2.0",
    keywords: ["powerdns", "dns", "dnssec", "category/network"],
    config: Settings,
    resources: [CryptoKey, RecordSet, TsigKey, Zone, ZoneMetadata],
    functions: [get_record_set, get_records, get_server, get_zone, get_zones],
    lists: [RecordSet, Zone],
    overrides: [check, diff],
    permissions: {
        network: [{
            endpoint: "${config.endpoint}",
            reason: "manages zones, records and keys through the API",
        }],
        environment: [{ name: "PDNS_API_KEY", reason: "the key of the API, if none is configured" }],
    },
}
