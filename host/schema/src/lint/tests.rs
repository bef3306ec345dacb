use serde_json::{Value as Json, json};

use super::lint;
use crate::{Examination, Methods, Overrides, Package, ResourceFacts};

/// The lints of a document, line by line.
fn lints(document: &Json) -> Vec<String> {
    lints_with(document, ResourceFacts::default())
}

/// The same, with facts about the resource `p:index:R`.
fn lints_with(document: &Json, facts: ResourceFacts) -> Vec<String> {
    let text = document.to_string();
    let mut package = Package::parse(text.as_bytes()).unwrap();
    if let Some(resource) = package.resource_mut("p:index:R") {
        resource.facts = facts;
    }
    let lints = lint(&package, text.as_bytes());
    lints.into_iter().map(|lint| format!("{:?} {}", lint.severity, lint.problem)).collect()
}

/// A package of which nothing but the resource can be said.
fn with(resource: Json) -> Json {
    let mut resource = resource;
    resource["description"] = "d".into();
    json!({
        "name": "p", "version": "1.0.0", "description": "d", "license": "Apache-2.0",
        "resources": { "p:index:R": resource },
    })
}

/// The lints of an input, beside another one, and with an output of the same name.
fn of_input(input: Json) -> Vec<String> {
    lints(&with(json!({
        "inputProperties": { "in": input, "other": { "type": "string" } },
        "properties": { "in": { "type": "string" }, "other": { "type": "string" } },
    })))
}

fn bulkhead(facts: Json) -> Json {
    json!({ "type": "string", "language": { "bulkhead": facts } })
}

#[test]
fn a_package_that_says_what_users_need_has_no_lints() {
    assert_eq!(of_input(json!({ "type": "string" })), [""; 0]);
    assert_eq!(
        lints(
            &json!({ "name": "p", "resources": { "p:index:R": {} }, "functions": { "p:index:f": { "description": " " } } })
        ),
        [
            "Hint #: the package has no `version`; hint: plugins are installed by their version",
            "Hint #: the package has no `description`; hint: registries show it",
            "Hint #: the package has no `license`; hint: without one, nobody may use it",
            "Hint #/resources/p:index:R: the resource has no description; hint: say in a sentence what it is for",
            "Hint #/functions/p:index:f: the function has no description; hint: say in a sentence what it is for",
        ]
    );
}

#[test]
fn a_resource_that_no_urn_can_name_is_an_error() {
    let described = json!({ "description": "d" });
    let schema = json!({
        "name": "p", "version": "1.0.0", "description": "d", "license": "Apache-2.0",
        "types": { "p::T": { "type": "object" } },
        "resources": { "p::R": described, "p:index:S": described, "p::C": { "description": "d", "isComponent": true } },
        "functions": { "p::f": described },
    });
    let expected = |name: &str| {
        format!(
            "Error #/resources/p::{name}: the token has no module, so that no URN can name it; hint: write `p:index:{name}`"
        )
    };
    assert_eq!(lints(&schema), [expected("C"), expected("R")]);
}

#[test]
fn rules_that_nothing_satisfies_are_errors() {
    let at = "#/resources/p:index:R/inputProperties/in";
    let of = |rules: Json| of_input(bulkhead(json!({ "validate": rules })));
    assert_eq!(
        of(json!({ "minLength": 3, "maxLength": 2 })),
        [format!(
            "Error {at}: nothing is allowed: `minLength` is more than `maxLength`; hint: swap them, or leave one out"
        )]
    );
    assert_eq!(
        of(json!({ "minimum": 3 })),
        [format!(
            "Warning {at}: `minimum` is of a number, which the property never is, so it is never looked at; hint: leave it out, or correct the type"
        )]
    );
    assert_eq!(
        of(json!({ "conflictsWith": ["in"] })),
        [format!("Error {at}: it conflicts with itself; hint: leave it out of `conflictsWith`")]
    );
    assert_eq!(
        of(json!({ "conflictsWith": ["other"], "requires": ["other"] })),
        [format!("Error {at}: it requires 'other' and conflicts with it; hint: leave it out of one of them")]
    );
    let mut input = bulkhead(json!({ "validate": { "pattern": "^[a-z]+$" } }));
    input["default"] = "A1".into();
    assert_eq!(
        of_input(input),
        [format!(
            "Error {at}: the default isn't allowed by `validate`: expected a string that matches ^[a-z]+$; hint: correct either"
        )]
    );
    let conflicting = |name: &str| bulkhead(json!({ "validate": { "conflictsWith": [name] } }));
    assert_eq!(
        lints(&with(json!({
            "inputProperties": { "a": conflicting("b"), "b": conflicting("a") },
            "requiredInputs": ["a", "b"],
        }))),
        [
            "Error #/resources/p:index:R/inputProperties/a: both it and 'b' are required, and they conflict; hint: require one of them at most"
        ]
    );
}

#[test]
fn who_fills_a_property_is_one_thing_or_the_other() {
    let said = |required: bool, input: Json| {
        let names = if required { json!(["in"]) } else { json!([]) };
        lints(&with(json!({
            "inputProperties": { "in": input }, "requiredInputs": names, "properties": { "in": { "type": "string" } },
        })))
    };
    let at = "Warning #/resources/p:index:R/inputProperties/in: ";
    let promised = bulkhead(json!({ "outputDefault": "d" }));
    assert_eq!(said(false, promised.clone()), [""; 0]);
    assert_eq!(
        said(true, promised),
        [format!(
            "{at}it is required, so the `outputDefault` for where it is left out is never used; hint: let it be optional"
        )]
    );
    assert_eq!(
        said(true, bulkhead(json!({ "autoname": {} }))),
        [format!(
            "{at}it is required, and it is filled in where it is left out, so that programs must give it for nothing; hint: let it be optional"
        )]
    );
    let mut both = bulkhead(json!({ "outputDefault": "d" }));
    both["default"] = "d".into();
    assert_eq!(
        said(false, both),
        [format!(
            "{at}it has a `default` that is filled in, so its `outputDefault` is never used; hint: leave one of them out"
        )]
    );
    let names = bulkhead(json!({ "autoname": { "maxLength": 80 }, "validate": { "maxLength": 40 } }));
    assert_eq!(
        said(false, names),
        [format!(
            "{at}names are generated that may be longer than the 40 characters that `validate` allows; hint: give `autoname` the same `maxLength`"
        )]
    );
    assert_eq!(
        lints(&with(
            json!({ "inputProperties": { "in": bulkhead(json!({ "outputDefault": "d", "stable": true, "notEchoed": true })) } })
        )),
        [
            format!(
                "{at}`outputDefault` promises an output, and there is no output of this name; hint: add it to `properties`"
            ),
            format!("{at}`notEchoed` is about the output of this name, and there is none; hint: leave it out"),
            format!("{at}`stable` is a promise about an output, and this is an input; hint: say it of the output"),
        ]
    );
    assert_eq!(
        lints(&with(json!({
            "inputProperties": { "in": { "type": "string" } },
            "properties": { "in": bulkhead(json!({ "stable": true })), "out": bulkhead(json!({ "outputDefault": "d" })) },
        }))),
        [
            "Warning #/resources/p:index:R/properties/in: it is promised to be `stable`, and it is an input that can be changed without a replacement; hint: mark the input `replaceOnChanges`, or leave out `stable`".to_owned(),
            "Warning #/resources/p:index:R/properties/out: `outputDefault` and `notEchoed` are facts about an input, and this is an output; hint: say them of the input".to_owned(),
        ]
    );
}

/// A user reads it as a mistake of theirs, or of the provider's.
#[test]
fn what_an_import_cannot_have_and_is_held_to_is_told() {
    let unseen = |rules: Json| bulkhead(json!({ "notEchoed": true, "validate": rules }));
    let said = |inputs: Json, required: Json, read: bool| {
        let resource = with(json!({
            "inputProperties": inputs, "requiredInputs": required,
            "properties": { "in": { "type": "string" }, "other": { "type": "string" } },
        }));
        let methods = Methods { read, delete: read, ..Methods::default() };
        lints_with(&resource, ResourceFacts { methods, ..ResourceFacts::default() })
    };
    let told = |why: &str, hint: &str| {
        format!(
            "Hint #/resources/p:index:R/inputProperties/in: imports are told that it is missing, since what isn't echoed isn't imported, and {why}; hint: {hint}"
        )
    };
    let echoed = || json!({ "type": "string" });
    let chosen = || json!({ "in": unseen(json!({ "exactlyOneOf": ["other"] })), "other": echoed() });
    let choice = told(
        "it is one of an `exactlyOneOf`",
        "say `conflictsWith` instead, and refuse a creation with none of them in the provider",
    );
    assert_eq!(said(chosen(), json!([]), true), [choice.as_str()]);
    let by_other = json!({ "in": unseen(json!({})), "other": bulkhead(json!({ "validate": { "exactlyOneOf": ["in", "other"] } })) });
    assert_eq!(said(by_other, json!([]), true), [choice]);
    assert_eq!(said(chosen(), json!([]), false), [""; 0], "nobody can import it");
    let mut filled = chosen();
    filled["other"]["default"] = "d".into();
    assert_eq!(said(filled, json!([]), true), [""; 0]);

    let requiring = |not_echoed: bool| {
        json!({
            "in": unseen(json!({})),
            "other": bulkhead(json!({ "notEchoed": not_echoed, "validate": { "requires": ["in"] } })),
        })
    };
    let required =
        told("'other' requires it", "leave it out of `requires`, and refuse a creation without it in the provider");
    assert_eq!(said(requiring(false), json!([]), true), [required]);
    assert_eq!(said(requiring(true), json!([]), true), [""; 0], "neither is imported");
    let alone = json!({ "in": unseen(json!({})), "other": echoed() });
    assert_eq!(said(alone.clone(), json!([]), true), [""; 0]);
    let needed = told("it is required", "let it be optional, and refuse a creation without it in the provider");
    assert_eq!(said(alone, json!(["in"]), true), [needed]);
}

#[test]
fn secrets_are_told_by_their_names_where_they_stand() {
    let plain = json!({ "type": "string" });
    let named = |names: &[&str]| -> Json { names.iter().map(|name| ((*name).to_owned(), plain.clone())).collect() };
    let document = json!({
        "name": "p", "version": "1.0.0", "description": "d", "license": "l",
        "config": { "variables": named(&["apiKey", "keyId", "endpoint"]) },
        "provider": { "inputProperties": named(&["client_secret", "tokenUrl"]) },
        "types": { "p:index:T": { "type": "object", "properties": named(&["dbPassword", "passwordLength", "secretName"]) } },
        "resources": { "p:a/b:R": {
            "description": "d",
            "inputProperties": { "token": { "type": "string", "secret": true }, "maxToken": { "type": "integer" } },
            "properties": named(&["APIKey"]),
        } },
    });
    let hint = "and isn't marked as one; hint: say `secret` of it: it is shown and stored in plain";
    assert_eq!(
        lints(&document),
        [
            format!("Hint #/types/p:index:T/properties/dbPassword: 'dbPassword' sounds like a secret, {hint}"),
            format!("Hint #/config/variables/apiKey: 'apiKey' sounds like a secret, {hint}"),
            format!("Hint #/provider/inputProperties/client_secret: 'client_secret' sounds like a secret, {hint}"),
        ],
        "and a pointer escapes the slash of a token"
    );
}

#[test]
fn facts_of_the_manifest_that_do_not_fit() {
    let resource = |replaces: bool| {
        with(json!({ "inputProperties": { "in": { "type": "string", "replaceOnChanges": replaces } } }))
    };
    let all = Methods::default();
    let at = "#/resources/p:index:R: ";
    let said = |replaces, facts| lints_with(&resource(replaces), facts);
    let facts = ResourceFacts::default();
    assert_eq!(said(false, facts.clone()), [""; 0]);
    assert_eq!(
        said(false, ResourceFacts { delete_before_replace: true, ..facts.clone() }),
        [format!(
            "Warning {at}a replacement should delete the old resource first, and no change ever replaces it; hint: mark the inputs that replace it `replaceOnChanges`, or leave out `deleteBeforeReplace`"
        )]
    );
    let forgotten = Methods { delete: false, update: false, ..all };
    assert_eq!(
        said(true, ResourceFacts { delete_before_replace: true, methods: forgotten, ..facts.clone() }),
        [format!(
            "Warning {at}a replacement should delete the old resource first, and there is no `delete`; hint: add `delete`, or leave out `deleteBeforeReplace`"
        )]
    );
    assert_eq!(said(true, facts.clone()), [""; 0], "what a create left unready is updated, whatever replaces it");
    assert_eq!(
        said(false, ResourceFacts { methods: Methods { read: false, ..all }, ..facts.clone() }),
        [format!(
            "Hint {at}it can't be read, so it can't be imported, and changes made by others aren't seen; hint: add `read`"
        )]
    );
    assert_eq!(
        said(false, ResourceFacts { schema_version: 2, ..facts.clone() }),
        [format!(
            "Warning {at}its states have had an older form, and nothing upgrades those; hint: add `upgrade`, or leave `schemaVersion` at 0"
        )]
    );
    let upgrade = Overrides { upgrade: true, ..Overrides::default() };
    assert_eq!(
        said(false, ResourceFacts { overrides: upgrade, ..facts }),
        [format!(
            "Warning {at}`upgrade` is never called, since no state is older than version 0; hint: raise `schemaVersion` with each change of the state's form"
        )]
    );
}

#[test]
fn a_schema_that_cannot_be_used_is_read_to_its_end() {
    let document = json!({
        "name": "p", "pluginDownloadUrl": "u", "resources": { "p:index:R": { "inputProperties": { "in": { "type": "strnig" } } } },
        "functions": { "q:index:f": {} },
    });
    let examination = Examination::of(document.to_string().as_bytes()).unwrap();
    let places =
        |problems: &[crate::Problem]| problems.iter().map(|problem| problem.location.clone()).collect::<Vec<_>>();
    assert_eq!(
        places(&examination.problems),
        ["#/resources/p:index:R/inputProperties/in/type", "#/functions/q:index:f"]
    );
    assert_eq!(places(&examination.notices), ["#/pluginDownloadUrl"]);
    assert!(examination.package.resources.contains_key("p:index:R"));
    assert!(Examination::of(b"{").is_err());
}

#[test]
fn methods_that_generated_sdks_hide_or_lack_are_told() {
    let returning = |outputs: Json| {
        let mut document = with(json!({
            "inputProperties": { "tell": { "type": "string" } },
            "methods": { "tell": "p:index:R/tell", "say": "p:index:R/say" },
        }));
        let inputs =
            json!({ "properties": { "__self__": { "$ref": "#/resources/p:index:R" } }, "required": ["__self__"] });
        document["functions"] = json!({
            "p:index:R/tell": { "description": "d", "inputs": inputs },
            "p:index:R/say": { "description": "d", "inputs": inputs, "outputs": outputs },
        });
        lints(&document)
    };
    let hidden = "Warning #/resources/p:index:R/methods/tell: an input has the same name, so that programs for Node.js can't call it; \
                  hint: give one of them another name";
    let bare = "Warning #/resources/p:index:R/methods/say: what it returns is neither an object nor plain, so that SDKs for Node.js \
                leave it out; hint: return an object with one member";
    assert_eq!(returning(json!({ "type": "string" })), [bare, hidden]);
    for well in [
        json!({ "type": "string", "plain": true }),
        json!({ "properties": { "text": { "type": "string" } } }),
        Json::Null,
    ] {
        assert_eq!(returning(well.clone()), [hidden], "{well}");
    }
}

#[test]
fn what_nobody_sees_is_no_name() {
    let text = json!({ "type": "string" });
    let named = json!({ "__a": text, "a__b": text });
    let mut document = with(json!({
        "inputProperties": { "__in": text, "__left": text, "nested": { "$ref": "#/types/p:index:T" } },
        "requiredInputs": ["__in"],
        "properties": { "__out": text },
        "required": ["__out"],
        "methods": { "m": "p:index:R/m" },
    }));
    document["types"] = json!({ "p:index:T": { "type": "object", "properties": named } });
    document["config"] = json!({ "variables": named });
    let itself = json!({ "$ref": "#/resources/p:index:R" });
    document["functions"] = json!({ "p:index:R/m": {
        "description": "d",
        "inputs": { "properties": { "__self__": itself, "__than": text } },
        "outputs": { "properties": named },
    } });
    let told = |name: &str| {
        format!(
            "'{name}' is hidden from the provider, as all names that start with `__`; hint: rename it: those are the engine's"
        )
    };
    let place = "#/resources/p:index:R";
    assert_eq!(
        lints(&document),
        [
            format!("Error {place}/inputProperties/__in: {}", told("__in")),
            format!("Warning {place}/inputProperties/__left: {}", told("__left")),
            format!("Warning {place}/properties/__out: {}", told("__out")),
            format!("Warning #/functions/p:index:R~1m/inputs/properties/__than: {}", told("__than")),
            format!("Warning #/config/variables/__a: {}", told("__a")),
        ]
    );
}

#[test]
fn what_nobody_looks_at_of_a_component_s_inputs_and_a_method_s_arguments_is_told() {
    let facts = json!({
        "coerces": true,
        "validate": { "minimum": 0, "maximum": 255, "pattern": "^a", "maxLength": 3, "requires": ["other"] },
    });
    let mut said = bulkhead(facts);
    said["defaultInfo"] = json!({ "environment": ["IN"] });
    let given = json!({ "in": said, "count": bulkhead(json!({ "validate": { "minimum": 0 } })), "other": { "type": "string" } });
    let mut document =
        with(json!({ "isComponent": true, "inputProperties": given, "methods": { "m": "p:index:R/m" } }));
    document["functions"] = json!({ "p:index:R/m": {
        "description": "d", "inputs": { "properties": {
            "__self__": { "$ref": "#/resources/p:index:R" }, "in": said, "other": { "type": "string" },
        } },
        "outputs": { "properties": { "out": { "type": "string" } } },
    } });
    let unheeded = |place: &str, facts: &str| {
        format!(
            "Hint {place}/in: nobody heeds {facts}: what a component or a method is given, the host neither checks nor completes; hint: let the provider see to it, and leave it out of the schema where it doesn't"
        )
    };
    let facts = "`environment`, `coerces`, `maxLength`, `pattern`, `requires`";
    let lints = lints(&document);
    let told: Vec<&String> = lints.iter().filter(|lint| lint.starts_with("Hint ")).collect();
    assert_eq!(
        told,
        [
            &unheeded("#/resources/p:index:R/inputProperties", facts),
            &unheeded("#/functions/p:index:R~1m/inputs/properties", facts),
        ]
    );
}
