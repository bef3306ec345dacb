//! Pages of notebooks, for the whole life of a resource: updates in place, replacements, drift, imports, secrets.
//!
//! There is no server behind it: what a page is follows from its inputs and from the notebook's name. Pages in `shared` are edited by
//! others after they were made; those in `lost` are gone when one looks.

use bulkhead_sdk::{
    Config, Create, Created, Error, Inputs, Object, Read, Resource, Result, Snapshot, State, Update, Updated, function,
    provider, resource,
};

#[derive(Config)]
struct Settings {
    /// Who writes.
    author: Option<String>,
    /// Opens locked notebooks.
    #[bulkhead(secret)]
    passphrase: Option<String>,
}

/// A line above a page.
#[derive(Object)]
struct Heading {
    /// Its words.
    #[bulkhead(min_length = 1)]
    text: String,
    /// Its level; 1 is the highest.
    #[bulkhead(minimum = 1, maximum = 6)]
    level: u32,
}

#[derive(Inputs)]
struct PageArgs {
    /// The notebook that the page is in. A page can't be moved.
    #[bulkhead(replace, pattern = "^[a-z]+$")]
    notebook: String,
    /// What stands above the page.
    heading: Heading,
    /// What stands on the page.
    body: Option<String>,
    /// What nobody else may read.
    #[bulkhead(secret)]
    remark: Option<String>,
}

/// A page in a notebook.
#[derive(State)]
struct Page {
    #[bulkhead(flatten)]
    args: PageArgs,
    /// How often the page was written.
    revision: u32,
    /// Who wrote it.
    author: String,
}

#[resource(token = "notes:index:Page")]
impl Resource for Page {
    type Inputs = PageArgs;
    type Config = Settings;

    fn create(request: Create<Self>) -> Result<Created<Self>> {
        let (args, author) = (request.inputs, author(request.config));
        if args.notebook == "locked" && request.config.passphrase.is_none() {
            return Err(Error::failed("the notebook is locked, and no passphrase is configured"));
        }
        let id = format!("{}/{}", args.notebook, args.heading.text);
        Ok(Created::new(id, Self { args, revision: 1, author }))
    }

    fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
        let Some(prior) = request.prior else { return Ok(found(&request.id, author(request.config))) };
        let mut state = prior.state()?;
        match state.args.notebook.as_str() {
            "lost" => return Ok(None),
            "shared" => state.args.body = Some("somebody else was here".to_owned()),
            _ => {}
        }
        Ok(Some(Snapshot::new(request.id, state)))
    }

    fn update(request: Update<Self>) -> Result<Updated<Self>> {
        let revision = request.prior.state()?.revision + 1;
        Ok(Updated::new(Self { args: request.inputs, revision, author: author(request.config) }))
    }

    fn delete(_request: bulkhead_sdk::Delete<Self>) -> Result<()> {
        Ok(())
    }
}

/// A page that was made elsewhere, by its id: `notebook/heading`.
fn found(id: &str, author: String) -> Option<Snapshot<Page>> {
    let (notebook, text) = id.split_once('/').filter(|(notebook, _)| *notebook != "lost")?;
    let heading = Heading { text: text.to_owned(), level: 1 };
    let args = PageArgs { notebook: notebook.to_owned(), heading, body: None, remark: None };
    Some(Snapshot::new(id, Page { args, revision: 1, author }))
}

fn author(settings: &Settings) -> String {
    settings.author.clone().unwrap_or_else(|| "anonymous".to_owned())
}

#[derive(Inputs)]
struct CountArgs {
    /// The text to count in.
    text: String,
}

/// What was counted.
#[derive(State)]
struct Counted {
    /// How many words there are.
    words: u32,
}

/// Counts words.
#[function(token = "notes:index:count")]
fn count(args: CountArgs) -> Result<Counted> {
    let words = args.text.split_whitespace().count();
    Ok(Counted { words: u32::try_from(words)? })
}

provider! {
    name: "notes",
    description: "Pages of notebooks",
    license: "Apache-2.0",
    config: Settings,
    resources: [Page],
    functions: [count],
}
