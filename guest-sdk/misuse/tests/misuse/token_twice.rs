use bulkhead_sdk::{Create, Created, Resource, Result, State, provider, resource};

#[derive(State)]
struct Cat {}

#[resource(token = "pets:index:Pet")]
impl Resource for Cat {
    type Inputs = ();

    fn create(_: Create<Self>) -> Result<Created<Self>> {
        Ok(Created::new("cat", Self {}))
    }
}

#[derive(State)]
struct Dog {}

#[resource(token = "pets:index:Pet")]
impl Resource for Dog {
    type Inputs = ();

    fn create(_: Create<Self>) -> Result<Created<Self>> {
        Ok(Created::new("dog", Self {}))
    }
}

provider! {
    name: "pets",
    resources: [Cat, Dog],
}

fn main() {}
