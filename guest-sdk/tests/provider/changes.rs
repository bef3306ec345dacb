//! Updates that ask what to do, and say how far they came.

use std::collections::BTreeMap;
use std::time::Duration;

use bulkhead_sdk::testing::{Driver, Recorded};
use bulkhead_sdk::wait::Wait;
use bulkhead_sdk::{
    Create, Created, ErrorKind, Fields, Inputs, Path, Resource, Result, Secret, State, Update, Updated, Value, fields,
    provider, resource,
};

#[derive(Inputs)]
pub(crate) struct Args {
    name: String,
    tags: BTreeMap<String, String>,
    #[bulkhead(output_default = 80)]
    port: u32,
    password: Option<Secret<String>>,
    owner: Option<String>,
    max_size: Option<u32>,
}

/// A server, which can't be given another name while its tags change.
#[derive(State)]
pub(crate) struct Server {
    #[bulkhead(flatten)]
    args: Args,
    /// What the last update found changed.
    changed: Vec<String>,
}

#[resource(token = "servers:index:Server")]
impl Resource for Server {
    type Inputs = Args;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        Ok(Created::new("s-1", Self { args: request.inputs, changed: Vec::new() }))
    }

    fn update(request: Update<Self>) -> Result<Updated<Self>> {
        match request.inputs.owner.as_deref() {
            Some("misspelt") => return Err(request.partial(["tags.a", "changed", "name"], ["only the name is done"])),
            Some("waiting") => {
                let never = Wait::new("waiting for the server", Duration::from_secs(1)).until::<()>(|| Ok(None));
                never.map_err(|ended| ended.applied(&request, ["tags"]))?;
            }
            Some("late") => return Err(request.partial([""], ["it starts again"])),
            _ => {}
        }
        if request.changed("tags") && request.changed("name") {
            return Err(request.partial(["tags"], ["the name can't be changed yet"]));
        }
        if request.inputs.owner.as_deref() == Some("half") {
            let owned = Path::from("tags").field("owner");
            return Err(request.partial([owned, "owner".into(), "password".into()], ["only the owner is known"]));
        }
        if request.inputs.owner.as_deref() == Some("careless") {
            let changed = ["max_size", ""].map(|path| request.changed(path).to_string());
            return Ok(Updated::new(Self { args: request.inputs, changed: changed.into() }));
        }
        let all = ["name", "tags", "port", "password", "owner", "maxSize"].map(Path::from).into_iter();
        let all = all.chain([Path::from("tags").field("a")]);
        let changed = all.filter(|path| request.changed(path.clone())).map(|path| path.to_string()).collect();
        Ok(Updated::new(Self { args: request.inputs, changed }))
    }
}

provider! { name: "servers", resources: [Server] }

fn tagged(name: &str, tag: &str) -> Fields {
    fields! { "name": name, "tags": fields! { "a": tag, "b": "2" } }
}

fn made(driver: &Driver<()>) -> Recorded<Server> {
    driver.create(tagged("old", "1")).unwrap()
}

/// TF-10.
#[test]
fn an_update_is_told_what_changed() {
    let driver = Driver::new(&PROVIDER, ());
    let changed = |inputs: Fields| driver.update(&made(&driver), inputs).unwrap().state.changed;
    assert!(changed(tagged("old", "1")).is_empty(), "a default that is filled in is no change");
    assert_eq!(changed(tagged("new", "1")), ["name"]);
    assert_eq!(changed(tagged("old", "3")), ["tags", "tags.a"]);
    let with = |name: &str, value: Value| {
        let mut inputs = tagged("old", "1");
        inputs.insert(name.to_owned(), value);
        inputs
    };
    assert_eq!(changed(with("port", 8080.into())), ["port"]);
    assert!(changed(with("port", 80.into())).is_empty());
    assert_eq!(changed(with("password", Value::from("p").secret())), ["password"]);
    assert!(changed(with("name", Value::from("old").secret())).is_empty(), "to become secret is no change");
    assert_eq!(changed(with("tags", fields! { "b": "2" }.into())), ["tags", "tags.a"], "what is gone changed");

    let mut other = made(&driver);
    other.inputs = fields! { "name": 1 };
    let changed = driver.update(&other, tagged("old", "1")).unwrap().state.changed;
    assert!(changed.is_empty(), "the state says what was reached, whatever was asked for");
}

/// TF-11: the tags are done and the name isn't, and the next update does what is left.
#[test]
fn an_update_that_fails_half_way_records_what_it_did() {
    let driver = Driver::new(&PROVIDER, ());
    let mut server = made(&driver);
    let error = driver.update(&server, tagged("new", "3")).unwrap_err();
    let ErrorKind::NotInitialised(partial) = error.into_kind() else { panic!("it should be partial") };
    assert_eq!((partial.id.as_str(), partial.reasons), ("s-1", vec!["the name can't be changed yet".to_owned()]));
    assert_eq!(partial.state["name"], "old".into());
    assert_eq!(partial.state["tags"], Value::from(fields! { "a": "3", "b": "2" }));

    // As an engine records it: what was reached, and what was asked for before or now.
    server.fields = partial.state;
    for recorded in [tagged("old", "1"), tagged("new", "3")] {
        server.inputs = recorded;
        let repaired = driver.update(&server, tagged("new", "3")).unwrap();
        assert_eq!(repaired.state.changed, ["name"]);
        assert_eq!(repaired.state.args.name, "new");
    }
}

#[test]
fn what_was_done_of_an_object_is_merged_into_it() {
    let driver = Driver::new(&PROVIDER, ());
    let mut server = made(&driver);
    server.fields.insert("password".to_owned(), Value::from("p").secret());
    let tags = fields! { "owner": "ops", "a": "not done" };
    let error = driver.update(&server, fields! { "name": "old", "tags": tags, "owner": "half" }).unwrap_err();
    let ErrorKind::NotInitialised(partial) = error.into_kind() else { panic!("it should be partial") };
    assert_eq!(partial.state["tags"], Value::from(fields! { "a": "1", "b": "2", "owner": "ops" }));
    assert_eq!(partial.state["owner"], "half".into());
    assert!(!partial.state.contains_key("password"), "what the inputs don't have is gone");
}

/// Of an object that wasn't there before, what isn't told isn't there yet either.
#[test]
fn what_was_done_of_a_new_object_is_all_that_is_recorded() {
    let driver = Driver::new(&PROVIDER, ());
    let mut server = made(&driver);
    server.fields.remove("tags");
    let inputs = |owner: &str| {
        fields! { "name": "old", "tags": fields! { "owner": "ops", "a": "not done" }, "owner": owner }
    };
    let error = driver.update(&server, inputs("half")).unwrap_err();
    let ErrorKind::NotInitialised(partial) = error.into_kind() else { panic!("it should be partial") };
    assert_eq!(partial.state["tags"], Value::from(fields! { "owner": "ops" }));
    server.fields = partial.state;
    assert_eq!(driver.update(&server, inputs("ops")).unwrap().state.changed, ["tags", "owner", "tags.a"]);
}

/// As where an author writes a field's name. What is never asked for by its name was never changed.
#[test]
fn what_is_no_input_counts_as_changed() {
    let driver = Driver::new(&PROVIDER, ());
    let inputs = |size: u32| {
        fields! { "name": "old", "tags": fields! {}, "owner": "careless", "maxSize": size }
    };
    let server: Recorded<Server> = driver.create(inputs(1)).unwrap();
    for (size, any) in [(1, "false"), (2, "true")] {
        assert_eq!(driver.update(&server, inputs(size)).unwrap().state.changed, ["true", any]);
        let (_, warned) = driver.messages().pop().unwrap();
        assert!(warned.contains("`max_size` changed, which is none of its inputs"), "{warned}");
    }
}

/// As where an author writes a path, which a name isn't: what was done would be on record as not done.
#[test]
fn what_was_done_and_is_no_input_is_passed_over_with_a_warning() {
    let driver = Driver::new(&PROVIDER, ());
    let server = made(&driver);
    let inputs = fields! { "name": "new", "tags": fields! { "a": "3" }, "owner": "misspelt" };
    let error = driver.update(&server, inputs).unwrap_err();
    let ErrorKind::NotInitialised(partial) = error.into_kind() else { panic!("it should be partial") };
    let mut expected = server.fields.clone();
    expected.insert("name".to_owned(), "new".into());
    assert_eq!(partial.state, expected);
    let warned: Vec<String> = driver.messages().into_iter().map(|(_, text)| text).collect();
    let [first, second] = warned.as_slice() else { panic!("{warned:?}") };
    assert!(first.contains(r#"it changed `["tags.a"]`, which is none of its inputs"#), "{first}");
    assert!(second.contains("it changed `changed`"), "{second}");
}

#[test]
fn all_inputs_are_done_where_only_what_follows_is_not() {
    let driver = Driver::new(&PROVIDER, ());
    let mut server = made(&driver);
    server.fields.insert("maxSize".to_owned(), 5.into());
    server.inputs.insert("password".to_owned(), "p".into());
    server.fields.insert("password".to_owned(), "p".into());
    let error = driver.update(&server, fields! { "name": "new", "tags": fields! {}, "owner": "late" }).unwrap_err();
    let ErrorKind::NotInitialised(partial) = error.into_kind() else { panic!("it should be partial") };
    let expected = fields! {
        "name": "new", "tags": fields! {}, "port": 80, "owner": "late", "maxSize": 5, "changed": Vec::<String>::new()
    };
    assert_eq!(partial.state, expected, "what is no longer asked for is gone; outputs and what the service chose stay");
}

/// What wasn't reached is tried again, and what the service had answered before stays.
#[test]
fn an_update_that_waited_in_vain_records_what_it_did_before() {
    let driver = Driver::new(&PROVIDER, ());
    let mut server = made(&driver);
    server.fields.insert("changed".to_owned(), vec!["once"].into());
    let inputs = fields! { "name": "new", "tags": fields! { "a": "3" }, "owner": "waiting" };
    let error = driver.update(&server, inputs).unwrap_err();
    assert_eq!(error.to_string(), "waiting for the server ended without success after 1 s");
    let ErrorKind::NotInitialised(partial) = error.into_kind() else { panic!("it should be partial") };
    let mut expected = server.fields.clone();
    expected.insert("tags".to_owned(), fields! { "a": "3" }.into());
    assert_eq!(partial.state, expected);
}
