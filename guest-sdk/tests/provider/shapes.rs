//! Unions that a property tells apart, and properties with one value only.

use bulkhead_schema::Package;
use bulkhead_sdk::testing::Driver;
use bulkhead_sdk::value::Property as _;
use bulkhead_sdk::{
    Create, Created, Inputs, Object, Ref, Resource, Result, State, Union, Value, fields, provider, resource,
};

#[derive(Object, Clone, Debug, PartialEq)]
pub(crate) struct Circle {
    radius: u32,
    /// What it is, which is said last.
    #[bulkhead(constant = "circle")]
    kind: String,
}

#[derive(Object, Clone, Debug, PartialEq)]
pub(crate) struct Square {
    /// What it is.
    #[bulkhead(constant = "square")]
    kind: String,
    side: u32,
    centre: Option<Circle>,
}

#[derive(Union, Clone, Debug, PartialEq)]
#[bulkhead(discriminator = "kind")]
pub(crate) enum Shape {
    Circle(Circle),
    Square(Square),
}

#[derive(Inputs, Clone)]
pub(crate) struct DrawingArgs {
    shape: Shape,
    #[bulkhead(constant = 2)]
    dimensions: Option<u32>,
}

/// A drawing.
#[derive(State)]
pub(crate) struct Drawing {
    #[bulkhead(flatten)]
    args: DrawingArgs,
}

#[resource(token = "shapes:index:Drawing")]
impl Resource for Drawing {
    type Inputs = DrawingArgs;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        Ok(Created::new("d-1", Self { args: request.inputs }))
    }
}

provider! { name: "shapes", resources: [Drawing] }

#[test]
fn the_named_variant_is_read_and_says_what_is_wrong() {
    let driver = Driver::new(&PROVIDER, ());
    let drawing = |shape| driver.create::<Drawing>(fields! { "shape": shape, "dimensions": 2 });
    let square = fields! { "kind": "square", "side": 3, "centre": fields! { "kind": "circle", "radius": 1 } };
    let drawn = drawing(square.clone()).unwrap();
    assert!(matches!(&drawn.state.args.shape, Shape::Square(shape) if shape.side == 3));
    assert_eq!(drawn.fields["shape"], square.into());
    for (shape, message) in [
        (fields! { "kind": "square", "radius": 3 }, "`shape.side` is required"),
        (fields! { "kind": "square" }, "`shape.side` is required"),
        (fields! { "kind": "circle", "radius": true }, "`shape.radius` must be a whole number, not a boolean"),
        (
            fields! { "kind": "square", "side": 1, "centre": fields! { "kind": "square", "radius": 1 } },
            "`shape.centre.kind` must be \"circle\"",
        ),
        (fields! { "kind": "line" }, "`shape` is of none of the types that it may have, but an object"),
    ] {
        assert_eq!(drawing(shape).unwrap_err().to_string(), message);
    }
}

#[derive(Object)]
struct Not {
    inner: Box<Condition>,
    #[bulkhead(constant = "not")]
    kind: String,
}

#[derive(Object)]
struct Always {
    inner: Option<Box<Condition>>,
    #[bulkhead(constant = "always")]
    kind: String,
}

#[derive(Union)]
#[bulkhead(discriminator = "kind")]
enum Condition {
    Not(Not),
    Always(Always),
}

/// What isn't meant is found out before anything in it is read: or each level would be read twice as often as the one around it.
#[test]
fn unions_in_each_other_are_read_once() {
    let innermost = fields! { "kind": "always" };
    let condition = (0..60).fold(innermost, |inner, _| fields! { "kind": "always", "inner": inner });
    let Ok(Condition::Always(always)) = Condition::from_value(condition.into()) else { panic!("it is read") };
    let mut depth = 0;
    let mut next = always.inner;
    while let Some(Condition::Always(Always { inner, kind })) = next.map(|condition| *condition) {
        assert_eq!(kind, "always");
        (depth, next) = (depth + 1, inner);
    }
    assert_eq!(depth, 60);
}

/// What holds itself says so in one of two ways.
#[derive(Object, Clone, Debug, PartialEq)]
struct Tree {
    name: String,
    children: Vec<Self>,
    parent: Option<Box<Self>>,
    nearby: Option<(Box<Self>, u32)>,
}

#[derive(Inputs, Clone)]
struct GardenArgs {
    tree: Tree,
}

/// A garden.
#[derive(State)]
struct Garden {
    #[bulkhead(flatten)]
    args: GardenArgs,
    /// The one that it was made from.
    origin: Option<Ref<Self>>,
}

#[resource(token = "garden:index:Garden")]
impl Resource for Garden {
    type Inputs = GardenArgs;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        Ok(Created::new("g-1", Self { args: request.inputs, origin: None }))
    }
}

mod garden {
    use super::{Garden, provider};

    provider! { name: "garden", resources: [Garden] }
}

#[test]
fn an_object_that_calls_itself_self_holds_itself() {
    let driver = Driver::new(&garden::PROVIDER, ());
    let leaf = |name: &str| fields! { "name": name, "children": Vec::<Value>::new() };
    let tree = fields! {
        "name": "oak", "children": vec![Value::from(leaf("a"))], "parent": leaf("b"),
        "nearby": vec![leaf("c").into(), Value::from(2)],
    };
    let created = driver.create::<Garden>(fields! { "tree": tree.clone() }).unwrap();
    assert_eq!(created.fields["tree"], tree.into());
    assert_eq!(created.state.args.tree.children[0].name, "a");
    let schema = garden::PROVIDER.schema().unwrap();
    let package = Package::parse(schema.as_bytes()).unwrap();
    let children = &package.object_type("garden:index:Tree").unwrap().properties["children"];
    assert!(format!("{children:?}").contains("garden:index:Tree"), "{children:?}");
    let origin = &package.resource("garden:index:Garden").unwrap().outputs.properties["origin"];
    assert!(format!("{origin:?}").contains("garden:index:Garden"), "{origin:?}");
}

#[test]
fn constants_have_one_value() {
    let driver = Driver::new(&PROVIDER, ());
    let circle = fields! { "kind": "circle", "radius": 3 };
    let error = driver.create::<Drawing>(fields! { "shape": circle, "dimensions": 3 }).unwrap_err();
    assert_eq!(error.to_string(), "`dimensions` must be 2");
    assert!(driver.create::<Drawing>(fields! { "shape": fields! { "kind": "circle", "radius": 3 } }).is_ok());
}

#[test]
fn host_understands_constants_and_discriminators() {
    let schema = PROVIDER.schema().unwrap();
    let package = Package::parse(schema.as_bytes()).unwrap();
    let inputs = &package.resource("shapes:index:Drawing").unwrap().inputs;
    assert_eq!(inputs.properties["dimensions"].constant, Some(2.0.into()));
    assert!(package.object_type("shapes:index:Circle").unwrap().properties["kind"].constant.is_some());
    assert!(schema.contains(r#""discriminator":{"propertyName":"kind"}"#), "{schema}");
}
