//! Schemas and inputs that take more than they should.

use serde_json::Map;

use super::{
    super::{inputs::Checker, validation::Tries},
    *,
};
use crate::{
    conform,
    conform::conform_within,
    walk::{Shapes, Steps},
};

#[test]
fn many_defaults_are_filled_in_at_once() {
    let count = 6_000;
    let property = |number: usize| {
        let rules = json!({ "bulkhead": { "validate": { "conflictsWith": ["given"] } } });
        let mut property = json!({ "type": "string", "default": "d" });
        if number.is_multiple_of(2) {
            property["language"] = rules;
        }
        (format!("p{number}"), property)
    };
    let mut properties: Map<String, Json> = (0..count).map(property).collect();
    properties.insert("given".to_owned(), json!({ "type": "string" }));
    let package = one(properties.into(), json!({}), json!({}));
    let inputs = object(json!({ "given": "x" }));
    let checked = check(&package, CheckRequest::of(&resource(&package).inputs, &inputs));
    assert_eq!((checked.filled.len(), checked.failures), (count / 2, vec![]));
}

#[test]
fn defaults_without_end_are_refused() {
    let text = "d".repeat(1 << 20);
    let properties: Map<String, Json> =
        (0..8).map(|number| (format!("p{number}"), json!({ "type": "string", "default": text }))).collect();
    let types = json!({ "t:index:Wide": { "type": "object", "properties": properties } });
    let wide = json!({ "type": "array", "items": { "$ref": "#/types/t:index:Wide" } });
    let package = one(json!({ "wide": wide }), json!({}), types);
    let of = |count: usize| object(json!({ "wide": vec![json!({}); count] }));
    let wrong = |inputs: &Object| told(&check(&package, CheckRequest::of(&resource(&package).inputs, inputs)).failures);
    assert_eq!(wrong(&of(2)), Vec::<String>::new());
    assert_eq!(wrong(&of(20)), ["wide[15].p2: more would be filled in than anybody could keep track of"]);
}

#[test]
fn inputs_that_are_wrong_everywhere_end_after_a_thousand_failures() {
    let package = one(json!({ "list": { "type": "array", "items": { "type": "integer" } } }), json!({}), json!({}));
    let inputs = object(json!({ "list": vec![json!("x"); 5_000] }));
    assert_eq!(check(&package, CheckRequest::of(&resource(&package).inputs, &inputs)).failures.len(), 1_000);
}

#[test]
fn a_choice_among_many_lists_some() {
    let names: Vec<String> = (0..50).map(|number| format!("p{number:02}")).collect();
    let property = json!({ "type": "string", "language": { "bulkhead": { "validate": { "exactlyOneOf": names } } } });
    let properties: Map<String, Json> = names.iter().map(|name| (name.clone(), property.clone())).collect();
    let package = one(properties.into(), json!({}), json!({}));
    let told = told(&check(&package, CheckRequest::of(&resource(&package).inputs, &Object::new())).failures);
    assert!(told.len() == 1 && told[0].ends_with("'p18', 'p19', 30 more must be given"), "{told:?}");
}

#[test]
fn a_text_too_long_for_its_pattern_is_refused() {
    let rules = json!({ "bulkhead": { "validate": { "pattern": "^a*$" } } });
    let property = json!({ "type": "string", "language": rules });
    assert_eq!(wrong(property.clone(), json!("a".repeat(65_536))), Vec::<String>::new());
    assert_eq!(
        wrong(property, json!("a".repeat(65_537))),
        ["p: expected at most 65536 bytes, the most that its pattern is tried on"]
    );
}

#[test]
fn texts_of_a_check_are_tried_on_patterns_for_so_long_together() {
    let rules = json!({ "bulkhead": { "validate": { "pattern": "^[a-z]{1,63}$" } } });
    let item = json!({ "type": "object", "properties": { "name": { "type": "string", "language": rules } } });
    let items = json!({ "type": "array", "items": { "$ref": "#/types/t:index:Item" } });
    let package = one(json!({ "items": items }), json!({}), json!({ "t:index:Item": item }));
    let of =
        |count: usize, length: usize| object(json!({ "items": vec![json!({ "name": "a".repeat(length) }); count] }));
    let ty = &resource(&package).inputs;
    assert_eq!(check(&package, CheckRequest::of(ty, &of(10_000, 60))).failures, vec![]);

    // Ten bytes with the end, on 66 places.
    let inputs = of(100, 9);
    let told_within = |steps: usize| {
        let mut checker = Checker::new(CheckRequest::of(ty, &inputs), Shapes::new(&package));
        checker.tries = Tries::within(steps);
        told(&checker.run().checked.failures)
    };
    assert_eq!(told_within(66_000), Vec::<String>::new());
    assert_eq!(told_within(30_000), ["items[45].name: there are more and longer texts than patterns are tried on"]);
}

#[test]
fn a_proposed_name_that_is_not_tried_is_not_replaced() {
    let facts = json!({ "bulkhead": { "autoname": {}, "validate": { "pattern": "^[a-z]+$" } } });
    let package = one(json!({ "name": { "type": "string", "language": facts } }), json!({}), json!({}));
    let (inputs, wish) =
        (Object::new(), Autonaming { mode: AutonamingMode::Propose, proposed_name: "given".to_owned() });
    let request = CheckRequest {
        autonaming: Some(&wish),
        seed: Some(&[1; 32]),
        ..CheckRequest::of(&resource(&package).inputs, &inputs)
    };
    assert_eq!(check(&package, request).inputs, object(json!({ "name": "given" })));
    let mut checker = Checker::new(request, Shapes::new(&package));
    checker.tries = Tries::within(1);
    let checked = checker.run().complete(inputs.clone());
    let untried = "name: missing required property 'name': there are more and longer texts than patterns are tried on";
    assert_eq!((told(&checked.failures), checked.inputs), (vec![untried.to_owned()], Object::new()));
}

/// A union of enums, each with these values, and a package with it.
fn enums(enums: impl Iterator<Item = Vec<String>>) -> Package {
    let types: Map<String, Json> = enums
        .enumerate()
        .map(|(number, values)| {
            let values: Vec<Json> = values.into_iter().map(|value| json!({ "value": value })).collect();
            (format!("t:index:E{number:03}"), json!({ "type": "string", "enum": values }))
        })
        .collect();
    let variants: Vec<Json> = types.keys().map(|token| json!({ "$ref": format!("#/types/{token}") })).collect();
    let union = json!({ "oneOf": variants });
    let wrapped = json!({ "oneOf": [{ "type": "boolean" }, union, { "type": "boolean" }, union] });
    one(json!({ "p": wrapped }), json!({}), types.into())
}

#[test]
fn what_a_union_expects_is_told_in_part() {
    let wrong = |package: &Package| {
        let inputs = object(json!({ "p": 1 }));
        told(&check(package, CheckRequest::of(&resource(package).inputs, &inputs)).failures).join("|")
    };
    assert_eq!(wrong(&enums((0..2).map(|_| vec!["a".to_owned()]))), "p: expected a boolean or 'a', got a number");
    let many = wrong(&enums((0..30).map(|number| vec![format!("v{number}")])));
    assert!(many.starts_with("p: expected a boolean, 'v0', 'v1', "), "{many}");
    assert!(many.ends_with(", 'v17', 'v18' or 11 more, got a number"), "{many}");
    let value = |number: usize, last: usize| format!("{number}.{last}{}", "😀".repeat(100));
    let long = wrong(&enums((0..100).map(|number| (0..20).map(|last| value(number, last)).collect())));
    assert!(long.len() <= "p: ".len() + (4 << 10) + "…".len() && long.ends_with('…'), "{} {long}", long.len());
}

#[test]
fn names_that_take_too_long_to_look_up_are_not() {
    let variables: Vec<String> = (0..1_000).map(|number| format!("VARIABLE_{number}")).collect();
    let property = json!({ "type": "string", "defaultInfo": { "environment": variables } });
    let package = one(json!({ "p": property }), json!({}), json!({}));
    let ty = &resource(&package).inputs;
    let asked = std::cell::Cell::new(0);
    let environment = |_: &str| {
        asked.set(asked.get() + 1);
        None
    };
    let inputs = Object::new();
    let request = || CheckRequest { environment: &environment, ..CheckRequest::of(ty, &inputs) };
    let hasty = Checker::new(request(), Shapes::within(&package, 900)).run().checked;
    let too_much = "there is too much in it to be compared with the types that the schema allows";
    assert_eq!((hasty.failures[0].reason.as_str(), asked.get()), (too_much, 0));
    assert_eq!((check(&package, request()).failures, asked.get()), (vec![], 1_000));
}

proptest! {
    #[test]
    fn what_is_wrong_is_never_right_for_want_of_time(inputs in like_inputs(), steps in 0_usize..300) {
        let package = cloud();
        let ty = &server(&package).inputs;
        let request = CheckRequest::of(ty, &inputs);
        let hasty = Checker::new(request, Shapes::within(&package, steps)).run().checked;
        let failures = check(&package, request).failures;
        prop_assert!(failures.is_empty() || !hasty.failures.is_empty(), "{:?}", failures);
        let conforming = conform(&package, ty, &inputs);
        let hasty = conform_within(&package, ty, &inputs, &mut Steps::exactly(steps));
        prop_assert!(conforming.is_empty() || !hasty.is_empty(), "{:?}", conforming);
    }
}
