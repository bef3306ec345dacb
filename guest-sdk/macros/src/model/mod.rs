//! What an author wrote, as plain data: parsed, validated, not yet code.

mod component;
mod enumeration;
mod facts;
mod function;
mod method;
mod provider;
mod record;
mod resource;
mod union;

pub(crate) use component::Component;
pub(crate) use enumeration::Enumeration;
pub(crate) use facts::{Autoname, Facts, OutputDefault};
pub(crate) use function::{Function, Parameter};
pub(crate) use method::Method;
pub(crate) use provider::{Parameterization, Provider, World};
pub(crate) use record::{Content, Field, Kind, Record};
pub(crate) use resource::{Resource, Written};
pub(crate) use union::Union;
