//! Custom resources: the four things only their author knows, and how to override what the host does.
//!
//! An author writes `impl Resource for X` under `#[resource(token = "…")]`; `X` is what is recorded of the resource. This module
//! may not know the contract's types: [`crate::export`] translates.

mod changes;
mod declaration;
mod entry;
mod lifecycle;
mod outcome;
mod overrides;
mod prior;
mod request;

pub use declaration::{Declaration, Declared, Methods};
pub use entry::Entry;
pub use lifecycle::Resource;
pub use outcome::{Created, Snapshot, Updated};
pub use overrides::{
    Autonaming, AutonamingMode, Change, ChangeKind, Check, Checked, Diff, Difference, PreviewCreate, PreviewUpdate,
    Upgrade, Upgraded,
};
pub use prior::Prior;
pub use request::{Context, Create, Delete, Read, Update};

pub(crate) use prior::RawPrior;
