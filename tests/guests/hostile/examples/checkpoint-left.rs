//! Announces its resource with a state of 40 MB, which is one small text again and again, says so, and crashes at once: next to nothing for itself, and 40 MB for whoever records it.

use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error};
use hostile::{Attack, Field, Kept, Node, Tree, aliased, attack, log, operation};

/// How often the text is there, and its bytes.
const TEXTS: (u32, usize) = (40, 1_000_000);

#[global_allocator]
static KEPT: Kept = Kept;

struct Left;

impl Attack for Left {
    fn create(&self, _: CreateRequest) -> Result<Created, Error> {
        let mut nodes = aliased(TEXTS.0, TEXTS.1);
        nodes.push(Node::Fields(vec![Field { name: "any".to_owned(), value: TEXTS.0 }]));
        operation::checkpoint("made-1", &Tree { nodes })?;
        log::log(log::Level::Info, "left");
        core::arch::wasm32::unreachable()
    }
}

attack!(Left);
