use bulkhead_sdk::{Create, Created, Inputs, Resource, Result, State, resource};

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

#[derive(Inputs)]
struct Args {
    urn: String,
}

#[derive(State)]
struct Disk {
    #[bulkhead(flatten)]
    args: Args,
}

#[resource(token = "cloud:index:Disk")]
impl Resource for Disk {
    type Inputs = Args;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        Ok(Created::new("d-1", Self { args: request.inputs }))
    }
}

fn main() {}
