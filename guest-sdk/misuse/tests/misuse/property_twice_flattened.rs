use bulkhead_sdk::{Inputs, State};

#[derive(Inputs)]
struct Args {
    name: Option<String>,
}

#[derive(State)]
struct Bucket {
    #[bulkhead(flatten)]
    args: Args,
    name: String,
}

#[derive(Inputs)]
struct Named {
    #[bulkhead(flatten)]
    args: Args,
    size: u32,
}

#[derive(State)]
struct Disk {
    name: String,
    #[bulkhead(flatten)]
    named: Named,
}

fn main() {}
