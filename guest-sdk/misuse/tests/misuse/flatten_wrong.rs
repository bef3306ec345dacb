use bulkhead_sdk::{Inputs, Object, State};

#[derive(Object)]
struct Limits {
    #[bulkhead(minimun = 1)]
    least: i64,
}

#[derive(Inputs)]
struct Args {
    #[bulkhead(defualt = 8)]
    length: u32,
    limits: Limits,
}

#[derive(State)]
struct Note {
    #[bulkhead(flatten)]
    args: Args,
    size: u32,
}

fn main() {}
