use bulkhead_sdk::provider;

provider! {
    name: "dns",
    permissions: {
        network: [{ endpoint: "https://dns.example", methods: ["GET"] }],
    },
}

fn main() {}
