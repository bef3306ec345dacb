//! Fills the headers of requests that it never sends, of very many at once: they are kept by the host, not in its own memory.

use hostile::{Attack, Method, Tree, attack};
use wasip2::http::types::Fields;

struct Flood;

impl Attack for Flood {
    fn strike(&self, method: Method, _: Option<&Tree>) {
        if method.describes() || method == Method::Configure {
            return;
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

attack!(Flood);
