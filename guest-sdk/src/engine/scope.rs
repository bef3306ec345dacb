//! Where children are registered: the component, and what they have from it.

use std::cell::OnceCell;

use super::child::Child;
use super::deployment::Deployment;
use super::function::Function;
use super::lifted::Registrable;
use super::provider::{ProviderInstance, package_of};
use super::registered::Registered;
use super::registration::{Hydrate, Nature, Registration};
use crate::error::Result;

/// The resource that a call is about, and the deployment that it is in.
pub struct Scope {
    pub(super) name: String,
    pub(super) parent: Registration,
    providers: Vec<ProviderInstance>,
    pub(super) protect: Option<bool>,
    pub(super) preview: bool,
    deployment: OnceCell<Deployment>,
}

impl Scope {
    pub(crate) fn new(
        name: String,
        parent: Registration,
        providers: Vec<ProviderInstance>,
        protect: Option<bool>,
        preview: bool,
    ) -> Self {
        Self { name, parent, providers, protect, preview, deployment: OnceCell::new() }
    }

    /// The name that the program gave the resource.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The resource itself.
    pub fn resource(&self) -> &Registration {
        &self.parent
    }

    /// Whether this is a preview. Registrations are made all the same.
    pub fn is_preview(&self) -> bool {
        self.preview
    }

    /// Describes the deployment.
    pub fn deployment(&self) -> Result<&Deployment> {
        if let Some(deployment) = self.deployment.get() {
            return Ok(deployment);
        }
        let deployment = Deployment::get()?;
        Ok(self.deployment.get_or_init(|| deployment))
    }

    /// A child called after the component: `content` of the component `blog` becomes `blog-content`. Say more of it with the
    /// methods of [`Child`], and then what it is.
    pub fn child(&self, name: impl AsRef<str>) -> Child<'_> {
        self.child_named(format!("{}-{}", self.name, name.as_ref()))
    }

    /// A child with a name of its own. It must differ from those of all other components of the stack, since no name
    /// of a parent is part of a URN.
    pub fn child_named(&self, name: impl Into<String>) -> Child<'_> {
        Child::new(self, name.into())
    }

    /// A function of any package, by its token.
    pub fn function(&self, token: impl Into<String>) -> Function<'_> {
        Function::new(self, token.into())
    }

    /// The provider of a package that the program chose for the component's children, if it did. They use it without being told.
    pub fn provider(&self, package: &str) -> Option<&ProviderInstance> {
        self.providers.iter().find(|provider| provider.package() == package)
    }

    /// A resource of this package that a reference leads to: a [`Ref`](crate::Ref), or an output of one.
    pub fn hydrate<R: Registrable>(&self, reference: &impl Hydrate) -> Registered<R> {
        let nature = Nature { custom: R::CUSTOM, preview: self.preview };
        Registered::new(Registration::of_urn(reference.urn(), nature))
    }

    /// A resource of any package that a reference leads to.
    pub fn hydrate_resource(&self, reference: &impl Hydrate) -> Registration {
        Registration::of_urn(reference.urn(), Nature { custom: false, preview: self.preview })
    }

    pub(super) fn providers(&self) -> &[ProviderInstance] {
        &self.providers
    }

    /// The provider for what the token names.
    pub(super) fn provider_of(&self, token: &str) -> Option<ProviderInstance> {
        self.provider(package_of(token)).cloned()
    }
}
