//! Takes locks without end, and gives none back.

use hostile::{Attack, Method, Tree, attack, field, log, session};

struct Leak;

impl Attack for Leak {
    fn strike(&self, method: Method, inputs: Option<&Tree>) {
        if method.describes() || method == Method::Configure {
            return;
        }
        let one = inputs.and_then(|inputs| field(inputs, "what")).as_deref() == Some("one");
        for number in 0.. {
            match session::lock(&format!("lock {number}")) {
                Ok(_) if one => return,
                Ok(guard) => std::mem::forget(guard),
                Err(session::SessionError::TooLarge(why)) => {
                    log::log(log::Level::Info, &why);
                    panic!("{why}")
                }
                Err(error) => panic!("{error}"),
            }
        }
    }
}

attack!(Leak);
