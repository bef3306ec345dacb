use bulkhead_sdk::Inputs;

#[derive(Inputs)]
struct Args {
    #[bulkhead(autoname)]
    count: u32,
    #[bulkhead(minimum = 1)]
    name: Option<String>,
    #[bulkhead(min_items = 1)]
    text: String,
}

fn main() {}
