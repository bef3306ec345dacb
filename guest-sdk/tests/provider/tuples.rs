//! Tuples wherever a property may stand: in inputs, state, configuration, objects, unions, arguments and results.

use std::collections::BTreeMap;

use bulkhead_schema::Package;
use bulkhead_sdk::testing::Driver;
use bulkhead_sdk::{
    Config, Create, Created, ErrorKind, Inputs, Object, Resource, Result, State, Union, Value, fields, function,
    provider, resource,
};
use serde_json::json;

#[derive(Config)]
pub(crate) struct Settings {
    /// Where the grid begins.
    origin: (f64, f64),
}

#[derive(Object, Clone, Debug, PartialEq)]
pub(crate) struct Mark {
    /// Where it is.
    at: (u32, u32),
    /// What it says, and whether that is bold.
    label: Option<(String, bool)>,
}

#[derive(Union, Clone, Debug, PartialEq)]
pub(crate) enum Place {
    At((u32, u32)),
    Named(String),
}

#[derive(Inputs, Clone)]
pub(crate) struct LineArgs {
    /// Where it begins and ends.
    ends: ((u32, u32), (u32, u32)),
    /// Its colour and its width.
    #[bulkhead(replace)]
    style: (String, u8),
    marks: Option<Vec<Mark>>,
    places: Option<BTreeMap<String, Place>>,
}

/// A line.
#[derive(State)]
pub(crate) struct Line {
    #[bulkhead(flatten)]
    args: LineArgs,
    /// Where its middle is, what marks it, and how long it is in each direction.
    middle: ((f64, f64), Mark, u32, u32),
}

#[resource(token = "grid:index:Line")]
impl Resource for Line {
    type Inputs = LineArgs;
    type Config = Settings;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        let args = request.inputs;
        let (((left, top), (right, bottom)), (x, y)) = (args.ends, request.config.origin);
        let place = (x + f64::from(left + right) / 2.0, y + f64::from(top + bottom) / 2.0);
        let mark = Mark { at: (left, top), label: Some((args.style.0.clone(), true)) };
        let middle = (place, mark, right.abs_diff(left), bottom.abs_diff(top));
        Ok(Created::new("line-1", Self { args, middle }))
    }
}

#[derive(Inputs)]
pub(crate) struct TurnArgs {
    ends: ((u32, u32), (u32, u32)),
}

/// Both ends, and whether they differ.
type Turned = ((u32, u32), (u32, u32), bool);

/// A line the other way round, and whether it is another.
#[function(token = "grid:index:turn")]
pub(crate) fn turn(arguments: TurnArgs) -> Result<Turned> {
    let (first, last) = arguments.ends;
    Ok((last, first, first != last))
}

provider! { name: "grid", config: Settings, resources: [Line], functions: [turn] }

fn driver() -> Driver<Settings> {
    Driver::configure(&PROVIDER, fields! { "origin": (0.5, 10) }).unwrap()
}

fn ends() -> Value {
    ((1, 2), (3, 6)).into()
}

/// TYP-01.
#[test]
fn tuples_come_and_go_as_lists() {
    let driver = driver();
    let inputs = fields! {
        "ends": ends(),
        "style": ("red", 2),
        "marks": vec![fields! { "at": (1, 1), "label": ("start", true) }],
        "places": fields! { "first": (7, 8), "second": "home" },
    };
    let line = driver.create::<Line>(inputs.clone()).unwrap();
    let args = &line.state.args;
    assert_eq!((args.ends, &args.style), (((1, 2), (3, 6)), &("red".to_owned(), 2)));
    let mark = Mark { at: (1, 1), label: Some(("start".to_owned(), true)) };
    assert_eq!(args.marks.as_deref(), Some(&[mark][..]));
    let places = args.places.as_ref().unwrap();
    assert_eq!((&places["first"], &places["second"]), (&Place::At((7, 8)), &Place::Named("home".to_owned())));
    for (name, value) in &inputs {
        assert_eq!(&line.fields[name], value, "{name}");
    }
    let mark = fields! { "at": (1, 2), "label": ("red", true) };
    assert_eq!(line.fields["middle"], ((2.5, 14), mark, 2, 4).into());
    let turned = driver.invoke::<turn>(fields! { "ends": ends() }).unwrap();
    assert_eq!(turned, ((3, 6), (1, 2), true).into());
}

#[test]
fn what_doesnt_fit_is_rejected_with_its_place() {
    let driver = driver();
    let style = || ("red", 2);
    for (inputs, message) in [
        (fields! { "ends": ends(), "style": vec!["red"] }, "`style` must have 2 elements, not 1"),
        (fields! { "ends": ends(), "style": (2, "red") }, "`style[0]` must be a string, not a number"),
        (fields! { "ends": ends(), "style": ("red", 300) }, "`style[1]` must be between 0 and 255"),
        (fields! { "ends": ((1, 2), 3), "style": style() }, "`ends[1]` must be a list of 2 elements, not a number"),
        (
            fields! { "ends": ((1, 2), (3, true)), "style": style() },
            "`ends[1][1]` must be a whole number, not a boolean",
        ),
        (
            fields! { "ends": ends(), "style": style(), "marks": vec![fields! { "at": (1, 2, 3) }] },
            "`marks[0].at` must have 2 elements, not 3",
        ),
        (
            fields! { "ends": ends(), "style": style(), "places": fields! { "a": vec![1] } },
            "`places.a` is of none of the types that it may have, but a list",
        ),
    ] {
        let error = driver.create::<Line>(inputs).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Rejected(_)), "{error}");
        assert_eq!(error.to_string(), message);
    }
}

/// The schema has no tuples: it says what lists of them have in common, and how many elements there are.
#[test]
fn a_schema_says_of_tuples_what_it_can() {
    let schema = PROVIDER.schema().unwrap();
    let package = Package::parse(schema.as_bytes()).unwrap();
    assert!(package.resource("grid:index:Line").unwrap().inputs.properties["style"].replaces);
    let schema: serde_json::Value = serde_json::from_str(&schema).unwrap();
    let (integer, number) = (json!({ "type": "integer" }), json!({ "type": "number" }));
    let list = |items: &serde_json::Value| json!({ "type": "array", "items": items });
    let pair = list(&integer);
    let of = |pointer: &str, members: &[&str]| {
        let found = schema.pointer(pointer).unwrap_or_else(|| panic!("there should be {pointer} in {schema:#}"));
        let members = members.iter().map(|name| ((*name).to_owned(), found[*name].clone()));
        serde_json::Value::Object(members.collect())
    };
    let inputs = "/resources/grid:index:Line/inputProperties";
    let ty = ["type", "items"];
    assert_eq!(of(&format!("{inputs}/ends"), &ty), list(&pair), "the type that all have");
    let style = json!({ "oneOf": [{ "type": "string" }, integer] });
    assert_eq!(of(&format!("{inputs}/style"), &ty), list(&style), "any of their types");
    for name in ["ends", "style"] {
        let exactly = json!({ "minItems": 2, "maxItems": 2 });
        assert_eq!(schema.pointer(&format!("{inputs}/{name}/language/bulkhead/validate")), Some(&exactly), "{name}");
    }
    let place = json!({ "oneOf": [pair, { "type": "string" }] });
    assert_eq!(schema.pointer(&format!("{inputs}/places/additionalProperties")), Some(&place));
    assert_eq!(of("/types/grid:index:Mark/properties/at", &ty), pair);
    let mark = json!({ "$ref": "#/types/grid:index:Mark" });
    let middle = list(&json!({ "oneOf": [list(&number), mark, integer] }));
    assert_eq!(of("/resources/grid:index:Line/properties/middle", &ty), middle);
    let turned = list(&json!({ "oneOf": [pair, { "type": "boolean" }] }));
    assert_eq!(schema.pointer("/functions/grid:index:turn/outputs"), Some(&turned));
    assert_eq!(of("/config/variables/origin", &ty), list(&number));
}
