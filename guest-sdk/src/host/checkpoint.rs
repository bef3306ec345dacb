//! Announcing that a resource exists.

use super::imports::operation as host;
use crate::error::{Error, Result};
use crate::export::read_error;
use crate::record::Record;
use crate::value::{Fields, encode_fields};

/// Announces that the resource exists, in create and update.
///
/// Should the call then not end well (a panic, the deadline, any error but [`Error::failed`]), the engine records the resource as not
/// initialised instead of losing it; `failed` says that it is gone again. Call it as soon as the id is known, and again when
/// more of the state is: the last one counts. The id must be the one that is returned in the end. An error in any
/// other call.
///
/// What is announced is what there is, and all of it. In a create that is mostly the inputs, before anything else is known; a refresh reads the
/// rest, knowing the id and [`Prior::inputs`](crate::resource::Prior::inputs): [`Prior::state`](crate::resource::Prior::state) is an error as long as
/// outputs are missing. In an update it takes the place of what is on record, so that the inputs alone would lose all outputs: announce the
/// recorded state with what has changed, or end with [`Update::partial`](crate::resource::Update::partial), which does that.
///
/// ```
/// # use bulkhead_sdk::{Create, Created, Inputs, Resource, Result, State, checkpoint, provider, resource};
/// # fn request_volume(_: u32) -> Result<String> { Ok("v-1".to_owned()) }
/// # fn wait_for_address(id: &str) -> Result<String> { Ok("10.0.0.1".to_owned()) }
/// #[derive(Inputs)]
/// struct VolumeArgs {
///     size: u32,
/// }
///
/// #[derive(State)]
/// struct Volume {
///     #[bulkhead(flatten)]
///     args: VolumeArgs,
///     address: String,
/// }
///
/// # #[resource(token = "p:index:Volume")]
/// # impl Resource for Volume {
/// #     type Inputs = VolumeArgs;
/// fn create(request: Create<Self>) -> Result<Created<Self>> {
///     let id = request_volume(request.inputs.size)?;
///     checkpoint(&id, &request.inputs)?;
///     let address = wait_for_address(&id)?;
///     Ok(Created::new(id, Volume { args: request.inputs, address }))
/// }
/// # }
/// # provider! { name: "p", resources: [Volume] }
/// # let driver = bulkhead_sdk::testing::Driver::new(&PROVIDER, ());
/// # driver.create::<Volume>(bulkhead_sdk::fields! { "size": 1 })?;
/// # Ok::<(), bulkhead_sdk::Error>(())
/// ```
pub fn checkpoint(id: impl AsRef<str>, state: &impl Record) -> Result<()> {
    let mut fields = Fields::new();
    let written = state.put(&mut fields);
    // What could be saved is announced even if the rest is wrong: the resource exists.
    host::checkpoint(id.as_ref(), &encode_fields(fields)).map_err(read_error)?;
    written.map_err(|misfit| Error::bug(format!("the state can't be recorded: {misfit}")))
}
