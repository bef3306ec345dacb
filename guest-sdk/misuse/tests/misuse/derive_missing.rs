use bulkhead_sdk::{Create, Created, Resource, Result, State, resource};

struct Args {
    length: u32,
}

#[derive(State)]
struct RandomString {
    result: String,
}

#[resource(token = "random:index:RandomString")]
impl Resource for RandomString {
    type Inputs = Args;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        Ok(Created::new("none", Self { result: "a".repeat(request.inputs.length as usize) }))
    }
}

fn main() {}
