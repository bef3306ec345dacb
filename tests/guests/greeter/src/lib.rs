//! A provider that is parameterized with a word, as an author writes one: its resource is called after the word.

use bulkhead_sdk::list::{List, Listed, Lists, Page};
use bulkhead_sdk::parameter::{Kind, Parameter, Subpackage};
use bulkhead_sdk::{
    Config, Create, Created, Error, Inputs, Mapping, Read, Resource, Result, Snapshot, State, Update, Updated,
    function, provider, resource,
};

/// How to greet.
struct Word(String);

impl Parameter for Word {
    const KIND: Kind = Kind::Replacement;

    fn from_arguments(arguments: &[String]) -> Result<(Subpackage, Self)> {
        let [name, word] = arguments else { return Err(Error::failed("write NAME WORD")) };
        Ok((Subpackage::new(name, "2.3.4"), Self(word.clone())))
    }

    fn from_bytes(_: &Subpackage, bytes: &[u8]) -> Result<Self> {
        Ok(Self(String::from_utf8(bytes.to_vec())?))
    }

    fn to_bytes(&self) -> Vec<u8> {
        self.0.clone().into_bytes()
    }

    fn rename(&self, declared: &str) -> String {
        declared.replace("Greeting", &self.0)
    }
}

#[derive(Config)]
struct Settings {
    /// How to say it.
    #[bulkhead(default = "calmly")]
    tone: String,
}

#[derive(Inputs)]
struct GreetingArgs {
    /// Who is greeted.
    name: String,
    /// How often.
    #[bulkhead(default = 1, minimum = 1)]
    times: u32,
}

/// Something that was said.
#[derive(State)]
struct Greeting {
    #[bulkhead(flatten)]
    args: GreetingArgs,
    /// What was said.
    text: String,
}

impl Greeting {
    fn new(args: GreetingArgs, config: &Settings) -> Result<Self> {
        let word = Word::current()?;
        let words = vec![word.0.as_str(); args.times as usize].join(" ");
        Ok(Self { text: format!("{words}, {}, {}", args.name, config.tone), args })
    }
}

#[resource(token = "greeter:index:Greeting", aliases = ["greeter:index:OldGreeting"])]
impl Resource for Greeting {
    type Inputs = GreetingArgs;
    type Config = Settings;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        let id = format!("greeting-{}", request.inputs.name);
        Ok(Created::new(id, Self::new(request.inputs, request.config)?))
    }

    fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
        let name = request.id.trim_start_matches("greeting-").to_owned();
        let state = Self::new(GreetingArgs { name, times: 1 }, request.config)?;
        Ok(Some(Snapshot::new(request.id, state)))
    }

    fn update(request: Update<Self>) -> Result<Updated<Self>> {
        Ok(Updated::new(Self::new(request.inputs, request.config)?))
    }
}

#[derive(Inputs)]
struct GreetingQuery {
    /// What names begin with.
    #[bulkhead(default = "")]
    prefix: String,
}

impl Lists for Greeting {
    type Query = GreetingQuery;

    fn list(request: List<Self>) -> Result<Page> {
        let names =
            ["ada", "alan", "barbara", "grace"].into_iter().filter(|name| name.starts_with(&request.query.prefix));
        request.page(names.map(|name| Listed::new(format!("greeting-{name}")).with_name(name)))
    }
}

#[derive(State)]
struct Said {
    /// What would be said.
    text: String,
}

/// What would be said.
#[function(token = "greeter:index:sayGreeting")]
fn say_greeting(arguments: GreetingArgs, config: &Settings) -> Result<Said> {
    Ok(Said { text: Greeting::new(arguments, config)?.text })
}

fn mappings(ecosystem: &str) -> Result<Vec<Mapping>> {
    Ok(match ecosystem {
        "terraform" => vec![Mapping::new("greeter", br#"{"resources":{}}"#)],
        _ => Vec::new(),
    })
}

provider! {
    name: "greeter",
    config: Settings,
    parameter: Word { resources: [Greeting], functions: [say_greeting] },
    lists: [Greeting],
    mappings: mappings,
}
