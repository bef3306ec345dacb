//! A check that adds to the host's own, which takes a host that offers its own.

use bulkhead_sdk::{Create, Created, Inputs, Resource, Result, State, provider, resource};

#[derive(Inputs)]
struct Args {
    /// A name.
    name: String,
}

/// A resource with a check of its own.
#[derive(State)]
struct Deferred {
    #[bulkhead(flatten)]
    args: Args,
}

#[resource(token = "deferring:index:Deferred")]
impl Resource for Deferred {
    type Inputs = Args;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        Ok(Created::new("deferred-1", Self { args: request.inputs }))
    }

    fn check(request: resource::Check) -> Result<resource::Checked> {
        let mut checked = request.defaults()?;
        if request.inputs.contains_key("forbidden") {
            checked.reject("forbidden", "is forbidden");
        }
        Ok(checked)
    }
}

provider! {
    name: "deferring",
    description: "Adds to the host's own behaviour",
    license: "Apache-2.0",
    resources: [Deferred],
    overrides: [check],
}
