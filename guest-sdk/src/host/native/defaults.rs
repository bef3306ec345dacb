//! The host's own behaviour is its own: an override that asks for it is tested in a host.

use crate::bindings::wit::types::{
    CheckConfigRequest, CheckRequest, Checked, CreateRequest, DiffConfigRequest, DiffRequest, Difference, Error,
    UpdateRequest,
};
use crate::bindings::wit::values::Tree;

fn absent<T>() -> Result<T, Error> {
    Err(Error::Unsupported("a native test has no host to say what it would do".to_owned()))
}

pub(crate) fn check(_: &CheckRequest) -> Result<Checked, Error> {
    absent()
}

pub(crate) fn diff(_: &DiffRequest) -> Result<Difference, Error> {
    absent()
}

pub(crate) fn preview_create(_: &CreateRequest) -> Result<Tree, Error> {
    absent()
}

pub(crate) fn preview_update(_: &UpdateRequest) -> Result<Tree, Error> {
    absent()
}

pub(crate) fn check_config(_: &CheckConfigRequest) -> Result<Checked, Error> {
    absent()
}

pub(crate) fn diff_config(_: &DiffConfigRequest) -> Result<Difference, Error> {
    absent()
}
