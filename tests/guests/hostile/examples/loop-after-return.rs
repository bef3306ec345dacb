//! Loops for ever once its result was read, while the memory of that is freed.

use std::alloc::{GlobalAlloc, Layout, System};

use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error};
use hostile::{Attack, attack, object, text};

/// The length of an id that nothing else has.
const LENGTH: usize = 12_347;

struct Freeing;

#[allow(unsafe_code, reason = "there is no other way to learn when something is freed")]
// SAFETY: all is the system's.
unsafe impl GlobalAlloc for Freeing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        if layout.size() == LENGTH {
            loop {
                std::hint::black_box(());
            }
        }
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static FREEING: Freeing = Freeing;

struct AfterReturn;

impl Attack for AfterReturn {
    fn create(&self, _: CreateRequest) -> Result<Created, Error> {
        let id = "x".repeat(LENGTH);
        Ok(Created { id, state: object(&["text"], vec![text("made")]), refresh_before_update: false })
    }
}

attack!(AfterReturn);
