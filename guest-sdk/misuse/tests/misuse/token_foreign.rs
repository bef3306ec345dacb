use bulkhead_sdk::{Create, Created, Resource, Result, State, provider, resource};

#[derive(State)]
struct RandomString {}

#[resource(token = "random:index:RandomString")]
impl Resource for RandomString {
    type Inputs = ();

    fn create(_: Create<Self>) -> Result<Created<Self>> {
        Ok(Created::new("none", Self {}))
    }
}

provider! {
    name: "dns",
    resources: [RandomString],
}

fn main() {}
