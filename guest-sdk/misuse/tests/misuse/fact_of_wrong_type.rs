use bulkhead_sdk::Inputs;

#[derive(Inputs)]
struct Args {
    #[bulkhead(default = "yes")]
    upper: bool,
    #[bulkhead(minimum = "one")]
    length: u32,
}

fn main() {}
