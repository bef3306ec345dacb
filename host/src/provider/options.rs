//! What a program may say of a resource beside its inputs: what a component is constructed with, and what it says of its children.

use bulkhead_value::Value;

/// Options of a resource. An absent flag is unset, which isn't false.
#[derive(Clone, Debug, Default)]
pub struct ResourceOptions {
    /// The parent's URN.
    pub parent: Option<String>,
    /// URNs of resources that come first.
    pub depends_on: Vec<String>,
    /// Whether deletion is refused.
    pub protect: Option<bool>,
    /// The provider's reference: its URN, `::` and its id.
    pub provider: Option<String>,
    /// References to providers for children, by package.
    pub providers: Vec<(String, String)>,
    /// Other names.
    pub aliases: Vec<Alias>,
    /// Property paths whose changes don't count.
    pub ignore_changes: Vec<String>,
    /// Property paths whose changes replace.
    pub replace_on_changes: Vec<String>,
    /// Outputs that are secret.
    pub additional_secret_outputs: Vec<String>,
    /// Whether a replacement deletes first.
    pub delete_before_replace: Option<bool>,
    /// How long operations may take.
    pub custom_timeouts: Option<CustomTimeouts>,
    /// Whether deletion forgets only.
    pub retain_on_delete: Option<bool>,
    /// The URN of a resource whose deletion takes this one with it.
    pub deleted_with: Option<String>,
    /// URNs of resources whose replacement replaces this one.
    pub replace_with: Vec<String>,
    /// An id to import.
    pub import_id: Option<String>,
    /// The package's version.
    pub version: Option<String>,
    /// Where the package's plugin is to be had.
    pub plugin_download_url: Option<String>,
    /// Hooks that the program registered.
    pub hooks: Option<Hooks>,
    /// A value whose change replaces the resource.
    pub replacement_trigger: Option<Value>,
    /// Property paths whose changes aren't shown.
    pub hide_diffs: Vec<String>,
}

/// Durations in the engine's notation ([`super::duration`]), empty for the provider's own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CustomTimeouts {
    /// For creating.
    pub create: String,
    /// For updating.
    pub update: String,
    /// For deleting.
    pub delete: String,
    /// For reading.
    pub read: String,
}

/// Another name that a resource may be recorded under.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Alias {
    /// The whole URN.
    Urn(String),
    /// The parts that differ.
    Parts(AliasParts),
}

/// The parts of a URN that differ from the present ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AliasParts {
    /// The name.
    pub name: Option<String>,
    /// The type token.
    pub token: Option<String>,
    /// The stack.
    pub stack: Option<String>,
    /// The project.
    pub project: Option<String>,
    /// The parent's URN; the empty string for none.
    pub parent: Option<String>,
}

/// Names of hooks, by when they run.
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
