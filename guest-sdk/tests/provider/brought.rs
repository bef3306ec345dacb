//! What a parameter brings, as programs and the host know it: by the name of the sub-package, wherever it is named.

use std::rc::Rc;

use bulkhead_schema::{Package, Type};
use bulkhead_sdk::parameter::{Kind, Parameter, Subpackage};
use bulkhead_sdk::testing::{Driver, validate};
use bulkhead_sdk::{Create, Created, Inputs, Object, Ref, Resource, Result, State, function, provider, resource};

struct Word(String);

impl Parameter for Word {
    const KIND: Kind = Kind::Extension;

    fn from_arguments(arguments: &[String]) -> Result<(Subpackage, Self)> {
        Ok((Subpackage::new("hello", "1.0.0"), Self(arguments.concat())))
    }

    fn from_bytes(_: &Subpackage, bytes: &[u8]) -> Result<Self> {
        Ok(Self(String::from_utf8_lossy(bytes).into_owned()))
    }

    fn to_bytes(&self) -> Vec<u8> {
        self.0.clone().into_bytes()
    }

    fn rename(&self, declared: &str) -> String {
        declared.replace("Greeting", &self.0)
    }
}

#[derive(Inputs)]
struct Args {}

#[derive(State)]
struct Silence {}

#[resource(token = "greeter:quiet/silence:Silence", aliases = ["greeter:index:Silence"])]
impl Resource for Silence {
    type Inputs = Args;

    fn create(_: Create<Self>) -> Result<Created<Self>> {
        Ok(Created::new("silence", Self {}))
    }
}

/// What a greeting is about.
#[derive(Object)]
struct About {
    /// What it answers.
    answers: Option<Vec<Ref<Greeting>>>,
}

#[derive(Inputs)]
struct GreetingArgs {
    about: Option<About>,
    /// What it ends.
    ends: Option<Ref<Silence>>,
}

#[derive(State)]
struct Greeting {
    #[bulkhead(flatten)]
    args: GreetingArgs,
}

#[resource(token = "greeter:greets/greeting:Greeting", aliases = ["greeter:index:OldGreeting", "earlier:index:Greeting"])]
impl Resource for Greeting {
    type Inputs = GreetingArgs;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        let _: Rc<Word> = Word::current()?;
        Ok(Created::new("greeting", Self { args: request.inputs }))
    }
}

#[derive(State)]
struct Said {
    last: Option<Ref<Greeting>>,
}

#[function(token = "greeter:index:lastGreeting")]
fn last_greeting(_: Args) -> Result<Said> {
    Ok(Said { last: None })
}

provider! {
    name: "greeter",
    version: "1.2.3",
    resources: [Silence],
    parameter: Word { resources: [Greeting], functions: [last_greeting] },
}

fn hello() -> Package {
    let driver = Driver::new(&PROVIDER, ());
    let subpackage = driver.parameterize(&["Howdy"]).unwrap();
    let schema = PROVIDER.subpackage_schema(&subpackage).unwrap();
    Package::parse(schema.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{schema}"))
}

#[test]
fn what_is_referred_to_is_found_by_the_name_that_it_has_there() {
    let package = hello();
    let howdy = package.resource("hello:greets/greeting:Howdy").unwrap();
    let refers_to = |token: &str| Type::Resource(token.to_owned());
    assert_eq!(howdy.inputs.properties["ends"].ty, refers_to("greeter:quiet/silence:Silence"), "which isn't brought");
    let about = package.object_type("hello:index:About").unwrap();
    let Type::Array(answers) = &about.properties["answers"].ty else { panic!("{about:?}") };
    assert_eq!(**answers, refers_to("hello:greets/greeting:Howdy"));
    let bulkhead_schema::Returns::Object(said) = &package.function("hello:index:lastHowdy").unwrap().outputs else {
        panic!("it returns an object")
    };
    assert_eq!(said.properties["last"].ty, refers_to("hello:greets/greeting:Howdy"));
    assert_eq!(validate(&PROVIDER), Ok(()));
}

/// Under which it is on record.
#[test]
fn what_was_renamed_is_found_by_the_name_that_it_had_there() {
    let package = hello();
    let aliases = &package.resource("hello:greets/greeting:Howdy").unwrap().aliases;
    assert_eq!(*aliases, ["hello:index:OldHowdy", "earlier:index:Greeting"]);
    assert_eq!(package.resource("hello:index:OldHowdy").unwrap().token, "hello:greets/greeting:Howdy");
}
