use bulkhead_sdk::Inputs;

#[derive(Inputs)]
struct Args {
    #[bulkhead(replce)]
    length: u32,
    #[bulkhead(colour = "red")]
    upper: bool,
}

fn main() {}
