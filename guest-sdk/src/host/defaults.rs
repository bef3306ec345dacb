//! The host's own behaviour, for overrides that only add to it.

use super::imports::defaults as host;
use crate::bindings::wit::types as wit;
use crate::config::{CheckConfig, DiffConfig};
use crate::error::Result;
use crate::export::{convert, read_error};
use crate::path::Path;
use crate::resource::{Check, Checked, Context, Difference, RawPrior};
use crate::value::{Fields, decode_fields, encode_fields};

pub(crate) fn check(request: &Check) -> Result<Checked> {
    convert::checked(host::check(&convert::wit_check(request)).map_err(read_error)?)
}

pub(crate) fn diff(context: &Context, prior: RawPrior, inputs: &Fields, ignored: &[Path]) -> Result<Difference> {
    let request = wit::DiffRequest {
        context: convert::wit_context(context),
        prior: convert::wit_prior(prior),
        inputs: encode_fields(inputs.clone()),
        ignore_changes: ignored.iter().cloned().map(Into::into).collect(),
    };
    Ok(convert::difference(host::diff(&request).map_err(read_error)?))
}

pub(crate) fn preview_create(context: &Context, inputs: &Fields) -> Result<Fields> {
    let inputs = encode_fields(inputs.clone());
    let request = wit::CreateRequest { context: convert::wit_context(context), inputs };
    decode_fields(host::preview_create(&request).map_err(read_error)?)
}

pub(crate) fn preview_update(context: &Context, prior: RawPrior, inputs: &Fields) -> Result<Fields> {
    let request = wit::UpdateRequest {
        context: convert::wit_context(context),
        prior: convert::wit_prior(prior),
        inputs: encode_fields(inputs.clone()),
    };
    decode_fields(host::preview_update(&request).map_err(read_error)?)
}

pub(crate) fn check_config(request: &CheckConfig) -> Result<Checked> {
    let request = wit::CheckConfigRequest {
        prior_inputs: request.prior_inputs.clone().map(encode_fields),
        inputs: encode_fields(request.inputs.clone()),
    };
    convert::checked(host::check_config(&request).map_err(read_error)?)
}

pub(crate) fn diff_config(request: &DiffConfig) -> Result<Difference> {
    let request = wit::DiffConfigRequest {
        prior_inputs: encode_fields(request.prior_inputs.clone()),
        inputs: encode_fields(request.inputs.clone()),
        ignore_changes: request.ignore_changes.iter().cloned().map(Into::into).collect(),
    };
    Ok(convert::difference(host::diff_config(&request).map_err(read_error)?))
}
