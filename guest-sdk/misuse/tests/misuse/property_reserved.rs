use bulkhead_sdk::{Create, Created, Resource, Result, State, resource};

#[derive(State)]
struct Machine {
    id: String,
}

#[resource(token = "cloud:index:Machine")]
impl Resource for Machine {
    type Inputs = ();

    fn create(_: Create<Self>) -> Result<Created<Self>> {
        Ok(Created::new("m-1", Self { id: "m-1".to_owned() }))
    }
}

fn main() {}
