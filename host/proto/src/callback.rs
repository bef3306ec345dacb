//! `callback.proto`: functions of a program that the engine calls back: transforms, hooks, state migrations.

pub use crate::generated::pulumirpc::callbacks_client::CallbacksClient;
pub use crate::generated::pulumirpc::callbacks_server::{Callbacks, CallbacksServer};
pub use crate::generated::pulumirpc::{Callback, CallbackInvokeRequest, CallbackInvokeResponse};
