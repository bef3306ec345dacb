//! A provider with every mistake that `validate` finds, and what is said of each.

use bulkhead_sdk::resource::{Upgrade, Upgraded};
use bulkhead_sdk::testing::validate;
use bulkhead_sdk::value::Property;
use bulkhead_sdk::{
    Create, Created, Delete, Inputs, Resource, Result, State, Update, Updated, Value, provider, resource, schema,
};

#[derive(Inputs)]
struct Args {
    #[bulkhead(replace, min_length = 3, max_length = 2)]
    short: String,
    #[bulkhead(replace, minimum = 3, maximum = 2)]
    small: u32,
    #[bulkhead(replace, autoname(max_length = 80), max_length = 40)]
    name: String,
    #[bulkhead(replace, output_default = true)]
    promised: bool,
    #[bulkhead(replace, conflicts_with = "other", requires = "other")]
    torn: Option<String>,
    #[bulkhead(replace)]
    other: Option<String>,
}

#[derive(State)]
struct Flawed {
    /// Nothing of what is given.
    result: String,
}

#[resource(token = "flawed:index:Flawed", aliases = ["flawed:index:Other"], delete_before_replace)]
impl Resource for Flawed {
    type Inputs = Args;

    fn create(_: Create<Self>) -> Result<Created<Self>> {
        Ok(Created::new("id", Self { result: String::new() }))
    }

    /// No mistake though each change replaces: what a create left unready is updated.
    fn update(request: Update<Self>) -> Result<Updated<Self>> {
        Ok(Updated::new(request.prior.state()?))
    }

    fn upgrade(request: Upgrade) -> Result<Upgraded> {
        Ok(Upgraded { state: request.state, inputs: request.inputs })
    }
}

/// A reference to a type that nobody describes.
struct Dangling;

impl Property for Dangling {
    type Plain = Self;

    fn type_spec(_: &mut schema::Types) -> schema::TypeSpec {
        schema::TypeSpec::reference("#/types/flawed:index:Gone")
    }

    fn from_value(_: Value) -> std::result::Result<Self, bulkhead_sdk::value::Misfit> {
        Ok(Self)
    }

    fn to_value(&self) -> std::result::Result<Value, bulkhead_sdk::value::Misfit> {
        Ok(Value::Null)
    }
}

#[derive(Inputs)]
struct OtherArgs {
    dangling: Dangling,
    same: String,
}

#[derive(State)]
struct Other {
    #[bulkhead(stable)]
    same: String,
}

#[resource(token = "flawed:index:Other")]
impl Resource for Other {
    type Inputs = OtherArgs;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        Ok(Created::new("id", Self { same: request.inputs.same }))
    }

    fn update(request: Update<Self>) -> Result<Updated<Self>> {
        Ok(Updated::new(Self { same: request.inputs.same }))
    }

    fn delete(_: Delete<Self>) -> Result<()> {
        Ok(())
    }
}

#[derive(Inputs)]
struct ReplacedArgs {
    same: String,
}

/// What is only made is replaced whatever changes, so that nothing is wrong with its promise.
#[derive(State)]
struct Replaced {
    #[bulkhead(stable)]
    same: String,
}

#[resource(token = "flawed:index:Replaced")]
impl Resource for Replaced {
    type Inputs = ReplacedArgs;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        Ok(Created::new("id", Self { same: request.inputs.same }))
    }
}

provider! {
    name: "flawed",
    version: "1.2",
    resources: [Flawed, Other, Replaced],
    overrides: [upgrade],
}

#[test]
fn every_mistake_is_told_at_once() {
    let mistakes = validate(&PROVIDER).unwrap_err();
    assert_eq!(
        mistakes.to_string().lines().collect::<Vec<_>>(),
        [
            "12 mistakes in the provider:",
            "  version: `1.2` is no semantic version: write it as 1.2.3",
            "  flawed:index:Flawed: its alias `flawed:index:Other` is the token or an alias of another resource, or its own",
            "  flawed:index:Flawed.short: nothing is allowed: `min_length` is more than `max_length`",
            "  flawed:index:Flawed.small: nothing is allowed: `minimum` is more than `maximum`",
            "  flawed:index:Flawed.name: longer names are generated than `max_length` allows",
            "  flawed:index:Flawed.promised: `output_default` promises an output, and there is none of this name in the state",
            "  flawed:index:Flawed.torn: it requires `other`, and conflicts with it",
            "  flawed:index:Flawed: a replacement should delete the old resource first, and there is no `delete`",
            "  flawed:index:Flawed: `upgrade` is never called: no state is older than `schema_version = 0`",
            "  flawed:index:Other.same: it is `stable`, and an input that can change without a replacement: say `replace` of it",
            "  flawed:index:Other: it is deleted and can't be read: without `read` nobody can import it, and a refresh sees nothing",
            "  the schema: the schema refers to `flawed:index:Gone`, and has none under `types`",
        ]
    );
    assert_eq!(format!("{mistakes:?}"), mistakes.to_string(), "a failed test shows it readably");
    assert_eq!(mistakes.iter().count(), mistakes.to_string().lines().count() - 1);
}

#[test]
fn a_provider_that_uses_all_there_is_is_sound() {
    assert_eq!(validate(&crate::specimen::PROVIDER), Ok(()));
}
