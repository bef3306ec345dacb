use bulkhead_sdk::{Inputs, State};

#[derive(Inputs)]
struct Args {
    name: Option<String>,
}

#[derive(State)]
struct Bucket {
    #[bulkhead(flatten)]
    args: Args,
    name: String,
}

fn main() {}
