//! The document of a sub-package: what a parameter brings, under the sub-package's name, with the parameter.

use std::collections::BTreeMap;

use super::base64::base64;
use super::json::Members;
use super::package::{config, function, metadata, resource};
use super::properties::{ObjectSpec, Side};
use super::types::{Brought, Types};
use crate::config::Config;
use crate::error::Result;
use crate::parameter::{Described, Entry, Kind, Subpackage};
use crate::provider::{Metadata, Provider};
use crate::resource::Declaration;
use crate::{manifest, resource as resources};

/// The schema of a sub-package, as text.
pub(crate) fn subpackage<C: Config>(
    provider: &Provider<C>,
    parameter: &Entry<C>,
    subpackage: &Subpackage,
) -> Result<String> {
    let described = parameter.described(subpackage)?;
    let mut types = Types::of_subpackage(&subpackage.name, brought(&provider.metadata, parameter, &described)?);
    let mut document = metadata(&provider.metadata, &subpackage.name, &subpackage.version);
    let member = match parameter.kind {
        Kind::Replacement => {
            config(
                &mut document,
                ObjectSpec::describe(&mut types, Side::Input, C::describe),
                C::DESCRIPTION,
                Members::default(),
            );
            "parameterization"
        }
        // It has the configuration of the package that it extends.
        Kind::Extension => "extensionParameterization",
    };
    let mut base = Members::default();
    base.text("name", provider.metadata.name);
    base.text("version", provider.metadata.version);
    let mut parameterization = Members::default();
    parameterization.object("baseProvider", base);
    parameterization.text("parameter", &base64(&described.bytes));
    document.object(member, parameterization);
    let mut all = Members::default();
    for entry in parameter.resources {
        let spec = with_facts(resource(&mut types, entry, provider.lists), entry);
        all.json(&described.token(entry.declaration.token)?, &spec.into_object());
    }
    document.object("resources", all);
    let mut all = Members::default();
    for entry in parameter.functions {
        all.json(&described.token(entry.declaration.token)?, &function(&mut types, entry).into_object());
    }
    document.object("functions", all);
    document.object("types", types.finish()?);
    Ok(document.into_object())
}

/// What the resources are called. What an alias says of this package is about the sub-package, too: it had the type by that name.
fn brought<C>(base: &Metadata, parameter: &Entry<C>, described: &Described<'_, C>) -> Result<Brought> {
    let own = |token: &&str| token.split(':').next() == Some(base.name);
    let mut tokens = BTreeMap::new();
    for Declaration { token, aliases, .. } in parameter.resources.iter().map(|entry| &entry.declaration) {
        for declared in [token].into_iter().chain(*aliases).copied().filter(own) {
            tokens.insert(declared, described.token(declared)?);
        }
    }
    Ok(Brought { tokens, base: format!("/{}/v{}/schema.json", base.name, base.version) })
}

/// What stands in the manifest for the provider's own resources, and can't for those whose names it doesn't know.
fn with_facts<C>(mut spec: Members, entry: &resources::Entry<C>) -> Members {
    let mut language = Members::default();
    language.object("bulkhead", manifest::resource(&entry.declaration));
    spec.object("language", language);
    spec
}
