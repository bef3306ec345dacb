//! Variables that defaults come from must be asked for, or they are never read: nobody can grant them.

use std::collections::BTreeSet;

use bulkhead_policy::Requests;
use bulkhead_schema::{ObjectType, Package, Type};

use super::finding::{Finding, Findings, Level, Stage};

/// Looks at whatever is given and completed: configuration, inputs, arguments, queries, and the objects inside of them. Not what components
/// and methods are given, which nobody completes.
pub(super) fn look(package: &Package, requests: &Requests, findings: &mut Findings) {
    let queries = package.resources.iter();
    let queries = queries.filter_map(|(token, resource)| Some((token.as_str(), resource.list_inputs.as_ref()?)));
    let resources = package.resources.iter().filter(|(_, resource)| !resource.is_component);
    let resources = resources.map(|(token, resource)| (token.as_str(), &resource.inputs));
    let functions =
        package.served_functions().filter_map(|(token, function)| Some((token.as_str(), function.inputs.as_ref()?)));
    let given = resources.chain(queries).chain(functions).chain([("configuration", &package.configuration)]);
    let given: Vec<(&str, &ObjectType)> = given.collect();
    let objects = objects(package, given.iter().map(|(_, ty)| *ty));
    for (subject, ty) in given.into_iter().chain(objects) {
        for (name, property) in &ty.properties {
            let asked = |variable: &String| requests.environment.iter().any(|request| request.name == *variable);
            for variable in property.default_info.environment.iter().filter(|variable| !asked(variable)) {
                let message = format!("`{variable}` is a default of `{name}` and isn't asked for, so it is never read");
                let finding =
                    Finding::new(Level::Warning, Stage::Manifest, "manifest#/permissions/environment", message);
                findings.add(finding.at(format!("{subject}.{name}")).hint("ask for it, with a reason"));
            }
        }
    }
}

/// The object types that are reached from these, each once.
fn objects<'p>(package: &'p Package, given: impl Iterator<Item = &'p ObjectType>) -> Vec<(&'p str, &'p ObjectType)> {
    let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
    let mut open: Vec<&Type> = given.flat_map(types).collect();
    while let Some(ty) = open.pop() {
        match ty {
            Type::Array(part) | Type::Map(part) => open.push(part),
            Type::Union(union) => open.extend(&union.variants),
            Type::Object(token) if seen.insert(token) => {
                let Some(object) = package.object_type(token) else { continue };
                open.extend(types(object));
                found.push((token.as_str(), object));
            }
            _ => {}
        }
    }
    found
}

fn types(ty: &ObjectType) -> impl Iterator<Item = &Type> {
    ty.properties.values().map(|property| &property.ty)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_missed_wherever_they_are_defaults() {
        let variable = |name: &str| format!(r#"{{"type":"string","defaultInfo":{{"environment":["{name}"]}}}}"#);
        let schema = format!(
            r##"{{"name":"p",
                "config":{{"variables":{{"asked":{},"auth":{{"$ref":"#/types/p:index:Auth"}}}}}},
                "types":{{"p:index:Auth":{{"type":"object","properties":
                             {{"token":{},"others":{{"type":"array","items":{{"$ref":"#/types/p:index:Auth"}}}}}}}},
                         "p:index:Returned":{{"type":"object","properties":{{"text":{}}}}}}},
                "resources":{{"p:index:R":{{"properties":{{"returned":{{"$ref":"#/types/p:index:Returned"}}}},
                             "inputProperties":{{"a":{}}},
                             "methods":{{"m":"p:index:R/m"}},
                             "listInputs":{{"type":"object","properties":{{"about":{}}}}}}},
                             "p:index:C":{{"isComponent":true,"inputProperties":{{"a":{}}}}}}},
                "functions":{{"p:index:f":{{"inputs":{{"type":"object","properties":{{"b":{}}}}}}},
                             "p:index:R/m":{{"inputs":{{"type":"object","properties":
                                 {{"__self__":{{"$ref":"#/resources/p:index:R"}},"c":{}}}}}}}}}}}"##,
            variable("ASKED"),
            variable("TOKEN"),
            variable("RETURNED"),
            variable("INPUT"),
            variable("QUERY"),
            variable("OF_A_COMPONENT"),
            variable("ARGUMENT"),
            variable("OF_A_METHOD"),
        );
        let package = Package::parse(schema.as_bytes()).unwrap();
        let requests: Requests = serde_json::from_str(r#"{"environment":[{"name":"ASKED","reason":"r"}]}"#).unwrap();
        let mut findings = Findings::default();
        look(&package, &requests, &mut findings);
        let missed: BTreeSet<String> = findings
            .into_sorted()
            .into_iter()
            .filter_map(|finding| finding.message.split('`').nth(1).map(str::to_owned))
            .collect();
        assert_eq!(missed, ["ARGUMENT", "INPUT", "QUERY", "TOKEN"].map(str::to_owned).into());
    }
}
