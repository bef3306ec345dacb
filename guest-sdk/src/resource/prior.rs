//! A resource as it was last recorded.

use std::fmt;
use std::marker::PhantomData;

use super::Resource;
use crate::error::{Error, Result};
use crate::host::views::View;
use crate::record::Record;
use crate::value::Fields;

/// A resource as it was last recorded.
///
/// State is read when it is asked for, and may not fit: after a [partial](crate::Error::partial) create it is whatever could be saved, and
/// older versions of the provider wrote other members. So `delete` had better work from the [`id`](Self::id) where it can.
pub struct Prior<R> {
    /// Its id; never empty.
    pub id: String,
    state: Fields,
    inputs: Option<Fields>,
    views: Vec<View>,
    resource: PhantomData<fn() -> R>,
}

/// The same, whatever the resource.
#[derive(Clone, Debug)]
pub(crate) struct RawPrior {
    pub(crate) id: String,
    pub(crate) state: Fields,
    pub(crate) inputs: Option<Fields>,
    pub(crate) views: Vec<View>,
}

impl<R: Resource> Prior<R> {
    /// The state last recorded. An error if it doesn't fit the type.
    pub fn state(&self) -> Result<R> {
        read(&self.state, "the recorded state")
    }

    /// The inputs that led to the state; absent where the engine doesn't keep them. An error if they don't fit the type.
    pub fn inputs(&self) -> Result<Option<R::Inputs>> {
        self.inputs.as_ref().map(|inputs| read(inputs, "the recorded inputs")).transpose()
    }

    /// What a program looks the resource up by, beside its id. Such a resource isn't on record, so that there is no whole
    /// [`state`](Self::state), and this is all that is known of it. An error if it doesn't fit the type.
    ///
    /// ```
    /// use bulkhead_sdk::{Create, Created, Inputs, Read, Resource, Result, Snapshot, State, provider, resource};
    ///
    /// #[derive(Inputs)]
    /// struct Args {
    ///     text: String,
    /// }
    ///
    /// #[derive(Inputs)]
    /// struct NoteLookup {
    ///     /// Whose note it is.
    ///     owner: Option<String>,
    /// }
    ///
    /// #[derive(State)]
    /// struct Note {
    ///     #[bulkhead(flatten)]
    ///     args: Args,
    ///     owner: String,
    /// }
    ///
    /// #[resource(token = "notes:index:Note", lookup = NoteLookup)]
    /// impl Resource for Note {
    ///     type Inputs = Args;
    ///
    ///     fn create(request: Create<Self>) -> Result<Created<Self>> {
    ///         Ok(Created::new("1", Note { args: request.inputs, owner: "me".to_owned() }))
    ///     }
    ///
    ///     fn read(request: Read<Self>) -> Result<Option<Snapshot<Self>>> {
    ///         let owner = match &request.prior {
    ///             Some(prior) => match prior.state() {
    ///                 Ok(state) => Some(state.owner),
    ///                 Err(_) => prior.lookup()?.owner,
    ///             },
    ///             None => None,
    ///         };
    ///         let (owner, text) = (owner.unwrap_or_else(|| "me".to_owned()), format!("note {}", request.id));
    ///         Ok(Some(Snapshot::new(request.id, Note { args: Args { text }, owner })))
    ///     }
    /// }
    ///
    /// provider! { name: "notes", resources: [Note] }
    /// # use bulkhead_sdk::{fields, testing::Driver};
    /// # let driver = Driver::new(&PROVIDER, ());
    /// # assert_eq!(driver.look_up::<Note>("1", fields! { "owner": "you" })?.unwrap().state.owner, "you");
    /// # assert_eq!(driver.import::<Note>("1")?.unwrap().state.owner, "me");
    /// # Ok::<(), bulkhead_sdk::Error>(())
    /// ```
    pub fn lookup(&self) -> Result<R::Lookup> {
        read(&self.state, "what the resource is looked up by")
    }
}

impl<R> Prior<R> {
    pub(crate) fn new(raw: RawPrior) -> Self {
        Self { id: raw.id, state: raw.state, inputs: raw.inputs, views: raw.views, resource: PhantomData }
    }

    /// The state as it was recorded.
    pub fn recorded_state(&self) -> &Fields {
        &self.state
    }

    /// The inputs as they were recorded.
    pub fn recorded_inputs(&self) -> Option<&Fields> {
        self.inputs.as_ref()
    }

    /// The [views](crate::views) beneath it that the engine has on record, in read, update and delete; none elsewhere.
    pub fn views(&self) -> &[View] {
        &self.views
    }

    pub(super) fn into_raw(self) -> RawPrior {
        RawPrior { id: self.id, state: self.state, inputs: self.inputs, views: self.views }
    }

    pub(super) fn to_raw(&self) -> RawPrior {
        let Self { id, state, inputs, views, .. } = self;
        RawPrior { id: id.clone(), state: state.clone(), inputs: inputs.clone(), views: views.clone() }
    }
}

fn read<T: Record>(fields: &Fields, what: &str) -> Result<T> {
    T::take(&mut fields.clone()).map_err(|misfit| Error::other(format!("{what} can't be used: {misfit}")))
}

impl<R> fmt::Debug for Prior<R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Prior")
            .field("id", &self.id)
            .field("state", &self.state)
            .field("inputs", &self.inputs)
            .field("views", &self.views)
            .finish()
    }
}
