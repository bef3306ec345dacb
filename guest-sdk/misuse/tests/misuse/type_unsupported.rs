use std::net::IpAddr;

use bulkhead_sdk::Inputs;

#[derive(Inputs)]
struct Args {
    name: String,
    address: IpAddr,
}

fn main() {}
