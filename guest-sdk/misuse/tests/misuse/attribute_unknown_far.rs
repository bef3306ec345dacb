use bulkhead_sdk::State;

#[derive(State)]
struct Shape {
    #[bulkhead(colour = "red")]
    area: f64,
}

fn main() {}
