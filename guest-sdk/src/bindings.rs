//! The contract in Rust: what `wit/` says, generated, and nothing else.
//!
//! Every world has a module of its own, because a component should export only what its author wrote: each `export!` adds
//! the exports of one world, and the linker merges them. Types are generated once, in `imports`; the other worlds borrow them.
//! Nothing here is written by hand or meant to be read by authors.
#![allow(missing_docs, unreachable_pub, reason = "generated; the contract is documented in `wit/`")]

/// The imports of every world, and all types that more than one interface uses.
pub mod imports {
    wit_bindgen::generate!({ path: "../wit", world: "imports", generate_all });
}

pub use imports::bulkhead::provider as wit;

/// Generates one world, with the types of `imports`.
macro_rules! world {
    ($module:ident, $world:tt) => {
        pub mod $module {
            wit_bindgen::generate!({
                path: "../wit",
                world: $world,
                pub_export_macro: true,
                with: {
                    "bulkhead:provider/assets@0.1.0": crate::bindings::wit::assets,
                    "bulkhead:provider/defaults@0.1.0": crate::bindings::wit::defaults,
                    "bulkhead:provider/engine@0.1.0": crate::bindings::wit::engine,
                    "bulkhead:provider/log@0.1.0": crate::bindings::wit::log,
                    "bulkhead:provider/operation@0.1.0": crate::bindings::wit::operation,
                    "bulkhead:provider/options@0.1.0": crate::bindings::wit::options,
                    "bulkhead:provider/packages@0.1.0": crate::bindings::wit::packages,
                    "bulkhead:provider/session@0.1.0": crate::bindings::wit::session,
                    "bulkhead:provider/types@0.1.0": crate::bindings::wit::types,
                    "bulkhead:provider/values@0.1.0": crate::bindings::wit::values,
                    "bulkhead:provider/views@0.1.0": crate::bindings::wit::views,
                },
            });
        }
    };
}

world!(described, "described");
world!(configured, "configured");
world!(resourceful, "resourceful");
world!(functional, "functional");
world!(checking, "checking");
world!(diffing, "diffing");
world!(previewing, "previewing");
world!(upgrading, "upgrading");
world!(config_checking, "config-checking");
world!(config_diffing, "config-diffing");
world!(composing, "composing");
world!(parameterized, "parameterized");
world!(listing, "listing");
world!(mapped, "mapped");
