//! A resource type that is tried out.

use bulkhead_schema::{Package, Resource};

/// The stack that there is.
pub(super) const STACK: &str = "check";
/// Its project.
pub(super) const PROJECT: &str = "check";
/// The name of the one resource of each type.
pub(super) const NAME: &str = "sample";

/// A resource type.
pub(super) struct Subject<'a> {
    pub(super) package: &'a Package,
    pub(super) resource: &'a Resource,
    /// The URN of the one that is tried.
    pub(super) urn: String,
}

impl<'a> Subject<'a> {
    pub(super) fn of(package: &'a Package, resource: &'a Resource) -> Self {
        Self { package, resource, urn: urn(&resource.token) }
    }

    pub(super) fn token(&self) -> &'a str {
        &self.resource.token
    }
}

/// The URN of the one resource of a type that is tried.
pub(super) fn urn(token: &str) -> String {
    format!("urn:pulumi:{STACK}::{PROJECT}::{token}::{NAME}")
}
