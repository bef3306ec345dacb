//! What hostile guests have in common: all of the contract, answered well, so that each of them has to write down its attack only.
//!
//! Each file of `examples/` is a component of its own. It implements [`Attack`], whose methods behave by default, and ends with
//! [`attack!`]. `docs/hostile.md` says what each of them attacks, and what has to come of it.

mod aliased;
mod attack;
mod directories;
#[allow(
    missing_docs,
    clippy::all,
    reason = "it is generated, and what is generated here is what the SDK generates elsewhere"
)]
pub mod bindings {
    //! The contract as a guest sees it.

    wit_bindgen::generate!({
        path: "../../../wit",
        inline: "
            package bulkhead:hostile;
            world hostile {
                include bulkhead:provider/provider@0.1.0;
            }
        ",
        world: "bulkhead:hostile/hostile",
        generate_all,
        export_macro_name: "export_bindings",
    });
}
mod registrations;
mod requests;
mod spellings;
mod trees;

pub use aliased::{Kept, aliased};
pub use attack::{Attack, Method};
pub use bindings::bulkhead::provider::values::{Field, Node, Tree};
pub use bindings::bulkhead::provider::{
    assets, defaults, engine, log, operation, options, packages, session, types, views,
};
pub use bindings::exports::bulkhead::provider as exports;
pub use directories::{granted, told};
pub use registrations::{component, no_options, resource, view};
pub use requests::{Request, send};
pub use spellings::{in_base, names};
pub use trees::{field, fields, latin, object, text};

/// The schema that all of them have.
pub const SCHEMA: &str = include_str!("schema.json");
/// The manifest that all of them have.
pub const MANIFEST: &str = include_str!("manifest.json");

/// Makes a component of an attack.
#[macro_export]
macro_rules! attack {
    ($attack:ident) => {
        #[unsafe(no_mangle)]
        #[allow(unsafe_code, reason = "what all of them have in common calls it, and is compiled before it")]
        extern "Rust" fn hostile_attack() -> &'static dyn $crate::Attack {
            &$attack
        }
    };
}
