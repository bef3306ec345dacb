//! What a provider asks of its engine while it works: other packages' descriptions, and a place to show what it manages.

mod packages;
mod viewed;

use bulkhead_sdk::provider;

use packages::{describe, describe_resolved, resolved};
use viewed::{Part, Viewed, show};

provider! {
    name: "asking",
    description: "What a provider asks of its engine while it works",
    license: "Apache-2.0",
    resources: [Viewed, Part],
    functions: [describe, describe_resolved, resolved, show],
}
