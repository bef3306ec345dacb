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
                    Value::Fields(fields) => fields.into_iter().map(read_entry).collect(),
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

fn read_entry<T: Property>((key, value): (String, Value)) -> Result<(String, T), Misfit> {
    match T::from_value(value) {
        Ok(value) => Ok((key, value)),
        Err(misfit) => Err(misfit.field(&key)),
    }
}

fn write_entry<T: Property>((key, value): (&String, &T)) -> Result<(String, Value), Misfit> {
    Ok((key.clone(), value.to_value().map_err(|misfit| misfit.field(key))?))
}
