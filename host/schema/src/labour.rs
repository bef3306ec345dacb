//! How much work the values of a package can be.
//!
//! To tell the variants of a union apart may take a look at all of them, and at those of the unions below; what an object requires and
//! excludes is looked up name by name, and a text is tried on patterns place by place. So a value of a kilobyte can be work for
//! seconds. Whoever answers others on the same thread has to know before beginning: this says it of the package alone, at the worst.

use crate::{
    check::Exclusions,
    model::{Definition, ObjectType, Package, Pattern, Returns, Type},
    walk::is_leaf,
};

/// How many steps a byte of a value takes where nothing is out of the ordinary: of a text that is tried on a pattern of some dozens of
/// characters, or of objects that require dozens of properties.
const USUAL: usize = 32;

/// What an empty object takes on the wire as an element of a list, bytes.
const SMALLEST: usize = 4;

/// How many properties an object of a type may declare before they are many, and how many times as much work one of those beyond is as
/// one that is looked at: where it is left out, a preview may promise it. So is any with a default, which is filled in.
const PROPERTIES: usize = 32;
const MADE: usize = 8;

/// How many times as much work as usual a value of the package may be for its size; 1 for most.
pub(crate) fn labour(package: &Package) -> usize {
    let mut found = Found::default();
    for object in package.types.values().filter_map(|definition| match definition {
        Definition::Object(object) => Some(object),
        Definition::Enum(_) => None,
    }) {
        found.object(package, object);
        // There may be as many of them as there is room for, and of all that isn't a type of its own there is one.
        let filled = object.properties.values().filter(|property| property.value_if_omitted().is_some()).count();
        let made = object.properties.len().saturating_sub(PROPERTIES).max(filled);
        found.made = found.made.max(made.saturating_mul(MADE));
    }
    for resource in package.resources.values().chain([&package.provider]) {
        let others = resource.state_inputs.iter().chain(&resource.list_inputs);
        [&resource.inputs, &resource.outputs].into_iter().chain(others).for_each(|ty| found.object(package, ty));
    }
    for function in package.functions.values() {
        function.inputs.iter().for_each(|ty| found.object(package, ty));
        match &function.outputs {
            Returns::Nothing => {}
            Returns::Object(ty) => found.object(package, ty),
            Returns::Type(ty) => found.ty(package, ty),
        }
    }
    found.object(package, &package.configuration);
    found.steps_a_byte().div_euclid(USUAL).max(1)
}

/// How many steps there are at most.
#[derive(Default)]
struct Found {
    /// Of all unions that have more below their variants: a value may have to be tried on all of them.
    unions: usize,
    /// Of any other union.
    widest: usize,
    /// Of any object.
    object: usize,
    /// Of any object to which much is added.
    made: usize,
    /// Of a byte on any pattern.
    places: usize,
}

impl Found {
    fn object(&mut self, package: &Package, ty: &ObjectType) {
        self.object = self.object.max(ty.required.len().saturating_add(Exclusions::effort(ty)));
        for property in ty.properties.values() {
            let pattern = property.facts.validate.as_ref().and_then(|rules| rules.pattern.as_ref());
            self.places = self.places.max(pattern.map_or(0, Pattern::places));
            self.ty(package, &property.ty);
        }
    }

    fn ty(&mut self, package: &Package, ty: &Type) {
        let mut open = vec![ty];
        while let Some(ty) = open.pop() {
            match ty {
                Type::Array(element) | Type::Map(element) => open.push(element),
                Type::Union(union) if union.variants.iter().all(is_leaf) => {
                    self.widest = self.widest.max(union.variants.len());
                }
                Type::Union(union) => {
                    let required = |variant: &Type| match variant {
                        Type::Object(token) => package.object_type(token).map_or(0, |ty| ty.required.len()),
                        _ => 0,
                    };
                    for variant in &union.variants {
                        self.unions = self.unions.saturating_add(required(variant)).saturating_add(1);
                    }
                    open.extend(&union.variants);
                }
                _ => {}
            }
        }
    }

    fn steps_a_byte(&self) -> usize {
        let of_a_value = self.unions.saturating_add(self.widest).saturating_add(self.object).saturating_add(self.made);
        of_a_value.div_euclid(SMALLEST).max(self.places)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use crate::fixture::{cloud, one, random};

    fn alike(types: usize, required: usize) -> (Json, Json) {
        let names: Vec<String> = (0..required).map(|number| format!("p{number}")).collect();
        let properties: Json = names.iter().map(|name| (name.clone(), json!({ "type": "string" }))).collect();
        let ty = json!({ "properties": properties, "required": names });
        let variants = (0..types).map(|number| json!({ "$ref": format!("#/types/t:index:T{number}") }));
        let union = json!({ "oneOf": variants.collect::<Vec<_>>() });
        (union, (0..types).map(|number| (format!("t:index:T{number}"), ty.clone())).collect())
    }

    #[test]
    fn most_packages_are_as_usual() {
        assert_eq!([cloud(), random()].map(|package| package.labour()), [1, 1]);
        let (union, types) = alike(3, 10);
        assert_eq!(one(json!({ "p": union }), json!({}), types).labour(), 1);
        let scalars = json!({ "oneOf": [{ "type": "string" }, { "type": "integer" }] });
        let many: Json = (0..1_000).map(|number| (format!("p{number}"), scalars.clone())).collect();
        assert_eq!(one(many.clone(), many, json!({})).labour(), 1);
    }

    #[test]
    fn what_may_take_long_counts_wherever_it_stands() {
        let (union, types) = alike(20, 99);
        let each = 99 + 8 * (99 - 32);
        let labour = (2_000 + each) / 4 / 32;
        let of = |inputs: Json, outputs: Json| one(inputs, outputs, types.clone()).labour();
        assert_eq!(of(json!({ "p": union }), json!({})), labour);
        assert_eq!(of(json!({}), json!({ "p": { "type": "array", "items": union } })), labour);
        assert_eq!(of(json!({ "p": union }), json!({ "p": union })), (4_000 + each) / 4 / 32);
        let pattern =
            json!({ "type": "string", "language": { "bulkhead": { "validate": { "pattern": "^(a?b?){1000}$" } } } });
        assert_eq!(one(json!({ "p": pattern }), json!({}), json!({})).labour(), 2_001 / 32);
        let required: Vec<String> = (0..12_800).map(|number| format!("p{number}")).collect();
        let properties: Json = required.iter().map(|name| (name.clone(), json!({ "type": "string" }))).collect();
        let ty = json!({ "t:index:T": { "properties": properties, "required": required } });
        let (alone, made) = ((12_800 + 8 * (12_800 - 32)) / 4 / 32, 8 * (4_000 - 32) / 4 / 32);
        assert_eq!(one(json!({ "p": { "$ref": "#/types/t:index:T" } }), json!({}), ty).labour(), alone);
        // What isn't given is work too, where a default stands in for it or a preview promises it.
        let optional: Json = (0..4_000).map(|number| (format!("p{number}"), json!({ "type": "string" }))).collect();
        let ty = json!({ "t:index:T": { "properties": optional } });
        assert_eq!(one(json!({}), json!({ "p": { "$ref": "#/types/t:index:T" } }), ty).labour(), made);
        let defaults: Json =
            (0..128).map(|number| (format!("p{number}"), json!({ "type": "string", "default": "" }))).collect();
        let ty = json!({ "t:index:T": { "properties": defaults } });
        assert_eq!(one(json!({ "p": { "$ref": "#/types/t:index:T" } }), json!({}), ty).labour(), 8 * 128 / 4 / 32);
    }
}
