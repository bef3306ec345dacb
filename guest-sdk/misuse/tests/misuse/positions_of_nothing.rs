#[bulkhead_sdk::function(token = "dns:index:count", positional)]
fn count() -> bulkhead_sdk::Result<u32> {
    Ok(0)
}

fn main() {}
