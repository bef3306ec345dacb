//! Configuration with objects inside and a service to connect to: what is told of it where it is missing, and asked for where it may
//! come from the environment.

use bulkhead_schema::Package;
use bulkhead_sdk::config::Connects;
use bulkhead_sdk::http::{Client, Method, Request, Response, Url};
use bulkhead_sdk::list::{List, Lists, Page};
use bulkhead_sdk::testing::Driver;
use bulkhead_sdk::{
    Config, Create, Created, Error, ErrorKind, Fields, Inputs, Object, Resource, Result, State, fields, log, provider,
    resource,
};

#[derive(Object)]
struct Auth {
    /// Who asks.
    #[bulkhead(env = "NOTES_TOKEN")]
    token: String,
}

#[derive(Config)]
#[bulkhead(connects)]
struct Settings {
    /// How to be let in.
    auth: Auth,
    #[bulkhead(default = 3)]
    retries: u8,
    #[bulkhead(default = "https://notes.example")]
    endpoint: Url,
    #[bulkhead(skip = false)]
    verbose: Option<bool>,
}

impl Connects for Settings {
    fn connect(&self) -> Result<()> {
        let url = self.endpoint.clone().segment(&self.auth.token);
        let answer = Client::new().send(&Request::new(Method::Get, url))?;
        if self.verbose == Some(true) {
            log::info(format!("{} after {} attempts at most", answer.status(), self.retries));
        }
        if answer.status() == 200 { Ok(()) } else { Err(Error::failed("the service refuses the token")) }
    }
}

/// Where a note is kept.
#[derive(Object)]
struct Place {
    #[bulkhead(env = "NOTES_SHELF")]
    shelf: String,
}

#[derive(Inputs)]
struct NoteArgs {
    places: Vec<Place>,
}

/// What is returned alone asks for nothing.
#[derive(Object)]
struct Reader {
    #[bulkhead(env = "NOTES_READER")]
    name: String,
}

#[derive(State)]
struct Note {
    readers: Vec<Reader>,
}

#[resource(token = "notes:index:Note")]
impl Resource for Note {
    type Inputs = NoteArgs;
    type Config = Settings;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        let readers = request.inputs.places.into_iter().map(|place| Reader { name: place.shelf });
        Ok(Created::new("n-1", Self { readers: readers.collect() }))
    }
}

#[derive(Inputs)]
struct NoteQuery {
    #[bulkhead(env = "NOTES_ABOUT")]
    about: Option<String>,
}

impl Lists for Note {
    type Query = NoteQuery;

    fn list(request: List<Self>) -> Result<Page> {
        log::info(request.query.about.as_deref().unwrap_or("all"));
        request.page([])
    }
}

provider! { name: "notes", config: Settings, resources: [Note], lists: [Note] }

fn refused(inputs: Fields) -> Error {
    Driver::configure(&PROVIDER, inputs).err().unwrap()
}

#[test]
fn what_has_a_default_isnt_said_to_be_missing() {
    let error = refused(fields! {});
    let ErrorKind::MissingConfiguration(keys) = error.kind() else { panic!("{error:?}") };
    let keys: Vec<_> = keys.iter().map(|key| (key.name.as_str(), key.description.as_str())).collect();
    assert_eq!(keys, [("auth", "How to be let in.")]);
}

#[test]
fn what_is_missing_of_an_object_is_named_with_its_place() {
    let error = refused(fields! { "auth": fields! {} });
    assert!(matches!(error.kind(), ErrorKind::Rejected(_)), "{error:?}");
    assert_eq!(error.to_string(), "`auth.token` is required");
}

/// Not by the first resource that asks for something.
#[test]
fn an_endpoint_that_is_no_url_is_named_where_it_is_configured() {
    let error = refused(fields! { "auth": fields! { "token": "t" }, "endpoint": "localhost:8080" });
    assert!(matches!(error.kind(), ErrorKind::Rejected(_)), "{error:?}");
    assert_eq!(error.to_string(), "`endpoint` has no scheme, such as http://");
    let schema = PROVIDER.schema().unwrap();
    assert!(schema.contains(r#""default":"https://notes.example""#), "as its author wrote it: {schema}");
}

/// In previews too, where no provider is asked.
#[test]
fn a_text_that_begins_like_no_url_is_refused_by_the_schema() {
    let package = Package::parse(PROVIDER.schema().unwrap().as_bytes()).unwrap();
    let rules = package.configuration.properties["endpoint"].facts.validate.as_ref().unwrap();
    let pattern = rules.pattern.as_ref().unwrap();
    for url in ["https://notes.example", "HTTP://Notes:8080/a?b=c", "http://[::1]/", "https://127.0.0.1", "http://_a"] {
        assert!(Url::parse(url).is_ok() && pattern.matches(url), "{url}");
    }
    for other in ["localhost:8080", "ftp://notes.example", "https://", "https:///a", ""] {
        assert!(Url::parse(other).is_err() && !pattern.matches(other), "{other}");
    }
}

#[test]
fn a_service_that_is_connected_to_answers_what_a_test_says() {
    let configure = |status| {
        Driver::configure_with(&PROVIDER, fields! { "auth": fields! { "token": "t" }, "verbose": true }, |driver| {
            driver.answer_http(move |request: &Request| {
                assert_eq!(request.url().to_string(), "https://notes.example/t");
                Ok(Response::new(status, ""))
            });
        })
    };
    assert_eq!(configure(200).unwrap().messages()[0].1, "200 after 3 attempts at most");
    assert_eq!(configure(401).err().unwrap().to_string(), "the service refuses the token");
}

#[test]
fn variables_that_defaults_of_objects_and_of_queries_come_from_are_asked_for() {
    let manifest: serde_json::Value = serde_json::from_str(&PROVIDER.manifest()).unwrap();
    let asked = manifest["permissions"]["environment"].as_array().unwrap();
    let asked: Vec<_> = asked.iter().map(|request| (request["name"].as_str(), request["reason"].as_str())).collect();
    assert_eq!(
        asked,
        [
            (Some("NOTES_ABOUT"), Some("the default of `about`")),
            (Some("NOTES_TOKEN"), Some("the default of `Auth.token`")),
            (Some("NOTES_SHELF"), Some("the default of `Place.shelf`")),
        ]
    );
}
