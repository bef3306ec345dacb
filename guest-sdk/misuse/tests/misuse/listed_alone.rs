use bulkhead_sdk::list::{List, Lists, Page};
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

impl Lists for RandomString {
    type Query = ();

    fn list(request: List<Self>) -> Result<Page> {
        request.page([])
    }
}

provider! {
    name: "random",
    lists: [RandomString],
}

fn main() {}
