use bulkhead_sdk::{Create, Created, Resource, Result, State, provider};

#[derive(State)]
struct RandomString {}

impl Resource for RandomString {
    type Inputs = ();
    type Config = ();

    fn create(_: Create<Self>) -> Result<Created<Self>> {
        Ok(Created::new("none", Self {}))
    }
}

provider! {
    name: "random",
    resources: [RandomString],
}

fn main() {}
