//! The host's own behaviour, for overrides that only add to it.

use crate::config::{CheckConfig, DiffConfig};
use crate::error::Result;
use crate::path::Path;
use crate::resource::{Check, Checked, Context, Difference, RawPrior};
use crate::value::Fields;

#[cfg(target_arch = "wasm32")]
use wasm as host;

#[cfg(not(target_arch = "wasm32"))]
use native as host;

pub(crate) use host::{check, check_config, diff, diff_config, preview_create, preview_update};

#[cfg(target_arch = "wasm32")]
mod wasm {
    use super::*;
    use crate::bindings::wit::{defaults, types as wit};
    use crate::export::{convert, read_error};
    use crate::value::{decode_fields, encode_fields};

    pub(crate) fn check(request: &Check) -> Result<Checked> {
        convert::checked(defaults::check(&convert::check_request(request)).map_err(read_error)?)
    }

    pub(crate) fn diff(context: &Context, prior: RawPrior, inputs: &Fields, ignored: &[Path]) -> Result<Difference> {
        let request = wit::DiffRequest {
            context: convert::wit_context(context),
            prior: convert::wit_prior(prior),
            inputs: encode_fields(inputs.clone()),
            ignore_changes: ignored.iter().cloned().map(Into::into).collect(),
        };
        Ok(convert::difference(defaults::diff(&request).map_err(read_error)?))
    }

    pub(crate) fn preview_create(context: &Context, inputs: &Fields) -> Result<Fields> {
        let inputs = encode_fields(inputs.clone());
        let request = wit::CreateRequest { context: convert::wit_context(context), inputs };
        decode_fields(defaults::preview_create(&request).map_err(read_error)?)
    }

    pub(crate) fn preview_update(context: &Context, prior: RawPrior, inputs: &Fields) -> Result<Fields> {
        let request = wit::UpdateRequest {
            context: convert::wit_context(context),
            prior: convert::wit_prior(prior),
            inputs: encode_fields(inputs.clone()),
        };
        decode_fields(defaults::preview_update(&request).map_err(read_error)?)
    }

    pub(crate) fn check_config(request: &CheckConfig) -> Result<Checked> {
        let request = wit::CheckConfigRequest {
            prior_inputs: request.prior_inputs.clone().map(encode_fields),
            inputs: encode_fields(request.inputs.clone()),
        };
        convert::checked(defaults::check_config(&request).map_err(read_error)?)
    }

    pub(crate) fn diff_config(request: &DiffConfig) -> Result<Difference> {
        let request = wit::DiffConfigRequest {
            prior_inputs: encode_fields(request.prior_inputs.clone()),
            inputs: encode_fields(request.inputs.clone()),
            ignore_changes: request.ignore_changes.iter().cloned().map(Into::into).collect(),
        };
        Ok(convert::difference(defaults::diff_config(&request).map_err(read_error)?))
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use super::*;
    use crate::error::Error;

    fn absent<T>() -> Result<T> {
        Err(Error::unsupported("the host's own behaviour isn't available in a native test"))
    }

    pub(crate) fn check(_: &Check) -> Result<Checked> {
        absent()
    }

    pub(crate) fn diff(_: &Context, _: RawPrior, _: &Fields, _: &[Path]) -> Result<Difference> {
        absent()
    }

    pub(crate) fn preview_create(_: &Context, _: &Fields) -> Result<Fields> {
        absent()
    }

    pub(crate) fn preview_update(_: &Context, _: RawPrior, _: &Fields) -> Result<Fields> {
        absent()
    }

    pub(crate) fn check_config(_: &CheckConfig) -> Result<Checked> {
        absent()
    }

    pub(crate) fn diff_config(_: &DiffConfig) -> Result<Difference> {
        absent()
    }
}
