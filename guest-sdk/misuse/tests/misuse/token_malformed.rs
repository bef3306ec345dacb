use bulkhead_sdk::{Create, Created, Resource, Result, State, resource};

#[derive(State)]
struct RandomString {}

#[resource(token = "random/RandomString")]
impl Resource for RandomString {
    type Inputs = ();

    fn create(_: Create<Self>) -> Result<Created<Self>> {
        Ok(Created::new("none", Self {}))
    }
}

fn main() {}
