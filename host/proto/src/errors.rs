//! `errors.proto`: details of a failed call that aren't particular to providers, sent inside a `Status`.

pub use crate::generated::pulumirpc::{ErrorCause, InputPropertiesError, input_properties_error};
