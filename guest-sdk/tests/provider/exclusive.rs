//! Inputs of which one is given: the default of the other would contradict it.

use bulkhead_sdk::testing::Driver;
use bulkhead_sdk::{Create, Created, Inputs, Resource, Result, State, Value, fields, provider, resource};

#[derive(Inputs, Clone)]
pub(crate) struct VolumeArgs {
    /// What it begins with.
    snapshot: Option<String>,
    #[bulkhead(conflicts_with = "snapshot", default = 10)]
    size: Option<u32>,
    #[bulkhead(default = "ext4")]
    format: Option<String>,
    /// What it is cloned from.
    #[bulkhead(exactly_one_of = ["format"])]
    r#type: Option<String>,
    #[bulkhead(conflicts_with = "snapshot", default = 3)]
    copies: u8,
    #[bulkhead(exactly_one_of = ["key_name", "key_file"])]
    unlocked: Option<bool>,
    #[bulkhead(default = "main")]
    key_name: Option<String>,
    key_file: Option<String>,
}

/// A volume.
#[derive(State)]
pub(crate) struct Volume {
    #[bulkhead(flatten)]
    args: VolumeArgs,
}

#[resource(token = "volumes:index:Volume")]
impl Resource for Volume {
    type Inputs = VolumeArgs;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        Ok(Created::new("v-1", Self { args: request.inputs }))
    }
}

provider! { name: "volumes", resources: [Volume] }

#[test]
fn no_default_stands_beside_what_excludes_it() {
    let driver = Driver::new(&PROVIDER, ());
    for (snapshot, kind, size, format) in [
        (Value::Null, Value::Null, Some(10), Some("ext4")),
        ("s-1".into(), Value::Null, None, Some("ext4")),
        (Value::Null.secret(), "copy".into(), Some(10), None),
    ] {
        let volume = driver.create::<Volume>(fields! { "snapshot": snapshot, "type": kind }).unwrap();
        let args = &volume.state.args;
        assert_eq!((args.size, args.format.as_deref()), (size, format), "{volume:?}");
        assert_eq!((volume.fields.contains_key("size"), args.copies), (size.is_some(), 3));
    }
    for (file, name) in [(Value::Null, Some("main")), ("k.pem".into(), None)] {
        let volume = driver.create::<Volume>(fields! { "keyFile": file }).unwrap();
        assert_eq!(volume.state.args.key_name.as_deref(), name, "one says it of all of a choice");
    }
    let volume = driver.create::<Volume>(fields! { "snapshot": "s-1", "size": 20 }).unwrap();
    assert_eq!(volume.state.args.size, Some(20), "what was given anyway is the check's matter");
}
