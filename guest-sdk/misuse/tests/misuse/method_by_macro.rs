use bulkhead_sdk::{Create, Created, Inputs, Resource, Result, State, resource};

#[derive(Inputs)]
struct Args {}

#[derive(State)]
struct Note {}

macro_rules! forget {
    () => {
        fn delete(_: bulkhead_sdk::Delete<Self>) -> Result<()> {
            Ok(())
        }
    };
}

#[resource(token = "notes:index:Note")]
impl Resource for Note {
    type Inputs = Args;

    fn create(_: Create<Self>) -> Result<Created<Self>> {
        Ok(Created::new("n-1", Note {}))
    }

    forget!();
}

fn main() {}
