use bulkhead_sdk::engine::Scope;
use bulkhead_sdk::{State, fields};

#[derive(State)]
struct Bucket {
    name: String,
}

fn register(scope: &Scope) {
    _ = scope.child("bucket").register::<Bucket>(fields! {});
}

fn main() {}
