//! Announces its resource with a state of 40 MB, which is one small text again and again, says so, and crashes at once: next to nothing for itself, and 40 MB for whoever records it.

use std::alloc::{GlobalAlloc, Layout, System};

use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error};
use hostile::{Attack, Field, Node, Tree, attack, log, operation};

/// How often the text is there, and its bytes.
const TEXTS: (u32, usize) = (40, 1_000_000);

struct Kept;

#[allow(unsafe_code, reason = "what is freed many times has to stay where it is")]
// SAFETY: all is the system's, and nothing is ever given back.
unsafe impl GlobalAlloc for Kept {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[global_allocator]
static KEPT: Kept = Kept;

struct Left;

impl Attack for Left {
    fn create(&self, _: CreateRequest) -> Result<Created, Error> {
        let once = "x".repeat(TEXTS.1).leak();
        let (place, length) = (once.as_mut_ptr(), once.len());
        let again = |_| {
            #[allow(unsafe_code, reason = "the same text again is a lie that nobody notices")]
            // SAFETY: nothing writes to it, and nothing frees it.
            Node::Text(unsafe { String::from_raw_parts(place, length, length) })
        };
        let mut nodes: Vec<Node> = (0..TEXTS.0).map(again).collect();
        nodes.push(Node::Items((0..TEXTS.0).collect()));
        nodes.push(Node::Fields(vec![Field { name: "any".to_owned(), value: TEXTS.0 }]));
        operation::checkpoint("made-1", &Tree { nodes })?;
        log::log(log::Level::Info, "left");
        core::arch::wasm32::unreachable()
    }
}

attack!(Left);
