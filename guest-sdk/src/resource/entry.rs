//! Resources in the provider's table, their types forgotten.
//!
//! What is generic in here is compiled once per resource, so it does no more than read, call and write.

use super::overrides::{Check, Checked, Diff, Difference, PreviewCreate, PreviewUpdate, Upgrade, Upgraded};
use super::prior::RawPrior;
use super::{Context, Create, Created, Declaration, Delete, Prior, Read, Resource, Snapshot, Update, Updated};
use crate::config::{Serves, Source};
use crate::error::{Error, ErrorKind, Partial, Result};
use crate::record::Record;
use crate::schema::PropertySet;
use crate::value::{Fields, Misfit};

pub(crate) struct RawCreated {
    pub(crate) id: String,
    pub(crate) state: Fields,
    pub(crate) refresh_before_update: bool,
}

pub(crate) struct RawSnapshot {
    pub(crate) id: String,
    pub(crate) state: Fields,
    pub(crate) inputs: Option<Fields>,
    pub(crate) refresh_before_update: bool,
}

pub(crate) struct RawUpdated {
    pub(crate) state: Fields,
    pub(crate) refresh_before_update: bool,
}

type ReadMethod<C> = fn(Context, String, Option<RawPrior>, Source<'_, C>) -> Result<Option<RawSnapshot>>;
type UpdateMethod<C> = fn(Context, RawPrior, Fields, Source<'_, C>) -> Result<RawUpdated>;
type DeleteMethod<C> = fn(Context, RawPrior, Source<'_, C>) -> Result<()>;
type PreviewUpdateMethod = fn(Context, RawPrior, Fields) -> Result<Fields>;

/// A resource in the provider's table. Methods that its author didn't write aren't there, so that nothing is compiled for them.
pub struct Entry<C> {
    pub(crate) declaration: Declaration,
    pub(crate) description: &'static str,
    pub(crate) inputs: fn(&mut PropertySet<'_>),
    pub(crate) lookup: fn(&mut PropertySet<'_>),
    pub(crate) state: fn(&mut PropertySet<'_>),
    pub(crate) create: fn(Context, Fields, Source<'_, C>) -> Result<RawCreated>,
    pub(crate) read: Option<ReadMethod<C>>,
    pub(crate) update: Option<UpdateMethod<C>>,
    pub(crate) delete: Option<DeleteMethod<C>>,
    pub(crate) check: Option<fn(Check) -> Result<Checked>>,
    pub(crate) diff: Option<fn(Diff<()>) -> Result<Difference>>,
    pub(crate) preview_create: Option<fn(PreviewCreate) -> Result<Fields>>,
    pub(crate) preview_update: Option<PreviewUpdateMethod>,
    pub(crate) upgrade: Option<fn(Upgrade) -> Result<Upgraded>>,
}

impl<C> Entry<C> {
    /// The entry of `R`. For `provider!`.
    pub const fn of<R: Resource>() -> Self
    where
        C: Serves<R::Config>,
    {
        let methods = R::DECLARATION.methods;
        Self {
            declaration: R::DECLARATION,
            description: R::DESCRIPTION,
            inputs: <R::Inputs as Record>::describe,
            lookup: <R::Lookup as Record>::describe,
            state: <R as Record>::describe,
            create: create::<R, C>,
            read: if methods.read { Some(read::<R, C>) } else { None },
            update: if methods.update { Some(update::<R, C>) } else { None },
            delete: if methods.delete { Some(delete::<R, C>) } else { None },
            check: if methods.check { Some(R::check) } else { None },
            diff: if methods.diff { Some(|request| R::diff(request.of())) } else { None },
            preview_create: if methods.preview() { Some(R::preview_create) } else { None },
            preview_update: if methods.preview() { Some(preview_update::<R>) } else { None },
            upgrade: if methods.upgrade { Some(R::upgrade) } else { None },
        }
    }
}

fn create<R: Resource, C: Serves<R::Config>>(
    context: Context,
    mut inputs: Fields,
    config: Source<'_, C>,
) -> Result<RawCreated> {
    let inputs = R::Inputs::take(&mut inputs).map_err(Error::unfit_input)?;
    let created = C::with(config, |config| R::create(Create { inputs, config, context }))?;
    let Created { id, state, refresh_before_update } = created;
    let mut fields = Fields::new();
    match state.put(&mut fields) {
        Ok(()) => Ok(RawCreated { id, state: fields, refresh_before_update }),
        Err(misfit) => Err(unrecordable(id, fields, misfit)),
    }
}

fn read<R: Resource, C: Serves<R::Config>>(
    context: Context,
    id: String,
    prior: Option<RawPrior>,
    config: Source<'_, C>,
) -> Result<Option<RawSnapshot>> {
    let prior = prior.map(Prior::new);
    let found = C::with(config, |config| {
        let request = Read { id, prior, config, context };
        if R::exists(&request)? { R::read(request) } else { Ok(None) }
    })?;
    let Some(Snapshot { id, state, inputs, refresh_before_update }) = found else { return Ok(None) };
    let state = write(&state, "state")?;
    let inputs = inputs.map(|inputs| write(&inputs, "inputs")).transpose()?;
    Ok(Some(RawSnapshot { id, state, inputs, refresh_before_update }))
}

fn update<R: Resource, C: Serves<R::Config>>(
    context: Context,
    prior: RawPrior,
    mut inputs: Fields,
    config: Source<'_, C>,
) -> Result<RawUpdated> {
    let id = prior.id.clone();
    let inputs = R::Inputs::take(&mut inputs).map_err(Error::unfit_input)?;
    let prior = Prior::new(prior);
    let updated = C::with(config, |config| R::update(Update { prior, inputs, config, context }))?;
    let Updated { state, refresh_before_update } = updated;
    let mut fields = Fields::new();
    match state.put(&mut fields) {
        Ok(()) => Ok(RawUpdated { state: fields, refresh_before_update }),
        Err(misfit) => Err(unrecordable(id, fields, misfit)),
    }
}

fn delete<R: Resource, C: Serves<R::Config>>(context: Context, prior: RawPrior, config: Source<'_, C>) -> Result<()> {
    let prior = Prior::new(prior);
    C::with(config, |config| R::delete(Delete { prior, config, context }))
}

fn preview_update<R: Resource>(context: Context, prior: RawPrior, inputs: Fields) -> Result<Fields> {
    R::preview_update(PreviewUpdate { context, prior: Prior::new(prior), inputs })
}

fn write(record: &impl Record, what: &str) -> Result<Fields> {
    let mut fields = Fields::new();
    record.put(&mut fields).map_err(|misfit| Error::bug(format!("the {what} can't be recorded: {misfit}")))?;
    Ok(fields)
}

/// A state that no value can carry. The resource exists all the same, so it is recorded with what could be saved.
fn unrecordable(id: String, state: Fields, misfit: Misfit) -> Error {
    let reasons = vec![format!("the provider made a state that can't be recorded: {misfit}")];
    ErrorKind::NotInitialised(Partial { id, state, reasons, ..Partial::default() }).into()
}
