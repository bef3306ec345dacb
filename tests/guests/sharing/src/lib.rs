//! Instances that share values, counters and locks, and resources that are only made together.

mod holding;
mod rendezvous;
mod values;

use bulkhead_sdk::provider;

use holding::hold;
use rendezvous::Rendezvous;
use values::{share, token};

provider! {
    name: "sharing",
    description: "Instances that share values, counters and locks",
    license: "Apache-2.0",
    resources: [Rendezvous],
    functions: [hold, share, token],
}
