//! A component that does as the input `act` says, written against the contract itself: what it registers, and what it says of it,
//! is what a host sees of any SDK.

wit_bindgen::generate!({
    path: "../../../wit",
    inline: "
        package bulkhead:composer;
        world composer {
            include bulkhead:provider/described@0.1.0;
            include bulkhead:provider/configured@0.1.0;
            include bulkhead:provider/resourceful@0.1.0;
            include bulkhead:provider/functional@0.1.0;
            include bulkhead:provider/composing@0.1.0;
        }
    ",
    world: "bulkhead:composer/composer",
    generate_all,
});

mod acts;
mod methods;
mod parts;
mod tree;

use std::sync::OnceLock;

use bulkhead::provider::engine;
use bulkhead::provider::types::{Error, Subpackage};
use bulkhead::provider::values::Tree;
use exports::bulkhead::provider::components::{self, CallRequest, Called, ConstructRequest, Constructed};
use exports::bulkhead::provider::config::{self, ConfigureRequest};
use exports::bulkhead::provider::functions::{self, InvokeRequest};
use exports::bulkhead::provider::schema;

struct Composer;

export!(Composer);

/// What the engine said when this instance was configured.
static CONFIGURED: OnceLock<String> = OnceLock::new();

impl schema::Guest for Composer {
    fn package_schema(_: Option<Subpackage>) -> Result<String, Error> {
        Ok(include_str!("schema.json").to_owned())
    }

    fn manifest() -> String {
        include_str!("manifest.json").to_owned()
    }
}

impl config::Guest for Composer {
    fn configure(_: ConfigureRequest) -> Result<(), Error> {
        let _ = CONFIGURED.set(told(engine::get_deployment()));
        Ok(())
    }
}

impl functions::Guest for Composer {
    /// Everything that the engine offers, where there is none.
    fn invoke(_: InvokeRequest) -> Result<Tree, Error> {
        let none = || tree::object([]);
        let said = [
            told(engine::get_deployment()),
            told(engine::register(&acts::part("x", 1, none(), acts::unset()))),
            told(engine::read(&acts::part("x", 1, none(), acts::unset()), "id")),
            told(engine::register_outputs("urn", &none())),
            told(engine::hydrate("urn")),
            told(engine::invoke("p:m:f", &none(), &acts::unset())),
            told(engine::call("p:m:f", &none(), &acts::unset())),
        ];
        Ok(tree::object([("said", tree::text(said.join("\n")))]))
    }
}

impl components::Guest for Composer {
    fn construct(request: ConstructRequest) -> Result<Constructed, Error> {
        acts::construct(request)
    }

    fn call(request: CallRequest) -> Result<Called, Error> {
        methods::call(request)
    }
}

/// What came of a request, in words.
fn told<T>(outcome: Result<T, Error>) -> String {
    match outcome {
        Ok(_) => "done".to_owned(),
        Err(error) => format!("{error:?}"),
    }
}
