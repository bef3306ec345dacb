//! Parameters: what makes one provider the provider of many packages.
//!
//! A user gives the arguments once, with `pulumi package add`; what they make is a *sub-package*, whose schema records the parameter
//! for every deployment to come. It has the resources and functions that [`provider!`](crate::provider!) names beside the parameter,
//! under its own name: declared as `greeter:index:Greeting`, it is `hello:index:Greeting` in the sub-package `hello`.

mod version;

use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

use crate::error::{Error, Result};
use crate::{function, resource};

/// A parameter.
///
/// ```
/// use bulkhead_sdk::parameter::{Kind, Parameter, Subpackage};
/// use bulkhead_sdk::{Create, Created, Error, Inputs, Resource, Result, State, provider, resource};
///
/// /// How to greet.
/// struct Word(String);
///
/// impl Parameter for Word {
///     const KIND: Kind = Kind::Replacement;
///
///     fn from_arguments(arguments: &[String]) -> Result<(Subpackage, Self)> {
///         let [name, word] = arguments else { return Err(Error::failed("write NAME WORD")) };
///         Ok((Subpackage::new(name, "1.0.0"), Word(word.clone())))
///     }
///
///     fn from_bytes(_: &Subpackage, bytes: &[u8]) -> Result<Self> {
///         Ok(Word(String::from_utf8(bytes.to_vec())?))
///     }
///
///     fn to_bytes(&self) -> Vec<u8> {
///         self.0.clone().into_bytes()
///     }
/// }
///
/// #[derive(Inputs)]
/// struct GreetingArgs {
///     /// Who is greeted.
///     name: String,
/// }
///
/// #[derive(State)]
/// struct Greeting {
///     #[bulkhead(flatten)]
///     args: GreetingArgs,
///     /// What is said.
///     text: String,
/// }
///
/// #[resource(token = "greeter:index:Greeting")]
/// impl Resource for Greeting {
///     type Inputs = GreetingArgs;
///
///     fn create(request: Create<Self>) -> Result<Created<Self>> {
///         let text = format!("{} {}", Word::current()?.0, request.inputs.name);
///         Ok(Created::new("greeting", Greeting { args: request.inputs, text }))
///     }
/// }
///
/// provider! {
///     name: "greeter",
///     parameter: Word { resources: [Greeting] },
/// }
/// # let driver = bulkhead_sdk::testing::Driver::new(&PROVIDER, ());
/// # let hello = driver.parameterize(&["hello", "howdy"])?;
/// # let greeting = driver.create::<Greeting>(bulkhead_sdk::fields! { "name": "you" })?;
/// # assert_eq!(greeting.state.text, "howdy you");
/// # assert!(PROVIDER.subpackage_schema(&hello)?.contains("hello:index:Greeting"));
/// # Ok::<(), bulkhead_sdk::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't a parameter",
    label = "`parameter: {Self}` needs `Parameter`",
    note = "write `impl bulkhead_sdk::parameter::Parameter for {Self}`"
)]
pub trait Parameter: Sized + 'static {
    /// What it does to the provider's own package.
    const KIND: Kind;

    /// Reads the arguments of `pulumi package add`, and says what they make. Equal arguments make equal sub-packages.
    fn from_arguments(arguments: &[String]) -> Result<(Subpackage, Self)>;

    /// Reads what [`to_bytes`](Self::to_bytes) wrote for a sub-package, maybe in an earlier version of the provider.
    fn from_bytes(subpackage: &Subpackage, bytes: &[u8]) -> Result<Self>;

    /// What is recorded, in schemas, lock files and states: all that is needed to make the same again, small, and no secret.
    fn to_bytes(&self) -> Vec<u8>;

    /// What a resource or function is called in the sub-package, of which this is the last part of the token that it was declared
    /// with. The same, unless the parameter says so. Aliases are called after the same rule, and a `Ref` follows what it refers to.
    fn rename(&self, declared: &str) -> String {
        declared.to_owned()
    }

    /// The parameter that made the sub-package which the present call is about.
    fn current() -> Result<Rc<Self>> {
        let current = CURRENT.with_borrow(Clone::clone);
        let parameter = current.and_then(|parameter| parameter.downcast::<Self>().ok());
        parameter.ok_or_else(|| Error::bug("the call isn't about a sub-package, and asks for its parameter"))
    }
}

/// What a parameter does to the provider's own package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The sub-package stands in its place: one provider process serves one parameter.
    Replacement,
    /// The sub-package stands beside it, and any number of others too. It shares the package's configuration.
    Extension,
}

/// What a parameter makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subpackage {
    /// Its name.
    pub name: String,
    /// Its semantic version.
    pub version: String,
}

impl Subpackage {
    /// A sub-package of this name and semantic version.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self { name: name.into(), version: version.into() }
    }
}

thread_local! {
    /// Parameters that this instance was given, the newest last.
    static TAKEN: RefCell<Vec<Taken>> = const { RefCell::new(Vec::new()) };
    /// The parameter that the present call is about.
    static CURRENT: RefCell<Option<Rc<dyn Any>>> = const { RefCell::new(None) };
}

#[derive(Clone)]
struct Taken {
    subpackage: Subpackage,
    parameter: Rc<dyn Any>,
}

/// A parameter, its type forgotten.
type Forgotten = Rc<dyn Any>;
type FromArguments = fn(&[String]) -> Result<(Subpackage, Forgotten)>;
type FromBytes = fn(&Subpackage, &[u8]) -> Result<Forgotten>;

/// A parameter in the provider's table, with what it brings.
pub struct Entry<C: 'static> {
    pub(crate) kind: Kind,
    pub(crate) resources: &'static [resource::Entry<C>],
    pub(crate) functions: &'static [function::Entry<C>],
    from_arguments: FromArguments,
    from_bytes: FromBytes,
    to_bytes: fn(&Forgotten) -> Result<Vec<u8>>,
    rename: fn(&Forgotten, &str) -> Result<String>,
}

impl<C> Entry<C> {
    /// The entry of `P`. For `provider!`.
    pub const fn of<P: Parameter>(
        resources: &'static [resource::Entry<C>],
        functions: &'static [function::Entry<C>],
    ) -> Self {
        Self {
            kind: P::KIND,
            resources,
            functions,
            from_arguments: |arguments| {
                let (subpackage, parameter) = P::from_arguments(arguments)?;
                Ok((subpackage, Rc::new(parameter)))
            },
            from_bytes: |subpackage, bytes| Ok(Rc::new(P::from_bytes(subpackage, bytes)?)),
            to_bytes: |parameter| Ok(of::<P>(parameter)?.to_bytes()),
            rename: |parameter, declared| Ok(of::<P>(parameter)?.rename(declared)),
        }
    }

    /// Takes the arguments of a command line.
    pub(crate) fn take_arguments(&self, arguments: &[String]) -> Result<Subpackage> {
        let (subpackage, parameter) = (self.from_arguments)(arguments)?;
        Ok(keep(subpackage, parameter))
    }

    /// Takes what a schema recorded.
    pub(crate) fn take_recorded(&self, subpackage: Subpackage, bytes: &[u8]) -> Result<Subpackage> {
        let parameter = (self.from_bytes)(&subpackage, bytes)?;
        Ok(keep(subpackage, parameter))
    }

    /// What a sub-package is described from: its parameter's bytes, and what its parameter calls what was declared.
    pub(crate) fn described(&self, subpackage: &Subpackage) -> Result<Described<'_, C>> {
        let taken = taken(|taken| taken.subpackage == *subpackage).ok_or_else(|| {
            let Subpackage { name, version } = subpackage;
            Error::not_found(format!("no parameter has made the sub-package `{name}` {version}"))
        })?;
        Ok(Described { bytes: (self.to_bytes)(&taken.parameter)?, entry: self, taken })
    }

    /// What was declared under another token, of a sub-package that has this one, which the present call is about from here on.
    pub(crate) fn find<'e, E>(
        &self,
        token: &str,
        entries: &'e [E],
        declared: impl Fn(&E) -> &'static str,
    ) -> Result<Option<&'e E>> {
        let package = token.split(':').next().unwrap_or_default();
        let is_named = |taken: &&Taken| taken.subpackage.name == package;
        let mut all: Vec<Taken> = TAKEN.with_borrow(|all| all.iter().filter(is_named).cloned().collect());
        // Of several versions the highest, whose schema the host went by; lower ones have what it lacks.
        all.sort_by(|one, other| version::compare(&other.subpackage.version, &one.subpackage.version));
        for taken in all {
            for entry in entries {
                if self.token(&taken, declared(entry))? == token {
                    CURRENT.set(Some(taken.parameter));
                    return Ok(Some(entry));
                }
            }
        }
        Ok(None)
    }

    /// A token of a sub-package, from the one that was declared.
    fn token(&self, taken: &Taken, declared: &str) -> Result<String> {
        let (module, name) = parts(declared);
        Ok(format!("{}:{module}:{}", taken.subpackage.name, (self.rename)(&taken.parameter, name)?))
    }
}

/// A sub-package to describe.
pub(crate) struct Described<'e, C: 'static> {
    /// What is recorded of its parameter.
    pub(crate) bytes: Vec<u8>,
    entry: &'e Entry<C>,
    taken: Taken,
}

impl<C> Described<'_, C> {
    /// A token of the sub-package, from the one that was declared.
    pub(crate) fn token(&self, declared: &str) -> Result<String> {
        self.entry.token(&self.taken, declared)
    }
}

/// The module and the name of a token, which was found to be well-formed when it was declared.
fn parts(token: &str) -> (&str, &str) {
    let (_, rest) = token.split_once(':').unwrap_or_default();
    rest.rsplit_once(':').unwrap_or_default()
}

fn of<P: Parameter>(parameter: &Rc<dyn Any>) -> Result<&P> {
    parameter.downcast_ref().ok_or_else(|| Error::bug("the parameter is of another provider"))
}

fn keep(subpackage: Subpackage, parameter: Rc<dyn Any>) -> Subpackage {
    TAKEN.with_borrow_mut(|all| {
        all.retain(|taken| taken.subpackage != subpackage);
        all.push(Taken { subpackage: subpackage.clone(), parameter });
    });
    subpackage
}

fn taken(meant: impl Fn(&Taken) -> bool) -> Option<Taken> {
    TAKEN.with_borrow(|all| all.iter().rev().find(|taken| meant(taken)).cloned())
}

/// The present call is about the provider's own package.
pub(crate) fn about_none() {
    CURRENT.set(None);
}

/// The present call is about the newest sub-package.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn about_newest() {
    CURRENT.set(taken(|_| true).map(|taken| taken.parameter));
}

/// Forgets all parameters.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn reset() {
    TAKEN.set(Vec::new());
    CURRENT.set(None);
}
