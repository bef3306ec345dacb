//! What a child is given: values and outputs, by name or by the fields of its inputs.

use std::marker::PhantomData;

use super::fits::Fits;
use crate::error::{Error, Result};
use crate::output::{Output, assemble};
use crate::record::{Inputs, Record};
use crate::value::{Fields, Property, Value};

/// Properties by name, eventual.
#[derive(Debug, Default)]
pub struct Pairs(pub(crate) Vec<(String, Output<Value>)>);

impl Pairs {
    /// Adds what was given for a property, if it was. For derived code.
    pub fn add<T: Property>(&mut self, name: &str, slot: Slot<T>) {
        if let Some(given) = slot.given {
            self.0.push((name.to_owned(), given));
        }
    }

    /// All of them as one object.
    pub(super) fn into_object(self) -> Output<Value> {
        let (names, values): (Vec<_>, Vec<_>) = self.0.into_iter().unzip();
        assemble(values, |values| Value::Fields(names.into_iter().zip(values).collect()))
    }
}

impl From<Fields> for Pairs {
    fn from(fields: Fields) -> Self {
        Self(fields.into_iter().map(|(name, value)| (name, eventual(value))).collect())
    }
}

/// A value with what is said in it. Reading one as a value always fits.
pub(crate) fn eventual(value: Value) -> Output<Value> {
    <Output<Value> as Property>::from_value(value)
        .unwrap_or_else(|misfit| Output::stopped(Error::bug(format!("a value can't be given: {misfit}"))))
}

/// What may be given to a resource whose inputs are `I`: [`inputs!`](crate::inputs), an `I`, or [`fields!`](crate::fields).
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be given where `{I}` is wanted",
    label = "not the inputs of this resource",
    note = "write `inputs!({I} {{ … }})`, whose fields take values and outputs, or `fields! {{ \"name\": … }}`"
)]
pub trait Arguments<I> {
    /// Each property.
    fn into_pairs(self) -> Result<Pairs>;
}

impl<I: Inputs> Arguments<I> for I {
    fn into_pairs(self) -> Result<Pairs> {
        let mut fields = Fields::new();
        self.put(&mut fields)
            .map_err(|misfit| Error::failed(format!("a child can't be given its inputs: {misfit}")))?;
        Ok(fields.into())
    }
}

impl<I: Inputs> Arguments<I> for Fields {
    fn into_pairs(self) -> Result<Pairs> {
        Ok(self.into())
    }
}

impl<I: Givable> Arguments<I> for Given<I> {
    fn into_pairs(self) -> Result<Pairs> {
        Ok(self.pairs())
    }
}

/// Inputs and objects whose fields can be given one by one, each as a value or an output. Derived with [`Inputs`] and
/// [`Object`](crate::Object).
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no fields that could be given",
    label = "neither inputs nor an object",
    note = "derive `bulkhead_sdk::Inputs` or `bulkhead_sdk::Object` for it"
)]
pub trait Givable: Record {
    /// A struct with the same fields, each of which may be left out.
    type Slots: Default;

    /// Each property that was given.
    fn pairs(slots: Self::Slots, pairs: &mut Pairs);
}

impl Givable for () {
    type Slots = ();

    fn pairs((): (), _: &mut Pairs) {}
}

/// What [`inputs!`](crate::inputs) makes.
pub struct Given<I: Givable> {
    slots: I::Slots,
    inputs: PhantomData<fn() -> I>,
}

impl<I: Givable> Given<I> {
    /// For `inputs!`.
    pub fn new(slots: I::Slots) -> Self {
        Self { slots, inputs: PhantomData }
    }

    /// Each property that was given.
    pub(super) fn pairs(self) -> Pairs {
        let mut pairs = Pairs::default();
        I::pairs(self.slots, &mut pairs);
        pairs
    }

    /// For derived code, where inputs are part of others.
    pub fn into_slots(self) -> I::Slots {
        self.slots
    }
}

impl<I: Givable> Default for Given<I> {
    fn default() -> Self {
        Self::new(I::Slots::default())
    }
}

/// The place of one property of type `T`.
pub struct Slot<T> {
    given: Option<Output<Value>>,
    property: PhantomData<fn() -> T>,
}

impl<T> Default for Slot<T> {
    fn default() -> Self {
        Self { given: None, property: PhantomData }
    }
}

impl<T: Property> Slot<T> {
    /// For `inputs!`.
    pub fn fill(&mut self, value: impl Fits<T::Plain>) {
        self.given = Some(value.give());
    }
}

impl<I: Givable> Given<I> {
    /// For `inputs!`, where inputs are part of others.
    pub fn fill(&mut self, given: Self) {
        *self = given;
    }
}

/// The inputs of a child, field by field: each takes a value or an [`Output`](crate::Output), whole or in parts
/// ([`Fits`](crate::engine::Fits)), and may be left out as a program may leave it out. Objects inside are given in the same way.
///
/// ```
/// use bulkhead_sdk::{Inputs, Output, inputs};
///
/// #[derive(Inputs)]
/// struct PageArgs {
///     path: String,
///     text: String,
///     max_age: Option<u32>,
/// }
///
/// let text = Output::from("hello".to_owned());
/// let page = inputs!(PageArgs { path: "/index.html", text: text, max_age: 60 });
/// # _ = page;
/// ```
#[macro_export]
macro_rules! inputs {
    ($inputs:ty { $($field:ident: $value:expr),* $(,)? }) => {{
        #[allow(unused_mut, reason = "nothing may be given")]
        let mut slots = <<$inputs as $crate::engine::Givable>::Slots as ::core::default::Default>::default();
        $(slots.$field.fill($value);)*
        $crate::engine::Given::<$inputs>::new(slots)
    }};
}
