//! What may be said of a resource beside its inputs.

use super::arguments::eventual;
use super::provider::ProviderInstance;
use super::registration::Registration;
use super::timeouts::Timeouts;
use crate::bindings::wit::options as wit;
use crate::output::stop::Stopped;
use crate::output::{Input, Output};
use crate::value::{Property, Value, encode};

/// What may be said of a resource beside its inputs. A [`Child`](super::Child) has the same methods; this holds what is said of several.
///
/// ```
/// use bulkhead_sdk::engine::Options;
///
/// let careful = Options::new().protect(true).retain_on_delete(true);
/// # _ = careful;
/// ```
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub(super) parent: Option<Registration>,
    depends_on: Vec<Output<String>>,
    pub(super) protect: Option<bool>,
    pub(super) provider: Option<ProviderInstance>,
    pub(super) providers: Vec<ProviderInstance>,
    aliases: Vec<Alias>,
    ignore_changes: Vec<String>,
    replace_on_changes: Vec<String>,
    additional_secret_outputs: Vec<String>,
    delete_before_replace: Option<bool>,
    timeouts: Option<Timeouts>,
    retain_on_delete: Option<bool>,
    deleted_with: Option<Output<String>>,
    replace_with: Vec<Output<String>>,
    import: Option<Output<String>>,
    pub(super) version: Option<String>,
    pub(super) plugin_download_url: Option<String>,
    hooks: Option<Hooks>,
    replacement_trigger: Option<Output<Value>>,
    hide_diffs: Vec<String>,
}

/// Another name that a resource may be recorded under.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Alias {
    /// The whole URN.
    Urn(String),
    /// The parts that differ from the present ones.
    Parts {
        /// The name.
        name: Option<String>,
        /// The type token.
        token: Option<String>,
        /// The stack.
        stack: Option<String>,
        /// The project.
        project: Option<String>,
        /// The parent's URN; the empty string for none.
        parent: Option<String>,
    },
}

impl Alias {
    /// The resource had this name.
    pub fn name(name: impl Into<String>) -> Self {
        Self::Parts { name: Some(name.into()), token: None, stack: None, project: None, parent: None }
    }

    /// The resource had this type token.
    pub fn token(token: impl Into<String>) -> Self {
        Self::Parts { name: None, token: Some(token.into()), stack: None, project: None, parent: None }
    }

    /// The resource had the parent with this URN; the empty string for none.
    pub fn parent(urn: impl Into<String>) -> Self {
        Self::Parts { name: None, token: None, stack: None, project: None, parent: Some(urn.into()) }
    }
}

/// Names of hooks that the program registered, by when they run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hooks {
    /// Before creating.
    pub before_create: Vec<String>,
    /// After creating.
    pub after_create: Vec<String>,
    /// Before updating.
    pub before_update: Vec<String>,
    /// After updating.
    pub after_update: Vec<String>,
    /// Before deleting.
    pub before_delete: Vec<String>,
    /// After deleting.
    pub after_delete: Vec<String>,
    /// After an operation failed.
    pub on_error: Vec<String>,
}

impl Options {
    /// Nothing is said.
    pub fn new() -> Self {
        Self::default()
    }
}

/// Methods of [`Options`] which a [`Child`](super::Child) has too.
macro_rules! options {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $type:ty),*) |$options:ident| $said:expr;)*) => {
        impl Options {
            $($(#[$doc])*
            #[must_use]
            pub fn $name(mut self, $($argument: $type),*) -> Self {
                let $options = &mut self;
                $said;
                self
            })*
        }

        impl super::Child<'_> {
            $($(#[$doc])*
            pub fn $name(mut self, $($argument: $type),*) -> Self {
                let $options = &mut self.options;
                $said;
                self
            })*
        }
    };
}

options! {
    /// The resource that it belongs to, instead of the component.
    parent(parent: &impl AsRef<Registration>) |options| options.parent = Some(parent.as_ref().clone());

    /// A resource that comes first, beside those that the inputs depend on. Of a [`group`](super::Child::group) that is the group alone, which
    /// is there at once: name what is in it that is to come first.
    depends_on(resource: &impl AsRef<Registration>) |options| options.depends_on.push(resource.as_ref().urn());

    /// Whether deletion is refused; said of the component, it holds for its children too.
    protect(protect: bool) |options| options.protect = Some(protect);

    /// The provider that manages it. What isn't said is up to the component: its providers are its children's.
    provider(provider: &ProviderInstance) |options| options.provider = Some(provider.clone());

    /// A provider for the children of a component, of resources of its own package.
    provider_of_children(provider: &ProviderInstance) |options| options.providers.push(provider.clone());

    /// Another name that it may be recorded under.
    alias(alias: Alias) |options| options.aliases.push(alias);

    /// An input whose changes don't count, as a property path: `tags.owner`.
    ignore_changes(path: impl Into<String>) |options| options.ignore_changes.push(path.into());

    /// An input whose changes replace, as a property path; `*` for all.
    replace_on_changes(path: impl Into<String>) |options| options.replace_on_changes.push(path.into());

    /// An output that is secret.
    additional_secret_output(name: impl Into<String>) |options| options.additional_secret_outputs.push(name.into());

    /// Whether a replacement deletes the old resource first.
    delete_before_replace(first: bool) |options| options.delete_before_replace = Some(first);

    /// How long operations may take.
    timeouts(timeouts: Timeouts) |options| options.timeouts = Some(timeouts);

    /// Whether deletion only forgets it.
    retain_on_delete(retain: bool) |options| options.retain_on_delete = Some(retain);

    /// A resource whose deletion takes this one with it.
    deleted_with(resource: &impl AsRef<Registration>) |options| options.deleted_with = Some(resource.as_ref().urn());

    /// A resource whose replacement replaces this one.
    replace_with(resource: &impl AsRef<Registration>) |options| options.replace_with.push(resource.as_ref().urn());

    /// An id to import.
    import(id: impl Into<Input<String>>) |options| options.import = Some(id.into().into_output());

    /// The version of its package.
    version(version: impl Into<String>) |options| options.version = Some(version.into());

    /// Where its package's plugin is to be had.
    plugin_download_url(url: impl Into<String>) |options| options.plugin_download_url = Some(url.into());

    /// Hooks that the program registered.
    hooks(hooks: Hooks) |options| options.hooks = Some(hooks);

    /// A value whose change replaces it.
    replacement_trigger(value: impl Into<Value>) |options| options.replacement_trigger = Some(eventual(value.into()));

    /// A property whose changes aren't shown, as a property path.
    hide_diffs(path: impl Into<String>) |options| options.hide_diffs.push(path.into());
}

impl Options {
    /// Whether nothing must be waited for to send them.
    pub(super) fn are_resolved(&self) -> bool {
        let eventual = self.depends_on.iter().chain(&self.replace_with).chain(&self.deleted_with).chain(&self.import);
        let providers = self.provider.iter().chain(&self.providers).map(ProviderInstance::reference);
        eventual.chain(providers).all(Output::is_resolved)
            && self.parent.as_ref().is_none_or(|parent| parent.urn().is_resolved())
    }

    /// As a program's options reach a component, for tests.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn unsaid() -> wit::ResourceOptions {
        unsaid()
    }

    /// For the host, waiting for what must be. `parent` is whose it is if nothing else was said.
    pub(super) fn send(self, parent: &Registration) -> Result<wit::ResourceOptions, Stopped> {
        let parent = self.parent.as_ref().unwrap_or(parent).urn();
        let mut providers = Vec::new();
        for provider in &self.providers {
            let reference = provider.reference().clone();
            if let Some(provider_reference) = known(&reference)? {
                let package = provider.package().to_owned();
                providers.push(wit::ProviderChoice { package, provider: provider_reference });
            }
        }
        Ok(wit::ResourceOptions {
            parent: known(&parent)?,
            depends_on: all_known(&self.depends_on)?,
            protect: self.protect,
            provider: self.provider.map(|provider| known(provider.reference())).transpose()?.flatten(),
            providers,
            aliases: self.aliases.into_iter().map(Into::into).collect(),
            ignore_changes: self.ignore_changes,
            replace_on_changes: self.replace_on_changes,
            additional_secret_outputs: self.additional_secret_outputs,
            delete_before_replace: self.delete_before_replace,
            custom_timeouts: self.timeouts.map(Into::into),
            retain_on_delete: self.retain_on_delete,
            deleted_with: self.deleted_with.map(|urn| known(&urn)).transpose()?.flatten(),
            replace_with: all_known(&self.replace_with)?,
            import_id: self.import.map(|id| known(&id)).transpose()?.flatten(),
            version: self.version,
            plugin_download_url: self.plugin_download_url,
            hooks: self.hooks.map(Into::into),
            replacement_trigger: self.replacement_trigger.map(|trigger| written(&trigger)).transpose()?,
            hide_diffs: self.hide_diffs,
        })
    }
}

/// What is known, once it is.
fn known(output: &Output<String>) -> Result<Option<String>, Stopped> {
    Ok(output.resolve()?.value.as_deref().cloned())
}

fn all_known(outputs: &[Output<String>]) -> Result<Vec<String>, Stopped> {
    outputs.iter().filter_map(|output| known(output).transpose()).collect()
}

fn written(value: &Output<Value>) -> Result<crate::bindings::wit::values::Tree, Stopped> {
    value.resolve()?;
    Ok(encode(value.to_value().unwrap_or(Value::Unknown)))
}

/// Nothing is said.
pub(super) fn unsaid() -> wit::ResourceOptions {
    wit::ResourceOptions {
        parent: None,
        depends_on: Vec::new(),
        protect: None,
        provider: None,
        providers: Vec::new(),
        aliases: Vec::new(),
        ignore_changes: Vec::new(),
        replace_on_changes: Vec::new(),
        additional_secret_outputs: Vec::new(),
        delete_before_replace: None,
        custom_timeouts: None,
        retain_on_delete: None,
        deleted_with: None,
        replace_with: Vec::new(),
        import_id: None,
        version: None,
        plugin_download_url: None,
        hooks: None,
        replacement_trigger: None,
        hide_diffs: Vec::new(),
    }
}

impl From<Alias> for wit::Alias {
    fn from(alias: Alias) -> Self {
        match alias {
            Alias::Urn(urn) => Self::Urn(urn),
            Alias::Parts { name, token, stack, project, parent } => {
                Self::Parts(wit::AliasParts { name, token, stack, project, parent })
            }
        }
    }
}

impl From<Hooks> for wit::Hooks {
    fn from(hooks: Hooks) -> Self {
        let Hooks { before_create, after_create, before_update, after_update, before_delete, after_delete, on_error } =
            hooks;
        Self { before_create, after_create, before_update, after_update, before_delete, after_delete, on_error }
    }
}
