//! The manifest (`docs/manifest.md`): what a component asks for, and facts that the package schema has no word for.

use std::collections::BTreeMap;

use bulkhead_policy::{RequestError, Requests};
use bulkhead_schema::{Methods, Overrides, Package, ResourceFacts, UnknownToken};
use serde::{Deserialize, Serialize};

/// The most that a manifest may measure, bytes.
const LARGEST: usize = 1 << 20;
/// The most requests of a kind: an operator reads them, and each is held against all that is granted.
const MOST: usize = 1000;

/// A manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Manifest {
    /// The version of the format; 1.
    pub manifest_version: u32,
    /// The version of the contract that the component was built against.
    pub contract: String,
    /// What built it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sdk: Option<Sdk>,
    /// What it asks for.
    #[serde(default, skip_serializing_if = "Requests::is_empty")]
    pub permissions: Requests,
    /// Facts about the configuration.
    #[serde(default)]
    pub configuration: ConfigurationFacts,
    /// Facts per resource type.
    #[serde(default)]
    pub resources: BTreeMap<String, ResourceEntry>,
}

/// What all formats of a manifest have in common.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Format {
    manifest_version: u32,
}

/// What built a component.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sdk {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// Facts about the configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ConfigurationFacts {
    /// Calls that the component answers itself.
    pub overrides: Vec<ConfigurationCall>,
}

/// A call about the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ConfigurationCall {
    Check,
    Diff,
}

/// Facts about a resource type.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ResourceEntry {
    /// What the component implements; all four if absent.
    pub methods: Option<Vec<Method>>,
    /// Calls that the component answers itself.
    pub overrides: Vec<ResourceCall>,
    /// Whether a replacement deletes first.
    pub delete_before_replace: bool,
    /// The version that recorded state is marked with.
    pub schema_version: u32,
    /// Whether inputs have the form that they had in version 0.
    pub same_inputs: bool,
}

/// What can be done to a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Method {
    Create,
    Read,
    Update,
    Delete,
}

/// A call about a resource that a component may answer itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ResourceCall {
    Check,
    Diff,
    Preview,
    Upgrade,
}

/// Why a manifest can't be used.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// It is too long.
    #[error("the manifest has {found} bytes, and may have {LARGEST}")]
    TooLarge {
        /// Its size.
        found: usize,
    },
    /// It isn't what the format says.
    #[error("the manifest can't be read: {0}")]
    Malformed(#[from] serde_json::Error),
    /// Its format is of another version.
    #[error("the manifest has format version {found}, and this host knows version 1")]
    Version {
        /// Its version.
        found: u32,
    },
    /// A request can't be judged.
    #[error("the manifest's requests can't be shown to an operator: {0}")]
    Request(#[from] RequestError),
    /// It asks for more than anybody reads.
    #[error("the manifest has {found} requests under `permissions.{kind}`, and may have {MOST}")]
    TooMany {
        /// The kind of permission.
        kind: &'static str,
        /// How many.
        found: usize,
    },
    /// It speaks of a type that the schema doesn't have.
    #[error("the manifest doesn't fit the schema: failed to {0}")]
    UnknownToken(#[from] UnknownToken),
    /// A type can't be created.
    #[error("the manifest gives `{token}` methods without `create`")]
    NoCreate {
        /// The type token.
        token: String,
    },
}

impl ManifestError {
    /// Whether a later host may know what this one doesn't.
    pub(super) fn may_be_later(&self) -> bool {
        match self {
            Self::Version { .. } => true,
            Self::Malformed(error) => error.to_string().starts_with("unknown "),
            _ => false,
        }
    }
}

impl Manifest {
    /// Parses a manifest.
    ///
    /// # Errors
    /// Anything that the format doesn't allow.
    pub fn parse(json: &[u8]) -> Result<Self, ManifestError> {
        let manifest = Self::read(json)?;
        manifest.permissions.validate()?;
        Ok(manifest)
    }

    /// Reads a manifest without a look at whether an operator could judge its requests.
    ///
    /// # Errors
    /// Anything else that the format doesn't allow.
    pub fn read(json: &[u8]) -> Result<Self, ManifestError> {
        if json.len() > LARGEST {
            return Err(ManifestError::TooLarge { found: json.len() });
        }
        // One of a later format has members that this one hasn't, and it is the format that its reader should hear of.
        let manifest: Self = serde_json::from_slice(json).map_err(|error| match serde_json::from_slice(json) {
            Ok(Format { manifest_version: found }) if found != 1 => ManifestError::Version { found },
            _ => error.into(),
        })?;
        if manifest.manifest_version != 1 {
            return Err(ManifestError::Version { found: manifest.manifest_version });
        }
        let Requests { network, environment, filesystem, packages, limits } = &manifest.permissions;
        for (kind, found) in [
            ("network", network.len()),
            ("environment", environment.len()),
            ("filesystem", filesystem.len()),
            ("packages", packages.len()),
            ("limits", limits.len()),
        ] {
            if found > MOST {
                return Err(ManifestError::TooMany { kind, found });
            }
        }
        Ok(manifest)
    }

    /// Adds the manifest's facts to the package that the schema describes.
    ///
    /// # Errors
    /// Facts about types that the schema doesn't have.
    pub fn apply(&self, package: &mut Package) -> Result<(), ManifestError> {
        self.misfits(package).next().map_or(Ok(()), |(_, error)| Err(error))
    }

    /// Adds what fits of the manifest's facts to the package: the types whose facts don't fit, and why.
    pub fn apply_all(&self, package: &mut Package) -> Vec<(&str, ManifestError)> {
        self.misfits(package).collect()
    }

    /// Adds the facts one after the other, and stops wherever nobody asks for more: what each that is wrong was meant to be is looked for.
    fn misfits<'m>(&'m self, package: &mut Package) -> impl Iterator<Item = (&'m str, ManifestError)> {
        let overridden = |call| self.configuration.overrides.contains(&call);
        package.provider.facts.overrides = Overrides {
            check: overridden(ConfigurationCall::Check),
            diff: overridden(ConfigurationCall::Diff),
            ..Overrides::default()
        };
        self.resources.iter().filter_map(move |(token, entry)| {
            let applied = entry.facts(token).and_then(|facts| Ok(package.apply(token, facts)?));
            applied.err().map(|error| (token.as_str(), error))
        })
    }
}

impl ResourceEntry {
    pub(super) fn facts(&self, token: &str) -> Result<ResourceFacts, ManifestError> {
        let has = |method| self.methods.as_ref().is_none_or(|methods| methods.contains(&method));
        if !has(Method::Create) {
            return Err(ManifestError::NoCreate { token: token.to_owned() });
        }
        let overridden = |call| self.overrides.contains(&call);
        Ok(ResourceFacts {
            methods: Methods { read: has(Method::Read), update: has(Method::Update), delete: has(Method::Delete) },
            overrides: Overrides {
                check: overridden(ResourceCall::Check),
                diff: overridden(ResourceCall::Diff),
                preview: overridden(ResourceCall::Preview),
                upgrade: overridden(ResourceCall::Upgrade),
            },
            delete_before_replace: self.delete_before_replace,
            schema_version: self.schema_version,
            same_inputs: self.same_inputs,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(json: &str) -> String {
        Manifest::parse(json.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn the_documents_example_is_a_manifest() {
        let document = include_str!("../../../docs/manifest.md");
        let example = document.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
        Manifest::parse(example.as_bytes()).unwrap();
    }

    #[test]
    fn a_manifest_that_this_host_cannot_honour_is_refused() {
        assert!(Manifest::parse(br#"{"manifestVersion":1,"contract":"0.1.0"}"#).is_ok());
        assert_eq!(
            refused(r#"{"manifestVersion":2,"contract":"0.1.0"}"#),
            "the manifest has format version 2, and this host knows version 1"
        );
        assert_eq!(
            refused(r#"{"manifestVersion":2,"contract":{"provider":"1.0.0"},"grants":[]}"#),
            "the manifest has format version 2, and this host knows version 1",
            "whatever else it has"
        );
        assert!(refused(r#"{"manifestVersion":1,"contract":"0.1.0","grants":[]}"#).contains("unknown field `grants`"));
        for (json, later) in [
            (r#"{"manifestVersion":2,"contract":"0.1.0"}"#, true),
            (r#"{"manifestVersion":1,"contract":"0.1.0","grants":[]}"#, true),
            (r#"{"manifestVersion":1,"contract":"0.1.0","configuration":{"overrides":["later"]}}"#, true),
            (r#"{"manifestVersion":1}"#, false),
            ("{", false),
        ] {
            assert_eq!(Manifest::parse(json.as_bytes()).unwrap_err().may_be_later(), later, "{json}");
        }
        assert_eq!(
            refused(
                r#"{"manifestVersion":1,"contract":"0.1.0","permissions":{"network":[{"endpoint":"https://a","reason":""}]}}"#
            ),
            "the manifest's requests can't be shown to an operator: the request for https://a gives no reason"
        );
        let large = format!("{}{{}}", " ".repeat(LARGEST));
        assert_eq!(refused(&large), "the manifest has 1048578 bytes, and may have 1048576");
    }

    #[test]
    fn what_is_asked_for_can_be_read() {
        let asking = |kind: &str, request: &str, count: usize| {
            let requests = vec![request; count].join(",");
            format!(r#"{{"manifestVersion":1,"contract":"0.1.0","permissions":{{"{kind}":[{requests}]}}}}"#)
        };
        for (kind, request) in [
            ("network", r#"{"endpoint":"https://a","reason":"r"}"#),
            ("environment", r#"{"name":"A","reason":"r"}"#),
            ("filesystem", r#"{"path":"a","access":"read","reason":"r"}"#),
            ("packages", r#"{"package":"a","reason":"r"}"#),
            ("limits", r#"{"limit":"memory","value":"2GiB","reason":"r"}"#),
        ] {
            assert!(Manifest::parse(asking(kind, request, 1000).as_bytes()).is_ok(), "{kind}");
            let message = format!("the manifest has 1001 requests under `permissions.{kind}`, and may have 1000");
            assert_eq!(refused(&asking(kind, request, 1001)), message);
        }
    }

    #[test]
    fn facts_reach_the_package() {
        let schema = br#"{"name":"p","version":"1.0.0","resources":{"p:index:R":{}}}"#;
        let mut package = Package::parse(schema).unwrap();
        let manifest = Manifest::parse(
            br#"{"manifestVersion":1,"contract":"0.1.0","configuration":{"overrides":["check"]},
                "resources":{"p:index:R":{"methods":["create","read"],"overrides":["preview"],"deleteBeforeReplace":true}}}"#,
        )
        .unwrap();
        manifest.apply(&mut package).unwrap();
        let facts = &package.resource("p:index:R").unwrap().facts;
        assert!(facts.methods.read && !facts.methods.update && !facts.methods.delete);
        assert!(facts.overrides.preview && !facts.overrides.check && facts.delete_before_replace);
        assert!(package.provider.facts.overrides.check && !package.provider.facts.overrides.diff);
        let other =
            Manifest::parse(br#"{"manifestVersion":1,"contract":"0.1.0","resources":{"p:index:S":{}}}"#).unwrap();
        let error = other.apply(&mut package).unwrap_err().to_string();
        assert_eq!(
            error,
            "the manifest doesn't fit the schema: failed to find resource 'p:index:S' of the manifest in the schema; hint: did you mean 'p:index:R'?"
        );
    }
}
