use bulkhead_sdk::Enum;

#[derive(Enum)]
enum Size {
    Small,
    Other(String),
}

fn main() {}
