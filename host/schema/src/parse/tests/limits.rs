//! Schemas that take more than they should.

use serde_json::{Map, Value as Json, json};

use super::{problems, with_input};
use crate::{Package, SchemaError};

fn first_problem(schema: &Json) -> String {
    problems(schema).into_iter().next().unwrap_or_default()
}

#[test]
fn a_pattern_may_not_take_megabytes() {
    let pattern = |pattern: &str| {
        with_input(json!({ "type": "string", "language": { "bulkhead": { "validate": { "pattern": pattern } } } }))
    };
    assert_eq!(problems(&pattern(r"^\w{1,64}$")), Vec::<String>::new());
    assert_eq!(
        first_problem(&pattern("(?:a{1000}){1000}")),
        "#/resources/p:index:R/inputProperties/in/language/bulkhead/validate/pattern: compile a pattern: it takes more \
         than 8192 KiB; hint: repeat less, and where \\w or \\d is repeated, write [0-9A-Za-z_] or [0-9]"
    );
}

#[test]
fn patterns_may_not_take_megabytes_together() {
    let property = |number: usize| {
        let pattern = format!(r"\bword{number}\b");
        let facts = json!({ "bulkhead": { "validate": { "pattern": pattern } } });
        (format!("p{number}"), json!({ "type": "string", "language": facts }))
    };
    let of = |count: usize| {
        let properties: Map<String, Json> = (0..count).map(property).collect();
        json!({ "name": "p", "types": { "p:index:T": { "type": "object", "properties": properties } } })
    };
    assert_eq!(problems(&of(100)), Vec::<String>::new());
    let told = first_problem(&of(200));
    assert!(told.ends_with("the patterns of the schema take more than 128 MiB; hint: leave out those that say what the type says already"), "{told}");
}

#[test]
fn patterns_are_bounded_by_what_they_take_to_read_too() {
    let of = |part: &str, count: usize| {
        let pattern = part.repeat(8_192 / part.len());
        let facts = json!({ "bulkhead": { "validate": { "pattern": pattern } } });
        let property = json!({ "type": "string", "language": facts });
        let properties: Map<String, Json> = (0..count).map(|number| (format!("p{number}"), property.clone())).collect();
        problems(&json!({ "name": "p", "types": { "p:index:T": { "type": "object", "properties": properties } } }))
    };
    for (part, most) in [("a{0}", 64), ("(?i)a{0}", 4)] {
        assert_eq!(of(part, most), Vec::<String>::new());
        let told = of(part, most + 1);
        assert!(told.len() == 1 && told[0].contains("take more than 128 MiB"), "{told:?}");
    }
}

#[test]
fn a_module_format_is_matched_with_so_many_modules() {
    let of = |format: &str, count: usize| {
        let module = "a".repeat(900);
        let token = |number: usize| (format!("p:m{number:06}{module}/f:f"), json!({}));
        let functions: Map<String, Json> = (0..count).map(token).collect();
        problems(&json!({ "name": "p", "meta": { "moduleFormat": format }, "functions": functions }))
    };
    assert_eq!(of("(.*)(?:/[a-z]*)", 1_000), Vec::<String>::new());
    assert_eq!(
        of("(.*)(?:/[a-z]*)", 10_000),
        ["#/meta/moduleFormat: the tokens have modules of more than 8 MiB to match with it"]
    );
    assert_eq!(of("(.*)(?:/[^/]*)", 10_000), Vec::<String>::new());
}

#[test]
fn packages_whose_tokens_are_allowed_are_looked_up() {
    let names: Vec<String> = (0..10_000).map(|number| format!("a-package-with-a-long-name-{number}")).collect();
    let tokens =
        |names: &[String]| names.iter().map(|name| (format!("{name}:index:f"), json!({}))).collect::<Map<_, _>>();
    let of = |allowed: &[String]| {
        problems(&json!({ "name": "p", "allowedPackageNames": allowed, "functions": tokens(&names) }))
    };
    assert_eq!(of(&names), Vec::<String>::new());
    let told = of(&names[1..]);
    assert!(told.len() == 1 && told[0].contains("of another package, 'a-package-with-a-long-name-0'"), "{told:?}");
}

#[test]
fn a_module_format_is_small() {
    let format = |format: &str| first_problem(&json!({ "name": "p", "meta": { "moduleFormat": format } }));
    assert_eq!(format("(.*)(?:/[^/]*)"), "");
    assert_eq!(format("([a-z0-9.-]*)(?:/[a-z]*)?"), "");
    assert_eq!(format(r"([\w.-]+)(?:/\w+){1,20}(?:_v\d+)?"), "");
    assert!(format(r"(\pL{100})").contains("it takes more than 16 KiB"), "{}", format(r"(\pL{100})"));
    assert!(format(&"a".repeat(2_000)).contains("it is longer than 1024 bytes"));
}

#[test]
fn tokens_are_short_enough_to_be_looked_up() {
    let token = format!("p:{}:N", "a/".repeat(100_000));
    for section in ["types", "resources", "functions"] {
        let told = problems(&json!({ "name": "p", section: { token.clone(): { "type": "object" } } }));
        assert_eq!(told.len(), 1);
        assert!(
            told[0].ends_with("…: the token is longer than 1024 bytes") && told[0].len() < 3_000,
            "{}",
            told[0].len()
        );
    }
}

#[test]
fn a_package_is_called_by_what_can_be_shown() {
    let of = |name: usize, version: usize| {
        let (name, version) = ("n".repeat(name), format!("1.0.0-{}", "a".repeat(version - 6)));
        problems(&json!({ "name": name, "version": version }))
    };
    assert_eq!(of(256, 256), Vec::<String>::new());
    assert_eq!(
        of(1_000_000, 1_000_000),
        ["#/name: the name is longer than 256 bytes", "#/version: the version is longer than 256 bytes"]
    );
}

#[test]
fn problems_are_short_whatever_they_are_about() {
    for name in ["x", "\u{1b}"].map(|character| character.repeat(100_000)) {
        for schema in [
            json!({ "name": "p", name.clone(): 1 }),
            with_input(json!({ "type": name.clone() })),
            with_input(json!({ "$ref": format!("#/types/{name}") })),
        ] {
            let told = problems(&schema);
            assert!(!told.is_empty() && told.iter().all(|problem| problem.len() < 7_000));
        }
    }
}

#[test]
fn a_problem_is_told_on_one_line_whatever_names_it_is_about() {
    let name = "a\nhint: run me\r\u{1b}[2J";
    for schema in [
        json!({ "name": "p", name: 1 }),
        json!({ "name": "p", "resources": { name: { "inputProperties": { name: { "type": name } } } } }),
        with_input(json!({ "$ref": format!("#/types/{name}") })),
    ] {
        let told = problems(&schema);
        let within = |problem: &String| problem.contains("a\\nhint: run me") && !problem.contains(char::is_control);
        assert!(!told.is_empty() && told.iter().all(within), "{told:?}");
    }
}

#[test]
fn a_long_chain_of_types_is_followed_once() {
    let count = 12_000;
    let chain: Map<String, Json> = (0..count)
        .map(|number| {
            let next = json!({ "$ref": format!("#/types/p:index:T{}", (number + 1) % count) });
            (format!("p:index:T{number}"), json!({ "type": "object", "properties": { "n": next }, "required": ["n"] }))
        })
        .collect();
    let told = problems(&json!({ "name": "p", "types": chain }));
    assert_eq!(told.len(), 1);
    assert!(told[0].contains("no value could ever end") && told[0].len() < 7_000);
}

#[test]
fn a_union_has_a_thousand_variants_at_most() {
    let of = |count: usize| with_input(json!({ "oneOf": vec![json!({ "type": "string" }); count] }));
    assert_eq!(problems(&of(1_000)), Vec::<String>::new());
    assert_eq!(
        first_problem(&of(1_001)),
        "#/resources/p:index:R/inputProperties/in/oneOf: a union may list 1000 types, and this one has 1001"
    );
}

#[test]
fn positions_of_many_arguments_are_compared_once() {
    let names: Vec<String> = (0..10_000).map(|number| format!("a{number}")).collect();
    let properties: Map<String, Json> = names.iter().map(|name| (name.clone(), json!({ "type": "string" }))).collect();
    let function = json!({ "inputs": { "properties": properties }, "multiArgumentInputs": names });
    assert_eq!(problems(&json!({ "name": "p", "functions": { "p:index:f": function } })), Vec::<String>::new());
}

#[test]
fn a_schema_has_a_largest_size() {
    let text = vec![0; (256 << 20) + 1];
    match Package::parse(&text) {
        Err(SchemaError::Problems(problems)) => {
            assert_eq!(problems[0].to_string(), "#: the schema has more than 256 MiB");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_names_are_made_of_is_short() {
    let facts = |autoname: Json| json!({ "type": "string", "language": { "bulkhead": { "autoname": autoname } } });
    let place = "#/resources/p:index:R/inputProperties/in/language/bulkhead/autoname";
    for (member, most) in [("separator", 4_096), ("charset", 4_096)] {
        assert_eq!(problems(&with_input(facts(json!({ member: "a".repeat(most) })))), Vec::<String>::new());
        assert_eq!(
            problems(&with_input(facts(json!({ member: "a".repeat(most + 1) })))),
            [format!("{place}: `{member}` is longer than 4096 bytes")]
        );
    }
}
