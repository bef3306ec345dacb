//! `resource.proto`: the resource monitor: what programs and components register resources with.

pub use crate::generated::pulumirpc::resource_monitor_client::ResourceMonitorClient;
pub use crate::generated::pulumirpc::resource_monitor_server::{ResourceMonitor, ResourceMonitorServer};
pub use crate::generated::pulumirpc::{
    DeploymentInfo, ErrorHookRequest, ErrorHookResponse, ExistsResourceRequest, ExistsResourceResponse,
    Parameterization, ReadResourceRequest, ReadResourceResponse, RegisterErrorHookRequest, RegisterPackageRequest,
    RegisterPackageResponse, RegisterResourceHookRequest, RegisterResourceOutputsRequest, RegisterResourceRequest,
    RegisterResourceResponse, ResourceCallRequest, ResourceHookRequest, ResourceHookResponse, ResourceInvokeRequest,
    ResourceInvokeResponse, ResourceMonitorFeature, ResourceOptions, Result, StateMigrationRequest,
    StateMigrationResponse, SupportsFeatureRequest, SupportsFeatureResponse, TransformInvokeOptions,
    TransformInvokeRequest, TransformInvokeResponse, TransformRequest, TransformResourceOptions, TransformResponse,
    register_resource_request, register_resource_response, resource_call_request,
};
