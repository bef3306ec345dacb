//! Values of every kind, sent back as they came.

use bulkhead_sdk::{Create, Created, Inputs, Resource, Result, Secret, State, Update, Updated, Value, resource};

use crate::settings::Settings;

#[derive(Clone, Inputs)]
pub(crate) struct Args {
    /// Any value.
    value: Option<Value>,
    /// A secret.
    hidden: Option<Secret<String>>,
    /// Something that needs another one.
    #[bulkhead(replace)]
    kept: Option<String>,
}

/// A resource that is what one gives it.
#[derive(State)]
pub(crate) struct Echo {
    #[bulkhead(flatten)]
    args: Args,
    /// What members the guest saw in the value, where that is an object.
    members: Vec<String>,
    /// Known after creation only.
    number: u32,
}

#[resource(token = "behaviours:index:Echo")]
impl Resource for Echo {
    type Inputs = Args;
    type Config = Settings;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        Ok(Created::new("echo-1", Self::of(request.inputs, 1)))
    }

    fn update(request: Update<Self>) -> Result<Updated<Self>> {
        Ok(Updated::new(Self::of(request.inputs, 2)))
    }
}

impl Echo {
    fn of(args: Args, number: u32) -> Self {
        let members = args.value.as_ref().and_then(Value::as_fields).map(|fields| fields.keys().cloned().collect());
        Self { args, members: members.unwrap_or_default(), number }
    }
}
