//! Types that a property may have.

use super::{Misfit, Value};
use crate::schema::{TypeSpec, Types};

/// A type that a property may have.
///
/// | Rust | in the schema |
/// |---|---|
/// | `bool` | `boolean` |
/// | `i8` … `i64`, `u8` … `u64` | `integer`, with what the type can hold as bounds; `minimum` and `maximum` can only narrow them |
/// | `f32`, `f64` | `number` |
/// | `String` | `string` |
/// | `Option<T>` | `T`, and may be left out |
/// | `Vec<T>` | a list of `T`, which is no `Option` |
/// | `BTreeMap<String, T>`, `HashMap<String, T>` | a map of `T` |
/// | tuples of two to eight | a list of as many elements, of the type that all have, or of any of their types; none is an `Option` |
/// | [`Secret<T>`](crate::Secret) | `T`, secret; in a list, a map, a tuple or a union, all of that |
/// | [`Value`](crate::Value), [`Json`](crate::Json) | anything; text that holds JSON |
/// | [`Asset`](crate::Asset), [`Archive`](crate::Archive) | a blob; a named collection of blobs |
/// | [`Ref<R>`](crate::Ref) | another resource |
/// | [`http::Url`](crate::http::Url) | `string`, with the beginning of a URL as its `pattern`, unless another one is said; what goes on as none is refused by what takes it |
/// | a struct with `#[derive(Object)]` | an object type of its own |
/// | an enum with `#[derive(Enum)]` | an enumeration of its own |
/// | an enum with `#[derive(Union)]` | any of several types |
/// | [`Output<T>`](crate::Output) | `T`, in component resources |
///
/// The schema has bounds for properties alone. An integer in a list, a map, a tuple or a union is `integer` and no more, so that checks and
/// previews let one pass that is too large for its type, and what takes it refuses it, naming its place. An object type in their stead has
/// properties again, with their bounds; or a [`check`](crate::Resource::check) of one's own looks at each.
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't a type that a property may have",
    label = "not a property type",
    note = "properties are `bool`, integers up to 64 bits, `f64`, `String`, `Option`, `Vec`, tuples, maps with `String` keys, \
            `Secret`, `Value`, `Json`, `Asset`, `Archive`, `Ref`, `http::Url`, and types of yours",
    note = "derive `bulkhead_sdk::Object` for a struct of yours, or `bulkhead_sdk::Enum` for an enum; \
            `#[bulkhead(flatten)]` on the field puts a struct's properties beside the others instead"
)]
pub trait Property: Sized + 'static {
    /// The type without an [`Output`](crate::Output) in it, at any depth: what its values are once all of them is there.
    type Plain: Property;
    /// Whether the property may be left out.
    const OPTIONAL: bool = false;
    /// Whether the property is secret whatever its attributes say: as a whole too where only what is in it is, since a schema has no word for
    /// that.
    const SECRET: bool = false;
    /// Whether a value of the type may hold what isn't known, without being an [`Output`](crate::Output).
    const HOLDS_UNKNOWNS: bool = false;
    /// The least and the greatest integer that the type can hold, if it holds integers.
    const BOUNDS: Option<(i64, i64)> = None;
    /// How many elements a list of the type has, if it has a fixed number.
    const ITEMS: Option<u32> = None;
    /// A regular expression that each string of the type matches, so that checks and previews refuse others.
    const PATTERN: Option<&'static str> = None;

    /// The type in the schema, adding what it needs to `types`.
    fn type_spec(types: &mut Types) -> TypeSpec;

    /// Reads a value. Secret ones are read like others, unless the type says that it keeps the secret.
    fn from_value(value: Value) -> Result<Self, Misfit>;

    /// The value, or an error where no value can carry it (an integer of 2^53 or more).
    fn to_value(&self) -> Result<Value, Misfit>;

    /// What an absent property stands for, if it may be absent.
    fn absent() -> Option<Self> {
        None
    }

    /// Whether to leave the property out.
    fn is_absent(&self) -> bool {
        false
    }
}

/// The type of `T` in the schema. For derived code.
pub fn type_spec<T: Property>(types: &mut Types) -> TypeSpec {
    T::type_spec(types)
}

/// What the literal of a `default` or `output_default` may be for a type.
#[diagnostic::on_unimplemented(
    message = "a default of type `{L}` doesn't fit a property of type `{Self}`",
    label = "doesn't fit the field",
    note = "strings, booleans, numbers and enumerations may have defaults"
)]
pub trait FromLiteral<L>: Sized {
    /// The value that the literal stands for.
    fn from_literal(literal: L) -> Self;
}
