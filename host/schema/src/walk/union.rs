//! Which variant of a union a value is of.
//!
//! A discriminator decides. Without one the first variant that fits is taken; if none does, the one that comes nearest,
//! so that what is wrong can be said about that one.

use bulkhead_value::Value;

use super::{
    discriminator::{self, Told},
    fit::wrong_members,
    shape::{Mismatch, Reason, Shape, Shapes},
};
use crate::model::{Type, Union};

impl<'a> Shapes<'a> {
    /// The variant that a value is of. If it fits none, the one that it comes nearest to.
    pub(super) fn choose(
        &mut self,
        ty: &'a Type,
        union: &'a Union,
        value: &'a Value,
    ) -> Result<&'a Type, Mismatch<'a>> {
        if let Some(discriminator) = &union.discriminator {
            match discriminator::told(self.package, union, discriminator, value) {
                Told::Variant(variant) => return Ok(variant),
                Told::Anything => return Ok(&Type::Any),
                Told::Nothing => {
                    let known = discriminator::known_values(self.package, union, discriminator);
                    return Err(Mismatch { reason: Reason::NoVariant(known), property: Some(&discriminator.property) });
                }
                Told::NotSaid => {}
            }
        }
        let plausible: Vec<&Type> =
            union.variants.iter().filter(|variant| self.distance(variant, value) == Some(0)).collect();
        if let [only] = plausible.as_slice() {
            return Ok(only);
        }
        for variant in &plausible {
            if self.fits(variant, value) {
                return Ok(variant);
            }
        }
        self.nearest_variant(ty, union, value)
    }

    /// How far a variant is from a value at first sight: the number of members that are wrong. `None` if it is of another
    /// kind.
    fn distance(&self, variant: &'a Type, value: &'a Value) -> Option<usize> {
        if matches!(variant, Type::Union(_)) {
            return Some(0);
        }
        match self.shallow(variant, value) {
            Ok(Shape::Fields(object, ty)) => Some(wrong_members(ty, object)),
            Ok(_) => Some(0),
            Err(_) => None,
        }
    }

    fn nearest_variant(&self, ty: &'a Type, union: &'a Union, value: &'a Value) -> Result<&'a Type, Mismatch<'a>> {
        let distances = union.variants.iter().filter_map(|variant| Some((self.distance(variant, value)?, variant)));
        if let Some((_, variant)) = distances.min_by_key(|(distance, _)| *distance) {
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
