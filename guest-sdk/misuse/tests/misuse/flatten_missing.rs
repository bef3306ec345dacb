use bulkhead_sdk::{Inputs, State};

#[derive(Inputs)]
struct Args {
    text: String,
}

#[derive(State)]
struct Note {
    args: Args,
    size: u32,
}

fn main() {}
