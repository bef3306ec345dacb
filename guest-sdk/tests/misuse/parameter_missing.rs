use bulkhead_sdk::provider;

struct Word;

provider! {
    name: "greeter",
    parameter: Word,
}

fn main() {}
