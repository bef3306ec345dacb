//! Packages made by a parameter: what `parameterized` becomes, and what `extbase` gets beside itself.
//!
//! What their schemas say follows from the parameter, so that they can't be embedded.

use std::cell::RefCell;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::bulkhead::provider::types::{Error, Subpackage};
use crate::exports::bulkhead::provider::parameterization::{ParameterizeRequest, Parameters};

/// A package made by a parameter.
#[derive(Clone)]
struct Made {
    subpackage: Subpackage,
    /// The parameter; text, in these tests.
    value: String,
}

thread_local! {
    /// The packages that this instance was told of.
    static MADE: RefCell<Vec<Made>> = const { RefCell::new(Vec::new()) };
}

/// Takes a parameter.
pub(crate) fn parameterize(request: ParameterizeRequest) -> Result<Subpackage, Error> {
    let Parameters::Recorded(parameter) = request.parameters else {
        return Err(Error::Unsupported("parameters come from programs here, not from command lines".to_owned()));
    };
    let value = String::from_utf8(parameter.bytes).map_err(|_| Error::Failed("the parameter isn't text".to_owned()))?;
    let subpackage = parameter.subpackage;
    MADE.with_borrow_mut(|made| {
        made.retain(|other| other.subpackage.name != subpackage.name);
        made.push(Made { subpackage: subpackage.clone(), value });
    });
    Ok(subpackage)
}

/// The parameter that made a package.
pub(crate) fn value(package: &str) -> Option<String> {
    MADE.with_borrow(|made| made.iter().find(|made| made.subpackage.name == package).map(|made| made.value.clone()))
}

/// The schema of a package made by a parameter.
pub(crate) fn schema(subpackage: &Subpackage) -> Result<String, Error> {
    let Subpackage { name, version } = subpackage;
    let value = value(name).ok_or_else(|| Error::NotFound(format!("no parameter made `{name}`")))?;
    let parameter = STANDARD.encode(&value);
    // The tests call their extension so; the component doesn't know which of the two packages it is.
    let (made, resource, function, argument, result) = if name == "myext" {
        let base = r#""extensionParameterization":{"baseProvider":{"name":"extbase","version":"45.0.0"},"#;
        (base, "Greeting".to_owned(), "greet".to_owned(), "name", "greeting")
    } else {
        let base = r#""provider":{"inputProperties":{"text":{"type":"string"}}},
            "parameterization":{"baseProvider":{"name":"parameterized","version":"1.2.3"},"#;
        (base, value.clone(), format!("do{value}"), "input", "output")
    };
    let state = r#""type":"object","properties":{"parameterValue":{"type":"string"}},"required":["parameterValue"]"#;
    let object =
        |name| format!(r#"{{"type":"object","properties":{{"{name}":{{"type":"string"}}}},"required":["{name}"]}}"#);
    Ok(format!(
        r#"{{"name":"{name}","version":"{version}",{made}"parameter":"{parameter}"}},
            "resources":{{"{name}:index:{resource}":{{{state}}},
                "{name}:index:{resource}Component":{{"isComponent":true,{state}}}}},
            "functions":{{"{name}:index:{function}":{{"inputs":{},"outputs":{}}}}}}}"#,
        object(argument),
        object(result),
    ))
}
