//! Objects of an object type.

use std::collections::{BTreeMap, HashSet};

use bulkhead_value::{Archive, Asset, Object, PropertyPath, Segment, Value};

use super::{choice, draw::Draw, text::text};
use crate::{
    CheckRequest, Failure, check,
    model::{Discriminator, EnumType, ObjectType, Package, Primitive, Property, Type, Union, Validation},
    walk::spelt,
};

/// From here on only what is required is given: a type may contain itself.
const DEEP: usize = 4;
/// Nothing is deeper. The parser knows no type whose values have to be.
const DEEPEST: usize = 48;
/// No sample has more values: types that contain each other could make any number of them.
const MOST: usize = 20_000;
/// How often what is wrong is left out. Each time, a thousand failures are told at once.
const ROUNDS: usize = 100;
/// The greatest integer that is exact.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// How much is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// What must be.
    Required,
    /// That, and about half of the rest.
    Some,
    /// All that goes together, but for what is deprecated.
    All,
}

/// A generated object.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// The object.
    pub inputs: Object,
    /// What no value was found for. Optional properties are left out instead; where a required one is among them, the object
    /// doesn't pass its check.
    pub gaps: Vec<Failure>,
}

/// Makes values for the types of a package.
#[derive(Debug, Clone, Copy)]
pub struct Sampler<'a> {
    package: &'a Package,
    seed: u64,
}

impl<'a> Sampler<'a> {
    /// A sampler that draws from a seed.
    pub fn new(package: &'a Package, seed: u64) -> Self {
        Self { package, seed }
    }

    /// An object of a type. Members that the schema calls secret are.
    pub fn object(&self, ty: &ObjectType, extent: Extent) -> Sample {
        let mut inputs = Making::new(*self).fields(ty, extent, &PropertyPath::root(), None);
        let mut gaps: Vec<Failure> = Vec::new();
        // Leaving one out may break a rule about another. Each round leaves out at least one.
        for _ in 0..ROUNDS {
            let failures =
                check(self.package, CheckRequest { seed: Some(b"sample"), ..CheckRequest::of(ty, &inputs) }).failures;
            let optional = |name: &&str| inputs.contains_key(*name) && !ty.requires(name);
            let dropped: Vec<String> = failures
                .iter()
                .filter_map(|failure| failure.path.first_name())
                .filter(optional)
                .map(str::to_owned)
                .collect();
            gaps.extend(failures);
            if dropped.is_empty() {
                break;
            }
            for name in dropped {
                inputs.remove(&name);
            }
        }
        let mut told = HashSet::new();
        gaps.retain(|gap| told.insert((gap.path.clone(), gap.kind, gap.reason.clone())));
        Sample { inputs, gaps }
    }

    /// A value of a property at the top of an object.
    pub(super) fn value(&self, name: &str, property: &Property) -> Value {
        Making::new(*self).property(property, &PropertyPath::field(name))
    }
}

/// One object being made.
struct Making<'a> {
    package: &'a Package,
    seed: u64,
    /// How many values it may still have.
    left: usize,
}

impl<'a> Making<'a> {
    fn new(sampler: Sampler<'a>) -> Self {
        Self { package: sampler.package, seed: sampler.seed, left: MOST }
    }

    fn fields(&mut self, ty: &ObjectType, extent: Extent, place: &PropertyPath, told: Option<(&str, Value)>) -> Object {
        let extent = if depth(place) >= DEEP { Extent::Required } else { extent };
        if self.left == 0 {
            return Object::new();
        }
        let mut draw = Draw::new(self.seed, &place.child(Segment::Wildcard));
        let chosen = choice::properties(ty, extent, &mut draw);
        let properties = ty.properties.iter().filter(|(name, _)| chosen.contains(name.as_str()));
        let values = properties.map(|(name, property)| {
            (name.clone(), self.property(property, &place.child(Segment::Field(name.clone()))))
        });
        let mut fields: BTreeMap<String, Value> = values.collect();
        fields.extend(told.map(|(name, value)| (name.to_owned(), value)));
        fields.into_iter().collect()
    }

    fn property(&mut self, property: &Property, place: &PropertyPath) -> Value {
        let value = match &property.constant {
            Some(constant) => constant.clone(),
            None => self.of_type(&property.ty, property.facts.validate.as_ref(), place),
        };
        if property.secret { value.secret() } else { value }
    }

    fn of_type(&mut self, ty: &Type, rules: Option<&Validation>, place: &PropertyPath) -> Value {
        let Some(left) = self.left.checked_sub(1).filter(|_| depth(place) <= DEEPEST) else { return Value::Null };
        self.left = left;
        let mut draw = Draw::new(self.seed, place);
        match ty {
            Type::Boolean => (draw.below(2) == 1).into(),
            Type::Integer => number(rules, &mut draw, true),
            Type::Number => number(rules, &mut draw, false),
            Type::String => text(rules, &mut draw).into(),
            Type::Any => text(None, &mut draw).into(),
            Type::Resource(_) => format!("sample-{}", text(None, &mut draw)).into(),
            Type::Json => format!(r#"{{"sample":"{}"}}"#, text(None, &mut draw)).into(),
            Type::Asset => Asset::text(text(None, &mut draw)).into(),
            Type::Archive => {
                let member = Value::from(Asset::text(text(None, &mut draw)));
                Archive::members(Object::from([("sample.txt", member)])).into()
            }
            Type::Array(element) => {
                let elements = (0..count(rules, place, &mut draw))
                    .map(|index| self.of_type(element, None, &place.child(Segment::Index(index))));
                Value::from(elements.collect::<Vec<_>>())
            }
            Type::Map(element) => {
                let members = (0..count(rules, place, &mut draw)).map(|index| {
                    let key = format!("key{index}");
                    let value = self.of_type(element, None, &place.child(Segment::Key(key.clone())));
                    (key, value)
                });
                Value::Object(members.collect())
            }
            Type::Object(token) => self.named(token, place, None),
            Type::Enum(token) => match self.package.enum_type(token) {
                Some(enumeration) => among(enumeration, rules, &mut draw),
                None => Value::Null,
            },
            Type::Union(union) => self.of_union(union, rules, place, &mut draw),
        }
    }

    fn named(&mut self, token: &str, place: &PropertyPath, told: Option<(&str, Value)>) -> Value {
        let Some(ty) = self.package.object_type(token) else { return Object::new().into() };
        self.fields(ty, Extent::All, place, told).into()
    }

    /// A value of one of the variants; of one that ends, where it is deep already.
    fn of_union(&mut self, union: &Union, rules: Option<&Validation>, place: &PropertyPath, draw: &mut Draw) -> Value {
        let ends = |ty: &&Type| !matches!(ty, Type::Object(_) | Type::Union(_));
        let ending = union.variants.iter().find(ends).filter(|_| depth(place) >= DEEP);
        let Some(variant) = ending.or_else(|| draw.among(&union.variants)) else { return Value::Null };
        match (variant, &union.discriminator) {
            (Type::Object(token), Some(by)) => {
                let told = told(self.package, by, token);
                self.named(token, place, told.map(|value| (by.property.as_str(), value)))
            }
            // One step deeper, so that unions in unions draw afresh.
            (variant, _) => self.of_type(variant, rules, &place.child(Segment::Wildcard)),
        }
    }
}

fn depth(place: &PropertyPath) -> usize {
    place.segments().len()
}

/// What the discriminator says for the variant of this token.
fn told(package: &Package, by: &Discriminator, token: &str) -> Option<Value> {
    let mapped = by.mapping.iter().find(|(_, target)| *target == token).map(|(value, _)| value.as_str());
    let property = package.object_type(token).and_then(|ty| ty.property(&by.property));
    match property {
        Some(Property { constant: Some(constant), .. }) => Some(constant.clone()),
        Some(Property { ty: Type::Enum(of), .. }) => {
            let allowed = package.enum_type(of).map(|enumeration| enumeration.values.as_slice()).unwrap_or_default();
            let mapped = allowed.iter().find(|allowed| spelt(&allowed.value).as_deref() == mapped);
            mapped.or(allowed.first()).map(|allowed| allowed.value.clone())
        }
        Some(Property { ty: Type::Boolean, .. }) => mapped?.parse::<bool>().ok().map(Value::from),
        Some(Property { ty: Type::Integer | Type::Number, .. }) => mapped?.parse::<f64>().ok().map(Value::from),
        Some(_) => mapped.or_else(|| token.rsplit(':').next()).map(Value::from),
        None => None,
    }
}

fn among(enumeration: &EnumType, rules: Option<&Validation>, draw: &mut Draw) -> Value {
    let current: Vec<&Value> =
        enumeration.values.iter().filter(|value| value.deprecation.is_none()).map(|allowed| &allowed.value).collect();
    let any: Vec<&Value> = enumeration.values.iter().map(|allowed| &allowed.value).collect();
    match (draw.among(&current).or_else(|| any.first()), enumeration.underlying) {
        (Some(value), _) => (*value).clone(),
        (None, Primitive::Boolean) => true.into(),
        (None, Primitive::Integer) => number(rules, draw, true),
        (None, Primitive::Number) => number(rules, draw, false),
        (None, Primitive::String) => text(rules, draw).into(),
    }
}

/// A modest number within bounds.
fn number(rules: Option<&Validation>, draw: &mut Draw, whole: bool) -> Value {
    let step = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0].get(draw.below(8)).copied().unwrap_or_default();
    let (minimum, maximum) = rules.map(|rules| (rules.minimum, rules.maximum)).unwrap_or_default();
    let least = minimum.unwrap_or_else(|| maximum.map_or(1.0, |most| (most - 7.0).min(1.0)));
    let least = if whole { least.ceil().clamp(-EXACT, EXACT) } else { least };
    let most = maximum.unwrap_or(f64::INFINITY);
    let wanted = least + step;
    let number = if wanted <= most { wanted } else { least };
    let half = number + 0.5;
    if whole || half > most { number.into() } else { half.into() }
}

/// How many elements or members.
fn count(rules: Option<&Validation>, place: &PropertyPath, draw: &mut Draw) -> usize {
    let least = rules.and_then(|rules| rules.min_items).unwrap_or_default().min(1 << 12);
    let most = rules.and_then(|rules| rules.max_items).unwrap_or(usize::MAX);
    let usual = if depth(place) >= DEEP { 0 } else { draw.below(2).saturating_add(1) };
    usual.max(least).min(most)
}
