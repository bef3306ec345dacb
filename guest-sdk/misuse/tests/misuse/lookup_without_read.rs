#[derive(bulkhead_sdk::Inputs)]
struct TapeLookup {
    shelf: Option<String>,
}

#[derive(bulkhead_sdk::State)]
struct Tape {}

#[bulkhead_sdk::resource(token = "tapes:index:Tape", lookup = TapeLookup)]
impl bulkhead_sdk::Resource for Tape {
    type Inputs = ();

    fn create(_: bulkhead_sdk::Create<Self>) -> bulkhead_sdk::Result<bulkhead_sdk::Created<Self>> {
        Ok(bulkhead_sdk::Created::new("t-1", Self {}))
    }
}

fn main() {}
