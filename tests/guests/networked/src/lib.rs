//! A guest that wants to reach others, in every way that WASI has for it.
//!
//! It asks for the whole network in every phase, so that what it gets is what a test grants.

mod asking;
mod exchange;
mod fetching;
mod page;
mod talking;

use bulkhead_sdk::provider;

use asking::ask;
use fetching::fetch;
use page::Page;
use talking::talk;

provider! {
    name: "networked",
    description: "Whatever can be reached",
    license: "Apache-2.0",
    resources: [Page],
    functions: [ask, fetch, talk],
    overrides: [check, diff, preview],
    permissions: {
        network: [
            {
                endpoint: "http://*:*",
                phases: ["check", "diff", "preview", "create", "read", "update", "delete", "invoke"],
                reason: "reaches whatever a test names"
            },
            { endpoint: "https://*:*", reason: "the same, encrypted" },
            { endpoint: "tcp://*:*", reason: "the same, in other words" },
        ],
    },
}
