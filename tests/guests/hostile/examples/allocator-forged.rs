//! Answers the host, which asks it for memory to put a text or a list into, as the argument `what` of the function that was called before says: with memory that isn't there, that lies askew or that is somebody else's, with none, after a crash, never, with all that there is, or with a call of its own.

use std::alloc::{Layout, alloc};
use std::sync::atomic::{AtomicUsize, Ordering};

use hostile::exports::functions::InvokeRequest;
use hostile::types::Error;
use hostile::{Attack, Tree, attack, field, log, object, text};

/// The answers, by their numbers.
const ANSWERS: [&str; 10] =
    ["as it should be", "outside", "beyond", "askew", "same", "none", "crash", "loop", "grow", "call"];

/// The number of the next answers.
static ANSWER: AtomicUsize = AtomicUsize::new(0);

fn at(address: usize) -> *mut u8 {
    std::ptr::with_exposed_provenance_mut(address)
}

/// What hosts ask for memory, in place of the one that comes with the language.
#[unsafe(no_mangle)]
#[allow(unsafe_code, reason = "hosts know it by its name")]
extern "C" fn cabi_realloc(_: *mut u8, _: usize, align: usize, length: usize) -> *mut u8 {
    let size = core::arch::wasm32::memory_size(0) << 16;
    let allocate = |length| {
        let Ok(layout) = Layout::from_size_align(length, align) else { return std::ptr::null_mut() };
        // SAFETY: there are always some bytes more than asked for.
        unsafe { alloc(layout) }
    };
    match ANSWERS.get(ANSWER.load(Ordering::Relaxed)).copied() {
        Some("outside") => at(usize::MAX & !7),
        Some("beyond") => at(size - 8),
        Some("askew") => at(allocate(length + 8).expose_provenance() + 1),
        Some("same") => at(size - (1 << 15)),
        Some("none") => std::ptr::null_mut(),
        Some("crash") => core::arch::wasm32::unreachable(),
        Some("loop") => loop {
            std::hint::black_box(());
        },
        Some("grow") => {
            while core::arch::wasm32::memory_grow(0, 1024) != usize::MAX {}
            core::arch::wasm32::unreachable()
        }
        Some("call") => {
            log::status("called from where nobody may call");
            allocate(length + 8)
        }
        _ => allocate(length + 8),
    }
}

struct Forged;

impl Attack for Forged {
    fn invoke(&self, request: InvokeRequest) -> Result<Tree, Error> {
        let what = field(&request.arguments, "what").unwrap_or_default();
        ANSWER.store(ANSWERS.iter().position(|answer| *answer == what).unwrap_or_default(), Ordering::Relaxed);
        Ok(object(&["text"], vec![text("told")]))
    }
}

attack!(Forged);
