//! The deployment that a component is constructed in: registering children, reading resources, calling functions.
//!
//! All of it happens through a [`Scope`], which [`Construct`](crate::component::Construct) and [`Call`](crate::component::Call) lead to:
//! outside of those calls there is no deployment. Nothing here decides what a deployment means: it writes down what the author says, keeps
//! dependencies and secrets, and hands over to the host.

mod arguments;
mod child;
mod config;
mod deployment;
mod fits;
mod function;
mod lifted;
mod options;
mod provider;
mod registered;
mod registration;
mod scope;
mod timeouts;

pub use arguments::{Arguments, Givable, Given, Pairs, Slot};
pub use child::Child;
pub use config::{ConfigValue, StackConfig};
pub use deployment::Deployment;
pub use fits::{Fits, whole};
pub use function::Function;
pub use lifted::{Lifted, Registrable, Whole};
pub use options::{Alias, Hooks, Options};
pub use provider::ProviderInstance;
pub use registered::Registered;
pub use registration::{Hydrate, Registration};
pub use scope::Scope;
pub use timeouts::Timeouts;

pub(crate) use registration::Nature;
