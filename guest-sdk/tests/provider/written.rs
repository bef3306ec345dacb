//! What an author writes otherwise than most: under a condition, as an expression, in a block.

use bulkhead_schema::Package;
use bulkhead_sdk::{Create, Created, Inputs, Read, Resource, Result, Snapshot, State, provider, resource};

const LIMIT: u32 = 1000;

/**
 * A timer.
 *
 * - It rings.
 */
#[derive(Inputs, Clone)]
struct TimerArgs {
    /**
     * How long it runs.
     * In seconds.
     */
    #[bulkhead(default = 60 * 60, minimum = 30 * 2, maximum = 60 * 60 * 24)]
    seconds: u32,
    #[doc = concat!("How often ", "it rings.")]
    /// At most.
    #[bulkhead(maximum = LIMIT - 1, minimum = 2.0 - 1.5)]
    times: Option<u32>,
    /// How long it may be there, in seconds.
    #[bulkhead(maximum = 60 * 60 * 24 * 365 * 100, minimum = 60u64 * 60)]
    lasts: Option<f64>,
    /**
     One of:
     * a bell
     * a gong
    */
    #[bulkhead(max_length = 9)]
    sound: Option<String>,
    #[bulkhead(flatten = false)]
    loud: Option<bool>,
    /// More than the type can hold, both ways.
    #[bulkhead(minimum = -1, maximum = 1000)]
    pitch: Option<u8>,
    #[bulkhead(minimum = -1.5, maximum = 99.5)]
    volume: Option<i8>,
}

#[derive(State)]
struct Timer {
    #[bulkhead(flatten)]
    args: TimerArgs,
}

#[resource(token = "written:index:Timer")]
impl Resource for Timer {
    type Inputs = TimerArgs;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        Ok(Created::new("t-1", Self { args: request.inputs }))
    }

    #[cfg(not(target_family = "wasm"))]
    fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
        Ok(Some(Snapshot::new(request.id, request.prior.unwrap().state()?)))
    }

    #[cfg(target_family = "wasm")]
    fn update(request: bulkhead_sdk::Update<Self>) -> Result<bulkhead_sdk::Updated<Self>> {
        Ok(bulkhead_sdk::Updated::new(Self { args: request.inputs }))
    }

    #[cfg(not(target_family = "wasm"))]
    #[cfg(target_family = "wasm")]
    fn delete(_: bulkhead_sdk::Delete<Self>) -> Result<()> {
        Ok(())
    }
}

provider! { name: "written", resources: [Timer] }

fn schema() -> serde_json::Value {
    serde_json::from_str(&PROVIDER.schema().unwrap()).unwrap()
}

/// What stands on record is destroyed by what the manifest says.
#[test]
fn methods_that_a_condition_leaves_out_arent_promised() {
    let manifest: serde_json::Value = serde_json::from_str(&PROVIDER.manifest()).unwrap();
    assert_eq!(manifest["resources"]["written:index:Timer"]["methods"], serde_json::json!(["create", "read"]));
}

#[test]
fn bounds_may_be_computed() {
    let package = Package::parse(PROVIDER.schema().unwrap().as_bytes()).unwrap();
    assert!(package.resource("written:index:Timer").is_some());
    let schema = schema();
    let validate = |name: &str| {
        schema["resources"]["written:index:Timer"]["inputProperties"][name]["language"]["bulkhead"]["validate"].clone()
    };
    assert_eq!(validate("seconds"), serde_json::json!({ "minimum": 60, "maximum": 86_400 }));
    assert_eq!(validate("times"), serde_json::json!({ "minimum": 0.5, "maximum": 999 }));
    assert_eq!(validate("lasts"), serde_json::json!({ "minimum": 3_600, "maximum": 3_153_600_000_u32 }));
}

/// A preview would promise what no `create` can read.
#[test]
fn bounds_beyond_what_the_type_can_hold_are_the_types() {
    let schema = schema();
    let validate = |name: &str| {
        schema["resources"]["written:index:Timer"]["inputProperties"][name]["language"]["bulkhead"]["validate"].clone()
    };
    assert_eq!(validate("pitch"), serde_json::json!({ "minimum": 0, "maximum": 255 }));
    assert_eq!(validate("volume"), serde_json::json!({ "minimum": -1.5, "maximum": 99.5 }));
}

#[test]
fn descriptions_are_what_was_written_in_whatever_way() {
    let schema = schema();
    let timer = &schema["resources"]["written:index:Timer"];
    let description = |name: &str| timer["inputProperties"][name]["description"].clone();
    assert_eq!(description("seconds"), "How long it runs.\nIn seconds.");
    assert_eq!(description("times"), "How often it rings.\nAt most.");
    assert_eq!(description("sound"), "One of:\n    * a bell\n    * a gong");
}

#[test]
fn a_flag_that_is_said_to_be_false_says_nothing() {
    let schema = schema();
    let inputs = schema["resources"]["written:index:Timer"]["inputProperties"].as_object().unwrap();
    assert!(inputs.contains_key("loud"), "{inputs:?}");
}
