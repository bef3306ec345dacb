//! Has its engine look for its own package with parameters that are all the same memory, 200 MB of them: next to nothing for itself, and kept by whoever asks for it.

use std::mem::ManuallyDrop;

use hostile::exports::functions::InvokeRequest;
use hostile::types::Error;
use hostile::{Attack, Tree, attack, object, packages, text};

struct Huge;

impl Attack for Huge {
    fn invoke(&self, _request: InvokeRequest) -> Result<Tree, Error> {
        let once = "x".repeat(1_000_000).leak();
        let (place, length) = (once.as_mut_ptr(), once.len());
        let again = || {
            #[allow(unsafe_code, reason = "the same text again is a lie that nobody notices")]
            // SAFETY: nothing writes to it, and nothing frees it.
            unsafe {
                String::from_raw_parts(place, length, length)
            }
        };
        let parameters = (0..200).map(|_| again()).collect();
        let spec = packages::PackageSpec { source: "hostile".to_owned(), version: None, parameters };
        let spec = ManuallyDrop::new(spec);
        packages::resolve(&spec)?;
        Ok(object(&["text"], vec![text("resolved")]))
    }
}

attack!(Huge);
