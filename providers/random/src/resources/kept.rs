//! What all resources here have in common: what was drawn exists nowhere but in the state, so a refresh finds it as it was, an
//! update only writes down new inputs, and all the rest follows from the plan. Only an import has something to read: the id.

use bulkhead_sdk::{
    Error, Fields, Read, Resource, Result, Snapshot, Update, Updated, Value,
    resource::{Change, Check, Checked, Diff, Difference, PreviewCreate, PreviewUpdate},
    value::Misfit,
};

use super::{checked, coerced::Coerced, notes::Notes, table::Table};
use crate::plan::{self, Kind};

/// A resource that is drawn and then kept.
pub(super) trait Kept: Resource<Inputs = Coerced<Self::Given>> {
    /// Its inputs.
    type Given: Table;
    /// The outputs that are drawn, and what they hold.
    const DRAWN: &'static [(&'static str, Kind)];

    /// The same with other notes.
    fn noted(self, notes: Notes<Self::Given>) -> Self;
}

/// Inputs as those of a new resource, and nothing more to say of them.
pub(super) fn check<T: Table>(request: Check) -> Result<Checked> {
    checked::check::<T>(request, |_| Vec::new())
}

/// What the plan changes of the state.
pub(super) fn diff<R: Kept>(request: Diff<R>) -> Result<Difference> {
    let state = request.prior.recorded_state();
    let inputs = plan::set_back(request.inputs.clone(), state, &request.ignore_changes);
    R::Given::agree(&inputs)?;
    let given = request.prior.recorded_inputs();
    let changes = plan::changes(R::Given::ATTRIBUTES, state, &inputs).into_iter().map(|change| {
        let name = change.path.segments().first();
        let is_input = |name: &str| given.is_some_and(|given| given.contains_key(name)) || inputs.contains_key(name);
        let input_diff = matches!(name, Some(bulkhead_sdk::Segment::Field(name)) if is_input(name));
        Change { path: change.path, kind: change.kind, replaces: change.replaces, input_diff }
    });
    Ok(Difference { changes: changes.collect(), ..Difference::default() })
}

/// The plan, with what will be drawn unknown. A null says that there will be nothing.
pub(super) fn preview_create<R: Kept>(request: &PreviewCreate) -> Result<Fields> {
    R::Given::agree(&request.inputs)?;
    let mut state = with_nulls::<R::Given>(&request.inputs);
    state.extend(R::DRAWN.iter().map(|(name, _)| ((*name).to_owned(), Value::Unknown)));
    if R::Given::REPEATS_ID {
        state.insert("id".to_owned(), Value::Unknown);
    }
    Ok(state)
}

/// The plan, with what was drawn.
pub(super) fn preview_update<R: Kept>(request: &PreviewUpdate<R>) -> Result<Fields> {
    R::Given::agree(&request.inputs)?;
    let mut state = with_nulls::<R::Given>(&request.inputs);
    state.extend(drawn::<R>(request.prior.recorded_state()));
    if R::Given::REPEATS_ID {
        state.insert("id".to_owned(), request.prior.id.clone().into());
    }
    Ok(state)
}

fn with_nulls<T: Table>(inputs: &Fields) -> Fields {
    let mut state: Fields = T::ATTRIBUTES.iter().map(|attribute| (attribute.name.to_owned(), Value::Null)).collect();
    state.extend(plan::predicted(T::ATTRIBUTES, inputs));
    state
}

/// What was drawn, with new inputs written down beside it.
pub(super) fn update<R: Kept>(request: Update<'_, R>) -> Result<Updated<R>> {
    R::Given::agree(&request.inputs.recorded)?;
    let mut state = request.inputs.recorded;
    state.extend(drawn::<R>(request.prior.recorded_state()));
    Ok(Updated::new(kept(request.prior.id, state, REFRESH)?))
}

fn drawn<R: Kept>(state: &Fields) -> impl Iterator<Item = (String, Value)> {
    R::DRAWN.iter().filter_map(|(name, _)| Some(((*name).to_owned(), state.get(*name)?.clone())))
}

/// The state as it is, with those of its values as inputs that were given, and of lists and maps those members, none of which may
/// be known; or what `import` makes of the id, where no state is on record, whatever inputs a program gives, or what was drawn is lost.
pub(super) fn read<R: Kept>(
    request: Read<'_, R>,
    import: impl FnOnce(&str) -> Result<Snapshot<R>>,
) -> Result<Option<Snapshot<R>>> {
    let imported = |imported: Snapshot<R>| match imported.inputs {
        Some(_) => Ok(Some(imported)),
        None => {
            let names: Vec<&str> = R::Given::ATTRIBUTES.iter().map(|attribute| attribute.name).collect();
            let inputs = inputs_of(&imported.state, &names)?;
            Ok(Some(imported.inputs(inputs)))
        }
    };
    let Some(prior) = request.prior.filter(|prior| !prior.recorded_state().is_empty()) else {
        return imported(import(&request.id)?);
    };
    let state = prior.recorded_state();
    let names: Vec<&str> = prior.recorded_inputs().into_iter().flatten().map(|(name, _)| name.as_str()).collect();
    // A program that looks a resource up (`get`) says of the state what it likes, and knows of no inputs.
    if let Some(missing) = missing::<R>(state).filter(|_| names.is_empty()) {
        let unknown =
            |error| Error::failed(format!("{UNKNOWN_STATE} `{missing}`, and the id doesn't tell it: {error}"));
        return imported(import(&request.id).map_err(unknown)?);
    }
    let mut state = state.clone();
    // Somebody lost what was drawn, and the id may tell it.
    if missing::<R>(&state).is_some()
        && let Ok(told) = import(&request.id)
    {
        let mut fields = Fields::new();
        told.state.put(&mut fields).map_err(unfit)?;
        let lost: Vec<_> = drawn::<R>(&fields).filter(|(name, _)| plan::there(&state, name).is_none()).collect();
        state.extend(lost);
    }
    let state = kept(request.id.clone(), state, RESTORE)?;
    let mut inputs = inputs_of::<R>(&state, &names)?;
    if let Some(given) = prior.recorded_inputs() {
        inputs = inputs.within(given);
    }
    Ok(Some(Snapshot::new(request.id, state).inputs(inputs)))
}

const UNKNOWN_STATE: &str = "find the resource that a program looks up: give all of its state, or none and the id as for \
    an import; the state that is given has no";

/// An output that was drawn, and isn't there.
fn missing<R: Kept>(state: &Fields) -> Option<&'static str> {
    R::DRAWN.iter().map(|(name, _)| *name).find(|name| plan::there(state, name).is_none())
}

/// A state to go on with. One that holds what can't be drawn here is recorded as it is.
fn kept<R: Kept>(id: String, mut fields: Fields, remedy: &str) -> Result<R> {
    if let Ok(state) = R::take(&mut fields.clone()) {
        return Ok(state.noted(Notes::of(id)));
    }
    fields.retain(|_, value| *value.plain() != Value::Null);
    let attributes = R::Given::ATTRIBUTES.iter().map(|attribute| (attribute.name, attribute.kind));
    let names = attributes.chain(R::DRAWN.iter().copied()).filter(|(name, _)| fields.contains_key(*name));
    let blank = names.map(|(name, kind)| (name.to_owned(), kind.blank()));
    // What isn't there at all, nobody can know.
    let damaged = |misfit| Error::failed(format!("use the recorded state: it is damaged; hint: {remedy}: {misfit}"));
    let state = R::take(&mut blank.collect()).map_err(damaged)?;
    Ok(state.noted(Notes::beside(id, fields)))
}

/// What to do about a state that can't be used, unless a refresh would mend it.
const RESTORE: &str = "restore it from a backup of the stack, or import the resource again";
const REFRESH: &str = "run `pulumi refresh`, which gets back what the id tells, restore it from a backup of the stack, or import the \
    resource again";

/// Those values of a state that are inputs of these names.
pub(super) fn inputs_of<R: Kept>(state: &R, names: &[&str]) -> Result<Coerced<R::Given>> {
    let mut fields = Fields::new();
    state.put(&mut fields).map_err(unfit)?;
    Ok(Coerced::of(fields, names))
}

fn unfit(misfit: Misfit) -> Error {
    Error::bug(format!("the state can't be recorded: {misfit}"))
}

/// The answer to an import of what has nothing to be imported from.
pub(super) fn no_import<R: Resource>(_: &str) -> Result<Snapshot<R>> {
    Err(Error::unsupported("it can't be imported, as its id doesn't say what it is; create it instead"))
}

#[cfg(test)]
mod tests;
