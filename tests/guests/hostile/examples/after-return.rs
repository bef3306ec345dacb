//! Crashes, loops for ever, calls its host or writes over its result once that was read, while the memory of that is freed, as the argument or input `what` says.

use std::alloc::{GlobalAlloc, Layout, System};

use hostile::exports::functions::InvokeRequest;
use hostile::exports::resources::Created;
use hostile::types::{CreateRequest, Error, Partial};
use hostile::{Attack, Node, Tree, attack, field, log, object};

/// Lengths of texts that nothing else has.
const CRASH: usize = 12_347;
const CALL: usize = 12_349;
const WRITE: usize = 12_351;
const LOOP: usize = 12_353;

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
            LOOP => loop {
                std::hint::black_box(());
            },
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
        Ok(freed(field(&request.arguments, "what").as_deref()))
    }

    fn create(&self, request: CreateRequest) -> Result<Created, Error> {
        let (id, what) = ("made-1".to_owned(), field(&request.inputs, "what"));
        if what.as_deref() == Some("partial") {
            let (state, reasons) = (freed(Some("crash")), vec!["half of it".to_owned()]);
            return Err(Error::NotInitialised(Partial {
                id,
                state,
                inputs: None,
                reasons,
                refresh_before_update: false,
            }));
        }
        Ok(Created { id, state: freed(what.as_deref()), refresh_before_update: false })
    }
}

fn freed(what: Option<&str>) -> Tree {
    let length = match what {
        Some("crash") => CRASH,
        Some("call") => CALL,
        Some("write") => WRITE,
        Some("loop") => LOOP,
        _ => 1,
    };
    object(&["text"], vec![Node::Text("x".repeat(length))])
}

attack!(AfterReturn);
