//! Announces resources in all calls that make none, and falls over.

use hostile::{Attack, Method, Tree, attack, object, operation, text};

struct Anywhere;

impl Attack for Anywhere {
    fn strike(&self, method: Method, _: Option<&Tree>) {
        if !method.describes() && !matches!(method, Method::Create | Method::Update) {
            let announced = operation::checkpoint("forged-1", &object(&["text"], vec![text("forged")]));
            assert!(announced.is_ok(), "checkpoints have a meaning in create and update only");
        }
    }
}

attack!(Anywhere);
