//! The waist serves more than one protocol: a whole life of a resource without a URN, a seed, a timeout or a `__*` key.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops where something is wrong"
)]

#[path = "waist/answers.rs"]
mod answers;
#[path = "waist/changes.rs"]
mod changes;
#[path = "waist/lookups.rs"]
mod lookups;
#[path = "waist/refreshed.rs"]
mod refreshed;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use bulkhead::provider::{
    Call, CheckRequest, Checked, Component, Context, Created, Difference, Error, ErrorKind, Exports, Failure,
    FailureKind, Fault, Guest, GuestCheck, GuestDiff, Log, MissingKey, NotUpgraded, Notes, Outcome, Partial, Prior,
    ReadOutcome, Reason, Record, Session, Silent, Snapshot, Updated, ViewPlace, ViewStep,
};
use bulkhead_schema::Package;
use bulkhead_value::{Object, PropertyPath, Value};

const SCHEMA: &str = r#"{
  "name": "shop", "version": "1.0.0",
  "config": { "variables": { "key": { "type": "string", "secret": true } } },
  "resources": { "shop:index:Sign": {
    "inputProperties": { "text": { "type": "string" }, "size": { "type": "integer", "default": 3 },
                         "colour": { "type": "string", "willReplaceOnChanges": true },
                         "pin": { "type": "string", "secret": true } },
    "requiredInputs": ["text"],
    "properties": { "text": { "type": "string" }, "size": { "type": "integer" }, "colour": { "type": "string" },
                    "pin": { "type": "string", "secret": true }, "place": { "type": "string" } },
    "required": ["text", "size", "place"],
    "stateInputs": { "properties": { "wall": { "type": "string" } } }
  } }
}"#;

type Rewriting = fn(&Object) -> Result<Object, NotUpgraded>;

/// A shop wall: signs by id. What it is asked to do wrong, it does.
#[derive(Default)]
struct Wall {
    signs: Mutex<BTreeMap<String, Object>>,
    calls: AtomicU32,
    next: Mutex<Option<Fault>>,
    /// The next configuration takes for ever.
    stuck: AtomicBool,
    /// The last update had a place for views.
    shown: AtomicBool,
    /// What the last update was told to have been asked for before.
    asked: Mutex<Object>,
    /// A property that the last check was told names are made for, and the name in it.
    made: Mutex<Option<(String, Option<Value>)>>,
    /// What a read says that was given.
    given: Mutex<Option<Object>>,
    /// What the next comparison finds.
    difference: Mutex<Difference>,
    /// Variables that are there and that it may not read.
    withheld: Vec<&'static str>,
    /// What an upgrade makes of a state; nothing else without one.
    rewrites: Option<Rewriting>,
    /// What the next check makes of what it is given, or the next preview predicts.
    answer: Mutex<Option<Object>>,
    /// What the last read was told of the resource beside its id.
    sought: Mutex<Option<Object>>,
}

struct Shop(Arc<Wall>);

impl Component for Shop {
    fn exports(&self) -> Exports {
        let overrides = Exports { check: true, diff: true, preview: true, config_check: true, ..Exports::default() };
        Exports { config: true, resources: true, upgrade: true, ..overrides }
    }

    fn start(&self, _log: Arc<dyn Log>) -> Arc<dyn Guest> {
        Arc::clone(&self.0) as Arc<dyn Guest>
    }
}

fn unexpected<T>() -> Result<T, Error> {
    Err(Error::new(ErrorKind::Unsupported, "nothing overrides this"))
}

#[async_trait]
impl Guest for Wall {
    fn withheld(&self, variables: &[&str]) -> Vec<String> {
        let withheld = variables.iter().filter(|variable| self.withheld.contains(variable));
        withheld.map(|variable| format!("{variable} is denied")).collect()
    }
    async fn configure(&self, _call: Call, _inputs: &Object) -> Result<(), Error> {
        if self.stuck.swap(false, Ordering::Relaxed) {
            std::future::pending().await
        }
        match self.next.lock().unwrap().take() {
            Some(Fault::Error(error)) => Err(error),
            _ => Ok(()),
        }
    }
    async fn create(&self, call: Call, inputs: &Object) -> Result<Created, Fault> {
        assert!(call.context.urn.is_none() && call.context.seed.is_none() && call.deadline.is_none());
        self.calls.fetch_add(1, Ordering::Relaxed);
        if let Some(fault) = self.next.lock().unwrap().take() {
            return Err(fault);
        }
        let mut state = inputs.clone();
        state.insert("place".into(), "door".into());
        self.signs.lock().unwrap().insert("s-1".into(), state.clone());
        Ok(Created { id: "s-1".into(), state, refresh_before_update: false })
    }
    async fn read(&self, _call: Call, id: &str, prior: Option<&Prior>) -> Result<Option<Snapshot>, Fault> {
        *self.sought.lock().unwrap() = prior.map(|prior| prior.state.clone());
        if let Some(fault) = self.next.lock().unwrap().take() {
            return Err(fault);
        }
        let found = self.signs.lock().unwrap().get(id).cloned();
        let inputs = self.given.lock().unwrap().clone();
        Ok(found.map(|state| Snapshot { id: id.into(), state, inputs, refresh_before_update: false }))
    }
    async fn update(&self, call: Call, prior: &Prior, inputs: &Object) -> Result<Updated, Fault> {
        self.shown.store(call.context.views.is_some(), Ordering::Relaxed);
        *self.asked.lock().unwrap() = prior.inputs.clone().unwrap_or_default();
        if let Some(fault) = self.next.lock().unwrap().take() {
            return Err(fault);
        }
        let mut state = prior.state.clone();
        state.extend(inputs.clone());
        self.signs.lock().unwrap().insert(prior.id.clone(), state.clone());
        Ok(Updated { state, refresh_before_update: false })
    }
    async fn delete(&self, _call: Call, prior: &Prior) -> Result<(), Fault> {
        if let Some(fault) = self.next.lock().unwrap().take() {
            return Err(fault);
        }
        self.signs.lock().unwrap().remove(&prior.id);
        Ok(())
    }
    async fn invoke(&self, _call: Call, _arguments: &Object, _preview: bool) -> Result<Value, Error> {
        unexpected()
    }
    async fn check(&self, call: Call, request: GuestCheck<'_>) -> Result<Checked, Error> {
        *self.made.lock().unwrap() = call.generated.last().map(|path| {
            let name = path.first_name().unwrap();
            (name.to_owned(), request.prior_inputs.and_then(|prior| prior.get(name)).cloned())
        });
        if let Some(inputs) = self.answer.lock().unwrap().take() {
            return Ok(Checked { inputs, ..Checked::default() });
        }
        let (path, reason) = (PropertyPath::field("text"), "is no word".to_owned());
        Err(Error::rejected(vec![Failure { path, kind: FailureKind::Constraint, reason }]))
    }
    async fn diff(&self, _call: Call, _request: GuestDiff<'_>) -> Result<Difference, Error> {
        Ok(self.difference.lock().unwrap().clone())
    }
    async fn preview_create(&self, _call: Call, _inputs: &Object) -> Result<Object, Error> {
        unexpected()
    }
    async fn preview_update(&self, _call: Call, _prior: &Prior, _inputs: &Object) -> Result<Object, Error> {
        self.answer.lock().unwrap().take().map_or_else(unexpected, Ok)
    }
    async fn check_config(&self, _call: Call, _prior: Option<&Object>, _inputs: &Object) -> Result<Checked, Error> {
        let inputs = self.answer.lock().unwrap().take().map_or_else(unexpected, Ok)?;
        Ok(Checked { inputs, ..Checked::default() })
    }
    async fn diff_config(&self, _: Call, _: &Object, _: &Object, _: &[PropertyPath]) -> Result<Difference, Error> {
        unexpected()
    }
    async fn upgrade(&self, call: Call, _from_version: u32, prior: &Prior) -> Result<Prior, NotUpgraded> {
        assert!(call.context.views.is_none(), "nothing becomes of the resource that could be shown");
        let state = self.rewrites.map_or_else(|| Ok(prior.state.clone()), |rewrites| rewrites(&prior.state))?;
        Ok(Prior { state, ..prior.clone() })
    }
}

/// Shows nothing to anybody.
#[derive(Debug)]
struct Nowhere;

#[async_trait]
impl ViewPlace for Nowhere {
    async fn publish(&self, _steps: Vec<ViewStep>, _counted: Box<dyn Send>) -> Result<(), Error> {
        Ok(())
    }
}

fn object<const N: usize>(fields: [(&str, Value); N]) -> Object {
    fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

async fn session() -> (Session, Arc<Wall>) {
    let wall = Arc::new(Wall::default());
    let package = Arc::new(Package::parse(SCHEMA.as_bytes()).unwrap());
    let session = Session::new(package, &Shop(Arc::clone(&wall)), Arc::new(Silent));
    session.configure(&Object::default(), &[]).await.unwrap();
    (session, wall)
}

fn sign() -> Context {
    Context { token: "shop:index:Sign".into(), ..Context::default() }
}

async fn checked(session: &Session, inputs: Object) -> Object {
    let checked = session.check(CheckRequest { context: sign(), inputs, ..CheckRequest::default() }).await.unwrap();
    assert!(checked.failures.is_empty(), "{:?}", checked.failures);
    checked.inputs
}

#[tokio::test]
async fn a_whole_life_without_anything_that_one_protocol_has() {
    let (session, wall) = session().await;
    let inputs = checked(&session, object([("text", "open".into()), ("pin", "1234".into())])).await;
    assert_eq!(inputs.get("size"), Some(&3.0.into()));

    let preview = session.preview_create(&sign(), &inputs).await.unwrap();
    assert_eq!(preview.state.get("text"), Some(&"open".into()));
    assert_eq!(preview.state.get("place"), Some(&Value::Unknown));
    assert_eq!(wall.calls.load(Ordering::Relaxed), 0, "a preview runs nothing");

    let Outcome::Done(created) = session.create(&sign(), &inputs).await.unwrap() else { panic!("not done") };
    assert_eq!(created.state.get("pin"), Some(&Value::from("1234").secret()), "the schema says that it is secret");
    let prior = Prior { id: created.id, state: created.state, inputs: Some(inputs), views: Vec::new() };
    let record = Record { prior, ..Record::default() };

    let same = checked(&session, object([("text", "open".into()), ("pin", "1234".into())])).await;
    let none = session.diff(&sign(), &record, &same, &Notes::default(), &[]).await.unwrap();
    assert!(none.changes.is_empty(), "{:?}", none.changes);

    let news = checked(&session, object([("text", "closed".into()), ("pin", "1234".into())])).await;
    let changed = session.diff(&sign(), &record, &news, &Notes::default(), &[]).await.unwrap();
    assert_eq!(
        changed.changes.iter().map(|c| (c.path.to_string(), c.replaces)).collect::<Vec<_>>(),
        [("text".to_owned(), false)]
    );
    let Outcome::Done(updated) = session.update(&sign(), &record, &news, &[]).await.unwrap() else {
        panic!("not done")
    };
    let prior = Prior { state: updated.state, inputs: Some(news), ..record.prior };

    let ReadOutcome::Found { inputs, .. } =
        session.read(&sign(), &Record { prior: prior.clone(), ..Record::default() }).await.unwrap()
    else {
        panic!("not found")
    };
    assert_eq!(inputs.get("text"), Some(&"closed".into()));
    // As engines record an update that failed half-way: the state is new, and the inputs are those from before.
    let before = Some(object([("text", "open".into()), ("pin", "1234".into())]));
    let half = Prior { inputs: before, ..prior.clone() };
    for (reached, shown) in [(vec![], "open"), (vec!["text".to_owned()], "closed")] {
        let record = Record { prior: half.clone(), reached: reached.into_iter().collect(), ..Record::default() };
        let ReadOutcome::Found { inputs, .. } = session.read(&sign(), &record).await.unwrap() else { panic!("gone") };
        assert_eq!(
            inputs.get("text"),
            Some(&shown.into()),
            "what was written in another way is no drift, what was reached is"
        );
    }
    let ReadOutcome::Found { id, .. } = session.import(&sign(), "s-1").await.unwrap() else { panic!("not found") };
    assert_eq!(id, "s-1");

    let record = Record { prior, ..Record::default() };
    assert!(matches!(session.delete(&sign(), &record).await.unwrap(), Outcome::Done(())));
    assert!(wall.signs.lock().unwrap().is_empty());
    assert!(matches!(session.import(&sign(), "s-1").await.unwrap(), ReadOutcome::NotFound));
}

#[tokio::test]
async fn what_a_creation_leaves_behind_is_told_apart() {
    let (session, wall) = session().await;
    let inputs = checked(&session, object([("text", "open".into())])).await;
    let mut ended = Vec::new();
    let partial = |id: String| Fault::Partial(Partial { id, reasons: vec!["no nails".into()], ..Partial::default() });
    let faults = [
        partial("s-9".into()),
        partial("s".repeat((64 << 10) + 1)),
        Fault::Error(Error::new(ErrorKind::Failed, "no wall")),
        Fault::Error(Error::new(ErrorKind::OutcomeUnknown, "lights went out")),
    ];
    for fault in faults {
        *wall.next.lock().unwrap() = Some(fault);
        ended.push(match session.create(&sign(), &inputs).await.unwrap() {
            Outcome::Done(_) => "done".to_owned(),
            Outcome::Partial(partial) => format!("partial {}", partial.id),
            Outcome::NothingChanged(error) => format!("nothing: {error}"),
            Outcome::Unknown(error) => format!("unknown: {error}"),
        });
    }
    let hint = "hint: a resource may have been created: look for it where the provider makes such things, and import or \
                delete it";
    let lost = format!("unknown: lights went out\n{hint}");
    let long = "an id of 65537 bytes, and 65536 are the most; this is a bug in the provider";
    let untold = format!("unknown: the provider created a resource and returned {long}\n{hint}");
    assert_eq!(ended, ["partial s-9", &untold, "nothing: no wall", &lost]);
}

#[tokio::test]
async fn a_session_is_configured_once_and_ends_when_cancelled() {
    let package = Arc::new(Package::parse(SCHEMA.as_bytes()).unwrap());
    let session = Session::new(package, &Shop(Arc::default()), Arc::new(Silent));
    let early = session.create(&sign(), &Object::default()).await.unwrap_err();
    assert!(matches!(early.kind, ErrorKind::NotReady));
    assert_eq!(
        early.to_string(),
        "the provider isn't configured yet\nhint: call Configure first, with an empty configuration if there is none"
    );
    session.configure(&Object::default(), &[]).await.unwrap();
    let again = session.configure(&Object::default(), &[]).await.unwrap_err();
    assert!(again.to_string().starts_with("it was configured before"), "{again}");
    session.cancel();
    let late = session.create(&sign(), &Object::default()).await.unwrap_err();
    assert!(matches!(late.kind, ErrorKind::Cancelled));
}

#[tokio::test]
async fn configuration_that_should_be_json_and_is_none_is_told_by_where_it_breaks() {
    let schema = br#"{ "name": "shop", "config": { "variables": {
        "limits": { "type": "object", "additionalProperties": { "type": "integer" } }, "retries": { "type": "integer" }
    } } }"#;
    let package = Arc::new(Package::parse(schema).unwrap());
    let session = Session::new(package, &Shop(Arc::default()), Arc::new(Silent));
    let given = object([("limits", r#"{"a": 1,}"#.into()), ("retries", "many".into())]);
    let failures = session.check_config(None, &given).await.unwrap().failures;
    assert_eq!(
        failures.iter().map(|failure| failure.reason.as_str()).collect::<Vec<_>>(),
        [
            "expected an object as JSON, and the text isn't valid JSON: it breaks at line 1, column 9",
            "expected an integer, got a string",
        ]
    );
}

#[tokio::test]
async fn a_configuration_that_nobody_waits_for_any_longer_may_be_tried_again() {
    let wall = Arc::new(Wall { stuck: true.into(), ..Wall::default() });
    let package = Arc::new(Package::parse(SCHEMA.as_bytes()).unwrap());
    let session = Session::new(package, &Shop(Arc::clone(&wall)), Arc::new(Silent));
    let nothing = Object::default();
    let waited = tokio::time::timeout(std::time::Duration::from_millis(1), session.configure(&nothing, &[])).await;
    assert!(waited.is_err() && !wall.stuck.load(Ordering::Relaxed), "{waited:?}");
    session.configure(&nothing, &[]).await.unwrap();
    assert!(session.configure(&nothing, &[]).await.is_err(), "once, all the same");
}

#[tokio::test]
async fn wrong_requests_are_refused_before_a_guest_sees_them() {
    let (session, wall) = session().await;
    let token = Context { token: "shop:index:Sing".into(), ..Context::default() };
    let unknown_type = session.create(&token, &Object::default()).await.unwrap_err();
    assert_eq!(
        unknown_type.to_string(),
        "the package `shop` has no resource type `shop:index:Sing`\nhint: did you mean `shop:index:Sign`?"
    );
    let nested = object([("text", "open".into()), ("colour", Value::List(vec![Value::Unknown].into()))]);
    let unknown_value = session.create(&sign(), &nested).await.unwrap_err();
    assert_eq!(unknown_value.to_string(), "can't create a resource from inputs that aren't known: colour[0]");
    let function = session.invoke("shop:index:count", Object::default(), false).await.unwrap_err();
    assert_eq!(function.to_string(), "the package `shop` has no function `shop:index:count`");
    assert_eq!(wall.calls.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn a_state_that_the_schema_does_not_allow_is_the_providers_bug_and_loses_nothing() {
    struct Forgetful(Arc<Wall>);
    impl Component for Forgetful {
        fn exports(&self) -> Exports {
            Exports { resources: true, ..Exports::default() }
        }
        fn start(&self, _log: Arc<dyn Log>) -> Arc<dyn Guest> {
            Arc::clone(&self.0) as Arc<dyn Guest>
        }
    }
    // `size` and `text` are required outputs; a create from inputs without them returns a state without them.
    let package = Arc::new(Package::parse(SCHEMA.as_bytes()).unwrap());
    let session = Session::new(package, &Forgetful(Arc::default()), Arc::new(Silent));
    session.configure(&Object::default(), &[]).await.unwrap();
    let Outcome::Partial(partial) = session.create(&sign(), &object([("text", "open".into())])).await.unwrap() else {
        panic!("not partial")
    };
    assert_eq!(partial.id, "s-1");
    assert_eq!(partial.state.get("text"), Some(&"open".into()));
    assert_eq!(partial.reasons.len(), 1);
    assert!(
        partial.reasons[0].as_str().contains("at size:")
            && partial.reasons[0].as_str().ends_with("this is a bug in the provider"),
        "{:?}",
        partial.reasons
    );
}

#[tokio::test]
async fn a_refresh_shows_drift_of_what_is_not_well_too() {
    let (session, wall) = session().await;
    let given = object([("text", "open".into()), ("size", 3.0.into()), ("colour", "red".into())]);
    let mut state = given.clone();
    state.insert("place".into(), "door".into());
    let prior = Prior { id: "s-1".into(), state, inputs: Some(given.clone()), views: Vec::new() };
    let record = Record { prior, ..Record::default() };
    for (read, expected) in [
        (object([]), given.clone()),
        // That the rest is missing says nothing.
        (object([("text", "closed".into())]), {
            let mut drifted = given.clone();
            drifted.insert("text".into(), "closed".into());
            drifted
        }),
        (object([("text", 1.0.into()), ("colour", "blue".into())]), given.clone()),
    ] {
        let partial = Partial { id: "s-1".into(), state: read, reasons: vec!["it fell".into()], ..Partial::default() };
        *wall.next.lock().unwrap() = Some(Fault::Partial(partial));
        let ReadOutcome::Unwell(left) = session.read(&sign(), &record).await.unwrap() else { panic!("not unwell") };
        assert_eq!(left.inputs, Some(expected));
    }
}

/// By an id that no engine can go on with, it could never be read or deleted again.
#[tokio::test]
async fn what_is_not_well_keeps_its_id_where_a_read_returns_none_that_can_be_recorded() {
    let (session, wall) = session().await;
    let prior = Prior { id: "s-1".into(), state: object([("text", "open".into())]), ..Prior::default() };
    let record = Record { prior, ..Record::default() };
    for (id, kept, flaw) in [
        ("s-2", "s-2", ""),
        ("", "s-1", "the provider read a resource and returned an empty id"),
        ("s\n2", "s-1", "the provider read a resource and returned an id with control characters"),
        (
            "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
            "s-1",
            "the provider read a resource and returned an id that stands for a value that isn't known",
        ),
    ] {
        let partial = Partial { id: id.into(), reasons: vec!["it fell".into()], ..Partial::default() };
        *wall.next.lock().unwrap() = Some(Fault::Partial(partial));
        let ReadOutcome::Unwell(left) = session.read(&sign(), &record).await.unwrap() else { panic!("not unwell") };
        assert_eq!((left.id.as_str(), left.reasons.first().unwrap().as_str()), (kept, "it fell"));
        assert!(left.reasons.get(1).map_or("", Reason::as_str).starts_with(flaw), "{:?}", left.reasons);
        assert_eq!(left.reasons.len(), if flaw.is_empty() { 1 } else { 2 });
    }
}

#[tokio::test]
async fn what_a_check_of_the_provider_rejects_is_wrong_with_the_inputs() {
    let mut package = Package::parse(SCHEMA.as_bytes()).unwrap();
    package.resource_mut("shop:index:Sign").unwrap().facts.overrides.check = true;
    let session = Session::new(Arc::new(package), &Shop(Arc::default()), Arc::new(Silent));
    session.configure(&Object::default(), &[]).await.unwrap();
    let checked = session.check(CheckRequest { context: sign(), ..CheckRequest::default() }).await.unwrap();
    let told: Vec<_> = checked.failures.iter().map(|wrong| (wrong.path.to_string(), wrong.reason.as_str())).collect();
    assert_eq!(told, [("text".to_owned(), "is no word")]);
}

#[tokio::test]
async fn who_does_not_know_what_became_of_a_resource_is_told_where_to_look() {
    for (reads, told) in
        [(true, "`pulumi refresh` shows what became of it"), (false, "look for what became of it where it is")]
    {
        let wall = Arc::new(Wall::default());
        let mut package = Package::parse(SCHEMA.as_bytes()).unwrap();
        let mut facts = package.resource("shop:index:Sign").unwrap().facts.clone();
        facts.methods.read = reads;
        package.apply("shop:index:Sign", facts).unwrap();
        let session = Session::new(Arc::new(package), &Shop(Arc::clone(&wall)), Arc::new(Silent));
        session.configure(&Object::default(), &[]).await.unwrap();
        let state = object([("text", "open".into()), ("size", 3.0.into()), ("place", "door".into())]);
        let prior = Prior { id: "s-1".into(), state, ..Prior::default() };
        let record = Record { prior, ..Record::default() };
        let lost = || Some(Error::new(ErrorKind::OutcomeUnknown, "the answer was lost").into());
        *wall.next.lock().unwrap() = lost();
        let updated = session.update(&sign(), &record, &object([("text", "shut".into())]), &[]).await.unwrap();
        *wall.next.lock().unwrap() = lost();
        let deleted = session.delete(&sign(), &record).await.unwrap();
        let (Outcome::Unknown(update), Outcome::Unknown(delete)) = (updated, deleted) else { panic!("it is known") };
        for error in [update, delete] {
            assert!(error.hint.as_deref().is_some_and(|hint| hint.starts_with(told)), "{error:?}");
        }
    }
}

/// All of them, or whoever grants one learns of the next in the next run; and none that has nothing to do with what is missing.
#[tokio::test]
async fn why_no_variable_fills_in_what_is_missing_is_told_of_each_key() {
    let schema = br#"{ "name": "shop", "provider": { "inputProperties": {
        "a": { "type": "string", "defaultInfo": { "environment": ["IDLE"] } },
        "key": { "type": "string", "defaultInfo": { "environment": ["KEY", "OLD_KEY"] } },
        "name": { "type": "string", "defaultInfo": { "environment": ["NAME"] } },
        "zone": { "type": "string", "defaultInfo": { "environment": ["ZONE"] } }
    }, "requiredInputs": ["key", "name", "zone"] } }"#;
    let package = Arc::new(Package::parse(schema).unwrap());
    let wall = Wall { withheld: vec!["IDLE", "OLD_KEY", "NAME", "ZONE"], ..Wall::default() };
    let session = Session::new(package, &Shop(Arc::new(wall)), Arc::new(Silent));
    let given = object([("key", Value::Null), ("zone", "here".into())]);
    let error = session.configure(&given, &[]).await.unwrap_err();
    assert_eq!(error.hint.as_deref(), Some("OLD_KEY is denied; NAME is denied"));
    assert_eq!(session.withheld_defaults(&["zone"]).as_deref(), Some("ZONE is denied"));
    assert_eq!(session.withheld_defaults(&["other"]), None);
}

#[tokio::test]
async fn how_to_give_a_missing_key_is_told_behind_any_description_and_by_its_full_name() {
    for name in ["key", "shop:key"] {
        let wall = Arc::new(Wall::default());
        let package = Arc::new(Package::parse(SCHEMA.as_bytes()).unwrap());
        let session = Session::new(package, &Shop(Arc::clone(&wall)), Arc::new(Silent));
        let key = MissingKey { name: name.to_owned(), description: "x".repeat(10_000) };
        *wall.next.lock().unwrap() = Some(Error::missing_configuration(vec![key]).into());
        let error = session.configure(&Object::default(), &[]).await.unwrap_err();
        let ErrorKind::MissingConfiguration(keys) = error.kind else { panic!("{error:?}") };
        let hint = "hint: it is secret: set it with `pulumi config set --secret shop:key`";
        let description = &keys[0].description;
        assert!(description.ends_with(hint) && description.len() < 4_096, "{name}: {description}");
    }
}
