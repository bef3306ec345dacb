use bulkhead_sdk::{Inputs, Object, State};

#[derive(Inputs, State)]
struct Label {
    name: String,
}

#[derive(State, Object)]
struct Zone {
    name: String,
}

fn main() {}
