use bulkhead_sdk::{Result, provider};

fn now() -> Result<u32> {
    Ok(0)
}

provider! {
    name: "time",
    functions: [now],
}

fn main() {}
