//! Secrets in lists, maps, tuples and unions: a schema has no word for those, and says it of the whole.

use std::collections::BTreeMap;

use bulkhead_schema::Package;
use bulkhead_sdk::testing::Driver;
use bulkhead_sdk::{
    Create, Created, Inputs, Resource, Result, Secret, State, Union, Value, fields, provider, resource,
};

#[derive(Union, Clone, Debug)]
pub(crate) enum Credential {
    Number(u32),
    Password(Secret<String>),
}

#[derive(Inputs, Clone)]
pub(crate) struct DoorArgs {
    keys: Vec<Secret<String>>,
    codes: Option<BTreeMap<String, Secret<String>>>,
    pair: Option<(String, Secret<String>)>,
    credential: Option<Credential>,
    rooms: Option<Vec<String>>,
    /// How often one may try.
    #[bulkhead(output_default = 3)]
    tries: u8,
    /// How long it stays open.
    #[bulkhead(default = 10)]
    seconds: u32,
}

/// A door.
#[derive(State)]
pub(crate) struct Door {
    #[bulkhead(flatten)]
    args: DoorArgs,
}

#[resource(token = "doors:index:Door")]
impl Resource for Door {
    type Inputs = DoorArgs;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        Ok(Created::new("d-1", Self { args: request.inputs }))
    }
}

provider! { name: "doors", resources: [Door] }

#[test]
fn what_holds_secrets_is_one_to_the_host() {
    let package = Package::parse(PROVIDER.schema().unwrap().as_bytes()).unwrap();
    let door = package.resource("doors:index:Door").unwrap();
    for properties in [&door.inputs.properties, &door.outputs.properties] {
        let secret: Vec<&str> =
            properties.iter().filter(|(_, property)| property.secret).map(|(name, _)| name.as_str()).collect();
        assert_eq!(secret, ["codes", "credential", "keys", "pair"]);
    }
}

/// SDKs send a secret that isn't configured as a secret null.
#[test]
fn a_secret_nothing_is_nothing() {
    let driver = Driver::new(&PROVIDER, ());
    let nothing = Value::Null.secret();
    let door = driver
        .create::<Door>(fields! {
            "keys": vec!["a"],
            "rooms": nothing.clone(),
            "tries": nothing.clone(),
            "seconds": nothing,
        })
        .unwrap();
    let args = door.state.args;
    assert_eq!((args.rooms, args.tries, args.seconds), (None, 3, 10));
}
