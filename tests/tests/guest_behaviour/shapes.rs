//! Composites of every form, and what functions and methods say and are told of previews, by a provider that was written with the SDK.

use bulkhead_proto::provider as pb;
use bulkhead_proto::resource as rm;
use bulkhead_tests::composing::{Called, calling, construction};
use bulkhead_tests::monitor::{Monitor, Nature, Reaction, urn};
use bulkhead_tests::serving::{Serving, object as received, wire};
use bulkhead_value::{Object, Output, Value};
use tonic::{Code, Status};

use crate::{guest, object};

const POLYGON: &str = "shapes:index:Polygon";
const DRAWING: &str = "shapes:index:Drawing";

async fn shapes() -> Serving {
    Serving::start(&guest("shapes"), Default::default()).await.ready(Object::new()).await
}

fn list<const N: usize>(items: [Value; N]) -> Value {
    Value::List(items.to_vec().into())
}

fn place(x: f64, y: f64) -> Value {
    list([x.into(), y.into()])
}

fn corners() -> Value {
    list([place(0.0, 1.0), place(4.0, 0.0), place(2.0, 3.0)])
}

fn polygon(line: Value) -> Object {
    object([("corners", corners()), ("line", line)])
}

fn red() -> Value {
    list(["red".into(), 2.0.into()])
}

/// TYP-01.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tuples_come_and_go_as_lists() {
    let serving = shapes().await;
    let label = object([("text", "a".into()), ("at", place(1.0, 1.0))]);
    let places = object([("first", place(1.0, 2.0))]);
    let more = [("label".to_owned(), label.into()), ("places".to_owned(), places.into())];
    let inputs: Object = polygon(red()).into_map().into_iter().chain(more).collect();
    let checked = serving.check(POLYGON, inputs.clone()).await.unwrap();
    assert_eq!((&checked.value, checked.failures), (&inputs, Vec::new()));
    let state = serving.create(POLYGON, inputs.clone()).await.unwrap().state;
    for (name, value) in inputs.into_map() {
        assert_eq!(state[&*name], value, "{name}");
    }
    assert_eq!(state["bounds"], list([place(0.0, 0.0), place(4.0, 3.0)]));
    assert_eq!(state["summary"], list(["red".into(), 3.0.into(), true.into()]));
}

/// As an output of another resource that turns out not to be there, which engines send so.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_entry_that_is_null_is_none_to_a_provider_as_to_checks_and_comparisons() {
    let serving = shapes().await;
    let with = |places: Object| -> Object {
        polygon(red()).into_map().into_iter().chain([("places".to_owned(), places.into())]).collect()
    };
    let [first, null] = [place(1.0, 2.0), Value::Null];
    let given = with(object([("first", first.clone()), ("second", null.clone()), ("third", null.secret())]));
    let checked = serving.check(POLYGON, given.clone()).await.unwrap();
    assert_eq!((&checked.value, checked.failures), (&given, Vec::new()));
    let state = serving.create(POLYGON, checked.value).await.unwrap().state;
    assert_eq!(state["places"], object([("first", first)]).into());
}

/// The host knows how many elements there are, and the provider which is of which type.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tuple_that_doesnt_fit_is_rejected_with_its_place() {
    let serving = shapes().await;
    for (line, place, reason) in [
        (list(["red".into()]), "line", "expected at least 2 elements"),
        (list(["red".into(), 2.0.into(), 3.0.into()]), "line", "expected at most 2 elements"),
        (list(["red".into(), true.into()]), "line[1]", "expected"),
    ] {
        let failures = serving.check(POLYGON, polygon(line)).await.unwrap().failures;
        assert!(matches!(&failures[..], [(at, why)] if at == place && why.starts_with(reason)), "{failures:?}");
    }
    let turned = list([2.0.into(), "red".into()]);
    assert_eq!(serving.check(POLYGON, polygon(turned.clone())).await.unwrap().failures, []);
    let error = serving.create(POLYGON, polygon(turned)).await.unwrap_err();
    assert_eq!(error.code(), Code::InvalidArgument);
    let said = error.message();
    assert!(said.contains("line[0]") && said.contains("must be a string, not a number"), "{said}");
}

/// SCH-08, SCH-09. Engines send what a program gives beside the id as the state and as the inputs.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_resource_is_looked_up_by_what_its_type_says_and_nothing_else() {
    let serving = shapes().await;
    let look_up = async |by: Object| serving.read(POLYGON, "p-1", by.clone(), by).await;
    let line = |read: pb::ReadResponse| received(read.properties.unwrap())["line"].clone();
    assert_eq!(line(look_up(object([("colour", "blue")])).await.unwrap()), list(["blue".into(), 1.0.into()]));
    assert_eq!(line(serving.import(POLYGON, "p-1").await.unwrap()), list(["black".into(), 1.0.into()]));
    let error = look_up(object([("color", "blue")])).await.unwrap_err();
    let said = "what it is looked up by is wrong: color: unknown property 'color'; did you mean 'colour'?";
    assert_eq!(error.code(), Code::InvalidArgument);
    assert!(error.message().contains(said), "{error:?}");
}

/// What the provider makes of a polygon, as an engine tells it.
fn drawn(request: &rm::RegisterResourceRequest, colour: &Value) -> Reaction {
    let inputs = request.object.clone().map(received).unwrap_or_default();
    let bounds = list([place(0.0, 0.0), place(5.0, 6.0)]);
    let outputs = [("bounds", bounds), ("summary", list([colour.clone(), 3.0.into(), true.into()]))];
    let outputs = outputs.map(|(name, value)| (name.to_owned(), value));
    Reaction::Says(rm::RegisterResourceResponse {
        urn: urn(&request.parent, &request.r#type, &request.name),
        id: "polygon".to_owned(),
        object: Some(wire(&inputs.into_map().into_iter().chain(outputs).collect())),
        ..<_>::default()
    })
}

/// A monitor of an engine whose polygons have this colour.
async fn drawing(preview: bool, colour: Value) -> Monitor {
    let reacts = move |request: &rm::RegisterResourceRequest| match request.r#type.as_str() {
        POLYGON => drawn(request, &colour),
        _ => Reaction::Answers,
    };
    Monitor::of(Nature { preview, reacts: Box::new(reacts), ..Nature::default() }).await
}

fn output(value: Option<Value>, dependencies: &[String]) -> Value {
    Value::from(Output { value: value.map(Box::new), secret: false, dependencies: dependencies.to_vec() })
}

fn child(name: &str) -> String {
    urn(&urn("", DRAWING, "name"), POLYGON, name)
}

fn size(size: Value) -> Object {
    object([("size", size), ("line", red())])
}

/// TYP-06, TYP-07.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn parts_of_outputs_reach_children_and_parts_of_their_inputs() {
    let (serving, monitor) = (shapes().await, drawing(false, "red".into()).await);
    let constructed = serving.construct(construction(&monitor, DRAWING, size(4.0.into()))).await.unwrap();
    let asked = monitor.asked();
    let inputs = asked.inputs("name-triangle");
    assert_eq!(inputs["corners"], list([place(0.0, 0.0), place(4.0, 0.0), place(0.0, 4.0)]));
    assert_eq!(inputs["line"], red());
    assert_eq!(inputs["label"], object([("text", "red".into()), ("at", place(4.0, 0.0))]).into());
    assert_eq!(inputs["places"], object([("end", place(4.0, 4.0))]).into());
    let within = asked.inputs("name-within");
    assert_eq!(within["corners"], list([place(5.0, 0.0), place(0.0, 6.0), place(5.0, 6.0)]));
    assert_eq!(within["line"], list(["red".into(), 1.0.into()]));
    assert_eq!(asked.dependencies("name-within")["corners"], [child("name-triangle")]);
    let end = [5.0, 6.0].map(|number| output(Some(number.into()), &[child("name-triangle")]));
    assert_eq!(constructed.state["end"], list(end));
}

/// TYP-06, TYP-07: what isn't known hides nothing else.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_preview_knows_the_parts_that_can_be_known() {
    let (serving, monitor) = (shapes().await, Monitor::preview().await);
    let request = pb::ConstructRequest { dry_run: true, ..construction(&monitor, DRAWING, size(Value::Unknown)) };
    let constructed = serving.construct(request).await.unwrap();
    let asked = monitor.asked();
    let at = |x: Value, y: Value| list([x, y]);
    let unknown = || Value::Unknown;
    let inputs = asked.inputs("name-triangle");
    assert_eq!(inputs["corners"], list([place(0.0, 0.0), at(unknown(), 0.0.into()), at(0.0.into(), unknown())]));
    assert_eq!(inputs["label"], object([("text", "red".into()), ("at", at(unknown(), 0.0.into()))]).into());
    assert_eq!(asked.inputs("name-within")["line"], list([unknown(), 1.0.into()]));
    assert_eq!(asked.inputs("name-within")["label"], "within".into());
    let end = output(None, &[child("name-triangle")]);
    assert_eq!(constructed.state["end"], list([end.clone(), end]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_function_of_the_sdk_knows_whether_a_preview_asks() {
    let serving = shapes().await;
    for preview in [true, false] {
        let args = Some(wire(&object([("corners", corners())])));
        let request = pb::InvokeRequest { tok: "shapes:index:measure".to_owned(), args, preview };
        let invoked = serving.client.clone().invoke(request).await.unwrap().into_inner();
        let measured = received(invoked.r#return.unwrap());
        assert_eq!(measured["preview"], preview.into());
        assert_eq!(measured["bounds"], list([place(0.0, 0.0), place(4.0, 3.0)]));
        let request = pb::InvokeRequest { tok: "shapes:index:whetherAPreviewAsks".to_owned(), args: None, preview };
        let invoked = serving.client.clone().invoke(request).await.unwrap().into_inner();
        let said = received(invoked.r#return.unwrap()).into_map().into_values().next();
        assert_eq!(said, Some(list(["a preview".into(), preview.into()])));
    }
}

/// The plain method `colour`, of a drawing whose polygons have this colour.
async fn colour(colour: Value) -> Result<Called, Status> {
    let (serving, monitor) = (shapes().await, drawing(true, colour).await);
    let request = pb::ConstructRequest { dry_run: true, ..construction(&monitor, DRAWING, size(4.0.into())) };
    let constructed = serving.construct(request).await.unwrap();
    let this = object([("__self__", constructed.urn)]);
    let method = calling(&monitor, "shapes:index:Drawing/colour", this);
    serving.call(pb::CallRequest { dry_run: true, ..method }).await
}

/// Programs get the result itself: nothing is said about it that they have no place for.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_plain_method_returns_what_is_known_and_no_secret() {
    let (serving, monitor) = (shapes().await, Monitor::start().await);
    let arguments = object([("__self__", urn("", DRAWING, "name")), ("name", "all".to_owned())]);
    let called = serving.call(calling(&monitor, "shapes:index:Drawing/corners", arguments)).await.unwrap();
    assert_eq!(called.value, object([("res", list([3.0.into(), "corners of all".into()]))]));

    let called = colour("red".into()).await.unwrap();
    assert_eq!((called.value, called.dependencies.len()), (object([("colour", "red")]), 0));
    for (said, why) in [(Value::Unknown, "isn't known yet"), (Value::from("red").secret(), "is secret")] {
        let error = colour(said).await.unwrap_err();
        let expected = format!("the method `colour` is plain, and its result {why}");
        assert!(error.message().contains(&expected), "{error:?}");
    }
}
