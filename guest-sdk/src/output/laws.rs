//! The laws of outputs, over all that an output can be.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use proptest::prelude::*;

use super::stop;
use super::{Dependencies, Marks, Output, Resolved, all};
use crate::error::Error;
use crate::value::{self, Property, Reference, ReferenceId, Value};

/// What is observed of an output in the end.
#[derive(Clone, Debug, PartialEq)]
struct Observed<T> {
    value: Option<T>,
    secret: bool,
    dependencies: Dependencies,
}

fn observe<T: Clone>(output: &Output<T>) -> Observed<T> {
    let resolved = output.resolve().unwrap();
    Observed {
        value: resolved.value.as_deref().cloned(),
        secret: resolved.secret,
        dependencies: resolved.dependencies.clone(),
    }
}

fn dependencies() -> impl Strategy<Value = Dependencies> {
    proptest::collection::btree_set("[a-d]", 0..4).prop_map(|urns| urns.into_iter().collect())
}

/// How an output comes to be, apart from its value.
#[derive(Clone, Debug)]
struct Making {
    known: bool,
    secret: bool,
    dependencies: Dependencies,
    /// Whether it must be waited for.
    pending: bool,
}

impl Making {
    fn make<T: Clone + 'static>(&self, value: T) -> Output<T> {
        let resolved = if self.known { Resolved::known(value) } else { Resolved::unknown() };
        let resolved = resolved.marked(self.secret, &self.dependencies);
        if self.pending { Output::started(move || Ok(resolved)) } else { Output::resolved(resolved) }
    }
}

fn making() -> impl Strategy<Value = Making> {
    (any::<bool>(), any::<bool>(), dependencies(), any::<bool>())
        .prop_map(|(known, secret, dependencies, pending)| Making { known, secret, dependencies, pending })
}

fn output() -> impl Strategy<Value = Output<i32>> {
    (making(), any::<i32>()).prop_map(|(making, value)| making.make(value))
}

/// A value of any shape, with anything said about any part.
fn value() -> impl Strategy<Value = Value> {
    let id = prop_oneof![
        Just(None),
        Just(Some(ReferenceId::Unknown)),
        "[a-z]{0,2}".prop_map(|id| Some(ReferenceId::Known(id))),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[a-z]{0,3}".prop_map(Value::from),
        Just(Value::Unknown),
        ("[a-d]", id).prop_map(|(urn, id)| Value::Reference(Reference { urn, id, package_version: String::new() })),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::Items),
            proptest::collection::btree_map("[a-c]", inner.clone(), 0..3).prop_map(Value::Fields),
            inner.clone().prop_map(Value::secret),
            (proptest::option::of(inner), any::<bool>(), dependencies()).prop_map(|(value, secret, dependencies)| {
                let value = value.map(Box::new);
                Value::Output(value::Output { value, secret, dependencies: dependencies.into_urns() })
            }),
        ]
    })
}

fn add(number: i32) -> impl Fn(&i32) -> i32 + Copy {
    move |value| value.wrapping_add(number)
}

proptest! {
    /// TYP-05, TYP-08: unknown doesn't run and stays unknown, secret stays secret, dependencies stay.
    #[test]
    fn computing_keeps_what_is_said(making in making(), value: i32, number: i32) {
        let runs = Rc::new(Cell::new(0));
        let counted = Rc::clone(&runs);
        let computed = making.make(value).map(move |value| {
            counted.set(counted.get() + 1);
            value.wrapping_add(number)
        });
        let observed = observe(&computed);
        prop_assert_eq!(runs.get(), i32::from(making.known));
        prop_assert_eq!(observed.value, making.known.then(|| value.wrapping_add(number)));
        prop_assert_eq!(observed.secret, making.secret);
        prop_assert_eq!(observed.dependencies, making.dependencies);
    }

    /// TYP-08: a computed output adds its own dependencies, secrecy and ignorance.
    #[test]
    fn computing_an_output_unites_both(outer in making(), inner in making(), value: i32) {
        let produced = inner.clone();
        let observed = observe(&outer.make(value).and_then(move |value| produced.make(*value)));
        let known = outer.known && inner.known;
        prop_assert_eq!(observed.value, known.then_some(value));
        // What doesn't run produces nothing that could be said.
        let reached = outer.known;
        prop_assert_eq!(observed.secret, outer.secret || reached && inner.secret);
        let none = Dependencies::none();
        let inner = if reached { &inner.dependencies } else { &none };
        prop_assert_eq!(observed.dependencies, outer.dependencies.union(inner));
    }

    /// TYP-09.
    #[test]
    fn an_output_of_an_output_is_one(outer in making(), inner in making(), value: i32) {
        let observed = observe(&outer.make(inner.make(value)).flatten());
        prop_assert_eq!(observed.value, (outer.known && inner.known).then_some(value));
        prop_assert_eq!(observed.secret, outer.secret || outer.known && inner.secret);
        // An inner one that nobody can look into depends on nothing.
        let none = Dependencies::none();
        let inner = if outer.known { &inner.dependencies } else { &none };
        prop_assert_eq!(observed.dependencies, outer.dependencies.union(inner));
    }

    #[test]
    fn mapping_nothing_changes_nothing(output in output()) {
        prop_assert_eq!(observe(&output.map(|value| *value)), observe(&output));
    }

    #[test]
    fn mapping_twice_is_mapping_once(output in output(), first: i32, second: i32) {
        let twice = output.map(add(first)).map(add(second));
        let once = output.map(move |value| add(second)(&add(first)(value)));
        prop_assert_eq!(observe(&twice), observe(&once));
    }

    #[test]
    fn a_known_value_is_neutral(output in output(), making in making(), value: i32) {
        let make = move |value: &i32| making.make(*value);
        prop_assert_eq!(observe(&Output::from(value).and_then(make.clone())), observe(&make(&value)));
        prop_assert_eq!(observe(&output.and_then(|value| Output::from(*value))), observe(&output));
    }

    #[test]
    fn chains_may_be_nested(output in output(), first in making(), second in making()) {
        let (first, second) = (move |value: &i32| first.make(*value), move |value: &i32| second.make(*value));
        let (inner_first, inner_second) = (first.clone(), second.clone());
        let chained = output.and_then(first).and_then(second);
        let nested = output.and_then(move |value| inner_first(value).and_then(inner_second));
        prop_assert_eq!(observe(&chained), observe(&nested));
    }

    /// TYP-10, for tuples, lists and maps alike.
    #[test]
    fn all_is_what_each_is(parts in proptest::collection::vec((making(), any::<i32>()), 0..5)) {
        let outputs = || parts.iter().map(|(making, value)| making.make(*value)).collect::<Vec<_>>();
        let expected = Observed {
            value: parts.iter().map(|(making, value)| making.known.then_some(*value)).collect::<Option<Vec<_>>>(),
            secret: parts.iter().any(|(making, _)| making.secret),
            dependencies: parts.iter().fold(Dependencies::none(), |all, (making, _)| all.union(&making.dependencies)),
        };
        prop_assert_eq!(&observe(&all(outputs())), &expected);
        let map: BTreeMap<String, Output<i32>> =
            outputs().into_iter().enumerate().map(|(index, output)| (index.to_string(), output)).collect();
        let observed = observe(&all(map).map(|map| map.values().copied().collect::<Vec<_>>()));
        prop_assert_eq!(&observed, &expected);
        let tuple = match &outputs()[..] {
            [] => all(()).map(|()| vec![]),
            [a] => all((a.clone(),)).map(|(a,)| vec![*a]),
            [a, b] => all((a.clone(), b.clone())).map(|(a, b)| vec![*a, *b]),
            [a, b, c] => all((a.clone(), b.clone(), c.clone())).map(|(a, b, c)| vec![*a, *b, *c]),
            [a, b, c, d, ..] => {
                all((a.clone(), b.clone(), c.clone(), d.clone())).map(|(a, b, c, d)| vec![*a, *b, *c, *d])
            }
        };
        prop_assert_eq!(&observe(&tuple), &expected);
    }

    /// TYP-11.
    #[test]
    fn elements_are_known_where_the_whole_isnt(parts in proptest::collection::vec((making(), any::<i32>()), 1..5)) {
        let whole = all(parts.iter().map(|(making, value)| making.make(*value)).collect::<Vec<_>>());
        for (index, (making, value)) in parts.iter().enumerate() {
            prop_assert_eq!(observe(&whole.index(index)), observe(&making.make(*value)));
        }
    }

    /// TYP-12: what came goes back with all that was said about it.
    #[test]
    fn values_go_back_as_they_came(value in value()) {
        let output = Output::<Value>::from_value(value.clone()).unwrap();
        prop_assert_eq!(output.to_value().unwrap(), value);
    }

    /// TYP-05 for what comes over the wire: an unknown part makes the whole unknown, a secret one secret.
    #[test]
    fn the_whole_is_what_its_parts_are(value in value()) {
        let marks = Marks::of(&value);
        let observed = observe(&Output::<Value>::from_value(value).unwrap());
        prop_assert_eq!(observed.value.is_some(), !marks.unknown);
        prop_assert_eq!(observed.secret, marks.secret);
        prop_assert_eq!(observed.dependencies, marks.dependencies);
    }

    /// TYP-12 for what is computed.
    #[test]
    fn computed_outputs_come_back(output in output()) {
        let back = Output::<i32>::from_value(output.to_value().unwrap()).unwrap();
        prop_assert_eq!(observe(&back), observe(&output));
    }
}

#[test]
fn a_clone_is_the_same_output() {
    let runs = Rc::new(Cell::new(0));
    let counted = Rc::clone(&runs);
    let output = Output::started(move || {
        counted.set(counted.get() + 1);
        Ok(Resolved::known(1))
    });
    let clone = output.clone();
    assert_eq!((observe(&output).value, observe(&clone).value), (Some(1), Some(1)));
    assert_eq!(runs.get(), 1);
}

#[test]
fn what_nobody_needs_runs_at_the_end() {
    stop::begin();
    let ran = Rc::new(Cell::new(false));
    let seen = Rc::clone(&ran);
    let pending = Output::started(|| Ok(Resolved::known(1)));
    let _computed = pending.map(move |_| seen.set(true));
    assert!(!ran.get());
    stop::settle().unwrap();
    assert!(ran.get());
}

/// TYP-03.
#[test]
fn a_failure_ends_the_call_whatever_is_returned() {
    stop::begin();
    let failed = Output::from(1).try_map(|_| Err::<i32, _>(Error::failed("the first")));
    let ran = Rc::new(Cell::new(false));
    let seen = Rc::clone(&ran);
    let after = failed.map(move |_| seen.set(true));
    let other = Output::from(2).map(|_| unreachable!("nothing runs after a failure"));
    let _: &Output<()> = &other;
    assert!(after.resolve().is_err() && other.resolve().is_err());
    assert!(!ran.get());
    let _second = Output::from(3).try_map(|_| Err::<i32, _>(Error::failed("the second")));
    assert_eq!(stop::finish(Ok("all is well")).unwrap_err().to_string(), "the first");
    // The next call starts afresh.
    stop::begin();
    assert_eq!(stop::finish(Ok("all is well")).unwrap(), "all is well");
}

#[test]
fn an_output_that_waits_for_itself_fails() {
    stop::begin();
    let slot: Rc<Cell<Option<Output<i32>>>> = Rc::default();
    let inner = Rc::clone(&slot);
    let output = Output::started(move || {
        let itself = inner.take().unwrap();
        Ok(itself.resolve()?.clone())
    });
    slot.set(Some(output.clone()));
    assert!(output.resolve().is_err());
    assert_eq!(stop::finish(Ok(())).unwrap_err().to_string(), "an output depends on itself");
}

#[test]
fn parts_that_arent_there_end_the_call() {
    type Part = fn() -> Output<String>;
    let parts: [(Part, &str); 4] = [
        (|| all(vec![Output::from("a".to_owned())]).index(1), "there is no element 1 among 1"),
        (|| all(vec![Output::from("a".to_owned())]).field("name"), "there is no `name` in a list"),
        (|| Output::from(Value::from(BTreeMap::new())).field("name"), "there is no `name`, which isn't optional"),
        (|| Output::from(Value::from(1)).field("name"), "there is no `name` in a number"),
    ];
    for (part, message) in parts {
        stop::begin();
        assert!(part().resolve().is_err());
        assert_eq!(stop::finish(Ok(())).unwrap_err().to_string(), message);
    }
}

/// TYP-11: the secrecy and the dependencies of the whole are those of each part, and a part's are its own.
#[test]
fn parts_have_what_is_said_of_the_whole_and_of_themselves() {
    let secret = Value::from("s").secret();
    let open = Value::Output(value::Output {
        value: Some(Box::new(Value::from("o"))),
        secret: false,
        dependencies: vec!["urn:b".to_owned()],
    });
    let map = crate::fields! { "secret": secret, "open": open, "unknown": Value::Unknown };
    let whole = Output::<BTreeMap<String, String>>::from_value(map.into()).unwrap();
    assert_eq!(observe(&whole).value, None);
    let open = observe(&whole.get("open"));
    assert_eq!((open.value, open.secret), (Some(Some("o".to_owned())), false));
    assert!(open.dependencies.contains("urn:b"));
    assert!(observe(&whole.get("secret")).secret);
    assert_eq!(observe(&whole.get("unknown")).value, None);
    assert_eq!(observe(&whole.get("absent")).value, Some(None));
    assert!(observe(&whole.secret().get("open")).secret);
}

proptest! {
    /// TYP-12: known or not, secret or not, with whatever it depends on.
    #[test]
    fn an_output_comes_back_from_the_wire_as_it_was(output in output()) {
        let written = value::encode_fields(crate::fields! { "it": output.to_value().unwrap() });
        let read = value::decode_fields(written).unwrap().remove("it").unwrap();
        prop_assert_eq!(observe(&Output::<i32>::from_value(read).unwrap()), observe(&output));
    }
}
