//! Who may do what, and in words: permissions as data and pure functions.
//!
//! A provider that people don't trust states its wishes in its manifest; an operator grants some of them in a file that the
//! artefact has no part in; files above can only narrow that. This crate decides each case and explains a denial. It needs no
//! runtime, so that it serves components and any later kind of guest alike: it may not know tokio, wasmtime, tonic or the
//! contract's types, and it reads no files and resolves no names.

#![forbid(unsafe_code)]

mod address;
mod asked;
mod audit;
mod blocks;
mod denial;
mod destination;
mod directory;
mod endpoint;
mod environment;
mod explain;
mod grant;
mod host;
mod inheritance;
mod limits;
mod operator;
mod package;
mod permissions;
mod place;
mod request;
mod review;
mod rule;
mod template;
mod upgrade;
mod wide;
mod written;

pub use address::{AddressRange, Reached};
pub use audit::AuditSettings;
pub use blocks::Blocks;
pub use denial::{Capability, Denial, Granting, Narrowing, Others, Remedy, Why};
pub use destination::{Destination, Scheme};
pub use directory::Directory;
pub use endpoint::{Endpoint, EndpointError};
pub use environment::Ungrantable;
pub use explain::{beginning, explain};
pub use grant::{Ceiling, FilesystemGrant, Grant, Granted, NetworkGrant, quoted};
pub use host::Host;
pub use limits::{Isolation, LimitSettings, MOST_COMPONENT, MOST_DEPTH, MOST_MESSAGE, MOST_NODES};
pub use operator::{OperatorFile, OperatorFileError};
pub use package::PackageGrant;
pub use permissions::{Above, Applicant, Permissions, Reach, word};
pub use request::{
    Access, EnvironmentRequest, FilesystemRequest, LimitName, LimitRequest, NetworkRequest, PackageRequest, Phase,
    RequestError, Requests,
};
pub use review::Reviewed;
pub use template::{Configured, TemplateError, Unbound};
pub use upgrade::Divided;
