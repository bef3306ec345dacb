//! `config`, `config-check` and `config-diff`.

use super::component::{ChecksItsConfig, Configures, DiffsItsConfig, answer};
use super::convert;
use crate::bindings::config_checking::exports::bulkhead::provider::config_check;
use crate::bindings::config_diffing::exports::bulkhead::provider::config_diff;
use crate::bindings::configured::exports::bulkhead::provider::config;
use crate::bindings::wit::types as wit;
use crate::config::{ChecksConfig, DiffsConfig};
use crate::value::decode_fields;

impl<T: Configures> config::Guest for T {
    fn configure(request: config::ConfigureRequest) -> Result<(), wit::Error> {
        answer(|| {
            let inputs = decode_fields(request.inputs)?;
            let package = T::provider().metadata.name;
            T::configured().with(|configured| configured.configure(package, inputs, request.replay))
        })
    }
}

impl<T: ChecksItsConfig> config_check::Guest for T {
    fn check_config(request: wit::CheckConfigRequest) -> Result<wit::Checked, wit::Error> {
        answer(|| Ok(convert::wit_checked(T::Config::check(convert::check_config(request)?)?)))
    }
}

impl<T: DiffsItsConfig> config_diff::Guest for T {
    fn diff_config(request: wit::DiffConfigRequest) -> Result<wit::Difference, wit::Error> {
        answer(|| Ok(convert::wit_difference(T::Config::diff(convert::diff_config(request)?)?)))
    }
}
