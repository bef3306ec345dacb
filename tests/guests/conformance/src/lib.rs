//! The providers of upstream's conformance tests, as one component: it does what each of them does, by the token it is asked for.
//!
//! What they check, compare and preview isn't here: the host does that from their schemas, which the harness takes from upstream and
//! embeds, one component per package. What remains is what a provider alone knows, and for most that is nothing at all: they keep
//! what they are given.

wit_bindgen::generate!({
    path: "../../../wit",
    inline: "
        package bulkhead:conformance;
        world conformance {
            include bulkhead:provider/described@0.1.0;
            include bulkhead:provider/configured@0.1.0;
            include bulkhead:provider/resourceful@0.1.0;
            include bulkhead:provider/functional@0.1.0;
            include bulkhead:provider/checking@0.1.0;
            include bulkhead:provider/previewing@0.1.0;
            include bulkhead:provider/config-checking@0.1.0;
            include bulkhead:provider/composing@0.1.0;
            include bulkhead:provider/parameterized@0.1.0;
        }
    ",
    world: "bulkhead:conformance/conformance",
    generate_all,
});

mod composing;
mod creating;
mod existing;
mod invoking;
mod overriding;
mod parameters;
mod value;

use std::cell::RefCell;

use bulkhead::provider::defaults;
use bulkhead::provider::types::{
    CheckConfigRequest, CheckRequest, Checked, CreateRequest, Error, Subpackage, UpdateRequest,
};
use bulkhead::provider::values::Tree;
use exports::bulkhead::provider::components::{self, CallRequest, Called, ConstructRequest, Constructed};
use exports::bulkhead::provider::config::{self, ConfigureRequest};
use exports::bulkhead::provider::functions::{self, InvokeRequest};
use exports::bulkhead::provider::parameterization::{self, ParameterizeRequest};
use exports::bulkhead::provider::resources::{self, Created, DeleteRequest, ReadRequest, Snapshot, Updated};
use exports::bulkhead::provider::{check, config_check, preview, schema};

use crate::value::Value;

struct Conformance;

export!(Conformance);

thread_local! {
    /// This instance's configuration.
    static CONFIGURATION: RefCell<Value> = RefCell::new(Value::object([]));
}

impl schema::Guest for Conformance {
    fn package_schema(subpackage: Option<Subpackage>) -> Result<String, Error> {
        match subpackage {
            None => Ok(r#"{"name":"conformance","version":"1.0.0"}"#.to_owned()),
            Some(subpackage) => parameters::schema(&subpackage),
        }
    }

    fn manifest() -> String {
        r#"{"manifestVersion":1,"contract":"0.1.0"}"#.to_owned()
    }
}

impl config::Guest for Conformance {
    fn configure(request: ConfigureRequest) -> Result<(), Error> {
        let configuration = Value::read(&request.inputs)?;
        CONFIGURATION.with(|kept| kept.replace(configuration));
        Ok(())
    }
}

impl resources::Guest for Conformance {
    fn create(request: CreateRequest) -> Result<Created, Error> {
        creating::create(&request)
    }

    fn read(request: ReadRequest) -> Result<Option<Snapshot>, Error> {
        Ok(existing::read(request))
    }

    fn update(request: UpdateRequest) -> Result<Updated, Error> {
        let state = creating::state(&request.context.token, request.inputs)?;
        Ok(Updated { state, refresh_before_update: false })
    }

    fn delete(_: DeleteRequest) -> Result<(), Error> {
        Ok(())
    }
}

impl functions::Guest for Conformance {
    fn invoke(request: InvokeRequest) -> Result<Tree, Error> {
        Ok(invoking::invoke(&request.token, &Value::read(&request.arguments)?)?.write())
    }
}

impl components::Guest for Conformance {
    fn construct(request: ConstructRequest) -> Result<Constructed, Error> {
        composing::construct(request)
    }

    fn call(request: CallRequest) -> Result<Called, Error> {
        composing::call(request)
    }
}

impl parameterization::Guest for Conformance {
    fn parameterize(request: ParameterizeRequest) -> Result<Subpackage, Error> {
        parameters::parameterize(request)
    }
}

impl check::Guest for Conformance {
    fn check(request: CheckRequest) -> Result<Checked, Error> {
        overriding::check(request)
    }
}

impl config_check::Guest for Conformance {
    fn check_config(request: CheckConfigRequest) -> Result<Checked, Error> {
        Ok(overriding::check_config(request))
    }
}

impl preview::Guest for Conformance {
    fn preview_create(request: CreateRequest) -> Result<Tree, Error> {
        overriding::preview(&request)
    }

    fn preview_update(request: UpdateRequest) -> Result<Tree, Error> {
        defaults::preview_update(&request)
    }
}

/// A member of the configuration.
fn configured(name: &str) -> Option<Value> {
    CONFIGURATION.with(|kept| kept.borrow().get(name).cloned())
}
