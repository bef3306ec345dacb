//! Options of resources, both ways.

use super::bindings::options as wit;
use super::tree::{TreeError, TreeLimits, tree_from_value, value_from_tree};
use crate::provider::{Alias, AliasParts, CustomTimeouts, Hooks, ResourceOptions};

/// The options that a program gave, for a guest.
pub(super) fn options(given: &ResourceOptions) -> wit::ResourceOptions {
    let given = given.clone();
    wit::ResourceOptions {
        parent: given.parent,
        depends_on: given.depends_on,
        protect: given.protect,
        provider: given.provider,
        providers: given
            .providers
            .into_iter()
            .map(|(package, provider)| wit::ProviderChoice { package, provider })
            .collect(),
        aliases: given.aliases.into_iter().map(alias).collect(),
        ignore_changes: given.ignore_changes,
        replace_on_changes: given.replace_on_changes,
        additional_secret_outputs: given.additional_secret_outputs,
        delete_before_replace: given.delete_before_replace,
        custom_timeouts: given.custom_timeouts.map(timeouts),
        retain_on_delete: given.retain_on_delete,
        deleted_with: given.deleted_with,
        replace_with: given.replace_with,
        import_id: given.import_id,
        version: given.version,
        plugin_download_url: given.plugin_download_url,
        hooks: given.hooks.map(hooks),
        replacement_trigger: given.replacement_trigger.as_ref().map(tree_from_value),
        hide_diffs: given.hide_diffs,
    }
}

/// The options that a guest gives.
///
/// # Errors
/// A replacement trigger that breaks the contract.
pub(super) fn options_of(given: wit::ResourceOptions, limits: &TreeLimits) -> Result<ResourceOptions, TreeError> {
    let trigger = given.replacement_trigger.map(|trigger| value_from_tree(trigger, limits)).transpose()?;
    Ok(ResourceOptions {
        parent: given.parent,
        depends_on: given.depends_on,
        protect: given.protect,
        provider: given.provider,
        providers: given.providers.into_iter().map(|choice| (choice.package, choice.provider)).collect(),
        aliases: given.aliases.into_iter().map(alias_of).collect(),
        ignore_changes: given.ignore_changes,
        replace_on_changes: given.replace_on_changes,
        additional_secret_outputs: given.additional_secret_outputs,
        delete_before_replace: given.delete_before_replace,
        custom_timeouts: given.custom_timeouts.map(timeouts_of),
        retain_on_delete: given.retain_on_delete,
        deleted_with: given.deleted_with,
        replace_with: given.replace_with,
        import_id: given.import_id,
        version: given.version,
        plugin_download_url: given.plugin_download_url,
        hooks: given.hooks.map(hooks_of),
        replacement_trigger: trigger,
        hide_diffs: given.hide_diffs,
    })
}

fn alias(alias: Alias) -> wit::Alias {
    match alias {
        Alias::Urn(urn) => wit::Alias::Urn(urn),
        Alias::Parts(parts) => wit::Alias::Parts(wit::AliasParts {
            name: parts.name,
            token: parts.token,
            stack: parts.stack,
            project: parts.project,
            parent: parts.parent,
        }),
    }
}

fn alias_of(alias: wit::Alias) -> Alias {
    match alias {
        wit::Alias::Urn(urn) => Alias::Urn(urn),
        wit::Alias::Parts(parts) => Alias::Parts(AliasParts {
            name: parts.name,
            token: parts.token,
            stack: parts.stack,
            project: parts.project,
            parent: parts.parent,
        }),
    }
}

fn timeouts(timeouts: CustomTimeouts) -> wit::CustomTimeouts {
    let CustomTimeouts { create, update, delete, read } = timeouts;
    wit::CustomTimeouts { create, update, delete, read }
}

fn timeouts_of(timeouts: wit::CustomTimeouts) -> CustomTimeouts {
    let wit::CustomTimeouts { create, update, delete, read } = timeouts;
    CustomTimeouts { create, update, delete, read }
}

fn hooks(hooks: Hooks) -> wit::Hooks {
    let Hooks { before_create, after_create, before_update, after_update, before_delete, after_delete, on_error } =
        hooks;
    wit::Hooks { before_create, after_create, before_update, after_update, before_delete, after_delete, on_error }
}

fn hooks_of(hooks: wit::Hooks) -> Hooks {
    let wit::Hooks { before_create, after_create, before_update, after_update, before_delete, after_delete, on_error } =
        hooks;
    Hooks { before_create, after_create, before_update, after_update, before_delete, after_delete, on_error }
}
