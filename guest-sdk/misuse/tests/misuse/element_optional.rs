use bulkhead_sdk::Inputs;

#[derive(Inputs)]
struct Args {
    mount: (String, Option<u32>),
    sizes: Vec<Option<u32>>,
}

fn main() {}
