//! A resource whose name is made for it where nobody gives one.

use bulkhead_sdk::{Create, Created, Inputs, Resource, Result, State, resource};

use crate::settings::Settings;

#[derive(Inputs)]
pub(crate) struct Args {
    /// What it is called.
    #[bulkhead(replace, autoname(max_length = 16))]
    name: String,
    /// Something else that needs another one.
    #[bulkhead(replace)]
    kind: Option<String>,
}

/// A resource with a name.
#[derive(State)]
pub(crate) struct Named {
    #[bulkhead(flatten)]
    args: Args,
}

#[resource(token = "behaviours:index:Named")]
impl Resource for Named {
    type Inputs = Args;
    type Config = Settings;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        Ok(Created::new("named-1", Self { args: request.inputs }))
    }
}
