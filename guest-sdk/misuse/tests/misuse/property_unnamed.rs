use bulkhead_sdk::{Inputs, State};

#[derive(Inputs)]
struct Args {
    #[bulkhead(rename = "")]
    size: u32,
}

#[derive(State)]
struct Machine {
    __: u32,
}

fn main() {}
