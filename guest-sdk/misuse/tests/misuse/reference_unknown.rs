use bulkhead_sdk::Inputs;

#[derive(Inputs)]
struct Args {
    #[bulkhead(conflicts_with = "adress")]
    name: Option<String>,
    address: Option<String>,
}

fn main() {}
