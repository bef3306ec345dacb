use bulkhead_sdk::Inputs;

#[derive(Inputs)]
struct Args {
    #[bulkhead(default = 8, output_default = 8)]
    length: u32,
}

fn main() {}
