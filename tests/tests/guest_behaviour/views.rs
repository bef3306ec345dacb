//! Views: shown by the engine while an operation goes on, beneath its resource, and nowhere else.

use std::time::{Duration, Instant};

use bulkhead::component::Limits;
use bulkhead::provider::{Message, Severity};
use bulkhead_proto::provider as pb;
use bulkhead_proto::resource_status::view_step::{Op, Status as StepStatus};
use bulkhead_proto::resource_status::{ViewStep, ViewStepState};
use bulkhead_tests::engine::{Engine, RELUCTANT, TOKEN, UNHURRIED};
use bulkhead_tests::serving::{Serving, creation, object as received, urn, wire};
use bulkhead_tests::{in_time, until};
use bulkhead_value::{Object, Value};
use tonic::{Code, Status};

use crate::{guest, object};

const VIEWED: &str = "asking:index:Viewed";
const PART: &str = "asking:index:Part";

async fn asking() -> Serving {
    Serving::start(&guest("asking"), Limits::default()).await.ready(Object::new()).await
}

fn show(what: &str) -> Object {
    object([("show", what)])
}

async fn created(serving: &Serving, engine: &Engine, token: &str, inputs: Object) -> Result<Object, Status> {
    let request = pb::CreateRequest {
        resource_status_address: engine.address.clone(),
        resource_status_token: token.to_owned(),
        ..creation(VIEWED, inputs)
    };
    serving.create_as(request).await.map(|created| created.state)
}

fn on_record() -> Vec<pb::View> {
    let view = |name: &str, parent: &str, size: f64| pb::View {
        r#type: PART.to_owned(),
        name: format!("name::0123abcd::{name}"),
        parent_type: if parent.is_empty() { String::new() } else { PART.to_owned() },
        parent_name: if parent.is_empty() { String::new() } else { format!("name::0123abcd::{parent}") },
        inputs: None,
        outputs: Some(wire(&object([("size", size)]))),
    };
    vec![view("one", "", 3.0), view("two", "one", 5.0)]
}

fn known(state: &Object) -> Vec<&str> {
    state["known"].as_list().unwrap().iter().map(|known| known.as_str().unwrap()).collect()
}

/// What the guest calls a view that the engine has beneath the resource `name`: no two resources have views of one name.
fn own(name: &str) -> String {
    let Some((resource, view)) = name.rsplit_once("::") else { return String::new() };
    assert!(resource.starts_with("name::"), "{name}");
    view.to_owned()
}

fn state_of(state: Option<ViewStepState>) -> Option<(String, Object)> {
    state.map(|state| (own(&state.parent_name), received(state.outputs.unwrap())))
}

type Step = (Op, StepStatus, String, Option<(String, Object)>, Option<(String, Object)>);

fn steps(engine: &Engine) -> Vec<Step> {
    let told = |step: ViewStep| {
        assert_eq!(step.r#type, PART);
        let between_two = step.old.is_some() && step.new.is_some();
        assert!(between_two || !step.has_detailed_diff, "an engine that shows what changed ends over this: {step:?}");
        for state in step.old.iter().chain(&step.new) {
            assert_eq!((state.r#type.as_str(), &state.name), (PART, &step.name));
            assert_eq!(state.parent_type.is_empty(), state.parent_name.is_empty(), "both or neither");
        }
        (step.op(), step.status(), own(&step.name) + &step.error, state_of(step.old), state_of(step.new))
    };
    let requests = engine.published().into_iter();
    requests.flat_map(|request| request.steps).map(told).collect()
}

fn at(parent: &str, state: Object) -> Option<(String, Object)> {
    Some((parent.to_owned(), state))
}

const KNOWN: [&str; 2] =
    ["asking:index:Part one beneath the resource, Some(3.0)", "asking:index:Part two beneath one, Some(5.0)"];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_create_shows_what_it_makes() {
    let engine = Engine::start(&[]).await;
    created(&asking().await, &engine, TOKEN, show("well")).await.unwrap();
    assert_eq!(
        steps(&engine),
        [
            (Op::Create, StepStatus::Ok, "one".to_owned(), None, at("", object([("size", 3.0)]))),
            (Op::Create, StepStatus::PartialFailure, "twohalf of it".to_owned(), None, at("one", Object::new())),
        ]
    );
    let engine = Engine::start(&[]).await;
    created(&asking().await, &engine, TOKEN, show("uncertain")).await.unwrap();
    let uncertain = "onenobody answered".to_owned();
    let expected = (Op::Create, StepStatus::Unknown, uncertain, None, at("", object([("size", 3.0)])));
    assert_eq!(steps(&engine), [expected]);
}

/// The properties that replace, those that change, and each change.
type Changes = (Vec<String>, Vec<String>, Vec<(String, pb::PropertyDiff)>);

/// What steps say of changes.
fn changes(engine: &Engine) -> Vec<Changes> {
    let steps = engine.published().into_iter().flat_map(|request| request.steps);
    steps.map(|step| (step.keys, step.diffs, step.detailed_diff.into_iter().collect())).collect()
}

/// The size changes, whether or not it is an input and another view takes the place of the one that had it.
fn resized(kind: pb::property_diff::Kind, input_diff: bool) -> (Vec<String>, Vec<(String, pb::PropertyDiff)>) {
    let size = || "size".to_owned();
    (vec![size()], vec![(size(), pb::PropertyDiff { kind: kind as i32, input_diff })])
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn secrets_of_the_inputs_stay_secret_in_views() {
    let engine = Engine::start(&[]).await;
    let mut inputs = show("well");
    inputs.insert("hidden".to_owned(), Value::from("hunter2-hunter2").secret());
    created(&asking().await, &engine, TOKEN, inputs).await.unwrap();
    let (_, state) = steps(&engine)[0].4.clone().unwrap();
    assert_eq!(state["copy"], Value::from("hunter2-hunter2").secret());
}

/// What limits a guest's own values says nothing of those that it is given.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn secrets_of_inputs_with_more_values_than_a_guest_may_return_stay_secret_in_views() {
    let engine = Engine::start(&[]).await;
    let limits = Limits { nodes: 20, ..Limits::default() };
    let serving = Serving::start(&guest("asking"), limits).await.ready(Object::new()).await;
    let mut inputs = show("well");
    inputs.insert("size".to_owned(), Value::from(3.0).secret());
    inputs.insert("more".to_owned(), Value::List((0..50).map(|number| Value::from(f64::from(number))).collect()));
    created(&serving, &engine, TOKEN, inputs).await.unwrap();
    let (_, state) = steps(&engine)[0].4.clone().unwrap();
    assert_eq!(state["size"], Value::from(3.0).secret());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_schema_says_of_a_view_is_secret_stays_secret() {
    let engine = Engine::start(&[]).await;
    created(&asking().await, &engine, TOKEN, show("coded")).await.unwrap();
    let (_, state) = steps(&engine)[0].4.clone().unwrap();
    assert_eq!(state["code"], Value::from("4711").secret(), "the provider published it in clear");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn views_on_record_reach_the_guest_and_go_on_from_there() {
    let serving = asking().await;
    let state = object([("show", Value::from("well")), ("known", Value::List(Vec::new().into()))]);
    let old = [at("", object([("size", 3.0)])), at("one", object([("size", 5.0)]))];
    let (one, two) = ("one".to_owned(), "two".to_owned());

    let engine = Engine::start(&[]).await;
    let request = pb::ReadRequest {
        urn: urn(VIEWED),
        id: "viewed-1".to_owned(),
        properties: Some(wire(&state)),
        inputs: Some(wire(&show("well"))),
        resource_status_address: engine.address.clone(),
        resource_status_token: TOKEN.to_owned(),
        old_views: on_record(),
        ..<_>::default()
    };
    let read = serving.client.clone().read(request).await.unwrap().into_inner();
    assert_eq!(known(&received(read.properties.unwrap())), KNOWN);
    let same = |name: &String, state: &Option<(String, Object)>| {
        (Op::Same, StepStatus::Ok, name.clone(), state.clone(), state.clone())
    };
    assert_eq!(steps(&engine), [same(&one, &old[0]), same(&two, &old[1])]);

    let engine = Engine::start(&[]).await;
    let request = pb::UpdateRequest {
        urn: urn(VIEWED),
        id: "viewed-1".to_owned(),
        olds: Some(wire(&state)),
        old_inputs: Some(wire(&show("well"))),
        news: Some(wire(&show("many"))),
        resource_status_address: engine.address.clone(),
        resource_status_token: TOKEN.to_owned(),
        old_views: on_record(),
        ..<_>::default()
    };
    let updated = serving.client.clone().update(request).await.unwrap().into_inner();
    assert_eq!(known(&received(updated.properties.unwrap())), KNOWN);
    let update = |name: &String, state: &Option<(String, Object)>, parent: &str| {
        (Op::Update, StepStatus::Ok, name.clone(), state.clone(), at(parent, object([("size", 4.0)])))
    };
    assert_eq!(steps(&engine), [update(&one, &old[0], ""), update(&two, &old[1], "one")]);
    let (diffs, detailed) = resized(pb::property_diff::Kind::Update, false);
    assert_eq!(changes(&engine), vec![(Vec::new(), diffs, detailed); 2]);

    let engine = Engine::start(&[]).await;
    let request = pb::DeleteRequest {
        urn: urn(VIEWED),
        id: "viewed-1".to_owned(),
        properties: Some(wire(&state)),
        resource_status_address: engine.address.clone(),
        resource_status_token: TOKEN.to_owned(),
        old_views: on_record(),
        ..<_>::default()
    };
    let unknown = Some(wire(&object([("size", Value::Unknown)])));
    let mut of_what = request.clone();
    of_what.old_views[0].outputs = unknown;
    let status = serving.client.clone().delete(of_what).await.unwrap_err();
    assert_eq!(
        (status.code(), status.message()),
        (Code::InvalidArgument, "decode a view's outputs: size: recorded values can't be unknown")
    );
    serving.client.clone().delete(request).await.unwrap();
    let delete = |name: &String, state: &Option<(String, Object)>| {
        (Op::Delete, StepStatus::Ok, name.clone(), state.clone(), None)
    };
    assert_eq!(steps(&engine), [delete(&one, &old[0]), delete(&two, &old[1])]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_place_there_is_nothing_to_show() {
    let serving = asking().await;
    let missing = "the engine has no place for views in this call";
    let status = serving.create(VIEWED, show("well")).await.unwrap_err();
    let expected = (Code::Unimplemented, format!("create the resource: {missing}"));
    assert_eq!((status.code(), status.message().to_owned()), expected);
    let status = serving.invoke("asking:index:show", Object::new()).await.unwrap_err();
    let expected = (Code::Unimplemented, format!("call the function: {missing}"));
    assert_eq!((status.code(), status.message().to_owned()), expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_would_fail_the_engine_never_reaches_it() {
    let (serving, engine) = (asking().await, Engine::start(&[]).await);
    let hint = "this is a bug in the provider\nhint: please report it to the provider's author";
    for (what, why) in [
        ("invented", "the view `invented` of the type `asking:index:Part` has an old state and isn't on record"),
        ("nameless", "a view has an empty name or type"),
    ] {
        let status = created(&serving, &engine, TOKEN, show(what)).await.unwrap_err();
        let expected = (Code::Aborted, format!("create the resource: {why}; {hint}"));
        assert_eq!((status.code(), status.message().to_owned()), expected);
    }
    let status = created(&serving, &engine, TOKEN, show("twice")).await.unwrap_err();
    let why = "the view `one` of the type `asking:index:Part` was published before in the same call";
    assert_eq!(status.message(), format!("create the resource: {why}; {hint}"));
    let status = created(&serving, &engine, TOKEN, show("many")).await.unwrap_err();
    let why = "the provider published more than 10000 steps of views in one call";
    assert_eq!(status.message(), format!("create the resource: {why}; {hint}"));
    assert_eq!(steps(&engine), []);
}

fn update(engine: &Engine, to: &str) -> pb::UpdateRequest {
    let state = object([("show", Value::from("well")), ("known", Value::List(Vec::new().into()))]);
    pb::UpdateRequest {
        urn: urn(VIEWED),
        id: "viewed-1".to_owned(),
        olds: Some(wire(&state)),
        old_inputs: Some(wire(&show("well"))),
        news: Some(wire(&show(to))),
        resource_status_address: engine.address.clone(),
        resource_status_token: TOKEN.to_owned(),
        old_views: on_record(),
        ..<_>::default()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_operation_that_failed_shows_nothing() {
    let (serving, engine) = (asking().await, Engine::start(&[]).await);
    let status = created(&serving, &engine, TOKEN, show("failing")).await.unwrap_err();
    assert_eq!((status.code(), status.message()), (Code::Aborted, "the second part can't be made"));
    let status = serving.client.clone().update(update(&engine, "failing")).await.unwrap_err();
    assert_eq!((status.code(), status.message()), (Code::Aborted, "the second part can't be changed"));
    assert_eq!(steps(&engine), [], "an engine can't save what is beneath nothing, or before its resource");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replacement_is_told_as_engines_record_it() {
    let (serving, engine) = (asking().await, Engine::start(&[]).await);
    serving.client.clone().update(update(&engine, "replaced")).await.unwrap();
    let (old, new) = (at("", object([("size", 3.0)])), at("", object([("size", 9.0)])));
    let steps = steps(&engine);
    let one: Vec<_> = steps.into_iter().filter(|(_, _, name, ..)| name == "one").collect();
    assert_eq!(
        one,
        [
            (Op::CreateReplacement, StepStatus::Ok, "one".to_owned(), old.clone(), new.clone()),
            (Op::Replace, StepStatus::Ok, "one".to_owned(), old.clone(), new),
            (Op::DeleteReplaced, StepStatus::Ok, "one".to_owned(), old, None),
        ]
    );
    let (diffs, detailed) = resized(pb::property_diff::Kind::UpdateReplace, true);
    let replaced = (diffs.clone(), diffs, detailed);
    assert_eq!(
        changes(&engine)[..3],
        [replaced.clone(), replaced, Changes::default()],
        "of what is gone nothing changes"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_left_beneath_a_resource_goes_with_it() {
    let serving = asking().await;
    let deleted = [
        (Op::Delete, StepStatus::Ok, "one".to_owned(), at("", object([("size", 3.0)])), None),
        (Op::Delete, StepStatus::Ok, "two".to_owned(), at("one", object([("size", 5.0)])), None),
    ];
    let state = |show: &str| object([("show", Value::from(show)), ("known", Value::List(Vec::new().into()))]);

    let engine = Engine::start(&[]).await;
    let request = pb::DeleteRequest {
        urn: urn(VIEWED),
        id: "viewed-1".to_owned(),
        properties: Some(wire(&state("forgotten"))),
        resource_status_address: engine.address.clone(),
        resource_status_token: TOKEN.to_owned(),
        old_views: on_record(),
        ..<_>::default()
    };
    serving.client.clone().delete(request.clone()).await.unwrap();
    assert_eq!(steps(&engine), deleted);

    // What the engine didn't take is as if it hadn't been said, or an engine couldn't save what is left.
    let engine = Engine::start(&[]).await;
    let unheard = pb::DeleteRequest {
        properties: Some(wire(&state("unheard"))),
        resource_status_address: engine.address.clone(),
        resource_status_token: RELUCTANT.to_owned(),
        ..request.clone()
    };
    serving.client.clone().delete(unheard).await.unwrap();
    assert_eq!(steps(&engine), deleted);

    // A deletion that failed left the second.
    let engine = Engine::start(&[]).await;
    let request = pb::DeleteRequest {
        properties: Some(wire(&state("failing"))),
        resource_status_address: engine.address.clone(),
        ..request
    };
    let status = serving.client.clone().delete(request).await.unwrap_err();
    assert_eq!(status.message(), "the second part can't be deleted");
    assert_eq!(steps(&engine), deleted[..1]);

    let engine = Engine::start(&[]).await;
    let request = pb::ReadRequest {
        urn: urn(VIEWED),
        id: "viewed-1".to_owned(),
        properties: Some(wire(&state("gone"))),
        inputs: Some(wire(&show("gone"))),
        resource_status_address: engine.address.clone(),
        resource_status_token: TOKEN.to_owned(),
        old_views: on_record(),
        ..<_>::default()
    };
    let read = serving.client.clone().read(request).await.unwrap().into_inner();
    assert_eq!(read, pb::ReadResponse::default());
    assert_eq!(steps(&engine), deleted, "whatever the provider said of them before it found that the resource is gone");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_engine_that_takes_no_views_has_the_resource_all_the_same() {
    let (serving, engine) = (asking().await, Engine::start(&[]).await);
    created(&serving, &engine, "another", show("well")).await.unwrap();
    let expected = Message {
        severity: Severity::Warning,
        text: "the engine doesn't take the views: token another not found".to_owned(),
        urn: Some(urn(VIEWED)),
        ephemeral: false,
    };
    assert_eq!(serving.messages(), [expected]);
    assert_eq!(serving.awaited(), 1);
    let request = pb::UpdateRequest { resource_status_token: "another".to_owned(), ..update(&engine, "plain") };
    serving.client.clone().update(request).await.unwrap();
    assert_eq!(serving.messages().len(), 2);
    // What is deleted is told while the call goes on, and so is that nobody wants to know.
    let request = pb::DeleteRequest {
        urn: urn(VIEWED),
        id: "viewed-1".to_owned(),
        properties: Some(wire(&object([("show", Value::from("plain")), ("known", Value::List(Vec::new().into()))]))),
        resource_status_address: engine.address.clone(),
        resource_status_token: "another".to_owned(),
        old_views: on_record(),
        ..<_>::default()
    };
    let status = serving.client.clone().delete(request).await.unwrap_err();
    let expected = "the engine doesn't take the views: token another not found";
    assert_eq!((status.code(), status.message()), (Code::Aborted, expected));
}

/// A process that leaves is gone after four seconds.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_engine_that_takes_its_time_over_views_has_the_resource_before_the_process_is_gone() {
    in_time(10, async || {
        let (serving, engine) = (asking().await, Engine::start(&[]).await);
        let left = async {
            until("the views", || !engine.published().is_empty()).await;
            serving.leave();
            Instant::now()
        };
        let (made, asked) = tokio::join!(created(&serving, &engine, UNHURRIED, show("well")), left);
        let took = asked.elapsed();
        assert_eq!(made.unwrap()["show"], "well".into());
        let told = serving.messages().pop().unwrap();
        assert_eq!(told.text, "the engine doesn't take the views before the provider's process leaves");
        (took < Duration::from_secs(4)).then_some(())
    })
    .await;
}

/// A step of another resource's view ends an engine.
#[tokio::test]
async fn an_engine_hears_of_no_views_of_a_resource_that_has_another_name_by_now() {
    let serving = asking().await;
    let renamed = |view: pb::View| pb::View { name: view.name.replacen("name::", "before::", 1), ..view };
    let engine = Engine::start(&[]).await;
    let old_views = on_record().into_iter().map(renamed).collect();
    let request = pb::UpdateRequest { old_views, ..update(&engine, "many") };
    let updated = serving.client.clone().update(request).await.unwrap().into_inner();
    let state = received(updated.properties.unwrap());
    assert!(
        known(&state).iter().all(|view| !view.contains("before")),
        "the guest knows them by its own names: {state:?}"
    );
    assert!(engine.published().is_empty());
    let told: Vec<_> = serving.messages().into_iter().map(|message| (message.severity, message.text)).collect();
    assert!(
        matches!(&told[..], [(Severity::Warning, text)] if text.starts_with("what the resource consists of isn't shown")),
        "{told:?}"
    );
}

/// An engine looks for old views beneath what a resource is called now, which its type is part of, and that of what it is beneath.
#[tokio::test]
async fn an_engine_hears_of_no_views_of_a_resource_that_has_a_parent_of_another_type_by_now() {
    let (serving, engine) = (asking().await, Engine::start(&[]).await);
    created(&serving, &engine, TOKEN, show("well")).await.unwrap();
    let view = |step: ViewStep| pb::View { r#type: step.r#type, name: step.name, ..pb::View::default() };
    let old_views: Vec<_> = engine.published().into_iter().flat_map(|request| request.steps).map(view).collect();
    assert_eq!(old_views.len(), 2);
    let moved = urn(VIEWED).replacen(VIEWED, &format!("my:index:Group${VIEWED}"), 1);
    for (urn, shown) in [(moved, false), (urn(VIEWED), true)] {
        let before = engine.published().len();
        let request = pb::UpdateRequest { urn: urn.clone(), old_views: old_views.clone(), ..update(&engine, "many") };
        serving.client.clone().update(request).await.unwrap();
        assert_eq!(engine.published().len() > before, shown, "{urn}");
    }
    assert_eq!(serving.messages().len(), 1);
}
