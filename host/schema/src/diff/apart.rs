//! Objects of a union that are of different variants.
//!
//! Without a discriminator, variants are told apart by what members there are: one optional member more makes another variant of the
//! same thing. So a change of it is no more than that, though something that replaces stands beside it. Where a constant or a
//! discriminator changes, it is another thing, and anything in it may replace.

use bulkhead_value::{Object, Value};

use super::{
    compare::{Differ, Pair, given},
    recorded::Recorded,
};
use crate::{
    model::{ObjectType, Property, Type, Union},
    walk::{Shape, Step, can_replace, is_foreign},
};

impl<'a> Differ<'a> {
    /// Compares two objects that aren't of one object type, in which something replaces.
    pub(super) fn apart(&mut self, pair: &Pair<'a>, values: [&'a Value; 2], members: [&'a Object; 2]) {
        let ([old_value, new_value], [old, new]) = (values, members);
        let (before, after) = (self.variants_of(pair.ty, old_value), self.variants_of(pair.ty, new_value));
        let (Some(before), Some(after)) = (before, after) else {
            self.entries(old, new, &Type::Any, Recorded::Nowhere, true);
            return;
        };
        for (name, old, new) in given(old, new).filter(|(name, ..)| !is_foreign(name, None)) {
            // Without the time to find out, a replacement is told: none is lost.
            let known = self.shapes.take(before.len().saturating_add(after.len()));
            let declared = |types: &[&'a ObjectType]| -> Vec<&'a Property> {
                types.iter().filter_map(|ty| ty.property(name)).collect()
            };
            let [before, after] = [&before, &after].map(|types| if known { declared(types) } else { Vec::new() });
            let both = || before.iter().chain(&after);
            let itself = !known || both().any(|property| property.replaces || property.constant.is_some());
            if let (Some(old), Some(new), Some(first)) = (old, new, both().next())
                && !before.is_empty()
                && !after.is_empty()
                && both().all(|property| property.ty == first.ty)
            {
                // It is of one type whichever variant it is in. Where the state stands in for the inputs, it says what is in there.
                let state = if self.from_state { Recorded::Value(old) } else { Recorded::Nowhere };
                let ty = &first.ty;
                self.walk.push(Step::Key(name), Pair { ty, old, new, state, replaces: itself });
                continue;
            }
            let mut holds = |properties: &[&'a Property], value: Option<&'a Value>| {
                let Some(value) = value else { return false };
                properties.iter().any(|property| can_replace(&mut self.shapes, &property.ty, value))
            };
            let replaces = itself || holds(&before, old) || holds(&after, new);
            match (old, new) {
                (Some(old), Some(new)) => {
                    let (ty, state) = (&Type::Any, Recorded::Nowhere);
                    self.walk.push(Step::Key(name), Pair { ty, old, new, state, replaces });
                }
                (None, Some(new)) => self.appear(Step::Key(name), None, new, replaces),
                (Some(old), None) => self.disappear(Step::Key(name), &Type::Any, old, replaces),
                (None, None) => {}
            }
        }
    }

    /// The object types that a value is of, or may be of while that isn't known. None where other types say what is in it.
    fn variants_of(&mut self, ty: &'a Type, value: &'a Value) -> Option<Vec<&'a ObjectType>> {
        let Type::Union(union) = ty else { return None };
        if is_told(union) {
            return None;
        }
        if self.shapes.is_open(ty, value) {
            return self.objects_in(union);
        }
        match self.shapes.of(ty, value) {
            Ok(Shape::Fields(_, ty)) => Some(vec![ty]),
            _ => None,
        }
    }

    fn objects_in(&self, union: &'a Union) -> Option<Vec<&'a ObjectType>> {
        let mut open: Vec<&Type> = union.variants.iter().collect();
        let mut found = Vec::new();
        while let Some(ty) = open.pop() {
            match ty {
                Type::Object(token) => found.push(self.shapes.package.object_type(token)?),
                Type::Union(union) => open.extend(&union.variants),
                Type::Map(_) | Type::Any | Type::Json => return None,
                _ => {}
            }
        }
        Some(found)
    }
}

/// Whether a discriminator tells the variants of a union, or of one in it. Unions are nested only as deep as the document.
fn is_told(union: &Union) -> bool {
    union.discriminator.is_some()
        || union.variants.iter().any(|variant| matches!(variant, Type::Union(union) if is_told(union)))
}
