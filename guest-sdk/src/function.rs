//! Functions: computed from arguments and configuration, changing nothing.

use crate::config::{Config, Serves, Source};
use crate::error::{Error, Result};
use crate::record::{Inputs, Record, State};
use crate::schema::{ObjectSpec, PropertySet, Side, TypeSpec, Types};
use crate::value::{Fields, Property, Value};

/// A function. Written as a Rust function under [`#[function]`](macro@crate::function), never by hand.
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't a function of a provider",
    label = "not a function",
    note = "put `#[function(token = \"package:module:name\")]` on it"
)]
pub trait Function {
    /// Its arguments.
    type Arguments: Inputs;
    /// The configuration that it works with.
    type Config: 'static;
    /// What it returns.
    type Output: Output;
    /// What is said about it.
    const DECLARATION: Declaration;

    /// Calls it.
    fn invoke(invoke: Invoke, arguments: Self::Arguments, config: &Self::Config) -> Result<Self::Output>;
}

/// How a function is called, beside its arguments. A function that wants to know takes it first.
///
/// ```
/// use bulkhead_sdk::{Inputs, Invoke, Result, function};
///
/// #[derive(Inputs)]
/// struct LeaseArgs {
///     network: String,
/// }
///
/// /// An address that nobody has.
/// #[function(token = "dns:index:lease")]
/// fn lease(invoke: Invoke, arguments: LeaseArgs) -> Result<String> {
///     // Nothing is taken for a preview.
///     Ok(if invoke.is_preview() { "some address".to_owned() } else { format!("an address in {}", arguments.network) })
/// }
/// # let _ = lease;
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Invoke {
    preview: bool,
}

impl Invoke {
    /// Whether a preview asks. Not every engine says so: one that doesn't seems to ask in an update.
    pub fn is_preview(&self) -> bool {
        self.preview
    }
}

/// What function to call, its types forgotten.
pub(crate) struct RawInvoke {
    pub(crate) arguments: Fields,
    pub(crate) preview: bool,
}

/// What is said about a function.
#[derive(Clone, Copy, Debug)]
pub struct Declaration {
    /// Its token, `package:module:name`.
    pub token: &'static str,
    /// Its doc comment.
    pub description: &'static str,
    /// Why it shouldn't be used any more.
    pub deprecated: Option<&'static str>,
    /// Whether programs give its arguments one after the other.
    pub positional: bool,
}

/// What a function may return: a struct with `#[derive(State)]`, or a single value.
#[diagnostic::on_unimplemented(
    message = "a function of a provider can't return `{Self}`",
    label = "can't be returned",
    note = "return a struct with `#[derive(State)]`, a `String`, `bool`, number, `Vec`, tuple, map, `Value` or `()`"
)]
pub trait Output {
    /// What the schema says.
    fn describe(types: &mut Types) -> Returned;

    /// The value.
    fn into_value(self) -> Result<Value>;
}

/// What the schema says about a function's result.
#[derive(Debug)]
pub enum Returned {
    /// There is none.
    Nothing,
    /// Its members.
    Object(ReturnedObject),
    /// Its type.
    Value(TypeSpec),
}

/// The members of a function's result.
#[derive(Debug)]
pub struct ReturnedObject(pub(crate) ObjectSpec);

impl<T: State> Output for T {
    fn describe(types: &mut Types) -> Returned {
        let members = ObjectSpec::describe(types, Side::Output, <T as Record>::describe);
        if members.properties.is_empty() { Returned::Nothing } else { Returned::Object(ReturnedObject(members)) }
    }

    fn into_value(self) -> Result<Value> {
        let mut fields = Fields::new();
        self.put(&mut fields).map_err(|misfit| Error::bug(format!("the result can't be returned: {misfit}")))?;
        Ok(Value::Fields(fields))
    }
}

macro_rules! output {
    ($([$($generics:tt)*] $output:ty;)*) => {$(
        impl<$($generics)*> Output for $output {
            fn describe(types: &mut Types) -> Returned {
                Returned::Value(<$output>::type_spec(types))
            }

            fn into_value(self) -> Result<Value> {
                self.to_value().map_err(|misfit| Error::bug(format!("the result can't be returned: {misfit}")))
            }
        }
    )*};
}

output! {
    [] bool;
    [] String;
    [] i8;
    [] i16;
    [] i32;
    [] i64;
    [] u8;
    [] u16;
    [] u32;
    [] u64;
    [] f32;
    [] f64;
    [] Value;
    [T: Property] Vec<T>;
    [A: Property, B: Property] (A, B);
    [A: Property, B: Property, C: Property] (A, B, C);
    [A: Property, B: Property, C: Property, D: Property] (A, B, C, D);
    [A: Property, B: Property, C: Property, D: Property, E: Property] (A, B, C, D, E);
    [A: Property, B: Property, C: Property, D: Property, E: Property, F: Property] (A, B, C, D, E, F);
    [A: Property, B: Property, C: Property, D: Property, E: Property, F: Property, G: Property] (A, B, C, D, E, F, G);
    [A: Property, B: Property, C: Property, D: Property, E: Property, F: Property, G: Property, H: Property] (A, B, C, D, E, F, G, H);
    [T: Property] std::collections::BTreeMap<String, T>;
    [T: Property] std::collections::HashMap<String, T>;
    [T: Property] crate::value::Secret<T>;
    [T: Property] crate::output::Output<T>;
}

/// A function in the provider's table, its types forgotten.
pub struct Entry<C> {
    pub(crate) declaration: Declaration,
    pub(crate) inputs: fn(&mut PropertySet<'_>),
    pub(crate) returns: fn(&mut Types) -> Returned,
    pub(crate) invoke: fn(RawInvoke, Source<'_, C>) -> Result<Value>,
}

impl<C: Config> Entry<C> {
    /// The entry of `F`. For `provider!`.
    pub const fn of<F: Function>() -> Self
    where
        C: Serves<F::Config>,
    {
        Self {
            declaration: F::DECLARATION,
            inputs: <F::Arguments as Record>::describe,
            returns: <F::Output as Output>::describe,
            invoke: invoke::<F, C>,
        }
    }
}

fn invoke<F: Function, C: Serves<F::Config>>(request: RawInvoke, config: Source<'_, C>) -> Result<Value> {
    let RawInvoke { mut arguments, preview } = request;
    let arguments = F::Arguments::take(&mut arguments).map_err(Error::unfit_input)?;
    C::with(config, |config| F::invoke(Invoke { preview }, arguments, config))?.into_value()
}
