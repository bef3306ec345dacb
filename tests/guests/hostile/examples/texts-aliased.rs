//! Returns a list of texts that are all the same memory, as many and as long as the input `what` says: next to nothing for itself, and
//! gigabytes for whoever reads it.

use std::alloc::{GlobalAlloc, Layout, System};

use hostile::exports::functions::InvokeRequest;
use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error};
use hostile::{Attack, Field, Node, Tree, attack, field, text};

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

struct Aliased;

/// A list of texts, as `what` says how many and how long, beside a text.
fn aliased(what: Option<String>) -> Tree {
    let what = what.unwrap_or_default();
    let (count, length) = what.split_once(' ').unwrap_or(("1", "1"));
    let count: u32 = count.parse().unwrap_or(1);
    let once = "x".repeat(length.parse().unwrap_or(1)).leak();
    let (place, length) = (once.as_mut_ptr(), once.len());
    let again = || {
        #[allow(unsafe_code, reason = "the same text again is a lie that nobody notices")]
        // SAFETY: nothing writes to it, and nothing frees it.
        unsafe {
            String::from_raw_parts(place, length, length)
        }
    };
    let mut nodes: Vec<Node> = (0..count).map(|_| Node::Text(again())).collect();
    nodes.push(Node::Items((0..count).collect()));
    nodes.push(text("told"));
    let field = |name: &str, value| Field { name: name.to_owned(), value };
    nodes.push(Node::Fields(vec![field("any", count), field("text", count + 1)]));
    Tree { nodes }
}

impl Attack for Aliased {
    fn create(&self, request: CreateRequest) -> Result<Created, Error> {
        let state = aliased(field(&request.inputs, "what"));
        Ok(Created { id: "made-1".to_owned(), state, refresh_before_update: false })
    }

    fn invoke(&self, request: InvokeRequest) -> Result<Tree, Error> {
        Ok(aliased(field(&request.arguments, "what")))
    }
}

attack!(Aliased);
