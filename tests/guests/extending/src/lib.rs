//! A provider that parameters extend, as an author writes one: its own resource stays, and each extension adds one.

use bulkhead_sdk::parameter::{Kind, Parameter, Subpackage};
use bulkhead_sdk::{Create, Created, Error, Inputs, Resource, Result, State, function, provider, resource};

/// How to greet.
struct Word(String);

impl Parameter for Word {
    const KIND: Kind = Kind::Extension;

    fn from_arguments(arguments: &[String]) -> Result<(Subpackage, Self)> {
        let [name, version, word] = arguments else { return Err(Error::failed("write NAME VERSION WORD")) };
        Ok((Subpackage::new(name, version), Self(word.clone())))
    }

    fn from_bytes(_: &Subpackage, bytes: &[u8]) -> Result<Self> {
        Ok(Self(String::from_utf8(bytes.to_vec())?))
    }

    fn to_bytes(&self) -> Vec<u8> {
        self.0.clone().into_bytes()
    }
}

#[derive(Inputs)]
struct Args {
    /// Who is greeted.
    name: String,
}

#[derive(State)]
struct Silence {
    #[bulkhead(flatten)]
    args: Args,
}

#[resource(token = "extending:index:Silence")]
impl Resource for Silence {
    type Inputs = Args;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        // It is of no sub-package, whatever was called before.
        match Word::current() {
            Ok(_) => Err(Error::bug("a parameter was left over")),
            Err(_) => Ok(Created::new("silence", Self { args: request.inputs })),
        }
    }
}

#[derive(State)]
struct Greeting {
    #[bulkhead(flatten)]
    args: Args,
    /// What was said.
    text: String,
}

#[resource(token = "extending:index:Greeting")]
impl Resource for Greeting {
    type Inputs = Args;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        let text = format!("{} {}", Word::current()?.0, request.inputs.name);
        Ok(Created::new("greeting", Self { args: request.inputs, text }))
    }
}

#[derive(State)]
struct Said {
    /// What would be said.
    text: String,
}

/// What would be said.
#[function(token = "extending:index:say")]
fn say(arguments: Args) -> Result<Said> {
    Ok(Said { text: format!("{} {}", Word::current()?.0, arguments.name) })
}

provider! {
    name: "extending",
    resources: [Silence],
    parameter: Word { resources: [Greeting], functions: [say] },
}
