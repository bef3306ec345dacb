//! Tuples as properties: lists of a fixed length, each element of which has a type of its own.
//!
//! A package schema has no tuples, so that the host and generated SDKs take them for lists
//! ([`TypeSpec::tuple`](crate::schema::TypeSpec::tuple)). How many elements there are and which is of which type is therefore
//! looked at here, and said by the element's place.

use super::{Misfit, Property, Value};
use crate::schema::{TypeSpec, Types};

macro_rules! tuple {
    ($count:literal: $($part:ident $slot:ident $index:literal),*) => {
        impl<$($part: Property),*> Property for ($($part,)*) {
            type Plain = ($($part::Plain,)*);
            const SECRET: bool = $($part::SECRET)||*;
            const HOLDS_UNKNOWNS: bool = $($part::HOLDS_UNKNOWNS)||*;
            const ITEMS: Option<u32> = {
                // Engines know no list with nothing in the place of an element.
                assert!(!($($part::OPTIONAL)||*), "an element of a tuple is always there: give it a type without `Option`");
                Some($count)
            };

            fn type_spec(types: &mut Types) -> TypeSpec {
                // Asked for here too, so that a tuple deep inside of a type is looked at.
                _ = Self::ITEMS;
                TypeSpec::tuple(vec![$($part::type_spec(types)),*])
            }

            fn from_value(value: Value) -> Result<Self, Misfit> {
                let mut elements = Elements::of(value, $count)?;
                Ok(($(elements.read::<$part>($index)?,)*))
            }

            fn to_value(&self) -> Result<Value, Misfit> {
                let ($($slot,)*) = self;
                Ok(Value::Items(vec![$($slot.to_value().map_err(|misfit| misfit.index($index))?),*]))
            }
        }

        /// For [`fields!`](crate::fields).
        impl<$($part: Into<Value>),*> From<($($part,)*)> for Value {
            fn from(($($slot,)*): ($($part,)*)) -> Self {
                Self::Items(vec![$($slot.into()),*])
            }
        }
    };
}

tuple!(2: A a 0, B b 1);
tuple!(3: A a 0, B b 1, C c 2);
tuple!(4: A a 0, B b 1, C c 2, D d 3);
tuple!(5: A a 0, B b 1, C c 2, D d 3, E e 4);
tuple!(6: A a 0, B b 1, C c 2, D d 3, E e 4, F f 5);
tuple!(7: A a 0, B b 1, C c 2, D d 3, E e 4, F f 5, G g 6);
tuple!(8: A a 0, B b 1, C c 2, D d 3, E e 4, F f 5, G g 6, H h 7);

/// The elements that aren't read yet.
struct Elements(std::vec::IntoIter<Value>);

impl Elements {
    fn of(value: Value, count: usize) -> Result<Self, Misfit> {
        match value.into_plain() {
            Value::Items(items) if items.len() == count => Ok(Self(items.into_iter())),
            Value::Items(items) => Err(Misfit::new(format!("must have {count} elements, not {}", items.len()))),
            other => Err(Misfit::expected(&format!("a list of {count} elements"), &other)),
        }
    }

    fn read<T: Property>(&mut self, index: usize) -> Result<T, Misfit> {
        let element = self.0.next().ok_or_else(|| Misfit::new("is required"));
        element.and_then(T::from_value).map_err(|misfit| misfit.index(index))
    }
}
