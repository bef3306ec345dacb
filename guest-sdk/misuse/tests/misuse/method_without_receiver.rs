use bulkhead_sdk::*;

#[derive(Inputs)]
struct LinkArgs {
    path: String,
}

#[method]
fn link(arguments: LinkArgs) -> Result<String> {
    Ok(arguments.path)
}

fn main() {}
