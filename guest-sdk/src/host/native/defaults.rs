//! The host's own behaviour is its own; here it is what a test says it is, and an error where it says nothing.

use std::cell::RefCell;
use std::rc::Rc;

use crate::bindings::wit::types::{
    CheckConfigRequest, CheckRequest, Checked, CreateRequest, DiffConfigRequest, DiffRequest, Difference, Error,
    UpdateRequest,
};
use crate::bindings::wit::values::Tree;
use crate::config;
use crate::error::Result;
use crate::export::convert;
use crate::resource;
use crate::value::{Fields, decode_fields, encode_fields};

type Checks = dyn Fn(&resource::Check) -> Result<resource::Checked>;
type Diffs = dyn Fn(&resource::Diff<()>) -> Result<resource::Difference>;
type Previews = dyn Fn(&Fields) -> Result<Fields>;
type ConfigChecks = dyn Fn(&config::CheckConfig) -> Result<resource::Checked>;
type ConfigDiffs = dyn Fn(&config::DiffConfig) -> Result<resource::Difference>;

thread_local! {
    static ANSWERS: RefCell<Answers> = RefCell::default();
}

/// What the host is said to answer.
#[derive(Clone, Default)]
pub(crate) struct Answers {
    pub(crate) check: Option<Rc<Checks>>,
    pub(crate) diff: Option<Rc<Diffs>>,
    pub(crate) preview: Option<Rc<Previews>>,
    pub(crate) check_config: Option<Rc<ConfigChecks>>,
    pub(crate) diff_config: Option<Rc<ConfigDiffs>>,
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

/// Nothing is said, by this method of `Driver`.
fn unsaid(by: &str) -> Error {
    Error::Unsupported(format!("a native test has no host to say what it would do: say it with `Driver::{by}`"))
}

pub(crate) fn check(request: &CheckRequest) -> Result<Checked, Error> {
    let answer = answers().check.ok_or_else(|| unsaid("host_checks"))?;
    Ok(convert::wit_checked(answer(&convert::check(request.clone())?)?))
}

pub(crate) fn diff(request: &DiffRequest) -> Result<Difference, Error> {
    let answer = answers().diff.ok_or_else(|| unsaid("host_diffs"))?;
    Ok(convert::wit_difference(answer(&convert::diff(request.clone())?)?))
}

pub(crate) fn preview_create(request: &CreateRequest) -> Result<Tree, Error> {
    let answer = answers().preview.ok_or_else(|| unsaid("host_previews"))?;
    Ok(encode_fields(answer(&decode_fields(request.inputs.clone())?)?))
}

pub(crate) fn preview_update(request: &UpdateRequest) -> Result<Tree, Error> {
    let answer = answers().preview.ok_or_else(|| unsaid("host_previews"))?;
    Ok(encode_fields(answer(&decode_fields(request.inputs.clone())?)?))
}

pub(crate) fn check_config(request: &CheckConfigRequest) -> Result<Checked, Error> {
    let answer = answers().check_config.ok_or_else(|| unsaid("host_checks_config"))?;
    Ok(convert::wit_checked(answer(&convert::check_config(request.clone())?)?))
}

pub(crate) fn diff_config(request: &DiffConfigRequest) -> Result<Difference, Error> {
    let answer = answers().diff_config.ok_or_else(|| unsaid("host_diffs_config"))?;
    Ok(convert::wit_difference(answer(&convert::diff_config(request.clone())?)?))
}
