//! Fills the headers of requests that it never sends, of very many at once, each anew or, where the input `what` says `shared`, all with one
//! set of them: they are kept by the host, not in its own memory.

use hostile::{Attack, Method, Tree, attack, field};
use wasip2::http::types::{Fields, OutgoingRequest};

struct Flood;

impl Attack for Flood {
    fn strike(&self, method: Method, inputs: Option<&Tree>) {
        if method.describes() || method == Method::Configure {
            return;
        }
        if inputs.and_then(|inputs| field(inputs, "what")).is_some_and(|what| what == "shared") {
            return shared();
        }
        let value = vec![b'x'; 100_000];
        let mut kept = Vec::new();
        for _ in 0..50_000 {
            let fields = Fields::new();
            if fields.append("x-filled", &value).is_err() {
                break;
            }
            kept.push(fields);
        }
        assert!(kept.len() < 50_000, "there is room for 5 GB");
        panic!("there is no more room");
    }
}

/// Each request that is made of another one's headers has a copy of them once it is sent.
fn shared() {
    let fields = Fields::new();
    for number in 0..500 {
        fields.append(&format!("x-{number}"), &vec![b'x'; 100]).unwrap();
    }
    let first = OutgoingRequest::new(fields);
    let kept: Vec<_> = (0..10_000).map(|_| OutgoingRequest::new(first.headers())).collect();
    panic!("there is room for {} times as much", kept.len());
}

attack!(Flood);
