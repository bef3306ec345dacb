//! A resource that shows what it manages.

use bulkhead_sdk::views::{self, Step, View};
use bulkhead_sdk::{
    Create, Created, Delete, Enum, Fields, Inputs, Read, Resource, Result, Secret, Snapshot, State, Update, Updated,
    Value, fields, function, resource,
};

const PART: &str = "asking:index:Part";

#[derive(Clone, Copy, Enum)]
enum Show {
    Well,
    /// Without anything that isn't as it should be.
    Plain,
    /// Something that isn't on record.
    Invented,
    Nameless,
    Many,
}

#[derive(Clone, Inputs)]
pub(crate) struct Args {
    /// What to show.
    show: Show,
    /// Something secret.
    hidden: Option<Secret<String>>,
}

/// A resource with parts.
#[derive(State)]
pub(crate) struct Viewed {
    #[bulkhead(flatten)]
    args: Args,
    /// The views on record that the guest was told of.
    known: Vec<String>,
}

#[resource(token = "asking:index:Viewed")]
impl Resource for Viewed {
    type Inputs = Args;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        let args = request.inputs;
        let hidden: Fields = match &args.hidden {
            Some(hidden) => fields! { "size": 3, "copy": hidden.clone().expose() },
            None => fields! { "size": 3 },
        };
        match args.show {
            Show::Well => views::publish([
                Step::created(PART, "one", hidden),
                Step::created(PART, "two", fields! {}).under(PART, "one").partial("half of it"),
            ])?,
            Show::Plain => views::publish([
                Step::created(PART, "one", hidden),
                Step::created(PART, "two", fields! {}).under(PART, "one"),
            ])?,
            Show::Invented => views::publish([Step::deleted(&invented())])?,
            Show::Nameless => views::publish([Step::created(PART, "", fields! {})])?,
            Show::Many => {
                for _ in 0..101 {
                    views::publish((0..100).map(|number| Step::created(PART, number.to_string(), fields! {})))?;
                }
            }
        }
        Ok(Created::new("viewed-1", Self { args, known: Vec::new() }))
    }

    fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
        let Some(prior) = request.prior else { return Ok(None) };
        views::publish(prior.views().iter().map(Step::same))?;
        Ok(Some(Snapshot::new(request.id, Self { known: known(prior.views()), ..prior.state()? })))
    }

    fn update(request: Update<Self>) -> Result<Updated<Self>> {
        let views = request.prior.views();
        views::publish(views.iter().map(|view| Step::updated(view, fields! { "size": 4 })))?;
        Ok(Updated::new(Self { known: known(views), args: request.inputs }))
    }

    fn delete(request: Delete<Self>) -> Result<()> {
        views::publish(request.prior.views().iter().map(Step::deleted))
    }
}

fn known(views: &[View]) -> Vec<String> {
    let shown = |view: &View| {
        let parent = view.parent.as_ref().map_or("the resource", |(_, name)| name.as_str());
        let size = view.state.get("size").and_then(Value::as_number);
        format!("{} {} beneath {parent}, {size:?}", view.token, view.name)
    };
    views.iter().map(shown).collect()
}

fn invented() -> View {
    View { token: PART.to_owned(), name: "invented".to_owned(), parent: None, inputs: fields! {}, state: fields! {} }
}

#[derive(Inputs)]
pub(crate) struct NoArgs {}

/// What came of it.
#[derive(State)]
pub(crate) struct Came {
    /// In words.
    text: String,
}

/// Shows views where there is nothing to show them beneath.
#[function(token = "asking:index:show")]
pub(crate) fn show(_: NoArgs) -> Result<Came> {
    views::publish([Step::created(PART, "one", fields! {})])?;
    Ok(Came { text: "shown".to_owned() })
}
