//! Changing what an object or a list has in it, secret or not.

use crate::{List, Object, Value};

/// An object or a list, to change its members.
#[derive(Debug)]
pub enum Collection<'v> {
    /// An object.
    Object(&'v mut Object),
    /// A list.
    List(&'v mut List),
}

impl Value {
    /// The object or list below the secrets and outputs at the top; `None` if there is neither. The wrappers stay where they
    /// are: what is put into a secret is as secret.
    pub fn collection_mut(&mut self) -> Option<Collection<'_>> {
        let mut value = self;
        loop {
            value = match value {
                Self::Object(object) => return Some(Collection::Object(object)),
                Self::List(list) => return Some(Collection::List(list)),
                Self::Secret(secret) => secret.inner_mut(),
                Self::Output(output) => output.value.as_deref_mut()?,
                _ => return None,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Collection;
    use crate::{Object, Output, Value};

    #[test]
    fn wrappers_stay_around_what_is_changed() {
        let nested = |number: i32| Value::from(Output::known(Value::from(vec![Value::from(number)]).secret())).secret();
        let mut value = nested(1);
        let Some(Collection::List(list)) = value.collection_mut() else { panic!("a list") };
        list[0] = 2.into();
        assert_eq!(value, nested(2));

        let mut object = Value::from(Object::new()).secret();
        let Some(Collection::Object(members)) = object.collection_mut() else { panic!("an object") };
        members.insert("a".to_owned(), 1.into());
        assert_eq!(object, Value::from(Object::from([("a", 1)])).secret());
    }

    #[test]
    fn what_has_no_members_is_left_alone() {
        for mut value in [Value::Null, Value::from("text").secret(), Value::Unknown, Value::from(Output::default())] {
            assert!(value.collection_mut().is_none(), "{value:?}");
        }
    }
}
