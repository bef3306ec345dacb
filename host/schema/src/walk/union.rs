//! Which variant of a union a value is of.
//!
//! A discriminator decides. Without one the first variant that fits is taken, rather one that knows all members than one that
//! would take some for anybody's notes; if none fits, the one that comes nearest, so that what is wrong can be said about
//! that one. Where what decides isn't known yet, nor is the variant.

use bulkhead_value::Value;

use super::{
    discriminator::{self, Told},
    fit::{Notes, effort, searched, wrong_members},
    reach::is_leaf,
    shape::{Mismatch, Reason, Shape, Shapes},
};
use crate::model::{Property, Type, Union};

impl<'a> Shapes<'a> {
    /// The variant that a value is of, if that is known. If it fits none, the one that it comes nearest to.
    pub(super) fn choose(
        &mut self,
        ty: &'a Type,
        union: &'a Union,
        value: &'a Value,
    ) -> Result<Option<&'a Type>, Mismatch<'a>> {
        if let Some(discriminator) = &union.discriminator {
            if !self.take(union.variants.len()) {
                return Err(Reason::TooMuch.into());
            }
            match discriminator::told(self.package, union, discriminator, value) {
                Told::Variant(variant) => return Ok(Some(variant)),
                Told::Anything => return Ok(None),
                Told::Nothing if !self.take(discriminator.mapping.len()) => return Err(Reason::TooMuch.into()),
                Told::Nothing => {
                    let known = discriminator::known_values(self.package, union, discriminator);
                    return Err(Mismatch { reason: Reason::NoVariant(known), property: Some(&discriminator.property) });
                }
                Told::NotSaid => {}
            }
        }
        let mut distances = Vec::with_capacity(union.variants.len());
        for variant in &union.variants {
            distances.push((self.distance(variant, value), variant));
        }
        let mut plausible = distances.iter().filter(|(distance, _)| *distance == Some(0)).map(|(_, variant)| *variant);
        let several = match (plausible.next(), plausible.next()) {
            (Some(only), None) if !self.is_spent() => return Ok(Some(only)),
            (first, second) => first.into_iter().chain(second).chain(plausible),
        };
        let several: Vec<&Type> = several.collect();
        // What one variant takes for notes may be keys of a map, which are the user's.
        for notes in [Notes::Defaults, Notes::Any] {
            let mut left = several.iter().copied();
            if let Some(variant) = left.find(|variant| self.fits_with(variant, value, notes)) {
                // Where all is known, as in every state, that is all there is to find out.
                let is_open = left.len() > 0
                    && self.has_unknown(value)
                    && left
                        .any(|other| self.fits_with(other, value, notes) && self.differ_about(variant, other, value));
                return Ok(if is_open { None } else { Some(variant) });
            }
        }
        if self.is_spent() {
            return Err(Reason::TooMuch.into());
        }
        self.nearest_variant(ty, union, &distances, value).map(Some)
    }

    /// Whether the value says itself of which variant it is, if there are several.
    pub(crate) fn is_said(&mut self, ty: &Type, value: &Value) -> bool {
        let Type::Union(union) = ty else { return true };
        self.take(union.variants.len())
            && union.discriminator.as_ref().is_some_and(|discriminator| {
                matches!(discriminator::told(self.package, union, discriminator, value), Told::Variant(_))
            })
    }

    /// Whether two variants that a value fits differ about what isn't known in it, and so which of them it is of isn't known
    /// either. Between scalars, and lists and maps of some, nothing depends on it.
    fn differ_about(&mut self, one: &'a Type, other: &'a Type, value: &'a Value) -> bool {
        if is_leaf(one) && is_leaf(other) {
            return false;
        }
        match (self.shallow(one, value), self.shallow(other, value)) {
            (Ok(Shape::Fields(object, one)), Ok(Shape::Fields(_, other))) => {
                let differing = object.iter().filter(|(name, _)| {
                    let [one, other] = [one, other].map(|ty| ty.property(name));
                    let said =
                        |property: Option<&'a Property>| property.map(|property| (&property.ty, &property.constant));
                    said(one) != said(other)
                });
                differing.into_iter().any(|(_, member)| self.has_unknown(member))
            }
            _ => self.has_unknown(value),
        }
    }

    fn has_unknown(&mut self, value: &Value) -> bool {
        self.take(value.nodes()) && value.contains_unknown()
    }

    /// How far a variant is from a value at first sight: the number of members that are wrong. `None` if it is of another
    /// kind.
    fn distance(&mut self, variant: &'a Type, value: &'a Value) -> Option<usize> {
        if !self.take(searched(variant, value).max(1)) {
            return None;
        }
        if matches!(variant, Type::Union(_)) {
            return Some(0);
        }
        match self.shallow(variant, value) {
            Ok(Shape::Fields(object, ty)) if self.take(effort(ty, object)) => {
                Some(wrong_members(ty, object, Notes::Any))
            }
            Ok(Shape::Fields(..)) | Err(_) => None,
            Ok(_) => Some(0),
        }
    }

    fn nearest_variant(
        &self,
        ty: &'a Type,
        union: &'a Union,
        distances: &[(Option<usize>, &'a Type)],
        value: &'a Value,
    ) -> Result<&'a Type, Mismatch<'a>> {
        let known = distances.iter().filter_map(|(distance, variant)| Some(((*distance)?, *variant)));
        if let Some((_, variant)) = known.min_by_key(|(distance, _)| *distance) {
            return Ok(variant);
        }
        // Of the right kind, but wrong otherwise: say that rather than to list all variants.
        let mut specific = union.variants.iter().filter_map(|variant| match self.shallow(variant, value) {
            Err(Mismatch { reason: Reason::Kind(..), .. }) | Ok(_) => None,
            Err(mismatch) => Some(mismatch),
        });
        match (specific.next(), specific.next()) {
            (Some(only), None) => Err(only),
            _ => Err(Reason::Kind(ty, value.kind()).into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value as Json, json};

    use super::{Reason, Shapes};
    use crate::{
        fixture::{one, resource, value},
        model::Package,
    };

    /// A package with a union of so many object types, all of which a value has to be compared with in full.
    fn unions(variants: usize) -> Package {
        let types: Map<String, Json> = (0..variants)
            .map(|number| {
                                let inner = json!({ "type": "array", "items": { "type": "object", "additionalProperties": { "type": "string" } } });
                (format!("t:index:V{number}"), json!({ "type": "object", "properties": { "inner": inner } }))
            })
            .collect();
        let variants: Vec<Json> = types.keys().map(|token| json!({ "$ref": format!("#/types/{token}") })).collect();
        one(json!({ "p": { "oneOf": variants } }), json!({}), types.into())
    }

    #[test]
    fn what_would_take_too_long_is_not_found_out() {
        let package = unions(100);
        let ty = &resource(&package).inputs.properties["p"].ty;
        let mut inner = vec![json!({ "x": "a" }); 100];
        inner[0] = json!({ "x": 1 });
        let value = value(json!({ "inner": inner }));
        let mut shapes = Shapes::within(&package, 2_000);
        let refused = shapes.of(ty, &value).err().map(|mismatch| mismatch.reason);
        assert!(matches!(refused, Some(Reason::TooMuch)) && shapes.is_spent(), "{refused:?}");
        assert!(Shapes::new(&package).of(ty, &value).is_ok());
    }
}
