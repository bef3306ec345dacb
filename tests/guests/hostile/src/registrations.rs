//! What is told to an engine of resources, as far as no attack tells it otherwise.

use crate::Tree;
use crate::bindings::bulkhead::provider::{engine::Registration, options::ResourceOptions};
use crate::views::{ViewOperation, ViewStatus, ViewStep};

/// A resource that some provider makes, without options.
pub fn resource(token: &str, name: &str, inputs: Tree) -> Registration {
    Registration {
        token: token.to_owned(),
        name: name.to_owned(),
        custom: true,
        remote: false,
        inputs,
        options: no_options(),
    }
}

/// A component that registers itself, without options.
pub fn component(token: &str, name: &str, inputs: Tree) -> Registration {
    Registration { custom: false, ..resource(token, name, inputs) }
}

/// A view that was made, in no state.
pub fn view(token: &str, name: &str) -> ViewStep {
    ViewStep {
        token: token.to_owned(),
        name: name.to_owned(),
        parent: None,
        operation: ViewOperation::Create,
        status: ViewStatus::Done,
        error: String::new(),
        old_state: None,
        new_state: None,
        changes: Vec::new(),
    }
}

/// Options of a resource that says nothing of itself.
pub fn no_options() -> ResourceOptions {
    ResourceOptions {
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
