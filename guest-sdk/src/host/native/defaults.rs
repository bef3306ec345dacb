//! The host's own behaviour is its own; here it is what a test says it is, and an error where it says nothing.

use std::cell::RefCell;
use std::rc::Rc;

use crate::bindings::wit::types::{
    CheckConfigRequest, CheckRequest, Checked, CreateRequest, DiffConfigRequest, DiffRequest, Difference, Error,
    UpdateRequest,
};
use crate::bindings::wit::values::Tree;
use crate::error::Result;
use crate::export::convert;
use crate::resource;
use crate::value::{Fields, decode_fields, encode_fields};

type Checks = dyn Fn(&resource::Check) -> Result<resource::Checked>;
type Diffs = dyn Fn(&resource::Diff<()>) -> Result<resource::Difference>;
type Previews = dyn Fn(&Fields) -> Result<Fields>;

thread_local! {
    static ANSWERS: RefCell<Answers> = const { RefCell::new(Answers { check: None, diff: None, preview: None }) };
}

/// What the host is said to answer.
#[derive(Clone, Default)]
pub(crate) struct Answers {
    pub(crate) check: Option<Rc<Checks>>,
    pub(crate) diff: Option<Rc<Diffs>>,
    pub(crate) preview: Option<Rc<Previews>>,
}

pub(crate) fn change(change: impl FnOnce(&mut Answers)) {
    ANSWERS.with_borrow_mut(change);
}

pub(crate) fn reset() {
    ANSWERS.take();
}

fn answers() -> Answers {
    ANSWERS.with_borrow(Clone::clone)
}

fn unsaid<T>() -> Result<T, Error> {
    let hint = "say it with `Driver::host_checks`, `host_diffs` or `host_previews`";
    Err(Error::Unsupported(format!("a native test has no host to say what it would do: {hint}")))
}

pub(crate) fn check(request: &CheckRequest) -> Result<Checked, Error> {
    let Some(answer) = answers().check else { return unsaid() };
    Ok(convert::wit_checked(answer(&convert::check(request.clone())?)?))
}

pub(crate) fn diff(request: &DiffRequest) -> Result<Difference, Error> {
    let Some(answer) = answers().diff else { return unsaid() };
    Ok(convert::wit_difference(answer(&convert::diff(request.clone())?)?))
}

pub(crate) fn preview_create(request: &CreateRequest) -> Result<Tree, Error> {
    let Some(answer) = answers().preview else { return unsaid() };
    Ok(encode_fields(answer(&decode_fields(request.inputs.clone())?)?))
}

pub(crate) fn preview_update(request: &UpdateRequest) -> Result<Tree, Error> {
    let Some(answer) = answers().preview else { return unsaid() };
    Ok(encode_fields(answer(&decode_fields(request.inputs.clone())?)?))
}

pub(crate) fn check_config(_: &CheckConfigRequest) -> Result<Checked, Error> {
    unsaid()
}

pub(crate) fn diff_config(_: &DiffConfigRequest) -> Result<Difference, Error> {
    unsaid()
}
