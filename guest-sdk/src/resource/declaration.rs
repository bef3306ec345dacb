//! What `#[resource]` says about a resource.

use crate::record::Inputs;

/// What is said about a resource beside its properties.
#[derive(Clone, Copy, Debug)]
pub struct Declaration {
    /// Its type token, `package:module:Name`.
    pub token: &'static str,
    /// Type tokens that it had before.
    pub aliases: &'static [&'static str],
    /// Why it shouldn't be used any more.
    pub deprecated: Option<&'static str>,
    /// Whether a replacement deletes the old resource first.
    pub delete_before_replace: bool,
    /// The version that recorded state is marked with.
    pub schema_version: u32,
    /// Whether inputs have the form that they had in version 0.
    pub same_inputs: bool,
    /// What its author wrote.
    pub methods: Methods,
}

/// Which methods of [`Resource`](super::Resource) an author wrote. `create` is always among them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Methods {
    /// Without it a refresh keeps the state.
    pub read: bool,
    /// Without it each change replaces.
    pub update: bool,
    /// Without it the resource is only forgotten.
    pub delete: bool,
    /// Whether the host's check is overridden.
    pub check: bool,
    /// Whether the host's comparison is overridden.
    pub diff: bool,
    /// Whether the host's prediction of a create is overridden.
    pub preview_create: bool,
    /// Whether the host's prediction of an update is overridden.
    pub preview_update: bool,
    /// Whether older state is rewritten.
    pub upgrade: bool,
}

impl Methods {
    /// None of them.
    pub const NONE: Self = Self {
        read: false,
        update: false,
        delete: false,
        check: false,
        diff: false,
        preview_create: false,
        preview_update: false,
        upgrade: false,
    };

    /// Whether the override of this name is there, when compiling. For `provider!`.
    pub const fn overrides(self, name: &str) -> bool {
        match name.as_bytes() {
            b"check" => self.check,
            b"diff" => self.diff,
            b"preview" => self.preview(),
            b"upgrade" => self.upgrade,
            _ => false,
        }
    }

    /// Whether either prediction is overridden. The host asks for both then.
    pub const fn preview(self) -> bool {
        self.preview_create || self.preview_update
    }
}

/// What `#[resource]` implements.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no token",
    label = "not declared as a resource",
    note = "put `#[resource(token = \"package:module:Name\")]` on its `impl Resource`"
)]
pub trait Declared {
    /// What a program looks it up by beside its id; `()` if by that alone.
    type Lookup: Inputs + 'static;
    /// What is said about the resource.
    const DECLARATION: Declaration;
}
