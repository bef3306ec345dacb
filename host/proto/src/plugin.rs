//! `plugin.proto`: what is said about plugins and packages, and the service that resolves them.

pub use crate::generated::pulumirpc::package_resolver_client::PackageResolverClient;
pub use crate::generated::pulumirpc::package_resolver_server::{PackageResolver, PackageResolverServer};
pub use crate::generated::pulumirpc::{
    PackageDependency, PackageParameterization, PackageSpec, PluginAttach, PluginDependency, PluginInfo,
};
