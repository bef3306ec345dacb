//! Texts that are all the same memory: next to nothing for a guest, and each of them for whoever reads them.

use std::alloc::{GlobalAlloc, Layout, System};

use crate::bindings::bulkhead::provider::values::Node;

/// An allocator for guests that give such texts away.
#[derive(Debug)]
pub struct Kept;

#[allow(unsafe_code, reason = "what is freed many times has to stay where it is")]
// SAFETY: all is the system's, and nothing is ever given back.
unsafe impl GlobalAlloc for Kept {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

/// One text of so many bytes, so many times, and a list of them all. The guest's allocator is [`Kept`].
pub fn aliased(count: u32, length: usize) -> Vec<Node> {
    let once = "x".repeat(length).leak();
    let (place, length) = (once.as_mut_ptr(), once.len());
    let again = |_| {
        #[allow(unsafe_code, reason = "the same text again is a lie that nobody notices")]
        // SAFETY: nothing writes to it, and nothing frees it.
        Node::Text(unsafe { String::from_raw_parts(place, length, length) })
    };
    let list = Node::Items((0..count).collect());
    (0..count).map(again).chain([list]).collect()
}
