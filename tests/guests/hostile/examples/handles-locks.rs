//! Takes locks without end, and gives none back.

use hostile::{Attack, Method, Tree, attack, session};

struct Leak;

impl Attack for Leak {
    fn strike(&self, method: Method, _: Option<&Tree>) {
        if method.describes() || method == Method::Configure {
            return;
        }
        for number in 0.. {
            match session::lock(&format!("lock {number}")) {
                Ok(guard) => std::mem::forget(guard),
                Err(error) => panic!("{error}"),
            }
        }
    }
}

attack!(Leak);
