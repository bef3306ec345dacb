//! libFuzzer's main program. The variable `BULKHEAD_FUZZ_TARGET` names the target.

#![no_main]

use std::sync::LazyLock;

use bulkhead_fuzz::Target;

static TARGET: LazyLock<Option<Target>> =
    LazyLock::new(|| std::env::var("BULKHEAD_FUZZ_TARGET").ok().and_then(|name| Target::named(&name)));

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    match *TARGET {
        Some(target) => target.run(bytes),
        None => std::process::abort(),
    }
});
