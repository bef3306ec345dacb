//! What an update has to do, and what came of it, property by property.
//!
//! Services change some properties in one request and some in another, and the second may fail. An author asks what to do,
//! and says how far it came; the next deployment goes on from there.

use super::{Resource, Update};
use crate::error::{Error, ErrorKind, Partial};
use crate::host::log;
use crate::path::{Path, Segment};
use crate::record::Record;
use crate::value::{Fields, Misfit, Value};

impl<R: Resource> Update<'_, R> {
    /// Whether there is something to do about the input at `path`: it isn't what the state says was reached. That is so after an update
    /// that failed [in part](Self::partial), too. An input that isn't in the state is compared with what was asked for before.
    ///
    /// What the service spells in its own way counts as changed, if the state has it so. The path is spelt as programs spell it: the field
    /// `max_size` is `maxSize`. What isn't an input counts as changed, and a warning says so; the empty path stands for all inputs.
    ///
    /// ```
    /// # use bulkhead_sdk::{Create, Created, Inputs, Resource, Result, State, Update, Updated, provider, resource};
    /// # mod service {
    /// #     pub fn tag(_: &str, _: &[String]) -> bulkhead_sdk::Result<()> { Ok(()) }
    /// #     pub fn rename(_: &str, _: &str) -> bulkhead_sdk::Result<()> { Err(bulkhead_sdk::Error::failed("it is taken")) }
    /// # }
    /// # #[derive(Inputs, Clone)]
    /// # struct Args { name: String, tags: Vec<String> }
    /// # #[derive(State)]
    /// # struct Server { #[bulkhead(flatten)] args: Args }
    /// # #[resource(token = "p:index:Server")]
    /// # impl Resource for Server {
    /// #     type Inputs = Args;
    /// #     fn create(request: Create<Self>) -> Result<Created<Self>> {
    /// #         Ok(Created::new("s-1", Server { args: request.inputs }))
    /// #     }
    /// fn update(request: Update<Self>) -> Result<Updated<Self>> {
    ///     let id = &request.prior.id;
    ///     if request.changed("tags") {
    ///         service::tag(id, &request.inputs.tags)?;
    ///     }
    ///     if request.changed("name") {
    ///         service::rename(id, &request.inputs.name).map_err(|error| request.partial(["tags"], [error.to_string()]))?;
    ///     }
    ///     Ok(Updated::new(Server { args: request.inputs }))
    /// }
    /// # }
    /// # provider! { name: "p", resources: [Server] }
    /// ```
    pub fn changed(&self, path: impl Into<Path>) -> bool {
        let path = path.into();
        if path.segments().is_empty() {
            return self.inputs_changed();
        }
        if !is_input::<R>(&path) {
            log::warn(format!(
                "the provider asks whether `{path}` changed, which is none of its inputs; this is a bug in the provider"
            ));
            return true;
        }
        let Ok(news) = written(&self.inputs) else { return true };
        let (new, reached) = (at(&news, &path), at(self.prior.recorded_state(), &path));
        if reached.is_some() && new.is_some() {
            return differ(reached, new);
        }
        match self.prior.recorded_inputs().map(as_read::<R::Inputs>) {
            Some(asked) => differ(at(&asked, &path), new),
            None => new.is_some(),
        }
    }

    /// Whether any input changed: one that is given, or that was asked for before.
    fn inputs_changed(&self) -> bool {
        let Ok(news) = written(&self.inputs) else { return true };
        let asked = self.prior.recorded_inputs().map(as_read::<R::Inputs>).unwrap_or_default();
        inputs_among::<R>([&news, &asked]).any(|name| self.changed(name))
    }

    /// The resource is as it was, but for the inputs at `applied`, with all that is in them, which are as they should be. It isn't
    /// ready, for `reasons`. A path into a list stands for the list, and the empty path for all inputs. What isn't an input is passed over,
    /// and a warning says so.
    ///
    /// Where an answer was lost, nobody knows whether a path belongs there, and [`changed`](Self::changed) of the next update would believe what this
    /// says: let that update send all that may be so, whether or not it changed.
    ///
    /// The engine records that, shows the reasons, and tries another update at the next deployment.
    pub fn partial<P: Into<Path>>(
        &self,
        applied: impl IntoIterator<Item = P>,
        reasons: impl IntoIterator<Item = impl Into<String>>,
    ) -> Error {
        let mut reasons: Vec<String> = reasons.into_iter().map(Into::into).collect();
        let mut state = self.prior.recorded_state().clone();
        match written(&self.inputs) {
            Ok(news) => {
                let asked = self.prior.recorded_inputs().map(as_read::<R::Inputs>).unwrap_or_default();
                applied.into_iter().for_each(|path| apply::<R>(&mut state, &news, &asked, &path.into()));
            }
            Err(misfit) => {
                reasons.push(format!(
                    "the provider can't record what it did, since its inputs can't be written: {misfit}"
                ));
            }
        }
        let id = self.prior.id.clone();
        ErrorKind::NotInitialised(Partial { id, state, reasons, ..Partial::default() }).into()
    }

    /// The same with nothing applied: the resource is as it was, as far as anybody knows, and the next deployment updates it, whatever the
    /// program says then. For an update that may have changed something, such as one whose answer was lost, and for one that mustn't be forgotten
    /// though it has changed nothing.
    ///
    /// ```
    /// # use bulkhead_sdk::http::{Client, Method, Request, Url};
    /// # use bulkhead_sdk::{Resource, Result, Update};
    /// fn put<R: Resource>(client: &Client, url: Url, request: &Update<R>) -> Result<()> {
    ///     let sent = client.send(&Request::new(Method::Put, url));
    ///     let answer =
    ///         sent.map_err(|lost| if lost.nothing_done() { lost.into() } else { request.unsettled([lost.to_string()]) })?;
    ///     answer.ok().map_err(|no| if no.nothing_done() { no.into() } else { request.unsettled([no.to_string()]) })?;
    ///     Ok(())
    /// }
    /// ```
    pub fn unsettled(&self, reasons: impl IntoIterator<Item = impl Into<String>>) -> Error {
        self.partial([""; 0], reasons)
    }
}

/// Whether a path leads to an input, or into one.
fn is_input<R: Resource>(path: &Path) -> bool {
    matches!(path.segments().first(), Some(Segment::Field(name)) if R::Inputs::has(name))
}

fn inputs_among<R: Resource>(fields: [&Fields; 2]) -> impl Iterator<Item = &str> {
    fields.into_iter().flat_map(Fields::keys).map(String::as_str).filter(|name| R::Inputs::has(name))
}

/// Makes of a state what the inputs say at a path that was applied. Where that is all of them, what the service chose for an input that is
/// and was left out stays.
fn apply<R: Resource>(state: &mut Fields, news: &Fields, asked: &Fields, path: &Path) {
    if path.segments().is_empty() {
        inputs_among::<R>([news, asked]).map(Path::from).for_each(|path| merge(state, news, path.segments()));
    } else if is_input::<R>(path) {
        merge(state, news, path.segments());
    } else {
        log::warn(format!(
            "the provider says that it changed `{path}`, which is none of its inputs; this is a bug in the provider"
        ));
    }
}

fn written(record: &impl Record) -> Result<Fields, Misfit> {
    let mut fields = Fields::new();
    record.put(&mut fields)?;
    Ok(fields)
}

/// What was recorded, as this version of the provider writes it: with the same defaults filled in.
fn as_read<T: Record>(recorded: &Fields) -> Fields {
    let read = T::take(&mut recorded.clone()).and_then(|record| written(&record));
    read.unwrap_or_else(|_| recorded.clone())
}

/// What is at a path. Null is nothing.
fn at<'a>(fields: &'a Fields, path: &Path) -> Option<&'a Value> {
    let (first, rest) = path.segments().split_first()?;
    let Segment::Field(name) = first else { return None };
    let step = |value: &'a Value, segment: &Segment| match (segment, value.plain()) {
        (Segment::Field(name), Value::Fields(fields)) => fields.get(name),
        (Segment::Index(index), Value::Items(items)) => items.get(usize::try_from(*index).ok()?),
        _ => None,
    };
    let found = rest.iter().try_fold(fields.get(name)?, step)?;
    (*found.plain() != Value::Null).then_some(found)
}

/// Whether two values mean something else. That one of them is secret doesn't.
fn differ(one: Option<&Value>, other: Option<&Value>) -> bool {
    match (one.map(Value::plain), other.map(Value::plain)) {
        (Some(Value::Fields(one)), Some(Value::Fields(other))) => {
            one.keys().chain(other.keys()).any(|name| differ(member(one, name), member(other, name)))
        }
        (Some(Value::Items(one)), Some(Value::Items(other))) => {
            one.len() != other.len() || one.iter().zip(other).any(|(one, other)| differ(Some(one), Some(other)))
        }
        // The contents of what is on record may be left out.
        (Some(Value::Asset(one)), Some(Value::Asset(other))) if one.hash.is_some() && other.hash.is_some() => {
            one.hash != other.hash
        }
        (Some(Value::Archive(one)), Some(Value::Archive(other))) if one.hash.is_some() && other.hash.is_some() => {
            one.hash != other.hash
        }
        (one, other) => one != other,
    }
}

fn member<'a>(fields: &'a Fields, name: &str) -> Option<&'a Value> {
    fields.get(name).filter(|value| *value.plain() != Value::Null)
}

/// Makes of a state what the inputs say at a path, or takes out what they don't have.
fn merge(state: &mut Fields, news: &Fields, path: &[Segment]) {
    let Some((Segment::Field(name), rest)) = path.split_first() else { return };
    let Some(new) = news.get(name) else {
        state.remove(name);
        return;
    };
    let merged = match (rest.first(), new.plain()) {
        (Some(Segment::Field(_)), Value::Fields(new)) => {
            // Of what wasn't there, nothing else is there yet.
            let mut old = state.get(name).and_then(Value::as_fields).cloned().unwrap_or_default();
            merge(&mut old, new, rest);
            Value::Fields(old)
        }
        _ => new.clone(),
    };
    let secret = new.is_secret() || state.get(name).is_some_and(Value::is_secret);
    state.insert(name.clone(), if secret { merged.into_plain().secret() } else { merged });
}
