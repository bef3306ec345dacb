//! A provider that falls over as soon as anything of it is called. It describes itself, and that is all it does.
//!
//! It exports every override, and its manifest declares none: a host has no reason to call one.

wit_bindgen::generate!({
    path: "../../../wit",
    inline: "
        package bulkhead:tripwire;
        world tripwire {
            include bulkhead:provider/described@0.1.0;
            include bulkhead:provider/resourceful@0.1.0;
            include bulkhead:provider/checking@0.1.0;
            include bulkhead:provider/diffing@0.1.0;
            include bulkhead:provider/previewing@0.1.0;
            include bulkhead:provider/config-checking@0.1.0;
            include bulkhead:provider/config-diffing@0.1.0;
            include bulkhead:provider/upgrading@0.1.0;
        }
    ",
    world: "bulkhead:tripwire/tripwire",
    generate_all,
});

use bulkhead::provider::types::{
    CheckConfigRequest, CheckRequest, Checked, CreateRequest, DiffConfigRequest, DiffRequest, Difference, Error,
    Subpackage, UpdateRequest,
};
use bulkhead::provider::values::Tree;
use exports::bulkhead::provider::resources::{self, Created, DeleteRequest, ReadRequest, Snapshot, Updated};
use exports::bulkhead::provider::upgrade::{self, UpgradeRequest, Upgraded};
use exports::bulkhead::provider::{check, config_check, config_diff, diff, preview, schema};

struct Tripwire;

export!(Tripwire);

fn fall() -> ! {
    core::arch::wasm32::unreachable()
}

impl schema::Guest for Tripwire {
    fn package_schema(_: Option<Subpackage>) -> Result<String, Error> {
        Ok(include_str!("schema.json").to_owned())
    }

    fn manifest() -> String {
        include_str!("manifest.json").to_owned()
    }
}

impl resources::Guest for Tripwire {
    fn create(_: CreateRequest) -> Result<Created, Error> {
        fall()
    }

    fn read(_: ReadRequest) -> Result<Option<Snapshot>, Error> {
        fall()
    }

    fn update(_: UpdateRequest) -> Result<Updated, Error> {
        fall()
    }

    fn delete(_: DeleteRequest) -> Result<(), Error> {
        fall()
    }
}

impl check::Guest for Tripwire {
    fn check(_: CheckRequest) -> Result<Checked, Error> {
        fall()
    }
}

impl diff::Guest for Tripwire {
    fn diff(_: DiffRequest) -> Result<Difference, Error> {
        fall()
    }
}

impl preview::Guest for Tripwire {
    fn preview_create(_: CreateRequest) -> Result<Tree, Error> {
        fall()
    }

    fn preview_update(_: UpdateRequest) -> Result<Tree, Error> {
        fall()
    }
}

impl config_check::Guest for Tripwire {
    fn check_config(_: CheckConfigRequest) -> Result<Checked, Error> {
        fall()
    }
}

impl config_diff::Guest for Tripwire {
    fn diff_config(_: DiffConfigRequest) -> Result<Difference, Error> {
        fall()
    }
}

impl upgrade::Guest for Tripwire {
    fn upgrade(_: UpgradeRequest) -> Result<Upgraded, Error> {
        fall()
    }
}
