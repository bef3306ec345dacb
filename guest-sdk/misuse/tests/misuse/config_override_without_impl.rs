use bulkhead_sdk::{Config, provider};

#[derive(Config)]
struct Settings {}

provider! {
    name: "dns",
    config: Settings,
    overrides: [config_check],
}

fn main() {}
