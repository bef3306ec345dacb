use bulkhead_sdk::Inputs;

#[derive(Inputs)]
struct Args {
    #[bulkhead(default = "yes")]
    upper: bool,
}

fn main() {}
