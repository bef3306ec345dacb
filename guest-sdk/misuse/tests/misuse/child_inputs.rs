use bulkhead_sdk::{Inputs, Output, inputs};

#[derive(Inputs)]
struct PageArgs {
    path: String,
    max_age: Option<u32>,
}

fn main() {
    let path = Output::from("/".to_owned());
    _ = inputs!(PageArgs { paht: path.clone() });
    _ = inputs!(PageArgs { path: path, max_age: "a minute" });
    _ = inputs!(PageArgs { path: Output::from(1) });
}
