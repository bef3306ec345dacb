//! Mistakes below the properties of a resource: in objects, in a list's query, in a method's arguments, in what a parameter brings.

use std::rc::Rc;

use bulkhead_sdk::list::{List, Lists, Page};
use bulkhead_sdk::parameter::{Kind, Parameter, Subpackage};
use bulkhead_sdk::testing::validate;
use bulkhead_sdk::{
    Call, Component, Construct, Create, Created, Inputs, Object, Ref, Resource, Result, State, component, function,
    method, provider, resource,
};

#[derive(Object)]
struct Part {
    #[bulkhead(minimum = 3, maximum = 2)]
    small: u32,
    /// What the output is too, as of any object.
    #[bulkhead(output_default = 1, not_echoed)]
    kept: u32,
    #[bulkhead(stable)]
    stable: Option<String>,
}

#[derive(Inputs)]
struct Args {
    parts: Vec<Part>,
}

#[derive(State)]
struct Whole {}

#[resource(token = "below:index:Whole")]
impl Resource for Whole {
    type Inputs = Args;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        let sums = request.inputs.parts.iter().map(|part| part.small + part.kept + u32::from(part.stable.is_some()));
        Ok(Created::new(sums.sum::<u32>().to_string(), Self {}))
    }
}

#[derive(Inputs)]
struct Flawed {
    #[bulkhead(min_length = 3, max_length = 2)]
    short: Option<String>,
}

impl Lists for Whole {
    type Query = Flawed;

    fn list(request: List<Self>) -> Result<Page> {
        let _ = request.query.short;
        Ok(Page::default())
    }
}

#[derive(Inputs)]
struct Unchecked {
    #[bulkhead(min_length = 3, max_length = 2, replace, env = "SHORT")]
    short: Option<String>,
    /// Nothing is wrong with that: its type says it, and holds it.
    count: u8,
    #[bulkhead(default = "much", conflicts_with = "short", pattern = "^m")]
    much: Option<String>,
}

#[method]
fn shorten(_: Call<Whole>, arguments: Unchecked) -> Result<String> {
    let Unchecked { short, count, much } = arguments;
    Ok(short.or(much).unwrap_or_default().chars().take(count.into()).collect())
}

#[derive(State)]
struct Site {}

#[component(token = "below:index:Site")]
impl Component for Site {
    type Inputs = Unchecked;

    fn construct(_: Construct<Self>) -> Result<Self> {
        Ok(Self {})
    }
}

struct Word;

impl Parameter for Word {
    const KIND: Kind = Kind::Extension;

    fn from_arguments(_: &[String]) -> Result<(Subpackage, Self)> {
        Ok((Subpackage::new("word", "1.0.0"), Self))
    }

    fn from_bytes(_: &Subpackage, _: &[u8]) -> Result<Self> {
        Ok(Self)
    }

    fn to_bytes(&self) -> Vec<u8> {
        Vec::new()
    }
}

#[derive(State)]
struct Brought {
    /// What no table has.
    nowhere: Option<Ref<Nowhere>>,
}

#[derive(State)]
struct Nowhere {}

#[resource(token = "below:index:Nowhere")]
impl Resource for Nowhere {
    type Inputs = Flawed;

    fn create(_: Create<Self>) -> Result<Created<Self>> {
        Ok(Created::new("n-1", Self {}))
    }
}

#[resource(token = "below:index:Brought", aliases = ["below:index:Whole"], delete_before_replace)]
impl Resource for Brought {
    type Inputs = Flawed;

    fn create(_: Create<Self>) -> Result<Created<Self>> {
        let _: Rc<Word> = Word::current()?;
        Ok(Created::new("b-1", Self { nowhere: None }))
    }
}

#[function(token = "below:index:called")]
fn called(arguments: Flawed) -> Result<String> {
    Ok(arguments.short.unwrap_or_default())
}

provider! {
    name: "below",
    resources: [Whole],
    lists: [Whole],
    components: [Site],
    methods: [shorten],
    parameter: Word { resources: [Brought], functions: [called] },
}

#[test]
fn mistakes_below_a_resource_s_properties_are_told_too() {
    let mistakes = validate(&PROVIDER).unwrap_err();
    assert_eq!(
        mistakes.to_string().lines().skip(1).collect::<Vec<_>>(),
        [
            "  below:index:Brought: its alias `below:index:Whole` is the token or an alias of another resource, or its own",
            "  below:index:Brought.short: nothing is allowed: `min_length` is more than `max_length`",
            "  below:index:Brought: a replacement should delete the old resource first, and there is no `delete`",
            "  the list of below:index:Whole.short: nothing is allowed: `min_length` is more than `max_length`",
            "  below:index:Site.short: nothing is allowed: `min_length` is more than `max_length`",
            "  below:index:Site.short: nothing comes of `replace`: what a component or a method is given, the host neither checks nor completes",
            "  below:index:Site.short: nothing comes of `env`: what a component or a method is given, the host neither checks nor completes",
            "  below:index:Site.short: nothing comes of `min_length`: what a component or a method is given, the host neither checks nor completes",
            "  below:index:Site.short: nothing comes of `max_length`: what a component or a method is given, the host neither checks nor completes",
            "  below:index:Site.much: nothing comes of `pattern`: what a component or a method is given, the host neither checks nor completes",
            "  below:index:Whole/shorten.short: nothing is allowed: `min_length` is more than `max_length`",
            "  below:index:Whole/shorten.short: nothing comes of `replace`: what a component or a method is given, the host neither checks nor completes",
            "  below:index:Whole/shorten.short: nothing comes of `env`: what a component or a method is given, the host neither checks nor completes",
            "  below:index:Whole/shorten.short: nothing comes of `min_length`: what a component or a method is given, the host neither checks nor completes",
            "  below:index:Whole/shorten.short: nothing comes of `max_length`: what a component or a method is given, the host neither checks nor completes",
            "  below:index:Whole/shorten.much: nothing comes of `pattern`: what a component or a method is given, the host neither checks nor completes",
            "  below:index:called.short: nothing is allowed: `min_length` is more than `max_length`",
            "  Part.small: nothing is allowed: `minimum` is more than `maximum`",
            "  the schema: the schema refers to `below:index:Nowhere`, and has none under `resources`",
        ]
    );
}

#[test]
fn what_nobody_fills_in_from_a_variable_isnt_asked_for() {
    assert!(!PROVIDER.manifest().contains("SHORT"), "{}", PROVIDER.manifest());
}
