//! Grows its memory for as long as it can, and touches each page of it.

use hostile::{Attack, Method, Tree, attack};

struct Growth;

impl Attack for Growth {
    fn strike(&self, method: Method, _: Option<&Tree>) {
        if method.describes() || method == Method::Configure {
            return;
        }
        let mut steps = 64;
        loop {
            let before = core::arch::wasm32::memory_grow(0, steps);
            if before == usize::MAX {
                assert!(steps > 1, "there is no more");
                steps /= 2;
                continue;
            }
            for page in before..before + steps {
                let place = std::ptr::with_exposed_provenance_mut::<u8>(page << 16);
                #[allow(unsafe_code, reason = "memory that nobody allocated can't be touched otherwise")]
                // SAFETY: it was made just now, and is nobody else's.
                unsafe {
                    place.write_volatile(1);
                }
            }
        }
    }
}

attack!(Growth);
