//! Makes another sub-package of each parameter, each with a large schema.

use std::sync::Mutex;

use hostile::exports::parameterization::{ParameterizeRequest, Parameters};
use hostile::types::{Error, Subpackage};
use hostile::{Attack, SCHEMA, attack};

static GIVEN: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct Endless;

impl Attack for Endless {
    fn package_schema(&self, subpackage: Option<Subpackage>) -> Result<String, Error> {
        let Some(Subpackage { name, .. }) = subpackage else { return Ok(SCHEMA.to_owned()) };
        let size: usize = name.rsplit('-').next().and_then(|size| size.parse().ok()).unwrap_or(0);
        Ok(format!(
            r#"{{"name":"{name}","version":"1.0.0","extensionParameterization":{{"baseProvider":{{"name":"hostile",
            "version":"1.2.3"}},"parameter":"eA=="}},"description":"{}"}}"#,
            "x".repeat(size)
        ))
    }

    fn parameterize(&self, request: ParameterizeRequest) -> Result<Subpackage, Error> {
        let name = match request.parameters {
            Parameters::Arguments(words) => words.into_iter().next().unwrap_or_default(),
            Parameters::Recorded(recorded) => recorded.subpackage.name,
        };
        if let Ok(mut given) = GIVEN.lock() {
            given.push(name.clone());
        }
        Ok(Subpackage { name, version: "1.0.0".to_owned() })
    }
}

attack!(Endless);
