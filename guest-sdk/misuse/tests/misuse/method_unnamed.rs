use bulkhead_sdk::*;

#[derive(State)]
struct Site {
    url: Output<String>,
}

#[bulkhead_sdk::method(rename = "")]
fn link(call: Call<Site>) -> Result<Output<String>> {
    Ok(call.this.url.clone())
}

fn main() {}
