//! `codegen/loader.proto`: where a plugin gets another package's schema from.

pub use crate::generated::codegen::loader_client::LoaderClient;
pub use crate::generated::codegen::loader_server::{Loader, LoaderServer};
pub use crate::generated::codegen::{GetSchemaRequest, GetSchemaResponse, Parameterization};
