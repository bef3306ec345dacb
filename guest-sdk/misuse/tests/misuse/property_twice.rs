use bulkhead_sdk::Inputs;

#[derive(Inputs)]
struct Args {
    min_length: u32,
    #[bulkhead(rename = "minLength")]
    least: u32,
}

fn main() {}
