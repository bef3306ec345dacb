//! What is asked for against what is imported and what is declared.
//!
//! Imports are an upper bound of what a component does: toolchains import more than is used, the file system for one. So an
//! import alone is at most a hint, but without it a permission is good for nothing.

use bulkhead_policy::PackageGrant;
use bulkhead_schema::{Package, PluginSource};

use super::finding::{Finding, Findings, Level, Stage};
use super::{unusable, variables};
use crate::component::Manifest;

/// Looks at a manifest's requests.
pub(super) fn look(package: &Package, manifest: &Manifest, imports: &[String], findings: &mut Findings) {
    let imported =
        |prefixes: &[&str]| imports.iter().any(|name| prefixes.iter().any(|prefix| name.starts_with(prefix)));
    let requests = &manifest.permissions;
    let network = ["wasi:sockets/tcp", "wasi:sockets/udp", "wasi:http/outgoing-handler"];
    let uses = [
        (!requests.network.is_empty(), imported(&network), "network", "wasi:http and wasi:sockets"),
        (!requests.filesystem.is_empty(), imported(&["wasi:filesystem/"]), "filesystem", "wasi:filesystem"),
    ];
    for (requested, imported, kind, interfaces) in uses {
        if requested && !imported {
            let message =
                format!("`{kind}` is asked for and can't be used: the component imports nothing of {interfaces}");
            let location = format!("manifest#/permissions/{kind}");
            findings.add(Finding::new(Level::Warning, Stage::Manifest, location, message).hint("don't ask for it"));
        }
    }
    if requests.network.is_empty() && imported(&network) {
        let message = "the component imports the network and doesn't ask for it, so every connection is refused";
        findings.add(
            Finding::new(Level::Hint, Stage::Manifest, "manifest#/permissions/network", message)
                .hint("ask for the endpoints that it talks to, or leave out what connects"),
        );
    }
    variables::look(package, requests, findings);
    addresses(package, manifest, findings);
    unusable::look(package, requests, findings);
}

/// Addresses of plugins must be asked for, or engines are never told.
fn addresses(package: &Package, manifest: &Manifest, findings: &mut Findings) {
    for PluginSource { package, from } in &package.sources {
        let source = PackageGrant { package: package.clone(), from: Some(from.clone()) };
        if !manifest.permissions.ask_for(&source) {
            let message =
                format!("`{from}` isn't asked for, so nobody is told to fetch the plugin of `{package}` there");
            let finding = Finding::new(Level::Warning, Stage::Manifest, "manifest#/permissions/packages", message);
            findings.add(finding.hint("ask for the package with `from`, with a reason, or leave the address out"));
        }
    }
}
