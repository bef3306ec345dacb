use bulkhead_sdk::{Delete, Inputs, Resource, Result, State, resource};

#[derive(Inputs)]
struct Args {}

#[derive(State)]
struct RandomString {}

#[resource(token = "random:index:RandomString")]
impl Resource for RandomString {
    type Inputs = Args;

    fn delete(request: Delete<Self>) -> Result<()> {
        Ok(())
    }
}

fn main() {}
