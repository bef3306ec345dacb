//! What fits a property of a child, part by part.
//!
//! An author rarely has all of a list or an object at hand: one element is an output of another child, the rest are constants. If only
//! outputs of the whole could be given, each would have to be computed from its parts, and one that isn't known yet would hide all
//! others. So what fits a type fits it at every depth, and the parts keep what is said about them: what isn't known, what is
//! secret, and what they depend on.
//!
//! This is how the SDK has the type function `inputShape` of Pulumi's type system. It says nothing of what the schema calls plain: a child
//! that can't be given an output refuses it.

use std::collections::{BTreeMap, HashMap};

use super::arguments::{Givable, Given};
use super::lifted::Registrable;
use super::registered::Registered;
use super::registration::Registration;
use crate::output::{Input, Output, assemble};
use crate::resource::Declared;
use crate::value::{Archive, Asset, Json, Property, Ref, Secret, Value};

/// What can be given for a property of the type `T`.
///
/// | property | what fits |
/// |---|---|
/// | any `T` | a `T`; an [`Output`] of what fits `T`, or a reference to one; an [`Input`] of that |
/// | `String` | a `&str` too |
/// | `Option<T>` | what fits `T`, and an `Option` of that |
/// | `Vec<T>` | a `Vec` or an array of what fits `T` |
/// | a map of `T` | the same map of what fits `T` |
/// | a tuple | a tuple of what fits each element |
/// | [`Secret<T>`](Secret) | a `Secret` of what fits `T` |
/// | an object | [`inputs!`](crate::inputs) of it, each field of which takes what fits |
/// | a union | what fits one of its types |
/// | [`Ref<R>`](Ref) | a reference to a [`Registered<R>`](Registered) |
///
/// ```
/// use std::collections::BTreeMap;
///
/// use bulkhead_sdk::{Input, Inputs, Object, Output, inputs};
///
/// #[derive(Object)]
/// struct Mount {
///     path: String,
///     sizes: Vec<(String, u32)>,
/// }
///
/// #[derive(Inputs)]
/// struct MachineArgs {
///     tags: BTreeMap<String, String>,
///     mounts: Option<Vec<Mount>>,
///     hosts: Vec<String>,
/// }
///
/// let (owner, size) = (Output::from("ops".to_owned()), Output::<u32>::unknown());
/// let machine = inputs!(MachineArgs {
///     tags: BTreeMap::from([("owner".to_owned(), &owner)]),
///     mounts: vec![inputs!(Mount { path: "/srv", sizes: vec![("fast", &size)] })],
///     hosts: vec![Input::<String>::from("localhost"), Input::from(&owner)],
/// });
/// # _ = machine;
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be given for a field of type `{T}`",
    label = "neither a value of the field's type nor an output of one, nor are its parts"
)]
pub trait Fits<T> {
    /// It, written down, with all that is said about its parts.
    fn give(self) -> Output<Value>;
}

/// A value that has no parts which could be given otherwise. For derived code.
pub fn whole<T: Property>(value: T) -> Output<Value> {
    Output::from(value).wire()
}

/// What fits a type fits where that may be left out, too.
macro_rules! fits {
    ($([$($generics:tt)*] $given:ty => $wanted:ty: $give:expr;)*) => {$(
        impl<$($generics)*> Fits<$wanted> for $given {
            fn give(self) -> Output<Value> {
                ($give)(self)
            }
        }

        impl<$($generics)*> Fits<Option<$wanted>> for $given {
            fn give(self) -> Output<Value> {
                ($give)(self)
            }
        }
    )*};
}

macro_rules! whole {
    ($($whole:ty),*) => {
        fits! { $([] $whole => $whole: whole;)* }
    };
}

whole!(bool, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, String, Value, Json, Asset, Archive);

fits! {
    [] &str => String: |text: &str| whole(text.to_owned());
    [R: Declared + 'static] Ref<R> => Ref<R>: whole;
    [R: Registrable] &Registered<R> => Ref<R>: |resource: &Registered<R>| resource.as_ref().reference();
    [R: Registrable] &Registered<R> => Value: |resource: &Registered<R>| resource.as_ref().reference();
    [] &Registration => Value: |resource: &Registration| resource.reference();
    [T, V: Fits<T>] Vec<V> => Vec<T>: list::<T, V>;
    [T, V: Fits<T>, const N: usize] [V; N] => Vec<T>: list::<T, V>;
    [T, V: Fits<T>] BTreeMap<String, V> => BTreeMap<String, T>: map::<T, V>;
    [T, V: Fits<T>] HashMap<String, V> => HashMap<String, T>: map::<T, V>;
    [T, V: Fits<T>] Box<V> => Box<T>: |boxed: Box<V>| (*boxed).give();
    [T, V: Fits<T>] Secret<V> => Secret<T>: |secret: Secret<V>| secret.expose().give().secret();
}

macro_rules! tuple {
    ($($part:ident $given:ident $slot:ident),*) => {
        fits! {
            [$($part, $given: Fits<$part>),*] ($($given,)*) => ($($part,)*): |($($slot,)*): ($($given,)*)| {
                assemble(vec![$($slot.give()),*], Value::Items)
            };
        }
    };
}

tuple!(A GivenA a, B GivenB b);
tuple!(A GivenA a, B GivenB b, C GivenC c);
tuple!(A GivenA a, B GivenB b, C GivenC c, D GivenD d);
tuple!(A GivenA a, B GivenB b, C GivenC c, D GivenD d, E GivenE e);
tuple!(A GivenA a, B GivenB b, C GivenC c, D GivenD d, E GivenE e, F GivenF f);
tuple!(A GivenA a, B GivenB b, C GivenC c, D GivenD d, E GivenE e, F GivenF f, G GivenG g);
tuple!(A GivenA a, B GivenB b, C GivenC c, D GivenD d, E GivenE e, F GivenF f, G GivenG g, H GivenH h);

fn list<T, V: Fits<T>>(elements: impl IntoIterator<Item = V>) -> Output<Value> {
    assemble(elements.into_iter().map(V::give).collect(), Value::Items)
}

fn map<T, V: Fits<T>>(entries: impl IntoIterator<Item = (String, V)>) -> Output<Value> {
    let (keys, values): (Vec<_>, Vec<_>) = entries.into_iter().map(|(key, value)| (key, value.give())).unzip();
    assemble(values, |values| Value::Fields(keys.into_iter().zip(values).collect()))
}

impl<T, V: Fits<T>> Fits<Option<T>> for Option<V> {
    fn give(self) -> Output<Value> {
        self.map_or_else(|| Output::from(Value::Null), V::give)
    }
}

impl<T, V: Fits<T> + Property> Fits<T> for Output<V> {
    fn give(self) -> Output<Value> {
        self.wire()
    }
}

impl<T, V: Fits<T> + Property> Fits<T> for &Output<V> {
    fn give(self) -> Output<Value> {
        self.wire()
    }
}

impl<T, V: Fits<T> + Property> Fits<T> for Input<V> {
    fn give(self) -> Output<Value> {
        match self {
            Self::Value(value) => value.give(),
            Self::Output(output) => output.wire(),
        }
    }
}

/// An object, field by field. It fits what the object itself does: a union of which it is a type, too.
impl<T, O: Givable + Fits<T>> Fits<T> for Given<O> {
    fn give(self) -> Output<Value> {
        self.pairs().into_object()
    }
}
