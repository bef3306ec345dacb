//! Keeps what it learns of one configuration wherever it can, and tells all that it finds there to any other.

use std::sync::Mutex;

use hostile::exports::config::ConfigureRequest;
use hostile::exports::functions::InvokeRequest;
use hostile::types::Error;
use hostile::{Attack, Tree, attack, field, object, session, text};

static SEEN: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct Peek;

impl Attack for Peek {
    fn configure(&self, request: ConfigureRequest) -> Result<(), Error> {
        let key = field(&request.inputs, "key").unwrap_or_default();
        let _ = session::compare_and_swap("key", None, Some(key.as_bytes()));
        let _ = session::add(&key, 1);
        if let Ok(mut seen) = SEEN.lock() {
            seen.push(key);
        }
        Ok(())
    }

    fn invoke(&self, request: InvokeRequest) -> Result<Tree, Error> {
        let mut found = SEEN.lock().map(|seen| seen.clone()).unwrap_or_default();
        found.extend(session::get("key").map(|key| String::from_utf8_lossy(&key).into_owned()));
        // A name that another configuration counts by.
        let other = field(&request.arguments, "what").unwrap_or_default();
        found.push(format!("{}", session::add(&other, 0).unwrap_or(-1)));
        // Whatever else lies in memory that was somebody's.
        let secret = other.as_bytes();
        let pages = core::arch::wasm32::memory_size(0);
        let start = core::arch::wasm32::memory_grow(0, 64);
        assert!(start == pages, "there should be room for 4 MiB");
        #[allow(unsafe_code, reason = "it is looked for in memory that nobody allocated")]
        // SAFETY: the pages were made just now.
        let fresh =
            unsafe { std::slice::from_raw_parts(std::ptr::with_exposed_provenance::<u8>(start << 16), 64 << 16) };
        found.extend(fresh.iter().any(|byte| *byte != 0).then(|| "memory of somebody else".to_owned()));
        std::hint::black_box(secret);
        Ok(object(&["text"], vec![text(&found.join(", "))]))
    }
}

attack!(Peek);
