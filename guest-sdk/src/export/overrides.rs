//! `check`, `diff`, `preview` and `upgrade`, for the resources that override them.

use super::component::{Component, answer};
use super::convert;
use crate::bindings::checking::exports::bulkhead::provider::check;
use crate::bindings::diffing::exports::bulkhead::provider::diff;
use crate::bindings::previewing::exports::bulkhead::provider::preview;
use crate::bindings::upgrading::exports::bulkhead::provider::upgrade;
use crate::bindings::wit::types as wit;
use crate::bindings::wit::values::Tree;
use crate::error::Error;
use crate::resource::{PreviewCreate, Upgrade};
use crate::value::{decode_fields, encode_fields};

impl<T: Component> check::Guest for T {
    fn check(request: wit::CheckRequest) -> Result<wit::Checked, wit::Error> {
        answer(|| {
            let entry = T::provider().resource(&request.context.token)?;
            let check = entry.check.ok_or_else(|| unwritten("check"))?;
            Ok(convert::wit_checked(check(convert::check(request)?)?))
        })
    }
}

impl<T: Component> diff::Guest for T {
    fn diff(request: wit::DiffRequest) -> Result<wit::Difference, wit::Error> {
        answer(|| {
            let entry = T::provider().resource(&request.context.token)?;
            let diff = entry.diff.ok_or_else(|| unwritten("diff"))?;
            Ok(convert::wit_difference(diff(convert::diff(request)?)?))
        })
    }
}

impl<T: Component> preview::Guest for T {
    fn preview_create(request: wit::CreateRequest) -> Result<Tree, wit::Error> {
        answer(|| {
            let entry = T::provider().resource(&request.context.token)?;
            let preview = entry.preview_create.ok_or_else(|| unwritten("preview_create"))?;
            let inputs = decode_fields(request.inputs)?;
            Ok(encode_fields(preview(PreviewCreate { context: convert::context(request.context), inputs })?))
        })
    }

    fn preview_update(request: wit::UpdateRequest) -> Result<Tree, wit::Error> {
        answer(|| {
            let entry = T::provider().resource(&request.context.token)?;
            let preview = entry.preview_update.ok_or_else(|| unwritten("preview_update"))?;
            let inputs = decode_fields(request.inputs)?;
            Ok(encode_fields(preview(convert::context(request.context), convert::prior(request.prior)?, inputs)?))
        })
    }
}

impl<T: Component> upgrade::Guest for T {
    fn upgrade(request: upgrade::UpgradeRequest) -> Result<upgrade::Upgraded, wit::Error> {
        answer(|| {
            let entry = T::provider().resource(&request.token)?;
            let upgrade = entry.upgrade.ok_or_else(|| unwritten("upgrade"))?;
            let upgraded = upgrade(Upgrade {
                from_version: request.from_version,
                state: decode_fields(request.state)?,
                inputs: request.inputs.map(decode_fields).transpose()?,
            })?;
            Ok(upgrade::Upgraded { state: encode_fields(upgraded.state), inputs: upgraded.inputs.map(encode_fields) })
        })
    }
}

/// The manifest says that the method isn't overridden, so that the host doesn't call it.
fn unwritten(method: &str) -> Error {
    Error::unsupported(format!("the resource doesn't override `{method}`"))
}
