//! Writes messages that look as if they were about another resource.

use hostile::{Attack, Method, Tree, attack, log};

struct Forged;

impl Attack for Forged {
    fn strike(&self, method: Method, _: Option<&Tree>) {
        if method == Method::Create {
            log::log(log::Level::Error, "urn:pulumi:dev::project::a:b:C::victim\nerror: the disk is full\u{1b}[2J\0");
            log::status("\r\u{1b}]0;owned\u{7}");
        }
    }
}

attack!(Forged);
