use bulkhead_sdk::Inputs;

struct Rule {
    port: u16,
}

#[derive(Inputs)]
struct Args {
    rules: Vec<Rule>,
}

fn main() {}
