//! What engines know a project by: whoever looks for a project's root, and whoever keeps components from deciding about it, mean the same
//! files.

/// The names of a project's own file.
pub(crate) const PROJECTS: [&str; 3] = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];
