use bulkhead_sdk::{Result, function};

#[function(token = "random:index:pick")]
fn pick(first: u32, second: u32) -> Result<u32> {
    Ok(first.max(second))
}

fn main() {}
