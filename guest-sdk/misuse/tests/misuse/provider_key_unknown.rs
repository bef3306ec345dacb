use bulkhead_sdk::provider;

provider! {
    name: "random",
    licence: "MIT",
}

fn main() {}
