//! The waist: what a provider does, in terms of neither a protocol nor a sandbox.
//!
//! Two things would otherwise know each other: front ends that speak an engine's protocol, and the component that a
//! provider is. Here they meet. A front end calls [`Session`]; a component implements [`Guest`]; what the package schema
//! already says (check, diff, preview, secrets, conformance) is answered in between and reaches no guest.
//!
//! This module and those below it may not mention protobuf, tonic, WIT or wasmtime, and may not require what only one
//! protocol has: a URN, a random seed, a timeout are optional everywhere, and keys such as `__defaults` are unknown here.

mod answered;
mod check;
mod composing;
mod configure;
mod construct;
mod context;
mod create;
mod delete;
mod depending;
mod deployment;
mod diff;
mod duration;
mod error;
mod filled;
mod guest;
mod ids;
mod invoke;
mod keeping;
mod leaks;
mod leaving;
mod list;
mod log;
mod looked_up;
mod mappings;
mod method;
mod options;
mod origin;
mod outcome;
mod packages;
mod parameterize;
mod preview;
mod read;
mod reason;
mod recorded;
mod session;
mod sessions;
mod told;
mod typed;
mod update;
mod upgrade;
mod views;
mod watched;

pub use check::CheckRequest;
pub use composing::{Called, ConstructRequest, Constructed, Dependencies, MethodRequest};
pub(crate) use configure::setting;
pub use context::{Context, Notes, Prior, Record};
pub(crate) use depending::{bare, depends_on, each_may_depend};
pub use deployment::{ConfigEntry, Deployment, Invocation, Registered, Registration, Surroundings};
pub use duration::{DurationError, duration};
pub use error::{Error, ErrorKind, Fault, MissingKey, Partial};
pub use filled::Filled;
pub use guest::{Call, Component, Created, Exports, Guest, GuestCheck, GuestDiff, Snapshot, Updated};
pub(crate) use ids::{flaw, flaw_of_length, flaw_of_name, flaw_of_token, flaw_of_type, leads_nowhere};
pub(crate) use keeping::{Kept, keep, keeping};
pub use leaks::Leaks;
pub(crate) use leaks::Spelt;
pub use leaving::Leaving;
pub use list::{Found, ListRequest, Listing, Page, PageRequest, Pages};
pub use log::{Log, Message, Severity, Silent, Speaker, heard, shortened};
pub use mappings::Mapping;
pub use options::{Alias, AliasParts, CustomTimeouts, Hooks, ResourceOptions};
pub use origin::Origin;
pub use outcome::{Outcome, ReadOutcome};
pub(crate) use packages::{PROVIDERS, READ_BY_ENGINES, WRITTEN_BY_ENGINES, owner_of, package_of};
pub use packages::{PackageParameter, PackageReference, PackageSource, PackageSpec, ResolvedPackage};
pub use parameterize::{Parameterized, Parameters, Subpackage};
pub use reason::Reason;
pub use session::Session;
pub use sessions::Sessions;
pub use upgrade::NotUpgraded;
pub use views::{Course, View, ViewOperation, ViewPlace, ViewStatus, ViewStep, ViewsBefore};

pub use bulkhead_schema::{Change, ChangeKind, Checked, Difference, Failure, FailureKind, Preview};
