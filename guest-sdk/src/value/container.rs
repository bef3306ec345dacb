//! Options, boxes, lists and maps as properties.

use std::collections::{BTreeMap, HashMap};

use super::{Fields, FromLiteral, Misfit, Property, Value};
use crate::schema::{TypeSpec, Types};

impl<T: Property> Property for Option<T> {
    type Plain = Option<T::Plain>;
    const OPTIONAL: bool = true;
    const SECRET: bool = T::SECRET;
    const HOLDS_UNKNOWNS: bool = T::HOLDS_UNKNOWNS;
    const BOUNDS: Option<(i64, i64)> = T::BOUNDS;
    const ITEMS: Option<u32> = T::ITEMS;
    const PATTERN: Option<&'static str> = T::PATTERN;

    fn type_spec(types: &mut Types) -> TypeSpec {
        T::type_spec(types)
    }

    fn from_value(value: Value) -> Result<Self, Misfit> {
        match value.plain() {
            Value::Null => Ok(None),
            _ => T::from_value(value).map(Some),
        }
    }

    fn to_value(&self) -> Result<Value, Misfit> {
        self.as_ref().map_or(Ok(Value::Null), T::to_value)
    }

    fn absent() -> Option<Self> {
        Some(None)
    }

    fn is_absent(&self) -> bool {
        self.is_none()
    }
}

impl<L, T: FromLiteral<L>> FromLiteral<L> for Option<T> {
    fn from_literal(literal: L) -> Self {
        Some(T::from_literal(literal))
    }
}

/// For objects that hold themselves.
impl<T: Property> Property for Box<T> {
    type Plain = Box<T::Plain>;
    const OPTIONAL: bool = T::OPTIONAL;
    const SECRET: bool = T::SECRET;
    const HOLDS_UNKNOWNS: bool = T::HOLDS_UNKNOWNS;
    const BOUNDS: Option<(i64, i64)> = T::BOUNDS;
    const ITEMS: Option<u32> = T::ITEMS;
    const PATTERN: Option<&'static str> = T::PATTERN;

    fn type_spec(types: &mut Types) -> TypeSpec {
        T::type_spec(types)
    }

    fn from_value(value: Value) -> Result<Self, Misfit> {
        T::from_value(value).map(Self::new)
    }

    fn to_value(&self) -> Result<Value, Misfit> {
        T::to_value(self)
    }

    fn absent() -> Option<Self> {
        T::absent().map(Self::new)
    }

    fn is_absent(&self) -> bool {
        T::is_absent(self)
    }
}

impl<T: Property> Property for Vec<T> {
    type Plain = Vec<T::Plain>;
    const SECRET: bool = T::SECRET;
    const HOLDS_UNKNOWNS: bool = T::HOLDS_UNKNOWNS;
    const ITEMS: Option<u32> = {
        // A schema has no word for it, so that nothing in the place of an element would be refused: the provider's bug.
        assert!(!T::OPTIONAL, "an element of a list is always there: give it a type without `Option`");
        None
    };

    fn type_spec(types: &mut Types) -> TypeSpec {
        // Asked for here too, so that a list deep inside of a type is looked at.
        _ = Self::ITEMS;
        TypeSpec::list(T::type_spec(types))
    }

    fn from_value(value: Value) -> Result<Self, Misfit> {
        match value.into_plain() {
            Value::Items(items) => {
                let read = |(index, item)| T::from_value(item).map_err(|misfit| misfit.index(index));
                items.into_iter().enumerate().map(read).collect()
            }
            other => Err(Misfit::expected("a list", &other)),
        }
    }

    fn to_value(&self) -> Result<Value, Misfit> {
        let write = |(index, item): (usize, &T)| item.to_value().map_err(|misfit| misfit.index(index));
        Ok(Value::Items(self.iter().enumerate().map(write).collect::<Result<_, _>>()?))
    }
}

macro_rules! map {
    ($map:ident) => {
        impl<T: Property> Property for $map<String, T> {
            type Plain = $map<String, T::Plain>;
            const SECRET: bool = T::SECRET;
            const HOLDS_UNKNOWNS: bool = T::HOLDS_UNKNOWNS;

            fn type_spec(types: &mut Types) -> TypeSpec {
                TypeSpec::map(T::type_spec(types))
            }

            fn from_value(value: Value) -> Result<Self, Misfit> {
                match value.into_plain() {
                    Value::Fields(fields) => fields.into_iter().filter_map(read_entry).collect(),
                    other => Err(Misfit::expected("a map", &other)),
                }
            }

            fn to_value(&self) -> Result<Value, Misfit> {
                Ok(Value::Fields(self.iter().map(write_entry).collect::<Result<Fields, _>>()?))
            }
        }
    };
}

map!(BTreeMap);
map!(HashMap);

/// An entry that is null is as good as none to checks and comparisons, so programs may give one. It is left out where its type
/// has no word for it.
fn read_entry<T: Property>((key, value): (String, Value)) -> Option<Result<(String, T), Misfit>> {
    let is_null = matches!(value.plain(), Value::Null);
    match T::from_value(value) {
        Ok(value) => Some(Ok((key, value))),
        Err(_) if is_null => None,
        Err(misfit) => Some(Err(misfit.field(&key))),
    }
}

fn write_entry<T: Property>((key, value): (&String, &T)) -> Result<(String, Value), Misfit> {
    Ok((key.clone(), value.to_value().map_err(|misfit| misfit.field(key))?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Secret;

    fn map(entries: [(&str, Value); 3]) -> Value {
        Value::Fields(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    }

    /// As an output of another resource that turns out not to be there: checks and previews took it for no entry.
    #[test]
    fn an_entry_that_is_null_is_left_out_where_its_type_has_no_null() {
        let text = |text: &str| Value::Text(text.to_owned());
        let given = || map([("a", text("x")), ("b", Value::Null), ("c", Value::Null.secret())]);
        let only = BTreeMap::from([("a".to_owned(), "x".to_owned())]);
        assert_eq!(BTreeMap::<String, String>::from_value(given()).ok(), Some(only.clone()));
        assert_eq!(HashMap::<String, String>::from_value(given()).ok(), Some(only.clone().into_iter().collect()));
        let secret = BTreeMap::<String, Secret<String>>::from_value(given()).ok().unwrap();
        assert_eq!(secret.keys().collect::<Vec<_>>(), ["a"]);
        let inside = BTreeMap::<String, BTreeMap<String, String>>::from_value(map([
            ("a", given()),
            ("b", Value::Null),
            ("c", Value::Fields(Fields::new())),
        ]));
        let expected = BTreeMap::from([("a".to_owned(), only), ("c".to_owned(), BTreeMap::new())]);
        assert_eq!(inside.ok(), Some(expected));
        // Who has a word for it hears of it.
        let optional = BTreeMap::<String, Option<String>>::from_value(given()).ok().unwrap();
        assert_eq!(optional.into_values().collect::<Vec<_>>(), [Some("x".to_owned()), None, None]);
        let wrong = map([("a", text("x")), ("b", Value::Boolean(true)), ("c", Value::Null)]);
        let refused = BTreeMap::<String, String>::from_value(wrong).unwrap_err();
        assert!(format!("{refused:?}").contains("b"), "{refused:?}");
    }
}
