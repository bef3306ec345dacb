//! Keeps what it allocates from one call to the next, until the instance that serves them is huge.

use std::sync::Mutex;

use hostile::{Attack, Method, Tree, attack};

static KEPT: Mutex<Vec<Vec<u8>>> = Mutex::new(Vec::new());

struct Kept;

impl Attack for Kept {
    fn strike(&self, method: Method, _: Option<&Tree>) {
        if method == Method::Create
            && let Ok(mut kept) = KEPT.lock()
        {
            kept.push(vec![1; 1 << 20]);
        }
    }
}

attack!(Kept);
