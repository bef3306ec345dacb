//! Crashes, calls its host, or writes over its result once that was read, while the memory of that is freed, as the argument `what` says.

use std::alloc::{GlobalAlloc, Layout, System};

use hostile::exports::functions::InvokeRequest;
use hostile::types::Error;
use hostile::{Attack, Node, Tree, attack, field, log, object};

/// Lengths of texts that nothing else has.
const CRASH: usize = 12_347;
const CALL: usize = 12_349;
const WRITE: usize = 12_351;

struct Freeing;

#[allow(unsafe_code, reason = "there is no other way to learn when something is freed")]
// SAFETY: all is the system's, and what is freed may be written to until it is.
unsafe impl GlobalAlloc for Freeing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        match layout.size() {
            CRASH => std::process::abort(),
            CALL => log::log(log::Level::Info, "after all"),
            WRITE => unsafe { pointer.write_bytes(0xff, WRITE) },
            _ => {}
        }
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static FREEING: Freeing = Freeing;

struct AfterReturn;

impl Attack for AfterReturn {
    fn invoke(&self, request: InvokeRequest) -> Result<Tree, Error> {
        let length = match field(&request.arguments, "what").as_deref() {
            Some("crash") => CRASH,
            Some("call") => CALL,
            Some("write") => WRITE,
            _ => 1,
        };
        Ok(object(&["text"], vec![Node::Text("x".repeat(length))]))
    }
}

attack!(AfterReturn);
