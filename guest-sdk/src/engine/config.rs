//! The stack's configuration.

use crate::bindings::wit::engine as wit;
use crate::error::{Error, Result};
use crate::output::Output;
use crate::value::Json;

/// The stack's configuration in one namespace.
#[derive(Clone, Copy, Debug)]
pub struct StackConfig<'a> {
    entries: &'a [wit::ConfigEntry],
    namespace: &'a str,
}

impl<'a> StackConfig<'a> {
    pub(super) fn new(entries: &'a [wit::ConfigEntry], namespace: &'a str) -> Self {
        Self { entries, namespace }
    }

    /// The value of a key, if there is one: secret, if it is. A value of another type is an error.
    pub fn get<T: ConfigValue + 'static>(&self, name: &str) -> Result<Option<Output<T>>> {
        let Some(entry) = self.entries.iter().find(|entry| self.is(entry, name)) else { return Ok(None) };
        let Some(value) = T::read(&entry.value) else {
            return Err(Error::failed(format!("the configuration `{}` isn't {}", entry.key, T::KIND)));
        };
        let value = Output::from(value);
        Ok(Some(if entry.secret { value.secret() } else { value }))
    }

    /// The value of a key that must be there.
    pub fn require<T: ConfigValue + 'static>(&self, name: &str) -> Result<Output<T>> {
        let key = format!("{}:{name}", self.namespace);
        let missing = || Error::failed(format!("`{key}` is not configured: set it with `pulumi config set {key}`"));
        self.get(name)?.ok_or_else(missing)
    }

    fn is(&self, entry: &wit::ConfigEntry, name: &str) -> bool {
        entry.key.strip_prefix(self.namespace).and_then(|rest| rest.strip_prefix(':')) == Some(name)
    }
}

/// What the value of a configuration key can be read as.
#[diagnostic::on_unimplemented(
    message = "configuration can't be read as `{Self}`",
    label = "read a `String`, `bool`, number, or `Json` for anything else"
)]
pub trait ConfigValue: Sized {
    /// What it is called in messages.
    const KIND: &'static str;

    /// Reads it, as the stack's configuration has it: strings as they are, all else as JSON.
    fn read(text: &str) -> Option<Self>;
}

impl ConfigValue for String {
    const KIND: &'static str = "a string";

    fn read(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }
}

/// Not parsed: the text.
impl ConfigValue for Json {
    const KIND: &'static str = "JSON";

    fn read(text: &str) -> Option<Self> {
        Some(Self::new(text))
    }
}

macro_rules! parsed {
    ($kind:literal: $($type:ty),*) => {$(
        impl ConfigValue for $type {
            const KIND: &'static str = $kind;

            fn read(text: &str) -> Option<Self> {
                text.trim().parse().ok()
            }
        }
    )*};
}

parsed!("a boolean": bool);
parsed!("an integer in its range": i8, i16, i32, i64, u8, u16, u32, u64);
parsed!("a number": f32, f64);
