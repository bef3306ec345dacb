use bulkhead_sdk::{Result, function};

#[function(token = "time:index:now")]
fn now() -> Result<std::time::SystemTime> {
    Ok(std::time::SystemTime::now())
}

fn main() {}
