//! What all resources here have in common: what was drawn exists nowhere but in the state, so a refresh finds it as it was, an
//! update only writes down new inputs, and all the rest follows from the plan. Only an import has something to read: the id.

use bulkhead_sdk::{
    Error, Fields, Read, Resource, Result, Snapshot, Update, Updated, Value,
    record::Record,
    resource::{Change, Check, Checked, Diff, Difference, PreviewCreate, PreviewUpdate},
};

use super::{coerced::Coerced, notes::Notes, table::Table};
use crate::plan;

/// A resource that is drawn and then kept.
pub(super) trait Kept: Resource<Inputs = Coerced<Self::Given>> {
    /// Its inputs.
    type Given: Table;
    /// The outputs that are drawn.
    const DRAWN: &'static [&'static str];

    /// The same, what was drawn, after other inputs.
    fn kept(self, inputs: Self::Given, notes: Notes<Self::Given>) -> Self;
}

/// The host's check of inputs in the form in which they will be recorded. They are returned as they were given.
pub(super) fn check<T: Table>(request: Check) -> Result<Checked> {
    let given = request.inputs.clone();
    let checked = in_recorded_form::<T>(request).defaults()?;
    Ok(Checked { inputs: given, ..checked })
}

/// The request with inputs in the form in which they will be recorded.
pub(super) fn in_recorded_form<T: Table>(mut request: Check) -> Check {
    for attribute in T::ATTRIBUTES {
        if let Some(value) = request.inputs.get_mut(attribute.name) {
            *value = plan::coerced(attribute.kind, value);
        }
    }
    request
}

/// What the plan changes of the state.
pub(super) fn diff<R: Kept>(request: Diff<R>) -> Result<Difference> {
    let state = request.prior.recorded_state();
    let inputs = plan::set_back(request.inputs, state, &request.ignore_changes);
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
    let mut state = with_nulls::<R::Given>(&request.inputs);
    state.extend(R::DRAWN.iter().map(|name| ((*name).to_owned(), Value::Unknown)));
    if R::Given::REPEATS_ID {
        state.insert("id".to_owned(), Value::Unknown);
    }
    Ok(state)
}

/// The plan, with what was drawn.
pub(super) fn preview_update<R: Kept>(request: &PreviewUpdate<R>) -> Result<Fields> {
    let mut state = with_nulls::<R::Given>(&request.inputs);
    let prior = request.prior.recorded_state();
    let drawn = R::DRAWN.iter().filter_map(|name| Some(((*name).to_owned(), prior.get(*name)?.clone())));
    state.extend(drawn);
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
    let notes = Notes::of(request.prior.id.clone());
    Ok(Updated::new(request.prior.state()?.kept(request.inputs.inputs, notes)))
}

/// The state as it is, with those of its values as inputs that were given, none of which may be known; or what `import` makes
/// of the id, where no state is on record, whatever inputs a program gives.
pub(super) fn read<R: Kept>(
    request: Read<'_, R>,
    import: impl FnOnce(&str) -> Result<Snapshot<R>>,
) -> Result<Option<Snapshot<R>>> {
    let Some(prior) = request.prior.filter(|prior| !prior.recorded_state().is_empty()) else {
        let imported = import(&request.id)?;
        let given = match imported.inputs {
            Some(_) => return Ok(Some(imported)),
            None => given(&imported.state, R::Given::ATTRIBUTES.iter().map(|attribute| attribute.name))?,
        };
        return Ok(Some(imported.inputs(given)));
    };
    let names: Vec<&str> = prior.recorded_inputs().into_iter().flatten().map(|(name, _)| name.as_str()).collect();
    let state = prior.state()?;
    let inputs = given(&state, names)?;
    let kept = given(&state, [])?.inputs;
    Ok(Some(Snapshot::new(request.id.clone(), state.kept(kept, Notes::of(request.id))).inputs(inputs)))
}

/// Those values of a state that are inputs of these names.
fn given<'a, R: Kept>(state: &R, names: impl IntoIterator<Item = &'a str>) -> Result<Coerced<R::Given>> {
    let mut fields = Fields::new();
    state.put(&mut fields).map_err(|misfit| Error::bug(format!("the state can't be recorded: {misfit}")))?;
    let there: Vec<String> = names.into_iter().filter(|name| fields.contains_key(*name)).map(str::to_owned).collect();
    let inputs = R::Given::take(&mut fields);
    let inputs = inputs.map_err(|misfit| Error::failed(format!("the recorded state can't be used: {misfit}")))?;
    Ok(Coerced::only(inputs, there))
}

/// The answer to an import of what has nothing to be imported from.
pub(super) fn no_import<R: Resource>(_: &str) -> Result<Snapshot<R>> {
    Err(Error::unsupported("it can't be imported, as its id doesn't say what it is; create it instead"))
}

#[cfg(test)]
mod tests;
