//! Handles of the contract's resources: each stands for something in the table of its store.
//!
//! The generated bindings know a resource by an empty type of their own. What it stands for is the host's, and this is where one
//! is taken for the other. A handle that isn't in the table any more is the guest's mistake, and ends its call.

use wasmtime::component::{Resource, ResourceTable};

/// Puts something into the table; its handle.
///
/// # Errors
/// The table is full.
pub(super) fn added<T: Send + 'static, H: 'static>(
    table: &mut ResourceTable,
    entry: T,
) -> wasmtime::Result<Resource<H>> {
    Ok(Resource::new_own(table.push(entry)?.rep()))
}

/// Takes what a handle stands for out of the table.
///
/// # Errors
/// It stands for nothing.
pub(super) fn removed<T: 'static, H: 'static>(table: &mut ResourceTable, handle: &Resource<H>) -> wasmtime::Result<T> {
    Ok(table.delete(Resource::<T>::new_own(handle.rep()))?)
}

/// What a handle stands for.
///
/// # Errors
/// It stands for nothing.
pub(super) fn found<'t, T: 'static, H: 'static>(
    table: &'t ResourceTable,
    handle: &Resource<H>,
) -> wasmtime::Result<&'t T> {
    Ok(table.get(&Resource::<T>::new_borrow(handle.rep()))?)
}

/// Puts what a handle stands for into something else. What is there meanwhile nobody sees.
///
/// # Errors
/// It isn't there.
pub(super) fn wrapped<T: 'static>(
    table: &mut ResourceTable,
    handle: &Resource<T>,
    meanwhile: T,
    wrap: impl FnOnce(T) -> T,
) -> wasmtime::Result<()> {
    let entry = table.get_mut(handle)?;
    let inner = std::mem::replace(entry, meanwhile);
    *entry = wrap(inner);
    Ok(())
}
