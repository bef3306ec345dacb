//! Where plugins are had.

/// An address that a schema names for a plugin. What is generated from the schema has it, and engines fetch the plugin from there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PluginSource {
    /// The package whose plugin it is: the schema's own, or one that it builds on.
    pub package: String,
    /// The address.
    pub from: String,
}

impl PluginSource {
    /// Whether a member of this name has an address, for an engine: they read names in any case.
    pub fn is_named_by(member: &str) -> bool {
        ["pluginDownloadURL", "downloadURL"].iter().any(|name| member.eq_ignore_ascii_case(name))
    }
}
