//! Writes to its standard output for ever, and waits until all is written.

use hostile::{Attack, Method, Tree, attack};

struct Wait;

impl Attack for Wait {
    fn strike(&self, method: Method, _: Option<&Tree>) {
        if !method.describes() && method != Method::Configure {
            let output = wasip2::cli::stdout::get_stdout();
            loop {
                let _ = output.blocking_write_and_flush(&[b'x'; 4_096]);
            }
        }
    }
}

attack!(Wait);
