//! Fills the headers of requests that it never sends, of very many at once, each anew or, where the input `what` says `shared`, all with one
//! set of them: they are kept by the host, not in its own memory. Where it says `asked`, asks for the same ones again and again, as is fine.

use hostile::{Attack, Method, Tree, attack, field};
use wasip2::http::types::{Fields, OutgoingRequest};

struct Flood;

impl Attack for Flood {
    fn strike(&self, method: Method, inputs: Option<&Tree>) {
        if method.describes() || method == Method::Configure {
            return;
        }
        match inputs.and_then(|inputs| field(inputs, "what")).as_deref() {
            Some("shared") => return shared(),
            Some("asked") => return asked(),
            _ => {}
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
    let first = OutgoingRequest::new(many());
    let kept: Vec<_> = (0..10_000).map(|_| OutgoingRequest::new(first.headers())).collect();
    panic!("there is room for {} times as much", kept.len());
}

/// There is one set of them, whoever asks for it.
fn asked() {
    let request = OutgoingRequest::new(many());
    for _ in 0..10_000 {
        assert!(request.headers().has("x-0"));
    }
}

fn many() -> Fields {
    let fields = Fields::new();
    for number in 0..500 {
        fields.append(&format!("x-{number}"), &[b'x'; 100]).unwrap();
    }
    fields
}

attack!(Flood);
