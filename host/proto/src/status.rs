//! `google/rpc/status.proto`: the error that gRPC carries in the `grpc-status-details-bin` trailer.
//!
//! Engines recognise a partly created resource by a detail in it, such as `provider::ErrorResourceInitFailed`; code and message alone
//! don't say it. [`Any::from_msg`] wraps a detail of this crate under the type URL that they look for.

pub use crate::generated::google::rpc::Status;
pub use prost_types::Any;
