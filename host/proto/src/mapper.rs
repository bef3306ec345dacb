//! `codegen/mapper.proto`: where a plugin gets mappings from another ecosystem's names from.

pub use crate::generated::codegen::mapper_client::MapperClient;
pub use crate::generated::codegen::mapper_server::{Mapper, MapperServer};
pub use crate::generated::codegen::{GetMappingRequest, GetMappingResponse, MapperParameterizationHint};
