//! Outputs of composites, taken apart: the type function `outputShape` of Pulumi's type system.
//!
//! Nested outputs are unwieldy, so that outputs are whole here, and know what is said about their parts
//! ([`Output::index`], [`Output::get`], [`Output::field`]). Where the type says how many parts there are and of which types, all of them can be
//! had at once.

use super::Output;
use crate::value::Property;

/// Types with parts that are known by name or place: tuples, and structs with `#[derive(Object)]`.
#[diagnostic::on_unimplemented(
    message = "an output of `{Self}` can't be taken apart",
    label = "neither a tuple nor an object",
    note = "an element of a list is had with `index`, one of a map with `get`"
)]
pub trait Parts: Property {
    /// An output of each part.
    type Parts;

    /// Takes an output apart.
    fn parts(whole: &Output<Self>) -> Self::Parts;
}

impl<T: Parts> Output<T> {
    /// An output of each part, which is known where it alone is, and has the secrecy and the dependencies of the whole beside its own.
    ///
    /// ```
    /// use bulkhead_sdk::{Object, Output};
    ///
    /// #[derive(Object)]
    /// struct Address {
    ///     host: String,
    ///     range: (u32, u32),
    /// }
    ///
    /// let address = Output::from(Address { host: "example.com".to_owned(), range: (80, 90) });
    /// let (first, _) = address.parts().range.parts();
    /// assert_eq!(format!("{first:?}"), "80");
    /// ```
    ///
    /// A tuple of [`all`](super::all) outputs keeps no parts: they are at hand where it is made.
    pub fn parts(&self) -> T::Parts {
        T::parts(self)
    }
}

macro_rules! tuple {
    ($($part:ident $index:literal),*) => {
        impl<$($part: Property),*> Parts for ($($part,)*) {
            type Parts = ($(Output<$part::Plain>,)*);

            fn parts(whole: &Output<Self>) -> Self::Parts {
                ($(whole.glimpse_element($index),)*)
            }
        }
    };
}

tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);
tuple!(A 0, B 1, C 2, D 3, E 4);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
