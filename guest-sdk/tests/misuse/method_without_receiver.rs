use bulkhead_sdk::{Inputs, Result, method};

#[derive(Inputs)]
struct LinkArgs {
    path: String,
}

#[method]
fn link(arguments: LinkArgs) -> Result<String> {
    Ok(arguments.path)
}

fn main() {}
