//! Checks, differences and previews that a guest answers instead of the host, or after it.

use bulkhead::component::Limits;
use bulkhead_proto::provider as pb;
use bulkhead_proto::provider::property_diff::Kind;
use bulkhead_tests::serving::{Serving, init_failed, object as received, urn, wire};
use bulkhead_value::{Object, Value};
use tonic::Code;

use crate::{guest, object};

const DECIDED: &str = "overriding:index:Decided";
const DEFERRED: &str = "overriding:index:Deferred";
const RENAMED: &str = "overriding:index:Renamed";

async fn overriding() -> Serving {
    Serving::start(&guest("overriding"), Limits::default()).await.ready(Object::new()).await
}

fn named(name: &str) -> Object {
    object([("name", name)])
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guests_own_check_is_asked_and_secrets_are_marked_after_it() {
    let serving = overriding().await;
    let checked = serving.check(DECIDED, object([("key", "hunter2")])).await.unwrap();
    let expected = object([("name", Value::from("chosen")), ("key", Value::from("hunter2").secret())]);
    assert_eq!((checked.value, checked.failures), (expected, Vec::new()));
    let checked = serving.check(DECIDED, named("forbidden")).await.unwrap();
    // Policies of an engine look at what fails its check, too.
    assert_eq!(
        (checked.value, checked.failures),
        (named("forbidden"), vec![("name".to_owned(), "is forbidden".to_owned())])
    );
    let checked = serving.check(DECIDED, object([("name", "forbidden"), ("key", "hunter2")])).await.unwrap();
    assert_eq!(checked.value["key"], Value::from("hunter2").secret());
    // An engine shows the value of what a failure names, a secret one too.
    let secret = object([("name", Value::from("forbidden").secret())]);
    for token in [DECIDED, DEFERRED] {
        let failures = serving.check(token, secret.clone()).await.unwrap().failures;
        assert_eq!(failures, [(String::new(), "name: is [secret]".to_owned())], "{token}");
    }
    let status = serving.check(DECIDED, named("broken")).await.unwrap_err();
    assert_eq!(status.code(), Code::Aborted);
    assert_eq!(
        status.message(),
        "check the inputs: the check is broken; this is a bug in the provider\nhint: please report it to the provider's author"
    );
    let status = serving.check(DECIDED, named("promised")).await.unwrap_err();
    assert_eq!(
        status.message(),
        "check the inputs: the provider returned an input that isn't known, at key, though all that was given is; this is a bug in the \
         provider\nhint: please report it to the provider's author"
    );
    let half_known = object([("name", Value::from("promised")), ("other", Value::Unknown)]);
    assert_eq!(serving.check(DECIDED, half_known).await.unwrap().value["key"], Value::Unknown.secret());
    let unknown = object([("name", Value::Unknown)]);
    assert_eq!(serving.check(DECIDED, unknown.clone()).await.unwrap().value["name"], "chosen".into());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guests_own_check_sees_the_state_of_engines_that_send_it() {
    let serving = overriding().await;
    let check = async |old_outputs: Option<Object>| {
        let old_outputs = old_outputs.as_ref().map(wire);
        let request =
            pb::CheckRequest { urn: urn(DECIDED), news: Some(wire(&named("remember"))), old_outputs, ..<_>::default() };
        let checked = serving.client.clone().check(request).await.unwrap().into_inner();
        received(checked.inputs.unwrap())["key"].clone()
    };
    assert_eq!(check(None).await, Value::from("nothing").secret());
    let state = object([("key", "hunter2"), ("__notes", "are nobody's business")]);
    assert_eq!(check(Some(state)).await, Value::from("hunter2").secret());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guests_own_difference_decides() {
    let serving = overriding().await;
    let diff = async |new: Object| serving.diff(DECIDED, named("one"), named("one"), new).await.unwrap();
    let same = diff(named("two")).await;
    assert_eq!((same.changes, same.has_detailed_diff), (pb::diff_response::DiffChanges::DiffNone as i32, true));
    let changed = diff(named("three")).await;
    assert_eq!((changed.diffs, changed.replaces), (vec!["name".to_owned()], vec![]));
    assert_eq!(changed.detailed_diff["name"], pb::PropertyDiff { kind: Kind::Update as i32, input_diff: true });
    assert_eq!(diff(Object::new()).await.replaces, ["name"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guests_own_preview_knows_more() {
    let serving = overriding().await;
    let preview = serving.preview(DECIDED, named("loud")).await.unwrap();
    assert_eq!((&preview["shout"], &preview["serial"]), (&Value::from("LOUD"), &Value::Unknown));
    assert_eq!(preview["name"], Value::from("loud"));
    let created = serving.create(DECIDED, named("loud")).await.unwrap();
    assert_eq!(created.state["shout"], Value::from("LOUD"));
    let preview = serving.preview(DECIDED, object([("name", Value::Unknown)])).await.unwrap();
    assert_eq!((&preview["shout"], &preview["name"]), (&Value::Unknown, &Value::Unknown));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn configuration_may_be_checked_and_compared_by_the_guest() {
    let serving = overriding().await;
    let checked = serving.check_config(object([("token", "hunter2")])).await.unwrap();
    assert_eq!(checked.value["endpoint"], Value::from("https://chosen"));
    let checked = serving.check_config(object([("endpoint", "forbidden")])).await.unwrap();
    assert_eq!(checked.failures, [(String::new(), "endpoint: is forbidden".to_owned())]);
    // An engine shows the value of what a failure names: of what may be secret it names nothing, whatever the guest returns beside it.
    let checked = serving.check_config(object([("endpoint", "stolen"), ("token", "hunter2")])).await.unwrap();
    assert_eq!(checked.failures, [(String::new(), "token: is known to others".to_owned())]);
    let status = serving.check_config(object([("endpoint", "promised")])).await.unwrap_err();
    assert_eq!(
        status.message(),
        "check the configuration: the provider returned an input that isn't known, at token, though all that was given is; this is a \
         bug in the provider\nhint: please report it to the provider's author"
    );
    let half_known = object([("endpoint", Value::from("promised")), ("other", Value::Unknown)]);
    assert_eq!(serving.check_config(half_known).await.unwrap().value["token"], Value::Unknown.secret());
    let endpoint = |endpoint| object([("endpoint", endpoint)]);
    assert_eq!(serving.diff_config(endpoint("a"), endpoint("b")).await.unwrap().replaces, ["endpoint"]);
    let same = serving.diff_config(endpoint("a"), endpoint("a")).await.unwrap();
    assert_eq!(same.changes, pb::diff_response::DiffChanges::DiffNone as i32);
}

/// SCH-19. What was given is for the guest to accept: some take other spellings.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_an_override_makes_is_of_the_type_that_its_schema_says() {
    let serving = overriding().await;
    let bug = |doing: &str, what: &str| {
        format!(
            "{doing}: the provider returned {what}: expected a string, got a number; this is a bug in the provider\n\
             hint: please report it to the provider's author"
        )
    };
    let status = serving.check(DECIDED, named("counted")).await.unwrap_err();
    assert_eq!(status.message(), bug("check the inputs", "an input that its schema doesn't allow, at key"));
    let status = serving.check_config(object([("endpoint", "counted")])).await.unwrap_err();
    assert_eq!(status.message(), bug("check the configuration", "an input that its schema doesn't allow, at token"));
    let given = object([("name", Value::from("n")), ("key", 1.0.into()), ("other", Value::Unknown)]);
    let checked = serving.check(DECIDED, given).await.unwrap();
    assert_eq!((&checked.value["key"], checked.failures), (&Value::from(1.0).secret(), Vec::new()));

    let guessed = bug("preview the creation", "a prediction that its schema doesn't allow, at shout");
    let status = serving.preview(DECIDED, named("counted")).await.unwrap_err();
    assert_eq!((status.code(), status.message()), (Code::Aborted, &*guessed));
    let update = async |shout: Value| {
        let request = pb::UpdateRequest {
            urn: urn(DECIDED),
            id: "decided-1".to_owned(),
            olds: Some(wire(&object([("name", Value::from("a")), ("shout", shout)]))),
            news: Some(wire(&named("counted"))),
            preview: true,
            ..<_>::default()
        };
        serving.client.clone().update(request).await
    };
    let status = update("A".into()).await.unwrap_err();
    assert_eq!(status.message(), guessed.replace("preview the creation", "preview the update"));
    update(1.0.into()).await.expect("what is on record can be anything");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_override_may_add_to_what_the_host_would_do() {
    let serving = overriding().await;
    let checked = serving.check(DEFERRED, named("n")).await.unwrap();
    let meta = Value::from(r#"{"schema_version":"2"}"#);
    let expected = object([("name", Value::from("n")), ("count", 3.0.into()), ("__meta", meta)]);
    assert_eq!((checked.value, checked.failures), (expected, Vec::new()), "the host filled in a default");
    let failures = serving.check(DEFERRED, object([("name", Value::from("forbidden")), ("count", "x".into())])).await;
    let failures = failures.unwrap().failures;
    let properties: Vec<&str> = failures.iter().map(|(property, _)| property.as_str()).collect();
    assert_eq!(properties, ["count", "name"], "the host's failure and the guest's: {failures:?}");

    let state = object([("name", "a"), ("shout", "A")]);
    let diff = serving.diff(DEFERRED, state, named("a"), named("b")).await.unwrap();
    assert_eq!((diff.replaces, diff.delete_before_replace), (vec!["name".to_owned()], true));

    let preview = serving.preview(DEFERRED, named("n")).await.unwrap();
    assert_eq!((&preview["name"], &preview["shout"]), (&Value::from("n"), &Value::from("N")));
}

/// An engine sends what a program says beside the id as it sends what is on record. The upgrade knows nothing of it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_program_looks_up_by_is_not_taken_for_state_of_an_older_version() {
    let serving = overriding().await;
    let by = object([("text", "x")]);
    let read = serving.read(RENAMED, "renamed-9", by.clone(), by).await.unwrap();
    let found = received(read.properties.unwrap());
    assert_eq!((&found["name"], &found["__meta"]), (&"renamed-9".into(), &r#"{"schema_version":"2"}"#.into()));
    // Its engine keeps what it looked up by, and refreshes it beside that.
    let looked_up_by = object([("text", "x")]);
    let again = serving.read(RENAMED, "renamed-9", found.clone(), looked_up_by).await.unwrap();
    assert_eq!(received(again.properties.unwrap()), found);
    // It may be on record for all that is known of an upgrade that crashes, and what is on record isn't looked up.
    let by = object([("text", "crash")]);
    let status = serving.read(RENAMED, "renamed-9", by.clone(), by).await.unwrap_err();
    assert!(status.message().starts_with("read the resource: the provider crashed"), "{status:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn state_of_an_older_version_is_rewritten_before_it_is_used() {
    let serving = overriding().await;
    let created = serving.create(DEFERRED, object([("name", Value::from("n")), ("count", 3.0.into())])).await.unwrap();
    assert_eq!(created.state["__meta"], Value::from(r#"{"schema_version":"2"}"#));
    let old = |title: &str| {
        let meta = Value::from(r#"{"schema_version":"1"}"#);
        object([("title", Value::from(title)), ("count", 3.0.into()), ("shout", "N".into()), ("__meta", meta)])
    };
    let inputs = object([("title", Value::from("n")), ("count", 3.0.into())]);
    let read = serving.read(DEFERRED, "deferred-1", old("n"), inputs.clone()).await.unwrap();
    let state = received(read.properties.unwrap());
    assert_eq!((state.get("title"), &state["name"]), (None, &Value::from("n")));
    // The inputs that this engine keeps beside it don't say it themselves.
    assert_eq!(state["__meta"], Value::from(r#"{"schema_version":"2","inputs_version":"1"}"#));
    let news = object([("name", Value::from("n")), ("count", 3.0.into())]);
    let diff = serving.diff(DEFERRED, old("n"), inputs.clone(), news).await.unwrap();
    assert_eq!(diff.changes, pb::diff_response::DiffChanges::DiffNone as i32, "{:?}", diff.diffs);
    let preview = pb::UpdateRequest {
        urn: urn(DEFERRED),
        id: "deferred-1".to_owned(),
        olds: Some(wire(&old("n"))),
        old_inputs: Some(wire(&inputs)),
        news: Some(wire(&object([("name", Value::from("other")), ("count", 4.0.into())]))),
        ignore_changes: vec!["name".to_owned()],
        preview: true,
        ..<_>::default()
    };
    let previewed = serving.client.clone().update(preview).await.unwrap().into_inner();
    let previewed = received(previewed.properties.unwrap());
    assert_eq!((&previewed["name"], &previewed["count"]), (&Value::from("n"), &4.0.into()), "{previewed:?}");
    let status = serving.read(DEFERRED, "deferred-1", old("lost"), inputs).await.unwrap_err();
    assert_eq!(status.code(), Code::Aborted);
    assert!(status.message().contains("nobody knows what this was"), "{status:?}");
}

/// SCH-10. Engines ask for what is on record by the type that it had then, and programs with an older SDK for what they make.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guest_knows_a_type_by_its_new_name_alone_whatever_it_is_asked_by() {
    let serving = overriding().await;
    let (deferred, renamed) = ("overriding:index:Postponed", "overriding:index:Titled");
    let failures = serving.check(deferred, named("forbidden")).await.unwrap().failures;
    assert_eq!(failures, [("name".to_owned(), "is forbidden".to_owned())]);
    assert_eq!(serving.check(deferred, named("n")).await.unwrap().value["count"], 3.0.into(), "the host's own check");
    let recorded = object([("name", "a"), ("shout", "A")]);
    let diff = serving.diff(deferred, recorded, named("a"), named("b")).await.unwrap();
    assert_eq!((diff.replaces, diff.delete_before_replace), (vec!["name".to_owned()], true));
    assert_eq!(serving.preview(deferred, named("n")).await.unwrap()["shout"], "N".into());
    assert_eq!(serving.create(deferred, named("n")).await.unwrap().state["shout"], "N".into());

    let (state, inputs) = titled();
    let read = serving.read(renamed, "renamed-1", state.clone(), inputs.clone()).await.unwrap();
    assert_eq!(received(read.properties.unwrap())["name"], "name-1".into(), "it was upgraded");
    let imported = serving.import(renamed, "renamed-9").await.unwrap();
    assert_eq!(received(imported.properties.unwrap())["name"], "renamed-9".into());
    let news = object([("name", "name-1"), ("text", "b")]);
    let updated = serving.update(renamed, state.clone(), inputs, news).await.unwrap();
    assert_eq!(received(updated.properties.unwrap())["revision"], 2.0.into());
    serving.delete(renamed, state).await.unwrap();
}

/// The record of a resource whose name was made when it was called its title: its state and its inputs.
fn titled() -> (Object, Object) {
    let made = [("__defaults".to_owned(), vec!["title".into()].into())];
    let inputs: Object = object([("title", "name-1"), ("text", "a")]).into_iter().chain(made).collect();
    let meta = Value::from(r#"{"schema_version":"1"}"#);
    let state =
        object([("title", Value::from("name-1")), ("text", "a".into()), ("revision", 1.0.into()), ("__meta", meta)]);
    (state, inputs)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn state_of_an_older_version_is_rewritten_before_it_is_updated_or_deleted() {
    let serving = overriding().await;
    let (state, inputs) = titled();
    let news = object([("name", "name-1"), ("text", "b")]);
    let updated = serving.update(RENAMED, state.clone(), inputs, news).await.unwrap();
    let updated = received(updated.properties.unwrap());
    assert_eq!((updated.get("title"), &updated["revision"]), (None, &Value::from(2.0)));
    assert_eq!(updated["__meta"], Value::from(r#"{"schema_version":"2"}"#));
    serving.delete(RENAMED, state).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_that_was_made_stays_through_an_upgrade_whether_or_not_a_refresh_comes_first() {
    let serving = overriding().await;
    let unchanged = async |state: Object, olds: Object, case: &str| {
        let given = object([("text", "a")]);
        let random_seed = vec![1; 32].into();
        let (olds, urn) = (Some(wire(&olds)), urn(RENAMED));
        let request =
            pb::CheckRequest { urn, olds: olds.clone(), news: Some(wire(&given)), random_seed, ..<_>::default() };
        let checked = serving.client.clone().check(request).await.unwrap().into_inner();
        let checked = received(checked.inputs.unwrap());
        assert_eq!(checked["name"], "name-1".into(), "{case}");
        assert_eq!(checked["__defaults"], vec!["name".into()].into(), "{case}");
        let diff = serving.diff(RENAMED, state, received(olds.unwrap()), checked).await.unwrap();
        assert_eq!(diff.changes, pb::diff_response::DiffChanges::DiffNone as i32, "{case}: {:?}", diff.diffs);
    };
    let (state, inputs) = titled();
    unchanged(state.clone(), inputs.clone(), "no refresh").await;
    let read = serving.read(RENAMED, "renamed-1", state, inputs).await.unwrap();
    unchanged(received(read.properties.unwrap()), received(read.inputs.unwrap()), "a refresh").await;
}

/// Engines keep old outputs where nothing changed, and old inputs where an update failed half-way.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_recorded_of_different_versions_is_rewritten_once() {
    let serving = overriding().await;
    let sized = |mut object: Object, size: f64| {
        object.insert("size".to_owned(), size.into());
        object
    };
    let (state, inputs) = titled();
    let (state, inputs) = (sized(state, 1.0), sized(inputs, 1.0));
    let checked = async |olds: &Object, text: &str| {
        let given = sized(object([("text", text)]), 1024.0);
        let (olds, random_seed) = (Some(wire(olds)), vec![1; 32].into());
        let request =
            pb::CheckRequest { urn: urn(RENAMED), olds, news: Some(wire(&given)), random_seed, ..<_>::default() };
        received(serving.client.clone().check(request).await.unwrap().into_inner().inputs.unwrap())
    };
    let differing = async |state: &Object, olds: &Object, news: &Object, case: &str| {
        let diff = serving.diff(RENAMED, state.clone(), olds.clone(), news.clone()).await;
        let differing: Vec<String> =
            diff.unwrap_or_else(|status| panic!("{case}: {status:?}")).detailed_diff.into_keys().collect();
        differing
    };
    let refreshed = async |state: &Object, inputs: &Object| {
        let read = serving.read(RENAMED, "renamed-1", state.clone(), inputs.clone()).await.unwrap();
        (received(read.properties.unwrap()), received(read.inputs.unwrap()))
    };

    let news = checked(&inputs, "a").await;
    assert_eq!((&news["name"], &news["__meta"]), (&"name-1".into(), &r#"{"schema_version":"2"}"#.into()));
    assert!(differing(&state, &inputs, &news, "both are old").await.is_empty());
    let again = checked(&news, "a").await;
    assert_eq!(again, news);
    assert!(differing(&state, &news, &again, "the inputs are new").await.is_empty());
    let (read, shown) = refreshed(&state, &news).await;
    assert_eq!((&read["size"], &shown), (&1024.0.into(), &news));
    serving.delete(RENAMED, state.clone()).await.unwrap();

    let half = checked(&inputs, "half").await;
    let status = serving.update(RENAMED, state, inputs.clone(), half).await.unwrap_err();
    let left = init_failed(&status).noted;
    assert_eq!((left.get("title"), &left["size"]), (None, &1024.0.into()));
    assert_eq!(left["__meta"], r#"{"schema_version":"2","inputs_version":"1"}"#.into());
    assert!(differing(&left, &inputs, &news, "the state is new").await.is_empty());
    let (read, shown) = refreshed(&left, &inputs).await;
    let noted = r#"{"schema_version":"2","inputs_version":"1"}"#;
    assert_eq!((&read["__meta"], &shown), (&noted.into(), &news), "the engine compares with those inputs next");
    let (read, shown) = refreshed(&read, &shown).await;
    assert_eq!((&read["__meta"], &shown), (&r#"{"schema_version":"2"}"#.into(), &news));
    let updated = serving.update(RENAMED, left, inputs, checked(&news, "b").await).await.unwrap();
    assert_eq!(received(updated.properties.unwrap())["__meta"], r#"{"schema_version":"2"}"#.into());

    // A version that was there before finds the resource by its state alone.
    let meta = [("__meta".to_owned(), Value::from(r#"{"schema_version":"3"}"#))];
    let newer: Object = object([("label", "n")]).into_iter().chain(meta).collect();
    assert_eq!(differing(&read, &newer, &news, "the inputs are newer").await, Vec::<String>::new());
    let status = serving.read(RENAMED, "renamed-1", read, newer).await.unwrap_err();
    assert!(status.message().contains("recorded inputs"), "{status:?}");
}

/// An engine asks so what would become of a resource where another one is deleted before it is replaced, and compares so what a refresh found
/// with what was on record before. Nobody has checked these inputs by the present schema.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_an_engine_compares_of_its_own_record_is_no_change_for_being_old() {
    let serving = overriding().await;
    let with = |object: &Object, name: &str, value: Value| -> Object {
        object.clone().into_iter().chain([(name.to_owned(), value)]).collect()
    };
    let differing = async |state: &Object, olds: &Object, news: &Object| {
        let diff = serving.diff(RENAMED, state.clone(), olds.clone(), news.clone()).await.unwrap();
        (diff.detailed_diff.into_keys().collect::<Vec<String>>(), diff.replaces)
    };
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<String>>();
    let (state, inputs) = titled();
    let (state, inputs) = (with(&state, "size", 1.0.into()), with(&inputs, "size", 1.0.into()));
    let versioned = with(&inputs, "__meta", r#"{"schema_version":"1"}"#.into());
    for inputs in [&inputs, &versioned] {
        for (unknown, changes, replaces) in [
            ("text", &["text"][..], &[][..]),
            ("size", &["size"], &["size"]),
            // It is called `name` by now.
            ("title", &["name"], &["name"]),
        ] {
            let news = with(inputs, unknown, Value::Unknown);
            assert_eq!(differing(&state, inputs, &news).await, (names(changes), names(replaces)), "{unknown}");
        }
        let read = serving.read(RENAMED, "renamed-1", state.clone(), inputs.clone()).await.unwrap();
        let (found, shown) = (received(read.properties.unwrap()), received(read.inputs.unwrap()));
        assert_eq!(differing(&found, &shown, inputs).await, (names(&[]), names(&[])), "{found:?}");
        let drifted = with(&shown, "text", "b".into());
        assert_eq!(differing(&found, &drifted, inputs).await, (names(&["text"]), names(&[])));
    }
    // What a program says is what it says, whatever it is called.
    let news = object([("name", Value::from("name-2")), ("text", "a".into()), ("size", 1.0.into())]);
    let news = with(&news, "__meta", r#"{"schema_version":"2"}"#.into());
    assert_eq!(differing(&state, &inputs, &news).await.1, ["name", "size"]);
}

/// Guests read secrets in clear. Numbers and short texts tell nobody that they were secret, and a program that says so again changes nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_rewritten_of_a_secret_is_one() {
    let serving = overriding().await;
    let with = |object: &Object, name: &str, value: Value| -> Object {
        object.clone().into_iter().chain([(name.to_owned(), value)]).collect()
    };
    let secret = |object: &Object, name: &str| with(object, name, object[name].clone().secret());
    let (state, inputs) = titled();
    let (state, inputs) = (with(&state, "size", 1.0.into()), with(&inputs, "size", 1.0.into()));
    let news = object([("name", Value::from("name-1")), ("text", "a".into()), ("size", 1024.0.into())]);
    let new_inputs = with(&news, "__meta", r#"{"schema_version":"2"}"#.into());
    let new_state = with(&news, "revision", 1.0.into());
    let new_state = with(&new_state, "__meta", r#"{"schema_version":"2","inputs_version":"1"}"#.into());
    for (old, new) in [("size", "size"), ("title", "name")] {
        for (case, state, inputs) in [
            ("both are old", secret(&state, old), secret(&inputs, old)),
            ("the inputs are new", secret(&state, old), secret(&new_inputs, new)),
            ("the state is new", secret(&new_state, new), secret(&inputs, old)),
        ] {
            let read = serving.read(RENAMED, "renamed-1", state, inputs).await.unwrap();
            for told in [received(read.properties.unwrap()), received(read.inputs.unwrap())] {
                assert_eq!(told[new], news[new].clone().secret(), "{case}: {told:?}");
                assert_eq!(told["text"], "a".into(), "{case}");
            }
        }
    }
    let read = serving.read(RENAMED, "renamed-1", state, inputs).await.unwrap();
    let found = received(read.properties.unwrap());
    assert!(!found.contains_secret(), "{found:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn state_of_a_newer_version_is_left_alone_and_can_be_deleted() {
    let serving = overriding().await;
    let inputs = object([("name", Value::from("n")), ("count", 3.0.into())]);
    for version in ["3", "99999999999"] {
        let mut newer = inputs.clone();
        newer.insert("shout".to_owned(), "N".into());
        newer.insert("__meta".to_owned(), format!(r#"{{"schema_version":"{version}"}}"#).into());
        let refused = [
            serving.read(DEFERRED, "deferred-1", newer.clone(), inputs.clone()).await.unwrap_err(),
            serving.diff(DEFERRED, newer.clone(), inputs.clone(), inputs.clone()).await.unwrap_err(),
            serving.update(DEFERRED, newer.clone(), inputs.clone(), inputs.clone()).await.unwrap_err(),
        ];
        for status in refused {
            assert_eq!(status.code(), Code::Aborted);
            assert!(status.message().contains("this provider knows those up to 2"), "{status:?}");
        }
        serving.delete(DEFERRED, newer).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_guests_own_check_draws_follows_from_the_seed_and_nothing_else_does() {
    async fn drawn(serving: &Serving, seed: &[u8]) -> Value {
        serving.check_with(DECIDED, named("drawn"), seed).await.unwrap().value["key"].clone()
    }
    async fn made(serving: &Serving) -> Value {
        serving.create(DECIDED, named("drawn")).await.unwrap().state["shout"].clone()
    }
    let serving = overriding().await;
    let one = drawn(&serving, &[1; 32]).await;
    assert_eq!(drawn(&serving, &[1; 32]).await, one, "in the same process");
    assert_eq!(drawn(&overriding().await, &[1; 32]).await, one, "and in another");
    assert_ne!(drawn(&serving, &[2; 32]).await, one);
    // The guest's generator stays in its memory: what the seed put there must not become a password, nor chance a name.
    let (first, second) = (made(&serving).await, made(&overriding().await).await);
    assert_ne!(first, second);
    assert_eq!(drawn(&serving, &[1; 32]).await, one, "after others drew");
    assert_ne!(drawn(&serving, &[]).await, drawn(&serving, &[]).await, "an engine that sends no seed gets chance");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn checks_that_draw_nothing_and_creates_that_draw_share_few_instances() {
    let serving = overriding().await;
    for count in 1..=20 {
        serving.check_with(DECIDED, named("quiet"), &[1; 32]).await.unwrap();
        let created = serving.create(DECIDED, named("drawn")).await.unwrap();
        assert_eq!(created.state["serial"], Value::from(f64::from(count)), "one instance serves all creates");
    }
}
