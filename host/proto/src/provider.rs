//! `provider.proto`: the provider: what an engine calls for each resource, and what this crate exists for.

pub use crate::generated::pulumirpc::resource_provider_client::ResourceProviderClient;
pub use crate::generated::pulumirpc::resource_provider_server::{ResourceProvider, ResourceProviderServer};
pub use crate::generated::pulumirpc::{
    CallRequest, CallResponse, CheckFailure, CheckRequest, CheckResponse, ConfigureErrorMissingKeys, ConfigureRequest,
    ConfigureResponse, ConstructRequest, ConstructResponse, CreateRequest, CreateResponse, DeleteRequest, DiffRequest,
    DiffResponse, ErrorResourceAwaitFailed, ErrorResourceInitFailed, GetMappingRequest, GetMappingResponse,
    GetMappingsRequest, GetMappingsResponse, GetSchemaRequest, GetSchemaResponse, InvokeRequest, InvokeResponse,
    ListRequest, ListResponse, ParameterizeRequest, ParameterizeResponse, PropertyDiff, ProviderHandshakeRequest,
    ProviderHandshakeResponse, ReadRequest, ReadResponse, UpdateRequest, UpdateResponse, View, call_request,
    call_response, check_request, configure_error_missing_keys, construct_request, construct_response, diff_response,
    list_response, parameterize_request, property_diff,
};
