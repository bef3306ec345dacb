use bulkhead_sdk::Inputs;

#[derive(Inputs)]
struct Args(u32);

fn main() {}
