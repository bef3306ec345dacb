use bulkhead_sdk::Union;

#[derive(Union)]
enum Port {
    Number(u16),
    Any,
}

fn main() {}
