//! What leaves this machine on behalf of a guest: the host's own connector.
//!
//! A guest that could open connections itself would choose the address that a permitted name stands for. So it says where it
//! wants to go, and everything else happens here, in this order: the destination is put into its one canonical form, policy
//! decides on it, the name is resolved once, policy decides on each address, and only addresses that it let pass are
//! connected to. A connection that was kept spares the name, and nothing of what policy decides. No proxies, no redirects, no
//! cookies, and no header that the guest didn't send but `host` and framing.
//!
//! It may know neither wasmtime nor the contract, since other kinds of guests will go through it, and it decides nothing itself.

mod body;
mod certificates;
mod chain;
mod connection;
mod connector;
mod decided;
mod dial;
mod error;
mod exchange;
mod framing;
mod headers;
mod idle;
mod policy;
mod resolve;
mod target;
mod terms;
mod untrusted;

pub(crate) use body::ResponseBody;
pub(crate) use connector::Connector;
pub(crate) use decided::Decided;
pub(crate) use error::OutgoingError;
pub(crate) use policy::Policy;
pub use resolve::Resolver;
pub use terms::OutgoingLimits;
pub(crate) use terms::Terms;
