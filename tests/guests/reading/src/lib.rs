//! What a provider finds in assets and archives: those it was given, and those it makes up.

mod contents;
mod forged;
mod trimmed;

use bulkhead_sdk::provider;

use contents::{Contents, look};
use forged::{forge, keep};
use trimmed::Trimmed;

provider! {
    name: "reading",
    description: "What a provider finds in assets and archives",
    license: "Apache-2.0",
    resources: [Contents, Trimmed],
    overrides: [check],
    functions: [look, forge, keep],
}
