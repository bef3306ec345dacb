//! Methods: functions of a resource, with a deployment around them.

use std::ops::Deref;

use crate::config::{Config, Serves, Source};
use crate::engine::{Hydrate, Lifted, Nature, Registered, Registrable, Registration, Scope, Whole};
use crate::error::{Error, Result};
use crate::function::{Output, Returned};
use crate::output::{Marks, bare, stop};
use crate::record::{Inputs, Record};
use crate::resource::{Declaration, Declared, Methods};
use crate::schema::{PropertySet, Types};
use crate::value::{Fields, Misfit, Reference, Value};

/// The argument that is the resource itself.
const SELF: &str = "__self__";

/// A method. Written as a Rust function under [`#[method]`](macro@crate::method), never by hand.
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't a method",
    label = "not a method",
    note = "put `#[method]` on it"
)]
pub trait Method {
    /// What it is a method of.
    type Receiver: Registrable;
    /// Its arguments.
    type Arguments: Inputs;
    /// The configuration that it works with.
    type Config: 'static;
    /// What it returns.
    type Output: Output;
    /// What is said about it.
    const DECLARATION: MethodDeclaration;

    /// Calls it.
    fn call(call: Call<Self::Receiver>, arguments: Self::Arguments, config: &Self::Config) -> Result<Self::Output>;
}

/// What is said about a method.
#[derive(Clone, Copy, Debug)]
pub struct MethodDeclaration {
    /// What programs call it.
    pub name: &'static str,
    /// Its doc comment.
    pub description: &'static str,
    /// Why it shouldn't be used any more.
    pub deprecated: Option<&'static str>,
    /// Whether programs get the result itself and no output of it.
    pub plain: bool,
}

/// A call of a method of `R`. Its fields are those of the resource, each an [`Output`](crate::Output); children are registered, and functions
/// called, with the methods of [`Scope`].
pub struct Call<R: Registrable> {
    /// The resource.
    pub this: Registered<R>,
    scope: Scope,
}

impl<R: Registrable> Deref for Call<R> {
    type Target = Scope;

    fn deref(&self) -> &Scope {
        &self.scope
    }
}

/// The provider itself, as what a method may belong to: `Call<ThisProvider>`.
#[derive(Clone, Copy, Debug)]
pub struct ThisProvider;

#[diagnostic::do_not_recommend]
impl Record for ThisProvider {
    const DESCRIPTION: &'static str = "";
    const NAMES: &'static [&'static str] = &[];

    fn describe(_: &mut PropertySet<'_>) {}

    fn take(_: &mut Fields) -> Result<Self, Misfit> {
        Ok(Self)
    }

    fn put(&self, _: &mut Fields) -> Result<(), Misfit> {
        Ok(())
    }
}

#[diagnostic::do_not_recommend]
impl Lifted for ThisProvider {
    type Outputs = ();

    fn lift(_: &Whole) {}
}

#[diagnostic::do_not_recommend]
impl Declared for ThisProvider {
    type Lookup = ();
    const DECLARATION: Declaration = Declaration {
        token: "",
        aliases: &[],
        deprecated: None,
        delete_before_replace: false,
        schema_version: 0,
        same_inputs: false,
        methods: Methods::NONE,
    };
}

#[diagnostic::do_not_recommend]
impl Registrable for ThisProvider {
    type Given = ();
    const CUSTOM: bool = true;
}

/// What method to call, its types forgotten.
pub(crate) struct RawCall {
    pub(crate) arguments: Fields,
    pub(crate) preview: bool,
}

/// A method in the provider's table, its types forgotten.
pub struct Entry<C> {
    pub(crate) declaration: MethodDeclaration,
    /// The token of the resource; empty for the provider.
    pub(crate) receiver: &'static str,
    pub(crate) inputs: fn(&mut PropertySet<'_>),
    pub(crate) returns: fn(&mut Types) -> Returned,
    pub(crate) call: fn(RawCall, Source<'_, C>) -> Result<Value>,
}

impl<C> Entry<C> {
    /// Its token in the package: that of the resource, and its name.
    pub(crate) fn token(&self, package: &str) -> String {
        let name = self.declaration.name;
        match self.receiver {
            "" => format!("pulumi:providers:{package}/{name}"),
            receiver => format!("{receiver}/{name}"),
        }
    }
}

impl<C: Config> Entry<C> {
    /// The entry of `M`. For `provider!`.
    pub const fn of<M: Method>() -> Self
    where
        C: Serves<M::Config>,
    {
        Self {
            declaration: M::DECLARATION,
            receiver: M::Receiver::DECLARATION.token,
            inputs: <M::Arguments as Record>::describe,
            returns: <M::Output as Output>::describe,
            call: call::<M, C>,
        }
    }
}

fn call<M: Method, C: Serves<M::Config>>(request: RawCall, config: Source<'_, C>) -> Result<Value> {
    stop::begin();
    let called = receive(request).and_then(|(receiver, mut arguments, preview)| {
        let arguments = M::Arguments::take(&mut arguments).map_err(Error::unfit_input)?;
        let this = Registration::of_urn(receiver.urn(), Nature { custom: M::Receiver::CUSTOM, preview });
        let scope = Scope::new(name_in(&receiver.urn).to_owned(), this.clone(), Vec::new(), None, preview);
        let call = Call { this: Registered::new(this), scope };
        let output = C::with(config, |config| M::call(call, arguments, config))?;
        stop::settle()?;
        let value = output.into_value()?;
        if M::DECLARATION.plain { plain(value, M::DECLARATION.name) } else { Ok(value) }
    });
    stop::finish(called)
}

/// The result without anything that is said about it. Programs that get it itself have no place for that: SDKs refuse what isn't known and
/// what is secret, and pass over what it depends on.
fn plain(value: Value, name: &str) -> Result<Value> {
    let said = match Marks::of(&value) {
        Marks { unknown: true, .. } => "isn't known yet",
        Marks { secret: true, .. } => "is secret",
        _ => return Ok(bare(value)),
    };
    Err(Error::bug(format!("the method `{name}` is plain, and its result {said}")))
}

/// The resource, and the arguments beside it.
fn receive(request: RawCall) -> Result<(Reference, Fields, bool)> {
    let RawCall { mut arguments, preview } = request;
    let receiver = arguments.remove(SELF).map(Value::into_plain);
    let reference = match receiver {
        Some(Value::Reference(reference)) => reference,
        Some(Value::Text(urn)) => Reference { urn, id: None, package_version: String::new() },
        _ => return Err(Error::rejected(SELF, "must be the resource that the method is called on")),
    };
    Ok((reference, arguments, preview))
}

/// The last part of a URN.
fn name_in(urn: &str) -> &str {
    urn.splitn(4, "::").nth(3).unwrap_or(urn)
}
