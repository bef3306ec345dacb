//! Views: what an operation manages in other terms, shown beneath its resource.
//!
//! An engine takes a view's old state for one that it has on record, and fails as a whole over one that it hasn't. It records a
//! view twice that it is told of twice, and can't save such a state. So what a guest publishes is held against what the
//! request said is there, and against what it published before.

use std::collections::BTreeMap;
use std::fmt;

use async_trait::async_trait;
use bulkhead_schema::Change;
use bulkhead_value::Object;

use super::Error;

/// A view on record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct View {
    /// Its type token.
    pub token: String,
    /// Its name.
    pub name: String,
    /// The token and name of the view above, if any.
    pub parent: Option<(String, String)>,
    /// Its inputs.
    pub inputs: Object,
    /// Its state.
    pub state: Object,
}

/// What happened to a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewOperation {
    /// Nothing.
    Same,
    /// It was created.
    Create,
    /// It was read.
    Read,
    /// It was updated.
    Update,
    /// It was deleted.
    Delete,
    /// It was replaced.
    Replace,
}

/// How it went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewStatus {
    /// Well.
    Done,
    /// In part.
    Partial,
    /// Nobody knows.
    Unknown,
}

/// One step.
#[derive(Clone, Debug, PartialEq)]
pub struct ViewStep {
    /// The view's type token.
    pub token: String,
    /// The view's name.
    pub name: String,
    /// The token and name of the view above, if any.
    pub parent: Option<(String, String)>,
    /// What happened.
    pub operation: ViewOperation,
    /// How it went.
    pub status: ViewStatus,
    /// Why it failed; empty otherwise.
    pub error: String,
    /// The state before.
    pub old_state: Option<Object>,
    /// The state after.
    pub new_state: Option<Object>,
    /// What changed.
    pub changes: Vec<Change>,
}

/// Where an engine shows the views of one call.
#[async_trait]
pub trait ViewPlace: fmt::Debug + Send + Sync {
    /// Shows steps, in order. What counts for them is had for as long as they are kept.
    ///
    /// # Errors
    /// The engine refuses them, or is gone.
    async fn publish(&self, steps: Vec<ViewStep>, counted: Box<dyn Send>) -> Result<(), Error>;
}

/// What has become of each view in a call.
#[derive(Clone, Debug, Default)]
pub struct Course(BTreeMap<(String, String), Standing>);

/// What had become of some views before steps were taken.
#[derive(Debug, Default)]
pub struct ViewsBefore(BTreeMap<(String, String), Option<Standing>>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// On record, and not mentioned yet.
    Recorded,
    /// Mentioned.
    Told,
    /// Deleted. Another may come in its place.
    Gone,
}

impl Course {
    /// Of a call whose request says that these are on record.
    pub fn of(views: &[View]) -> Self {
        let recorded = |view: &View| ((view.token.clone(), view.name.clone()), Standing::Recorded);
        Self(views.iter().map(recorded).collect())
    }

    /// Takes steps, all or none of them, and says what they changed.
    ///
    /// # Errors
    /// What is wrong with one: an engine would fail as a whole over it, or couldn't save its state.
    pub fn take(&mut self, steps: &[ViewStep]) -> Result<ViewsBefore, String> {
        let mut taken = BTreeMap::new();
        for step in steps {
            let view = (step.token.clone(), step.name.clone());
            let before = taken.get(&view).or_else(|| self.0.get(&view)).copied();
            if let Some(wrong) = misfit(step, before) {
                return Err(wrong);
            }
            let gone = step.operation == ViewOperation::Delete && step.error.is_empty();
            taken.insert(view, if gone { Standing::Gone } else { Standing::Told });
        }
        let before = taken.into_iter().map(|(view, standing)| (view.clone(), self.0.insert(view, standing)));
        Ok(ViewsBefore(before.collect()))
    }

    /// Gives back the last steps, of which the engine wasn't told.
    pub fn give_back(&mut self, before: ViewsBefore) {
        for (view, standing) in before.0 {
            match standing {
                Some(standing) => self.0.insert(view, standing),
                None => self.0.remove(&view),
            };
        }
    }

    /// Whether a view is on record and wasn't mentioned.
    pub fn is_left(&self, view: &View) -> bool {
        self.0.get(&(view.token.clone(), view.name.clone())) == Some(&Standing::Recorded)
    }
}

/// What is wrong with a step, given what has become of its view before.
fn misfit(step: &ViewStep, before: Option<Standing>) -> Option<String> {
    let shown = format!("`{}` of the type `{}`", step.name, step.token);
    if step.token.is_empty() || step.name.is_empty() {
        return Some("a view has an empty name or type".to_owned());
    }
    if step.parent.as_ref().is_some_and(|(token, name)| token.is_empty() || name.is_empty()) {
        return Some(format!("the view {shown} has a parent with an empty name or type"));
    }
    if step.old_state.is_some() && before.is_none() {
        return Some(format!("the view {shown} has an old state and isn't on record"));
    }
    let states = (step.old_state.is_some(), step.new_state.is_some());
    let why = match (step.operation, states) {
        (ViewOperation::Create, (true, _)) => "was created and has an old state",
        (ViewOperation::Create | ViewOperation::Read, (_, false)) => "has no new state",
        (ViewOperation::Delete, (_, true)) => "was deleted and has a new state",
        (ViewOperation::Delete, (false, _)) => "has no old state",
        (ViewOperation::Same | ViewOperation::Update | ViewOperation::Replace, (false, _)) => "has no old state",
        (ViewOperation::Same | ViewOperation::Update | ViewOperation::Replace, (_, false)) => "has no new state",
        (_, (had, _)) => match before {
            Some(Standing::Told) => "was published before in the same call",
            Some(Standing::Gone) if had => "was deleted before in the same call",
            Some(Standing::Recorded) if !had => "is on record and has no old state",
            _ => {
                let unknown = step.old_state.iter().chain(&step.new_state).any(Object::contains_unknown);
                return unknown.then(|| format!("the state of the view {shown} isn't known"));
            }
        },
    };
    Some(format!("the view {shown} {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(operation: ViewOperation, old: bool, new: bool) -> ViewStep {
        ViewStep {
            token: "p:index:T".to_owned(),
            name: "n".to_owned(),
            parent: None,
            operation,
            status: ViewStatus::Done,
            error: String::new(),
            old_state: old.then(Object::new),
            new_state: new.then(Object::new),
            changes: Vec::new(),
        }
    }

    #[test]
    fn each_operation_has_the_states_that_engines_need() {
        use ViewOperation::{Create, Delete, Read, Replace, Same, Update};
        let view = "the view `n` of the type `p:index:T`";
        for (operation, old, new, wrong) in [
            (Create, false, true, None),
            (Create, true, true, Some("was created and has an old state")),
            (Create, false, false, Some("has no new state")),
            (Read, false, true, None),
            (Read, true, true, None),
            (Read, true, false, Some("has no new state")),
            (Same, true, true, None),
            (Update, true, true, None),
            (Replace, true, true, None),
            (Update, false, true, Some("has no old state")),
            (Replace, true, false, Some("has no new state")),
            (Delete, true, false, None),
            (Delete, false, false, Some("has no old state")),
            (Delete, true, true, Some("was deleted and has a new state")),
        ] {
            let expected = wrong.map(|wrong| format!("{view} {wrong}"));
            let before = old.then_some(Standing::Recorded);
            assert_eq!(misfit(&step(operation, old, new), before), expected, "{operation:?} {old} {new}");
            if old && wrong.is_none() {
                let unknown = format!("{view} has an old state and isn't on record");
                assert_eq!(misfit(&step(operation, old, new), None), Some(unknown));
            }
        }
    }

    #[test]
    fn views_have_names() {
        let nameless = ViewStep { name: String::new(), ..step(ViewOperation::Create, false, true) };
        assert_eq!(misfit(&nameless, None).as_deref(), Some("a view has an empty name or type"));
        let parent = Some((String::new(), "p".to_owned()));
        let orphan = ViewStep { parent, ..step(ViewOperation::Create, false, true) };
        let expected = "the view `n` of the type `p:index:T` has a parent with an empty name or type";
        assert_eq!(misfit(&orphan, None).as_deref(), Some(expected));
    }

    #[test]
    fn a_view_comes_once_in_a_call() {
        use ViewOperation::{Create, Delete, Read, Same, Update};
        let known = [View { token: "p:index:T".to_owned(), name: "n".to_owned(), ..View::default() }];
        let view = "the view `n` of the type `p:index:T`";
        let (create, delete) = (step(Create, false, true), step(Delete, true, false));
        let (update, same) = (step(Update, true, true), step(Same, true, true));
        let failing = ViewStep { error: "stuck".to_owned(), ..delete.clone() };
        for (before, next, wrong) in [
            (&update, &update, Some("was published before in the same call")),
            (&same, &delete, Some("was published before in the same call")),
            (&failing, &create, Some("was published before in the same call")),
            (&delete, &delete, Some("was deleted before in the same call")),
            (&delete, &create, None),
        ] {
            let expected = wrong.map_or(Ok(()), |wrong| Err(format!("{view} {wrong}")));
            let mut course = Course::of(&known);
            assert_eq!(course.take(&[before.clone(), next.clone()]).map(drop), expected, "at once");
            assert_eq!(course.is_left(&known[0]), wrong.is_some(), "all of them or none");
            let mut course = Course::of(&known);
            let taken = course.take(std::slice::from_ref(before)).unwrap();
            course.give_back(taken);
            assert!(course.is_left(&known[0]), "as if nothing had been published");
            course.take(std::slice::from_ref(before)).unwrap();
            assert_eq!(course.take(std::slice::from_ref(next)).map(drop), expected, "one after the other");
        }
        for step in [&create, &step(Read, false, true)] {
            let expected = Err(format!("{view} is on record and has no old state"));
            assert_eq!(Course::of(&known).take(std::slice::from_ref(step)).map(drop), expected);
            let mut course = Course::default();
            course.take(std::slice::from_ref(step)).unwrap();
            let expected = Err(format!("{view} was published before in the same call"));
            assert_eq!(course.take(std::slice::from_ref(step)).map(drop), expected);
        }
    }
}
