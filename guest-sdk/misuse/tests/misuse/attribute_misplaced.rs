use bulkhead_sdk::State;

#[derive(State)]
struct RandomString {
    #[bulkhead(replace)]
    result: String,
}

fn main() {}
