//! What stood at a place before an update.
//!
//! An update never changes what is stable, but a place may be another thing's now: elements of a list change places, and a
//! union's object may be of another variant than the one there before.

use std::ptr;

use bulkhead_value::{Value, equivalent};

use crate::{
    model::{ObjectType, Type},
    walk::{Shape, Shapes, is_foreign},
};

/// What stood at a place before.
#[derive(Clone, Copy)]
pub(super) struct Before<'a> {
    pub(super) value: &'a Value,
    /// Whether all that is given there stood there before, with what is below it.
    is_repeated: bool,
}

impl<'a> Before<'a> {
    pub(super) fn new(value: &'a Value) -> Self {
        Self { value, is_repeated: false }
    }

    pub(super) fn member(self, name: &str) -> Option<Self> {
        let value = self.value.plain().as_object()?.get(name)?;
        Some(Self { value, ..self })
    }

    /// The element that this one was, in a list of so many now. It is told by what is given of it alone.
    pub(super) fn element(self, index: usize, count: usize, given: &Value) -> Option<Self> {
        let list = self.value.plain().as_list().filter(|list| list.len() == count)?;
        let value = list.get(index)?;
        (self.is_repeated || repeats(given, value)).then_some(Self { value, is_repeated: true })
    }

    /// Whether it was of this type, which the one there now is of, among those that there may be.
    pub(super) fn is_of(self, shapes: &mut Shapes<'a>, among: &'a Type, ty: &ObjectType) -> bool {
        match among {
            Type::Union(_) => {
                matches!(shapes.of(among, self.value.plain()), Ok(Shape::Fields(_, before)) if ptr::eq(before, ty))
            }
            _ => true,
        }
    }
}

/// Whether all that is given was there before. There may have been more, which nobody gives.
fn repeats(given: &Value, before: &Value) -> bool {
    let mut pairs = vec![(given, before)];
    while let Some((given, before)) = pairs.pop() {
        match (given.plain(), before.plain()) {
            (Value::Object(given), Value::Object(before)) => {
                let own = given.iter().filter(|(name, given)| !is_foreign(name, None) && !given.plain().is_null());
                for (name, given) in own {
                    let Some(before) = before.get(name) else { return false };
                    pairs.push((given, before));
                }
            }
            (Value::List(given), Value::List(before)) if given.len() == before.len() => {
                pairs.extend(given.iter().zip(before));
            }
            (given, before) if equivalent(given, before) => {}
            _ => return false,
        }
    }
    true
}
