//! `resource_status.proto`: how a provider reports steps of the resources that one of its resources stands for.

pub use crate::generated::pulumirpc::resource_status_client::ResourceStatusClient;
pub use crate::generated::pulumirpc::resource_status_server::{ResourceStatus, ResourceStatusServer};
pub use crate::generated::pulumirpc::{
    PublishViewStepsRequest, PublishViewStepsResponse, ViewStep, ViewStepState, view_step,
};
