//! Lists: resources that exist, for `pulumi` to find and import.
//!
//! An author writes `impl Lists for X` beside `impl Resource for X`, and `lists: [X]` in [`provider!`](crate::provider!). The query
//! becomes the schema's `listInputs`; the host checks it and asks for one page after the other.

use crate::config::{Serves, Source};
use crate::error::{Error, Result};
use crate::record::{Inputs, Record};
use crate::resource::{Declared, Resource};
use crate::schema::PropertySet;
use crate::value::Fields;

/// A resource whose instances can be listed.
///
/// ```
/// # use bulkhead_sdk::{Create, Created, Inputs, Resource, Result, State, provider, resource};
/// use bulkhead_sdk::list::{List, Listed, Lists, Page};
///
/// # #[derive(Inputs)]
/// # struct Args { text: String }
/// # #[derive(State)]
/// # struct Note { #[bulkhead(flatten)] args: Args }
/// # #[resource(token = "notes:index:Note")]
/// # impl Resource for Note {
/// #     type Inputs = Args;
/// #     fn create(request: Create<Self>) -> Result<Created<Self>> {
/// #         Ok(Created::new("n-1", Note { args: request.inputs }))
/// #     }
/// # }
/// #[derive(Inputs)]
/// struct NoteQuery {
///     /// Words that the note has.
///     about: Option<String>,
/// }
///
/// impl Lists for Note {
///     type Query = NoteQuery;
///
///     fn list(request: List<Self>) -> Result<Page> {
///         let found = [("n-1", "milk"), ("n-2", "bread")];
///         let about = |text: &str| request.query.about.as_deref().is_none_or(|about| text.contains(about));
///         let found = found.into_iter().filter(|(_, text)| about(text));
///         request.page(found.map(|(id, text)| Listed::new(id).with_name(text)))
///     }
/// }
///
/// provider! { name: "notes", resources: [Note], lists: [Note] }
/// # let driver = bulkhead_sdk::testing::Driver::new(&PROVIDER, ());
/// # let page = driver.list::<Note>(bulkhead_sdk::fields! { "about": "mil" }, None, None)?;
/// # assert_eq!(page.items[0].id, "n-1");
/// # assert!(PROVIDER.schema()?.contains("listInputs"));
/// # Ok::<(), bulkhead_sdk::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be listed",
    label = "`lists: [{Self}]` needs `Lists`",
    note = "write `impl bulkhead_sdk::list::Lists for {Self}`, or leave it out of `lists`"
)]
pub trait Lists: Resource {
    /// What narrows a list down.
    type Query: Inputs;

    /// Finds resources, changing nothing. Nothing is kept between two pages.
    fn list(request: List<'_, Self>) -> Result<Page>;
}

/// What to list.
#[non_exhaustive]
pub struct List<'a, R: Lists> {
    /// What narrows it down: checked, defaults filled in.
    pub query: R::Query,
    /// How many results are wanted in all; absent means all.
    pub limit: Option<u64>,
    /// How many results this page may have at most; absent means as many as suit.
    pub page_size: Option<u32>,
    /// Where to go on, as an earlier page said; absent for the first one.
    pub continuation: Option<String>,
    /// The provider's configuration.
    pub config: &'a R::Config,
}

impl<R: Lists> List<'_, R> {
    /// The page of what is found all at once, always in the same order.
    pub fn page(&self, all: impl IntoIterator<Item = Listed>) -> Result<Page> {
        let from = match &self.continuation {
            None => 0,
            Some(from) => {
                from.parse().map_err(|_| Error::failed("the list can't go on there: the continuation is another's"))?
            }
        };
        let size = self.page_size.map_or(usize::MAX, |size| usize::try_from(size).unwrap_or(usize::MAX));
        let mut rest = all.into_iter().skip(from);
        let items: Vec<Listed> = rest.by_ref().take(size).collect();
        let continuation = rest.next().map(|_| from.saturating_add(items.len()).to_string());
        Ok(Page { items, continuation })
    }
}

/// Some of the results.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The resources.
    pub items: Vec<Listed>,
    /// Where the next page starts; absent after the last.
    pub continuation: Option<String>,
}

/// A resource that exists.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Listed {
    /// Its id, with which `read` imports it.
    pub id: String,
    /// A name for people.
    pub name: Option<String>,
    /// Its state, where it comes for free.
    pub state: Option<Fields>,
}

impl Listed {
    /// The resource with this id.
    pub fn new(id: impl Into<String>) -> Self {
        Self { id: id.into(), name: None, state: None }
    }

    /// With a name for people.
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// With its state, which should cost nothing more to know.
    pub fn with_state(mut self, state: &impl Resource) -> Result<Self> {
        let mut fields = Fields::new();
        state.put(&mut fields).map_err(|misfit| Error::bug(format!("the state can't be listed: {misfit}")))?;
        self.state = Some(fields);
        Ok(self)
    }
}

/// What is asked for, the types forgotten.
pub(crate) struct RawList {
    pub(crate) query: Fields,
    pub(crate) limit: Option<u64>,
    pub(crate) page_size: Option<u32>,
    pub(crate) continuation: Option<String>,
}

/// A list in the provider's table.
pub struct Entry<C> {
    /// The token that the resource was declared with.
    pub(crate) token: &'static str,
    pub(crate) query: fn(&mut PropertySet<'_>),
    pub(crate) list: fn(RawList, Source<'_, C>) -> Result<Page>,
}

impl<C> Entry<C> {
    /// The entry of `R`. For `provider!`.
    pub const fn of<R: Lists>() -> Self
    where
        C: Serves<R::Config>,
    {
        Self { token: <R as Declared>::DECLARATION.token, query: <R::Query as Record>::describe, list: list::<R, C> }
    }
}

fn list<R: Lists, C: Serves<R::Config>>(request: RawList, config: Source<'_, C>) -> Result<Page> {
    let RawList { mut query, limit, page_size, continuation } = request;
    let query = R::Query::take(&mut query).map_err(Error::unfit_input)?;
    C::with(config, |config| R::list(List { query, limit, page_size, continuation, config }))
}
