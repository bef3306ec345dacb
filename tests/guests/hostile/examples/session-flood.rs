//! Fills what the instances of a configuration share, until no more fits.

use hostile::exports::functions::InvokeRequest;
use hostile::types::Error;
use hostile::{Attack, Tree, attack, object, session, text};

struct Flood;

impl Attack for Flood {
    fn invoke(&self, _: InvokeRequest) -> Result<Tree, Error> {
        let mut refusals = Vec::new();
        let kept = |result: Result<(), session::SessionError>| match result {
            Ok(()) => None,
            Err(session::SessionError::TooLarge(reason)) => Some(reason),
            Err(other) => Some(format!("{other:?}")),
        };
        for number in 0..100_000 {
            if let Some(reason) = kept(session::compare_and_swap(&format!("key {number}"), None, Some(&[0; 16]))) {
                refusals.push(reason);
                break;
            }
        }
        refusals.extend(kept(session::compare_and_swap("large", None, Some(&vec![0; 10_000_000]))));
        refusals.extend(kept(session::compare_and_swap(&"k".repeat(10_000_000), None, Some(&[0]))));
        refusals.extend(kept(session::add(&"c".repeat(10_000_000), 1).map(drop)));
        Ok(object(&["text"], vec![text(&refusals.join("; "))]))
    }
}

attack!(Flood);
