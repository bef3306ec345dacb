use bulkhead_sdk::Inputs;

#[derive(Inputs)]
struct Args {
    #[bulkhead(autoname)]
    count: u32,
    #[bulkhead(minimum = 1)]
    name: Option<String>,
    #[bulkhead(min_items = 1)]
    text: String,
    #[bulkhead(empty_is_absent)]
    size: u32,
    #[bulkhead(coerces)]
    file: bulkhead_sdk::Asset,
}

fn main() {}
