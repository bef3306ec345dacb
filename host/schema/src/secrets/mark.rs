//! Finding what is secret, and wrapping it.

use std::{
    borrow::Cow,
    collections::{BTreeSet, HashSet},
    mem, ptr,
};

use bulkhead_value::{Object, Value};

use super::repeated::Repeated;
use crate::{
    model::{Function, ObjectType, Package, Returns, Type},
    walk::{Shape, Shapes, can_hold, is_foreign, is_leaf},
};

/// Marks a state, or inputs, with everything that is known to be secret:
///
/// - what the schema says is secret, at every depth;
/// - what stands under the same name as something secret in the inputs, nested objects included; lists and everything
///   else with a secret in it as a whole;
/// - every string of 8 bytes or more that is a secret of the inputs. Shorter ones are equal by chance.
///
/// What is secret already stays so. `id` and `__*` aren't touched. Null isn't marked.
pub fn mark(package: &Package, ty: &ObjectType, inputs: Option<&Object>, mut state: Object) -> Object {
    let repeated = inputs.map(Repeated::of);
    let secret = found(&mut Shapes::new(package), ty, repeated.as_ref(), &state);
    wrap(state.values_mut(), &secret);
    state
}

/// What of a state is to be marked, by what it may repeat of inputs.
pub(super) fn found<'a>(
    shapes: &mut Shapes<'a>,
    ty: &'a ObjectType,
    repeated: Option<&Repeated<'_>>,
    state: &'a Object,
) -> Places {
    let mut secret = Places::default();
    fields_by_schema(shapes, ty, state, &mut secret);
    if let Some(repeated) = repeated {
        repeated.by_name(state, &mut secret);
        let members = state.iter().filter(|(name, _)| !is_foreign(name, Some(ty)));
        by_value(members.map(|(_, value)| value).collect(), &repeated.strings, &mut secret);
    }
    secret
}

/// Marks what a function returned, by its schema.
pub fn mark_return(package: &Package, function: &Function, mut value: Value) -> Value {
    let mut secret = Places::default();
    let mut shapes = Shapes::new(package);
    match (&function.outputs, value.plain()) {
        (Returns::Object(ty), Value::Object(object)) => fields_by_schema(&mut shapes, ty, object, &mut secret),
        (Returns::Type(ty), _) => by_schema(&mut shapes, vec![(ty, &value)], &mut secret),
        _ => {}
    }
    wrap([&mut value], &secret);
    value
}

/// Values to wrap, by address: they stay where they are from the search to the wrapping.
#[derive(Default)]
pub(super) struct Places(HashSet<usize>);

impl Places {
    pub(super) fn add(&mut self, value: &Value) {
        self.0.insert(ptr::from_ref(value).addr());
    }

    pub(super) fn has(&self, value: &Value) -> bool {
        self.0.contains(&ptr::from_ref(value).addr())
    }
}

fn by_schema<'a>(shapes: &mut Shapes<'a>, mut open: Vec<(&'a Type, &'a Value)>, secret: &mut Places) {
    // Where a union's variants are asked one after the other, each comes to the same members: without a note of those, twice as often
    // with each level.
    let mut asked = HashSet::new();
    while let Some((ty, value)) = open.pop() {
        if matches!(ty, Type::Union(_)) && !asked.insert((ptr::from_ref(ty), ptr::from_ref(value))) {
            continue;
        }
        let plain = value.plain();
        let variant = shapes.variant(ty, plain);
        let shape = match variant {
            // A union that can't be told apart yet.
            Ok(Type::Any) if !matches!(ty, Type::Any) => None,
            Ok(variant) => shapes.of(variant, plain).ok(),
            Err(_) => None,
        };
        let among_several = match (variant, &shape) {
            // A map, though it could be an object with more members than its type knows: what that has as secrets are.
            (_, Some(Shape::Entries(object, _))) => Some(*object),
            // An object of no variant, though one comes nearest: what any of them has as secrets are.
            (Ok(variant), Some(Shape::Fields(object, _))) if !ptr::eq(variant, ty) && !shapes.fits(variant, plain) => {
                Some(*object)
            }
            _ => None,
        };
        if let (Type::Union(union), Some(object)) = (ty, among_several) {
            for variant in &union.variants {
                let Type::Object(token) = variant else { continue };
                if !shapes.take(object.len()) {
                    secret.add(value);
                    break;
                }
                let ty = shapes.package.object_type(token);
                open.extend(ty.into_iter().flat_map(|ty| declared(ty, object, secret)));
            }
        }
        match shape {
            Some(Shape::Items(list, ty)) => open.extend(list.iter().map(|item| (ty, item))),
            Some(Shape::Entries(object, ty)) => open.extend(object.values().map(|member| (ty, member))),
            Some(Shape::Fields(object, ty)) => open.extend(declared(ty, object, secret)),
            Some(Shape::Leaf) => {}
            // Where a value isn't what it should be, nobody knows which part of it would be secret.
            None if can_hold(shapes, ty, |property| property.secret) => secret.add(value),
            None => {}
        }
    }
}

pub(super) fn fields_by_schema<'a>(
    shapes: &mut Shapes<'a>,
    ty: &'a ObjectType,
    object: &'a Object,
    secret: &mut Places,
) {
    let open = declared(ty, object, secret);
    by_schema(shapes, open, secret);
}

/// The members of an object that aren't secret themselves by the schema, but may hold what is; those that are secret are noted.
fn declared<'a>(ty: &'a ObjectType, object: &'a Object, secret: &mut Places) -> Vec<(&'a Type, &'a Value)> {
    let mut open = Vec::new();
    for (name, value) in object {
        match ty.properties.get(name) {
            Some(property) if property.secret => secret.add(value),
            Some(property) if !is_leaf(&property.ty) => open.push((&property.ty, value)),
            _ => {}
        }
    }
    open
}

fn by_value(mut open: Vec<&Value>, strings: &BTreeSet<Cow<'_, str>>, secret: &mut Places) {
    if strings.is_empty() {
        return;
    }
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) if strings.contains(text.as_str()) => secret.add(value),
            Value::List(list) => open.extend(list.iter()),
            Value::Output(output) if !output.secret => open.extend(output.value.as_deref()),
            value => {
                let members = value.members().into_iter().flatten();
                open.extend(members.filter(|(name, _)| !is_foreign(name, None)).map(|(_, value)| value));
            }
        }
    }
}

/// Wraps what was found. What is inside a secret is secret with it.
pub(super) fn wrap<'v>(values: impl IntoIterator<Item = &'v mut Value>, secret: &Places) {
    if secret.0.is_empty() {
        return;
    }
    let mut open: Vec<&mut Value> = values.into_iter().collect();
    while let Some(value) = open.pop() {
        let found = secret.has(value);
        match value {
            Value::Secret(_) | Value::Null => {}
            // To be wrapped as well would be to be secret twice.
            Value::Output(output) if found => output.secret = true,
            value if found => *value = mem::replace(value, Value::Null).secret(),
            Value::List(list) => open.extend(list.iter_mut()),
            Value::Object(object) => open.extend(object.values_mut()),
            Value::Output(output) => open.extend(output.value.as_deref_mut()),
            _ => {}
        }
    }
}
