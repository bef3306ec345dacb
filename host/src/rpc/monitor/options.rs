//! Resource options as RegisterResource has them, and as Construct does.

use bulkhead_proto::alias::{Alias as WireAlias, alias};
use bulkhead_proto::provider::construct_request as constructing;
use bulkhead_proto::resource::ResourceMonitorFeature as Feature;
use bulkhead_proto::resource::register_resource_request as registering;

use super::features::Features;
use crate::provider::{Alias, AliasParts, CustomTimeouts, Error, ErrorKind, Hooks, ResourceOptions};

/// Refuses options that the monitor would ignore.
///
/// # Errors
/// An engine that is too old.
pub(super) fn supported(options: &ResourceOptions, features: &Features) -> Result<(), Error> {
    let asked = [
        ("deletedWith", options.deleted_with.is_some(), Feature::DeletedWith),
        ("replaceWith", !options.replace_with.is_empty(), Feature::ReplaceWith),
        ("replacementTrigger", options.replacement_trigger.is_some(), Feature::ReplacementTrigger),
        ("hooks", options.hooks.is_some(), Feature::ResourceHooks),
        ("hooks.onError", options.hooks.as_ref().is_some_and(|hooks| !hooks.on_error.is_empty()), Feature::ErrorHooks),
        ("aliases", options.aliases.iter().any(|alias| matches!(alias, Alias::Parts(_))), Feature::AliasSpecs),
    ];
    match asked.iter().find(|(_, asked, feature)| *asked && !features.has(*feature)) {
        None => Ok(()),
        Some((option, ..)) => Err(Error::new(
            ErrorKind::Unsupported,
            format!("the engine doesn't know the resource option `{option}`, or not in this form"),
        )
        .hint("update the Pulumi CLI")),
    }
}

/// An alias for a monitor.
pub(super) fn alias(alias: Alias) -> WireAlias {
    let alias = match alias {
        Alias::Urn(urn) => alias::Alias::Urn(urn),
        Alias::Parts(parts) => alias::Alias::Spec(alias::Spec {
            name: parts.name.unwrap_or_default(),
            r#type: parts.token.unwrap_or_default(),
            stack: parts.stack.unwrap_or_default(),
            project: parts.project.unwrap_or_default(),
            parent: parts.parent.map(|parent| match parent.is_empty() {
                true => alias::spec::Parent::NoParent(true),
                false => alias::spec::Parent::ParentUrn(parent),
            }),
        }),
    };
    WireAlias { alias: Some(alias) }
}

/// An alias of a component. None if it says nothing.
pub(in super::super) fn alias_of(given: WireAlias) -> Option<Alias> {
    let part = |part: String| Some(part).filter(|part| !part.is_empty());
    Some(match given.alias? {
        alias::Alias::Urn(urn) => Alias::Urn(urn),
        alias::Alias::Spec(spec) => Alias::Parts(AliasParts {
            name: part(spec.name),
            token: part(spec.r#type),
            stack: part(spec.stack),
            project: part(spec.project),
            parent: match spec.parent {
                Some(alias::spec::Parent::ParentUrn(urn)) => part(urn),
                Some(alias::spec::Parent::NoParent(true)) => Some(String::new()),
                Some(alias::spec::Parent::NoParent(false)) | None => None,
            },
        }),
    })
}

/// Timeouts for a monitor.
pub(super) fn timeouts(timeouts: CustomTimeouts) -> registering::CustomTimeouts {
    let CustomTimeouts { create, update, delete, read } = timeouts;
    registering::CustomTimeouts { create, update, delete, read }
}

/// Timeouts of a component.
pub(in super::super) fn timeouts_of(timeouts: constructing::CustomTimeouts) -> CustomTimeouts {
    let constructing::CustomTimeouts { create, update, delete, read } = timeouts;
    CustomTimeouts { create, update, delete, read }
}

/// Hooks for a monitor.
pub(super) fn hooks(hooks: Hooks) -> registering::ResourceHooksBinding {
    let Hooks { before_create, after_create, before_update, after_update, before_delete, after_delete, on_error } =
        hooks;
    registering::ResourceHooksBinding {
        before_create,
        after_create,
        before_update,
        after_update,
        before_delete,
        after_delete,
        on_error,
    }
}

/// Hooks of a component.
pub(in super::super) fn hooks_of(hooks: constructing::ResourceHooksBinding) -> Hooks {
    Hooks {
        before_create: hooks.before_create,
        after_create: hooks.after_create,
        before_update: hooks.before_update,
        after_update: hooks.after_update,
        before_delete: hooks.before_delete,
        after_delete: hooks.after_delete,
        on_error: hooks.on_error,
    }
}
