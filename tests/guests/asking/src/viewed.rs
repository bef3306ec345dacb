//! A resource that shows what it manages.

use bulkhead_sdk::packages::{Package, schema};
use bulkhead_sdk::resource::{Change, ChangeKind};
use bulkhead_sdk::views::{self, Step, View};
use bulkhead_sdk::{
    Create, Created, Delete, Enum, Error, Fields, Inputs, Path, Read, Resource, Result, Secret, Snapshot, State,
    Update, Updated, Value, checkpoint, fields, function, resource,
};

const PART: &str = "asking:index:Part";

#[derive(Clone, Copy, Enum)]
enum Show {
    Well,
    /// Without anything that isn't as it should be.
    Plain,
    /// What nobody knows whether it was done.
    Uncertain,
    /// Something that isn't on record.
    Invented,
    Nameless,
    Many,
    /// The same view twice.
    Twice,
    /// What is bound to fail.
    Failing,
    /// One less, and another.
    Other,
    /// Others in the place of those that are there.
    Replaced,
    /// Nothing at all, not even that they are gone.
    Forgotten,
    /// That they are gone, whether or not anybody hears it.
    Unheard,
    /// It is gone, with a word on its views that isn't true.
    Gone,
    /// A part with a code that its type says is secret.
    Coded,
    /// What the package says of parts that the place names.
    Described,
}

#[derive(Clone, Inputs)]
pub(crate) struct Args {
    /// What to show.
    show: Show,
    /// Something secret.
    hidden: Option<Secret<String>>,
    /// Where it is. It can't be moved.
    #[bulkhead(replace)]
    place: Option<String>,
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
            Show::Described => {
                let made = Self { args: args.clone(), known: Vec::new() };
                checkpoint("viewed-1", &made)?;
                made.described()?;
            }
            Show::Plain | Show::Other | Show::Replaced | Show::Forgotten | Show::Unheard | Show::Gone => {
                views::publish([
                    Step::created(PART, "one", hidden).changing([grown()]),
                    Step::created(PART, "two", fields! {}).under(PART, "one"),
                ])?
            }
            Show::Uncertain => views::publish([Step::created(PART, "one", hidden).unknown("nobody answered")])?,
            Show::Coded => views::publish([Step::created(PART, "one", fields! { "code": "4711" })])?,
            Show::Invented => views::publish([Step::deleted(&invented())])?,
            Show::Nameless => views::publish([Step::created(PART, "", fields! {})])?,
            Show::Many => {
                for first in (0..10_100).step_by(100) {
                    let hundred = first..first + 100;
                    views::publish(hundred.map(|number| Step::created(PART, number.to_string(), fields! {})))?;
                }
            }
            Show::Twice => {
                views::publish([Step::created(PART, "one", fields! {})])?;
                views::publish([Step::created(PART, "one", fields! {})])?;
            }
            Show::Failing => {
                views::publish([Step::created(PART, "one", fields! {})])?;
                return Err(Error::failed("the second part can't be made"));
            }
        }
        Ok(Created::new("viewed-1", Self { args, known: Vec::new() }))
    }

    fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
        let Some(prior) = request.prior else { return Ok(None) };
        let state = prior.state()?;
        state.described()?;
        views::publish(prior.views().iter().map(Step::same))?;
        if matches!(state.args.show, Show::Gone) {
            return Ok(None);
        }
        Ok(Some(Snapshot::new(request.id, Self { known: known(prior.views()), ..state })))
    }

    fn update(request: Update<Self>) -> Result<Updated<Self>> {
        let views = request.prior.views();
        let larger = |view: &View| Step::updated(view, fields! { "size": 4 }).changing([grown()]);
        match request.inputs.show {
            Show::Well => views::publish(views.iter().map(|view| match view.name.as_str() {
                "two" => larger(view).partial("half of it"),
                _ => larger(view),
            }))?,
            Show::Failing => {
                views::publish(views.iter().take(1).map(larger))?;
                return Err(Error::failed("the second part can't be changed"));
            }
            Show::Other => {
                views::publish(views.iter().filter(|view| view.name == "two").map(Step::deleted))?;
                views::publish([
                    Step::created(PART, "two", fields! { "size": 7 }),
                    Step::created(PART, "three", fields! {}),
                ])?;
            }
            Show::Replaced => {
                let replacing = || Change { replaces: true, input_diff: true, ..grown() };
                let replaced = |view: &View| Step::replaced(view, fields! { "size": 9 }).changing([replacing()]);
                views::publish(views.iter().map(replaced))?;
            }
            _ => views::publish(views.iter().map(larger))?,
        }
        Ok(Updated::new(Self { known: known(views), args: request.inputs }))
    }

    fn delete(request: Delete<Self>) -> Result<()> {
        let state = request.prior.state()?;
        state.described()?;
        match state.args.show {
            Show::Forgotten => Ok(()),
            Show::Unheard => {
                let _ = views::publish(request.prior.views().iter().map(Step::deleted));
                Ok(())
            }
            Show::Failing => {
                views::publish(request.prior.views().iter().take(1).map(Step::deleted))?;
                Err(Error::failed("the second part can't be deleted"))
            }
            _ => views::publish(request.prior.views().iter().map(|view| Step::deleted(view).changing([grown()]))),
        }
    }
}

impl Viewed {
    fn described(&self) -> Result<()> {
        match (self.args.show, &self.args.place) {
            (Show::Described, Some(package)) => schema(&Package::of(package)).map(drop),
            _ => Ok(()),
        }
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

/// Said of all steps alike: a step that has one state alone is shown without it.
fn grown() -> Change {
    Change { path: Path::root().field("size"), kind: ChangeKind::Updated, replaces: false, input_diff: false }
}

fn invented() -> View {
    View { token: PART.to_owned(), name: "invented".to_owned(), parent: None, inputs: fields! {}, state: fields! {} }
}

/// What is only ever shown.
#[derive(State)]
pub(crate) struct Part {
    /// How large it is.
    size: Option<u32>,
    /// What opens it.
    code: Option<Secret<String>>,
}

#[resource(token = "asking:index:Part")]
impl Resource for Part {
    type Inputs = NoArgs;

    fn create(_: Create<Self>) -> Result<Created<Self>> {
        Err(Error::failed("parts are made with what they are parts of"))
    }
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
