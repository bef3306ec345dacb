//! [`Resource`].

use super::declaration::Declared;
use super::outcome::{Created, Snapshot, Updated};
use super::overrides::{Check, Checked, Diff, Difference, PreviewCreate, PreviewUpdate, Upgrade, Upgraded};
use super::request::{Create, Delete, Read, Update};
use crate::error::{Error, Result};
use crate::record::{Inputs, State};
use crate::value::Fields;

/// A custom resource. `Self` is what is recorded of it.
///
/// Only `create` is required. What the others do when they aren't written is what the host does, and it knows which are
/// written: [`#[resource]`](macro@crate::resource) on the `impl` looks. Of the four only `read` is ever called in a preview,
/// where a program looks a resource up.
///
/// | method | written | not written |
/// |---|---|---|
/// | `read` | `pulumi refresh` and `import` call it | a refresh keeps the state, an import is refused |
/// | `update` | changes that don't replace call it | each change replaces |
/// | `delete` | called | the resource is forgotten |
/// | `check`, `diff`, `preview_*` | called instead of the host's own | the host does what the schema says |
/// | `upgrade` | rewrites state of an older `schema_version` | older state is used as it is |
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't a custom resource",
    label = "not a custom resource",
    note = "write `impl bulkhead_sdk::Resource for {Self}`; a component stands in `components: […]`"
)]
pub trait Resource: State + Declared + 'static {
    /// What a program gives.
    type Inputs: Inputs + 'static;
    /// The provider's configuration, or `()`, which is also what an `impl` without it means.
    type Config: 'static;

    /// Creates the resource.
    ///
    /// An error other than [`partial`](Error::partial) and [`outcome_unknown`](Error::outcome_unknown) says that nothing exists. Call
    /// [`checkpoint`](crate::checkpoint()) as soon as something does, so that it isn't lost should the call end badly; after that only
    /// [`failed`](Error::failed) says that nothing exists.
    fn create(request: Create<'_, Self>) -> Result<Created<Self>>;

    /// Whether the resource still exists, changing nothing: asked before [`read`](Self::read), which isn't called if it doesn't. For
    /// services where that is cheaper, or told apart from reading.
    fn exists(request: &Read<'_, Self>) -> Result<bool> {
        let _ = request;
        Ok(true)
    }

    /// Reads the resource, changing nothing. `None` means that it doesn't exist. An import has no `request.prior` and works
    /// from the id alone. So does a program's look-up (`.get`), unless the resource has a `lookup`, for what a program may give beside the id:
    /// see [`Prior::lookup`](super::Prior::lookup).
    fn read(request: Read<'_, Self>) -> Result<Option<Snapshot<Self>>> {
        let _ = request;
        Err(unwritten("read"))
    }

    /// Changes the resource in place. Called with changes that don't replace, or without any after a create or update
    /// that ended [partially](Error::partial). `pulumi do` alone asks for others too: refuse what can't be changed.
    fn update(request: Update<'_, Self>) -> Result<Updated<Self>> {
        let _ = request;
        Err(unwritten("update"))
    }

    /// Deletes the resource; succeeds if it is gone already. An error says that it still exists.
    fn delete(request: Delete<'_, Self>) -> Result<()> {
        let _ = request;
        Err(unwritten("delete"))
    }

    /// Checks and completes inputs, instead of the host. Pure. [`Check::defaults`] is what the host would say.
    fn check(request: Check) -> Result<Checked> {
        request.defaults()
    }

    /// Compares, instead of the host. Pure. [`Diff::defaults`] is what the host would say.
    fn diff(request: Diff<Self>) -> Result<Difference> {
        request.defaults()
    }

    /// The state that `create` would return, where members of the inputs may be unknown. Pure. What isn't certain to be the same is
    /// left unknown.
    fn preview_create(request: PreviewCreate) -> Result<Fields> {
        request.defaults()
    }

    /// The state that `update` would return, by the same rules.
    fn preview_update(request: PreviewUpdate<Self>) -> Result<Fields> {
        request.defaults()
    }

    /// Rewrites state of an older `schema_version` in terms of the present one. Pure.
    fn upgrade(request: Upgrade) -> Result<Upgraded> {
        Ok(Upgraded { state: request.state, inputs: request.inputs })
    }
}

fn unwritten(method: &str) -> Error {
    Error::unsupported(format!("the resource has no `{method}`"))
}
