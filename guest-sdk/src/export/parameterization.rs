//! `parameterization`: sub-packages.

use super::component::{Component, answer};
use crate::bindings::parameterized::exports::bulkhead::provider::parameterization::{
    Guest, ParameterizeRequest, Parameters,
};
use crate::bindings::wit::types as wit;
use crate::parameter::Subpackage;

impl<T: Component> Guest for T {
    fn parameterize(request: ParameterizeRequest) -> Result<wit::Subpackage, wit::Error> {
        answer(|| {
            let parameter = T::provider().parameter()?;
            let Subpackage { name, version } = match request.parameters {
                Parameters::Arguments(arguments) => parameter.take_arguments(&arguments)?,
                Parameters::Recorded(recorded) => {
                    let subpackage = Subpackage::new(recorded.subpackage.name, recorded.subpackage.version);
                    parameter.take_recorded(subpackage, &recorded.bytes)?
                }
            };
            Ok(wit::Subpackage { name, version })
        })
    }
}
