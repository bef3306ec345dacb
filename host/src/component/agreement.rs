//! Whether a component does what its schema and its manifest say of it.
//!
//! Without this look, an override that isn't exported would silently not happen, and resources without code would be previewed
//! and then not created. Nothing is called to find out. Overlays are written by hand in SDKs: there may be nothing to serve for them.

use bulkhead_schema::{Overrides, Package};

use crate::provider::Exports;

/// A promise without code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Disagreement {
    /// The schema has something that nothing is exported for.
    #[error("the schema has {what}, e.g. `{token}`, and the component exports no `{interface}`")]
    Missing {
        /// What it has.
        what: &'static str,
        /// One of them.
        token: String,
        /// The interface that would serve them.
        interface: &'static str,
    },
    /// A component takes parameters, and can't say what they make.
    #[error("the component exports `parameterization`, and no `schema` that would describe what a parameter makes")]
    Undescribed,
    /// The schema says that a parameter made the package, of which nobody has given any yet. Programs would have engines run the plugin
    /// that it names.
    #[error("the schema says that `{base}` and a parameter make the package, and not the component by itself")]
    MadeByOther {
        /// What is said to make it.
        base: String,
    },
    /// The manifest says that the component answers a call itself.
    #[error(
        "the manifest says that the component answers {call} of {subject} itself, and the component exports no `{interface}`"
    )]
    Override {
        /// The call.
        call: &'static str,
        /// What it is about.
        subject: String,
        /// The interface that would answer it.
        interface: &'static str,
    },
}

impl Disagreement {
    /// The interface that isn't exported.
    pub fn interface(&self) -> &'static str {
        match self {
            Self::Missing { interface, .. } | Self::Override { interface, .. } => interface,
            Self::Undescribed | Self::MadeByOther { .. } => "schema",
        }
    }
}

/// Holds the exports to the package.
///
/// # Errors
/// The first promise without code.
pub(super) fn agree(package: &Package, exports: &Exports) -> Result<(), Disagreement> {
    disagreements(package, exports).into_iter().next().map_or(Ok(()), Err)
}

/// All promises without code.
pub(super) fn disagreements(package: &Package, exports: &Exports) -> Vec<Disagreement> {
    let mut found = Vec::new();
    let mut missing = |what, token: Option<&String>, interface| {
        found.extend(token.map(|token| Disagreement::Missing { what, token: token.clone(), interface }));
    };
    let offers = package.offers();
    if !exports.resources {
        missing("resource types", offers.custom.as_ref(), "resources");
    }
    if !exports.lists {
        missing("resource types that can be listed", offers.listed.as_ref(), "lists");
    }
    if !exports.functions {
        // Methods are answered by what constructs components.
        missing("functions", offers.function.as_ref(), "functions");
    }
    if !exports.components {
        missing("component resources", offers.component.as_ref(), "components");
        missing("methods", offers.method.as_ref(), "components");
    }
    if exports.parameterization && !exports.schema {
        found.push(Disagreement::Undescribed);
    }
    let Overrides { check, diff, .. } = package.provider.facts.overrides;
    let configuration =
        [(check, exports.config_check, "check", "config-check"), (diff, exports.config_diff, "diff", "config-diff")];
    found.extend(overridden("the configuration", &configuration));
    for (token, overrides) in &offers.overrides {
        let Overrides { check, diff, preview, upgrade } = *overrides;
        let calls = [
            (check, exports.check, "check", "check"),
            (diff, exports.diff, "diff", "diff"),
            (preview, exports.preview, "preview", "preview"),
            (upgrade, exports.upgrade, "upgrade", "upgrade"),
        ];
        found.extend(overridden(&format!("`{token}`"), &calls));
    }
    found
}

/// A method of the provider itself that nothing is exported for. Published schemas have such methods for providers that work without:
/// who calls it is told.
pub(super) fn unanswered<'p>(package: &'p Package, exports: &Exports) -> Option<&'p String> {
    package.served_methods(&package.provider).next().filter(|_| !exports.components)
}

/// The calls that are said to be overridden and aren't exported: said, exported, the call and its interface.
fn overridden(subject: &str, calls: &[(bool, bool, &'static str, &'static str)]) -> Vec<Disagreement> {
    let broken = calls.iter().filter(|(said, exported, ..)| *said && !exported);
    broken
        .map(|(_, _, call, interface)| Disagreement::Override { call, subject: subject.to_owned(), interface })
        .collect()
}

/// The interfaces that are exported and never called, as neither schema nor manifest has anything for them.
pub(super) fn idle(package: &Package, exports: &Exports) -> Vec<&'static str> {
    let overridden =
        |said: fn(&Overrides) -> bool| package.resources.values().any(|resource| said(&resource.facts.overrides));
    let configured = package.provider.facts.overrides;
    let mut all = package.resources.values().chain([&package.provider]);
    let composed = all.any(|resource| resource.is_component || !resource.methods.is_empty());
    let interfaces = [
        (exports.resources, package.resources.values().any(|resource| !resource.is_component), "resources"),
        (exports.functions, !package.functions.is_empty(), "functions"),
        (exports.components, composed, "components"),
        (exports.lists, package.resources.values().any(|resource| resource.list_inputs.is_some()), "lists"),
        (exports.check, overridden(|overrides| overrides.check), "check"),
        (exports.diff, overridden(|overrides| overrides.diff), "diff"),
        (exports.preview, overridden(|overrides| overrides.preview), "preview"),
        (exports.upgrade, overridden(|overrides| overrides.upgrade), "upgrade"),
        (exports.config_check, configured.check, "config-check"),
        (exports.config_diff, configured.diff, "config-diff"),
    ];
    // What a parameter brings may use any of them.
    let unused = |(exported, used, _): &(bool, bool, &str)| *exported && !used && !exports.parameterization;
    interfaces.into_iter().filter(unused).map(|(_, _, interface)| interface).collect()
}

#[cfg(test)]
mod tests {
    use super::super::manifest::Manifest;
    use super::*;

    fn package(manifest: &str) -> Package {
        let schema = br#"{"name":"p","resources":{"p:index:R":{},"p:index:C":{"isComponent":true}},"functions":{"p:index:f":{}}}"#;
        let mut package = Package::parse(schema).unwrap();
        let manifest = format!(r#"{{"manifestVersion":1,"contract":"0.1.0",{manifest}}}"#);
        Manifest::parse(manifest.as_bytes()).unwrap().apply(&mut package).unwrap();
        package
    }

    const LEAST: Exports = Exports {
        config: false,
        resources: true,
        functions: true,
        check: false,
        diff: false,
        preview: false,
        config_check: false,
        config_diff: false,
        upgrade: false,
        components: true,
        schema: false,
        parameterization: false,
        lists: false,
        mappings: false,
    };

    #[test]
    fn what_the_schema_has_needs_code() {
        let package = package(r#""resources":{}"#);
        assert_eq!(agree(&package, &LEAST), Ok(()));
        let said = |exports| agree(&package, &exports).unwrap_err().to_string();
        assert_eq!(
            said(Exports { resources: false, ..LEAST }),
            "the schema has resource types, e.g. `p:index:R`, and the component exports no `resources`"
        );
        assert_eq!(
            said(Exports { functions: false, ..LEAST }),
            "the schema has functions, e.g. `p:index:f`, and the component exports no `functions`"
        );
        assert_eq!(
            said(Exports { components: false, ..LEAST }),
            "the schema has component resources, e.g. `p:index:C`, and the component exports no `components`"
        );
    }

    #[test]
    fn methods_need_the_code_of_components_whatever_they_are_called_on() {
        let package = with_method(r#""resources":{"p:index:R":{"methods":{"m":"p:index:R/m"}}}"#, "p:index:R/m");
        assert_eq!(agree(&package, &Exports { functions: false, ..LEAST }), Ok(()), "a method is no function");
        let disagreement = agree(&package, &Exports { components: false, ..LEAST }).unwrap_err();
        assert_eq!(
            disagreement.to_string(),
            "the schema has methods, e.g. `p:index:R/m`, and the component exports no `components`"
        );
    }

    fn with_method(schema: &str, token: &str) -> Package {
        let takes_self = r#"{"inputs":{"properties":{"__self__":{"$ref":"pulumi.json#/Any"}}}}"#;
        Package::parse(format!(r#"{{"name":"p",{schema},"functions":{{"{token}":{takes_self}}}}}"#).as_bytes()).unwrap()
    }

    #[test]
    fn methods_of_the_provider_itself_may_lack_their_code() {
        let token = "pulumi:providers:p/terraformConfig";
        let package = with_method(&format!(r#""provider":{{"methods":{{"terraformConfig":"{token}"}}}}"#), token);
        let without = Exports { components: false, functions: false, ..LEAST };
        assert_eq!(agree(&package, &without), Ok(()));
        assert_eq!(unanswered(&package, &without).map(String::as_str), Some(token));
        assert_eq!(unanswered(&package, &LEAST), None);
    }

    #[test]
    fn what_is_written_by_hand_in_sdks_needs_no_code() {
        let takes_self = r#""inputs":{"properties":{"__self__":{"$ref":"pulumi.json#/Any"}}}"#;
        let schema = |flag: &str| {
            format!(
                r#"{{"name":"p","resources":{{
                    "p:index:Patch":{{{flag}"listInputs":{{}}}},
                    "p:index:Chart":{{{flag}"isComponent":true,"methods":{{"m":"p:index:Chart/m"}}}}}},
                "functions":{{"p:index:look":{{{flag}"inputs":{{}}}},"p:index:Chart/m":{{{takes_self}}}}}}}"#
            )
        };
        let none = Exports { resources: false, functions: false, components: false, ..LEAST };
        let disagreements = |flag| disagreements(&Package::parse(schema(flag).as_bytes()).unwrap(), &none);
        assert_eq!(disagreements(r#""isOverlay":true,"#), []);
        assert_eq!(disagreements("").len(), 5, "{:?}", disagreements(""));
    }

    #[test]
    fn functions_need_their_code_unless_they_are_methods_however_many_there_are() {
        let takes_self = r#"{"inputs":{"properties":{"__self__":{"$ref":"pulumi.json#/Any"}}}}"#;
        let tokens: Vec<String> = (0..10_000).map(|number| format!("p:index:R/method{number:06}")).collect();
        let methods: Vec<String> = tokens.iter().enumerate().map(|(m, token)| format!(r#""m{m}":"{token}""#)).collect();
        let functions: Vec<String> = tokens.iter().map(|token| format!(r#""{token}":{takes_self}"#)).collect();
        let of = |others: &str| {
            let schema = format!(
                r#"{{"name":"p","resources":{{"p:index:R":{{"isComponent":true,"methods":{{{}}}}}}},"functions":{{{}{others}}}}}"#,
                methods.join(","),
                functions.join(","),
            );
            agree(&Package::parse(schema.as_bytes()).unwrap(), &Exports { functions: false, ..LEAST })
        };
        assert_eq!(of(""), Ok(()));
        assert_eq!(
            of(r#","p:index:z":{}"#).unwrap_err().to_string(),
            "the schema has functions, e.g. `p:index:z`, and the component exports no `functions`"
        );
    }

    #[test]
    fn everything_that_is_wrong_is_told_to_whoever_asks() {
        let package = package(r#""resources":{"p:index:R":{"overrides":["check","diff"]}}"#);
        let none = Exports { resources: false, functions: false, ..LEAST };
        let all = disagreements(&package, &none);
        assert_eq!(all.len(), 4, "{all:?}");
        assert_eq!(agree(&package, &none).as_ref(), Err(all.first().unwrap()));
    }

    #[test]
    fn an_export_without_anything_to_do_is_idle() {
        let package = package(r#""configuration":{"overrides":["check"]}"#);
        let exports = Exports { check: true, config_check: true, config_diff: true, ..LEAST };
        assert_eq!(idle(&package, &exports), ["check", "config-diff"]);
        assert_eq!(idle(&Package::default(), &LEAST), ["resources", "functions", "components"]);
    }

    #[test]
    fn lists_need_code_and_parameters_a_description() {
        let schema = br#"{"name":"p","resources":{"p:index:R":{"listInputs":{}}}}"#;
        let package = Package::parse(schema).unwrap();
        assert_eq!(
            agree(&package, &LEAST).unwrap_err().to_string(),
            "the schema has resource types that can be listed, e.g. `p:index:R`, and the component exports no `lists`"
        );
        let listing = Exports { lists: true, ..LEAST };
        assert_eq!(agree(&package, &listing), Ok(()));
        let parameterized = Exports { parameterization: true, ..listing };
        assert_eq!(
            agree(&package, &parameterized).unwrap_err().to_string(),
            "the component exports `parameterization`, and no `schema` that would describe what a parameter makes"
        );
        assert_eq!(agree(&package, &Exports { schema: true, ..parameterized }), Ok(()));
    }

    #[test]
    fn an_override_needs_code() {
        for call in ["check", "diff", "preview", "upgrade"] {
            let package = package(&format!(r#""resources":{{"p:index:R":{{"overrides":["{call}"]}}}}"#));
            assert_eq!(
                agree(&package, &LEAST).unwrap_err().to_string(),
                format!(
                    "the manifest says that the component answers {call} of `p:index:R` itself, and the component exports no `{call}`"
                )
            );
            let all = Exports { check: true, diff: true, preview: true, upgrade: true, ..LEAST };
            assert_eq!(agree(&package, &all), Ok(()));
        }
        for call in ["check", "diff"] {
            let package = package(&format!(r#""configuration":{{"overrides":["{call}"]}}"#));
            assert_eq!(
                agree(&package, &LEAST).unwrap_err().to_string(),
                format!(
                    "the manifest says that the component answers {call} of the configuration itself, and the component exports no `config-{call}`"
                )
            );
        }
    }
}
