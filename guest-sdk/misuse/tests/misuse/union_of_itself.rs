use bulkhead_sdk::Union;

#[derive(Union)]
enum Filter {
    Is(String),
    All(Vec<Self>),
}

#[derive(Union)]
enum Condition {
    Always(bool),
    Not(Box<Condition>),
}

fn main() {}
