//! Setting back what may have changed and shouldn't: `ignoreChanges`.

use super::{PropertyPath, Segment};
use crate::{Object, Value};

impl PropertyPath {
    /// Puts back what was in this place, or in every place that it names, as far as there was something and what it was in is there still.
    /// What is new there stays. Secrets are gone through: nobody is shown what is in them.
    pub fn reset(&self, old: &Object, new: &mut Object) {
        members(self.segments(), old, new);
    }
}

fn members(steps: &[Segment], old: &Object, new: &mut Object) {
    let Some((step, deeper)) = steps.split_first() else { return };
    let mut put = |name: &str, old: &Value| match new.get_mut(name) {
        Some(new) => value(deeper, old, new),
        None if deeper.is_empty() => {
            new.insert(name.to_owned(), old.clone());
        }
        None => {}
    };
    match step {
        Segment::Field(name) | Segment::Key(name) => {
            if let Some(old) = old.get(name) {
                put(name, old);
            }
        }
        Segment::Wildcard => old.iter().for_each(|(name, old)| put(name, old)),
        Segment::Index(_) => {}
    }
}

fn value(steps: &[Segment], old: &Value, new: &mut Value) {
    let Some((step, deeper)) = steps.split_first() else {
        new.clone_from(old);
        return;
    };
    match (old, new, step) {
        (Value::Secret(old), new, _) => {
            value(steps, old.inner(), new);
            // What comes out of a secret stays in one.
            *new = std::mem::replace(new, Value::Null).secret();
        }
        (old, Value::Secret(new), _) => value(steps, old, new.inner_mut()),
        (Value::Object(old), Value::Object(new), _) => members(steps, old, new),
        (Value::List(old), Value::List(new), Segment::Index(index)) => {
            if let (Some(old), Some(new)) = (old.get(*index), new.get_mut(*index)) {
                value(deeper, old, new);
            }
        }
        (Value::List(old), Value::List(new), Segment::Wildcard) => {
            old.iter().zip(new).for_each(|(old, new)| value(deeper, old, new));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_there_is_put_back_and_what_is_new_stays() {
        let object = |number: i32, more: &str| -> Object {
            let tags = Object::from([("a", Value::from(number)), (more, 0.into())]);
            Object::from([
                ("tags", Value::from(tags.clone())),
                ("list", vec![tags.clone().into(), Value::from(number)].into()),
                ("hidden", Value::from(tags).secret()),
                (more, number.into()),
            ])
        };
        let (old, new) = (object(1, "b"), object(2, "c"));
        let reset = |path: &str| {
            let mut changed = new.clone();
            PropertyPath::parse(path).unwrap().reset(&old, &mut changed);
            changed
        };
        let expect = |path: &str, old: Option<&str>| {
            let mut expected = Value::from(new.clone());
            if let Some(place) = old {
                PropertyPath::parse(place).unwrap().set(&mut expected, 1.into()).unwrap();
            }
            assert_eq!(Value::from(reset(path)), expected, "{path}");
        };
        for (path, place) in [("tags.a", "tags.a"), ("b", "b"), ("list[1]", "list[1]"), ("list[*].a", "list[0].a")] {
            expect(path, Some(place));
        }
        for nowhere in ["c", "none", "none.deeper", "list[7]", "list.a", "tags[0]", "b.a", "tags.c"] {
            expect(nowhere, None);
        }
        for path in ["tags", "hidden", "list"] {
            assert_eq!(reset(path)[path], old[path]);
        }
        let Value::Secret(hidden) = &reset("hidden.a")["hidden"] else { panic!("it is a secret still") };
        assert_eq!(hidden.inner(), &Object::from([("a", Value::from(1)), ("c", 0.into())]).into());
        let mut plain = Object::from([("hidden", Value::from(Object::from([("a", Value::from(2))])))]);
        PropertyPath::parse("hidden.a").unwrap().reset(&old, &mut plain);
        assert_eq!(plain["hidden"], Value::from(Object::from([("a", Value::from(1))])).secret());
        let all = reset("*");
        assert!(old.iter().all(|(name, value)| all[name] == *value) && all["c"] == 2.into());
    }
}
