//! Views: what an operation manages in other terms, shown beneath its resource while the operation goes on.
//!
//! ```
//! use bulkhead_sdk::views::{self, Step};
//! use bulkhead_sdk::{Result, fields};
//!
//! fn apply() -> Result<()> {
//!     views::publish([
//!         Step::created("stack:index:Part", "bucket", fields! { "size": 3 }),
//!         Step::created("stack:index:Part", "policy", fields! {}).under("stack:index:Part", "bucket"),
//!     ])
//! }
//! # apply().unwrap();
//! ```
//!
//! An engine can't save a stack from which such a resource goes without being deleted: no program may give one the options `retainOnDelete` or
//! `deletedWith`. Say so where you describe the resource.
//!
//! Names are unique beneath a resource. Engines record `RESOURCE::OPERATION::NAME`, so that no two resources have views of one name, nor a
//! resource and the one that it replaces.

use super::imports::views as host;
use crate::bindings::wit::types as wit;
use crate::bindings::wit::views::{ViewOperation, ViewStatus, ViewStep};
use crate::error::Result;
use crate::export::{convert, read_error};
use crate::resource::Change;
use crate::value::{Fields, encode_fields};

/// A view that the engine has on record.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// Its type token.
    pub token: String,
    /// Its name.
    pub name: String,
    /// The token and name of the view above, if any.
    pub parent: Option<(String, String)>,
    /// Its inputs; empty unless the engine keeps some.
    pub inputs: Fields,
    /// The state that was last published.
    pub state: Fields,
}

/// What happened to a view.
#[derive(Clone, Debug)]
pub struct Step {
    token: String,
    name: String,
    parent: Option<(String, String)>,
    operation: ViewOperation,
    status: ViewStatus,
    error: String,
    old: Option<Fields>,
    new: Option<Fields>,
    changes: Vec<Change>,
}

impl Step {
    /// A view is there that wasn't before.
    pub fn created(token: impl Into<String>, name: impl Into<String>, state: Fields) -> Self {
        Self::new(token.into(), name.into(), ViewOperation::Create, None, Some(state))
    }

    /// A view was found.
    pub fn read(token: impl Into<String>, name: impl Into<String>, state: Fields) -> Self {
        Self::new(token.into(), name.into(), ViewOperation::Read, None, Some(state))
    }

    /// A view on record is as it was.
    pub fn same(view: &View) -> Self {
        Self::of(view, ViewOperation::Same, Some(view.state.clone()))
    }

    /// A view on record has another state.
    pub fn updated(view: &View, state: Fields) -> Self {
        Self::of(view, ViewOperation::Update, Some(state))
    }

    /// Another took the place of a view on record.
    pub fn replaced(view: &View, state: Fields) -> Self {
        Self::of(view, ViewOperation::Replace, Some(state))
    }

    /// A view on record is gone.
    pub fn deleted(view: &View) -> Self {
        Self::of(view, ViewOperation::Delete, None)
    }

    /// Says which view it is beneath; the resource itself otherwise.
    #[must_use]
    pub fn under(mut self, token: impl Into<String>, name: impl Into<String>) -> Self {
        self.parent = Some((token.into(), name.into()));
        self
    }

    /// Says what changed.
    #[must_use]
    pub fn changing(mut self, changes: impl IntoIterator<Item = Change>) -> Self {
        self.changes.extend(changes);
        self
    }

    /// Says that it was done in part only, and why. The state is the one reached.
    #[must_use]
    pub fn partial(mut self, error: impl Into<String>) -> Self {
        self.status = ViewStatus::Partial;
        self.error = error.into();
        self
    }

    /// Says that it failed, that nobody knows whether it was done, and why.
    #[must_use]
    pub fn unknown(mut self, error: impl Into<String>) -> Self {
        self.status = ViewStatus::Unknown;
        self.error = error.into();
        self
    }

    fn of(view: &View, operation: ViewOperation, new: Option<Fields>) -> Self {
        let step = Self::new(view.token.clone(), view.name.clone(), operation, Some(view.state.clone()), new);
        Self { parent: view.parent.clone(), ..step }
    }

    fn new(token: String, name: String, operation: ViewOperation, old: Option<Fields>, new: Option<Fields>) -> Self {
        let (parent, error, changes) = (None, String::new(), Vec::new());
        Self { token, name, parent, operation, status: ViewStatus::Done, error, old, new, changes }
    }

    fn wit(self) -> ViewStep {
        let changes: Vec<wit::Change> = self.changes.into_iter().map(convert::wit_change).collect();
        ViewStep {
            token: self.token,
            name: self.name,
            parent: self.parent,
            operation: self.operation,
            status: self.status,
            error: self.error,
            old_state: self.old.map(encode_fields),
            new_state: self.new.map(encode_fields),
            changes,
        }
    }
}

/// Shows steps, in order. Only in create, read, update and delete. Unsupported by engines that have no place for them.
///
/// What a create, a read or an update shows appears once it has returned and didn't fail as a whole. A view comes once in a call. Those of a resource that is gone go with it, mentioned or not. Engines take the error of a step that failed,
/// [in part](Step::partial) or [otherwise](Step::unknown), for one of the operation: they record what the call returned, and end the deployment.
pub fn publish(steps: impl IntoIterator<Item = Step>) -> Result<()> {
    let steps: Vec<ViewStep> = steps.into_iter().map(Step::wit).collect();
    host::publish(&steps).map_err(read_error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fields;
    use crate::host::native;
    use crate::path::Path;
    use crate::resource::ChangeKind;

    #[test]
    fn steps_say_what_happened_to_which_view() {
        native::reset();
        let view = View {
            token: "p:index:T".to_owned(),
            name: "n".to_owned(),
            parent: Some(("p:index:P".to_owned(), "m".to_owned())),
            inputs: Fields::new(),
            state: fields! { "a": 1 },
        };
        let change = Change { path: Path::default(), kind: ChangeKind::Updated, replaces: true, input_diff: false };
        publish([
            Step::created("p:index:T", "n", fields! { "a": 1 }).under("p:index:P", "m"),
            Step::updated(&view, fields! { "a": 2 }).changing([change]).partial("half"),
            Step::deleted(&view).unknown("lost"),
        ])
        .unwrap();
        let told: Vec<_> = native::views::published()
            .into_iter()
            .map(|step| {
                assert_eq!((step.token.as_str(), step.name.as_str(), &step.parent), ("p:index:T", "n", &view.parent));
                let states = (step.old_state.is_some(), step.new_state.is_some());
                (step.operation, step.status, step.error, states, step.changes.len())
            })
            .collect();
        assert_eq!(
            told,
            [
                (ViewOperation::Create, ViewStatus::Done, String::new(), (false, true), 0),
                (ViewOperation::Update, ViewStatus::Partial, "half".to_owned(), (true, true), 1),
                (ViewOperation::Delete, ViewStatus::Unknown, "lost".to_owned(), (true, false), 0),
            ]
        );
    }
}
