//! Announcing that a resource exists.

use super::imports::operation as host;
use crate::error::{Error, Result};
use crate::export::read_error;
use crate::record::State;
use crate::value::{Fields, encode_fields};

/// Announces that the resource exists, in create and update.
///
/// Should the call then not end well (a panic, the deadline, any error but [`Error::failed`]), the engine records the resource as not
/// initialised instead of losing it; `failed` says that it is gone again. Call it as soon as the id is known, and again when
/// more of the state is: the last one counts. The id must be the one that is returned in the end. An error in any
/// other call.
///
/// ```
/// # use bulkhead_sdk::{Result, State, checkpoint};
/// #[derive(State)]
/// struct Volume {
///     address: Option<String>,
/// }
///
/// # fn request_volume() -> Result<String> { Ok("v-1".to_owned()) }
/// # fn wait_for_address(id: &str) -> Result<String> { Ok("10.0.0.1".to_owned()) }
/// fn make() -> Result<(String, Volume)> {
///     let id = request_volume()?;
///     checkpoint(&id, &Volume { address: None })?;
///     let address = wait_for_address(&id)?;
///     Ok((id, Volume { address: Some(address) }))
/// }
/// # make().unwrap();
/// ```
pub fn checkpoint<S: State>(id: impl AsRef<str>, state: &S) -> Result<()> {
    let mut fields = Fields::new();
    let written = state.put(&mut fields);
    // What could be saved is announced even if the rest is wrong: the resource exists.
    host::checkpoint(id.as_ref(), &encode_fields(fields)).map_err(read_error)?;
    written.map_err(|misfit| Error::bug(format!("the state can't be recorded: {misfit}")))
}
