//! What an operator grants, and what one allows at most, as `bulkhead.toml` writes it (`docs/operator.md`).

use std::fmt;
use std::path::{Component, Path};

use serde::{Deserialize, Deserializer, de};

use crate::address::AddressRange;
use crate::endpoint::Endpoint;
use crate::environment;
use crate::package::PackageGrant;
use crate::place;
use crate::request::{Access, NetworkRequest, Phase, Requests, is_method};
use crate::written::{Reading, Written, list, list_if_any};

/// What is granted to one component.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grant {
    /// Which component: `sha256:` and its digest, or `dev` for whatever is being developed.
    pub digest: Granted,
    /// Endpoints that it may talk to.
    #[serde(default, deserialize_with = "list")]
    pub network: Vec<NetworkGrant>,
    /// Environment variables that it may read.
    #[serde(default, deserialize_with = "environment::names")]
    pub environment: Vec<String>,
    /// Directories that it may use.
    #[serde(default, deserialize_with = "list")]
    pub filesystem: Vec<FilesystemGrant>,
    /// PEM files of authorities that it trusts beside those of the system.
    #[serde(default, deserialize_with = "place::paths")]
    pub certificates: Vec<String>,
    /// Other packages that it may have the engine use.
    #[serde(default, deserialize_with = "list")]
    pub packages: Vec<PackageGrant>,
}

/// Whom a grant is for.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum Granted {
    /// The component with this digest, in hexadecimal digits.
    Digest(String),
    /// Any component of this name that is run from where it is developed.
    Development,
}

/// An endpoint that a component may talk to. Written as a string where there is no more to say.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct NetworkGrant {
    /// Scheme, host and port.
    pub endpoint: Endpoint,
    /// HTTP methods; empty means all.
    #[serde(default, deserialize_with = "methods")]
    pub methods: Vec<String>,
    /// When; empty means always but in check, diff and preview.
    #[serde(default, deserialize_with = "list")]
    pub phases: Vec<Phase>,
    /// Which addresses its name may stand for beside public ones.
    #[serde(default, deserialize_with = "list")]
    pub addresses: Vec<AddressRange>,
}

/// A directory that a component may use. Written as a string where it is read, and lies where it is named.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct FilesystemGrant {
    /// As the component names it.
    #[serde(deserialize_with = "place::path")]
    pub path: String,
    /// Where it lies, if elsewhere: absolute, or relative to the file that says so.
    #[serde(default, deserialize_with = "place::path_if_any")]
    pub at: Option<String>,
    /// What for.
    #[serde(default)]
    pub access: Access,
}

/// The most that an operator allows. What isn't named isn't limited.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Ceiling {
    /// Endpoints.
    #[serde(deserialize_with = "list_if_any")]
    pub network: Option<Vec<NetworkGrant>>,
    /// Environment variables.
    #[serde(deserialize_with = "environment::names_if_any")]
    pub environment: Option<Vec<String>>,
    /// Directories of this machine, with all below them.
    #[serde(deserialize_with = "list_if_any")]
    pub filesystem: Option<Vec<FilesystemGrant>>,
    /// Other packages.
    #[serde(deserialize_with = "list_if_any")]
    pub packages: Option<Vec<PackageGrant>>,
}

impl From<Endpoint> for NetworkGrant {
    fn from(endpoint: Endpoint) -> Self {
        Self { endpoint, methods: Vec::new(), phases: Vec::new(), addresses: Vec::new() }
    }
}

/// All that a request asks for.
impl From<&NetworkRequest> for NetworkGrant {
    fn from(request: &NetworkRequest) -> Self {
        let (methods, phases) = (request.methods.clone(), request.phases.clone());
        Self { methods, phases, ..Self::from(request.endpoint.clone()) }
    }
}

impl<'de> Written<'de> for NetworkGrant {
    const EXPECTED: &'static str = "an endpoint, or a table with one";

    fn short(text: &str) -> Result<Self, String> {
        Endpoint::parse(text).map(Self::from).map_err(|error| error.to_string())
    }

    fn long<D: Deserializer<'de>>(table: D) -> Result<Self, D::Error> {
        Self::deserialize(table)
    }
}

impl<'de> Deserialize<'de> for NetworkGrant {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reading::default())
    }
}

impl<'de> Written<'de> for FilesystemGrant {
    const EXPECTED: &'static str = "a directory, or a table with one";

    fn short(text: &str) -> Result<Self, String> {
        place::proper(text).map(|()| Self { path: text.to_owned(), at: None, access: Access::Read })
    }

    fn long<D: Deserializer<'de>>(table: D) -> Result<Self, D::Error> {
        Self::deserialize(table)
    }
}

impl<'de> Deserialize<'de> for FilesystemGrant {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reading::default())
    }
}

impl FilesystemGrant {
    /// Whether it is about a directory that a component names so. A shell completes `certs/` and people write `./certs` where `certs` is meant.
    pub fn is_of(&self, path: &str) -> bool {
        parts(&self.path).eq(parts(path))
    }
}

/// The names in a path.
fn parts(path: &str) -> impl Iterator<Item = Component<'_>> {
    Path::new(path).components().filter(|part| *part != Component::CurDir)
}

impl Grant {
    /// All that a component asks for.
    pub fn of(requests: &Requests, digest: Granted) -> Self {
        let network = requests.network.iter().map(NetworkGrant::from);
        let filesystem = requests.filesystem.iter().map(|request| FilesystemGrant {
            path: request.path.clone(),
            at: None,
            access: request.access,
        });
        Self {
            digest,
            network: network.collect(),
            environment: requests.environment.iter().map(|request| request.name.clone()).collect(),
            filesystem: filesystem.collect(),
            certificates: Vec::new(),
            packages: requests.packages.iter().map(PackageGrant::from).collect(),
        }
    }
}

impl TryFrom<String> for Granted {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text == "dev" {
            return Ok(Self::Development);
        }
        let digest = text.strip_prefix("sha256:").filter(|digest| digest.len() == 64);
        match digest.filter(|digest| digest.bytes().all(|byte| byte.is_ascii_hexdigit())) {
            Some(digest) => Ok(Self::Digest(digest.to_ascii_lowercase())),
            None => Err(format!("`{text}` is no digest: write sha256: and 64 hexadecimal digits, or dev")),
        }
    }
}

impl fmt::Display for Granted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Digest(digest) => write!(f, "sha256:{digest}"),
            Self::Development => f.write_str("dev"),
        }
    }
}

/// As TOML.
impl fmt::Display for NetworkGrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { endpoint, methods, phases, addresses } = self;
        let endpoint = quoted(&endpoint.to_string());
        if methods.is_empty() && phases.is_empty() && addresses.is_empty() {
            return f.write_str(&endpoint);
        }
        write!(f, "{{ endpoint = {endpoint}")?;
        member(f, "methods", methods)?;
        member(f, "phases", phases)?;
        member(f, "addresses", addresses)?;
        f.write_str(" }")
    }
}

/// As TOML.
impl fmt::Display for FilesystemGrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = quoted(&self.path);
        match (&self.at, self.access) {
            (None, Access::Read) => f.write_str(&path),
            (None, access) => write!(f, "{{ path = {path}, access = \"{access}\" }}"),
            (Some(at), access) => write!(f, "{{ path = {path}, at = {}, access = \"{access}\" }}", quoted(at)),
        }
    }
}

/// Reads HTTP methods. What is none would be none that anybody uses, and the entry would grant nothing.
fn methods<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let methods: Vec<String> = list(deserializer)?;
    match methods.iter().find(|method| !is_method(method)) {
        None => Ok(methods),
        Some(other) => Err(de::Error::custom(format!(
            "`{other}` is no HTTP method: write each as a string of its own, like \"GET\", and leave `methods` out for all"
        ))),
    }
}

/// A member of an inline table, if it says anything.
fn member<T: fmt::Display>(f: &mut fmt::Formatter<'_>, name: &str, members: &[T]) -> fmt::Result {
    let members: Vec<String> = members.iter().map(|member| quoted(&member.to_string())).collect();
    if members.is_empty() { Ok(()) } else { write!(f, ", {name} = [{}]", members.join(", ")) }
}

/// A text as a TOML string, on one line whatever it holds. What nobody would see or count, or what turns the direction of whatever
/// follows, is escaped: whoever reads the file reads what is granted.
pub fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            ' ' if quoted.ends_with(' ') => quoted.push_str("\\u0020"),
            c if !is_plain(c) => quoted.push_str(&match u32::from(c) {
                code @ ..=0xffff => format!("\\u{code:04X}"),
                code => format!("\\U{code:08X}"),
            }),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Whether a character can be seen wherever it stands, and moves none beside it.
pub(crate) fn is_plain(c: char) -> bool {
    match c {
        '\'' | '"' | '\\' => true,
        // Letters that fonts show as blanks.
        '\u{115f}' | '\u{1160}' | '\u{2800}' | '\u{3164}' | '\u{ffa0}' => false,
        // What else can't, the standard library would escape for whoever looks for mistakes.
        c => c.escape_debug().len() == 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grant(text: &str) -> Result<Grant, String> {
        let digest = format!("digest = \"sha256:{}\"\n", "A".repeat(64));
        toml::from_str(&format!("{digest}{text}")).map_err(|error| error.to_string())
    }

    #[test]
    fn grants_are_strings_or_tables_and_written_as_they_are_read() {
        for line in [
            r#""https://api.example.com""#,
            r#""${config.endpoint}""#,
            r#"{ endpoint = "https://a", methods = ["GET"] }"#,
            r#"{ endpoint = "https://a", phases = ["read"] }"#,
            r#"{ endpoint = "https://a", addresses = ["private"] }"#,
            r#"{ endpoint = "http://db.internal", methods = ["GET"], phases = ["create", "read"], addresses = ["10.0.0.0/8", "loopback"] }"#,
        ] {
            let granted = grant(&format!("network = [{line}]")).unwrap();
            assert_eq!(granted.digest.to_string(), format!("sha256:{}", "a".repeat(64)));
            assert_eq!(granted.network[0].to_string(), line);
        }
        for line in [
            r#""certs""#,
            r#"{ path = "out", access = "write" }"#,
            r#"{ path = "certs", at = "/etc/dns \"x\"", access = "read" }"#,
        ] {
            let granted = grant(&format!("filesystem = [{line}]")).unwrap();
            assert_eq!(granted.filesystem[0].to_string(), line);
        }
        for line in [r#""random""#, r#"{ package = "shop", from = "https://plugins.example.com" }"#] {
            assert_eq!(grant(&format!("packages = [{line}]")).unwrap().packages[0].to_string(), line);
        }
        assert_eq!(quoted("a\nb\u{7f}"), r#""a\u000Ab\u007F""#);
        assert_eq!(
            quoted("it's\u{202e}\u{e0041} \u{5d0}☃"),
            r#""it's\u202E\U000E0041 \u{5d0}☃""#.replace("\\u{5d0}", "\u{5d0}")
        );
        assert_eq!(quoted("a   b c\u{3164}\u{a0}\t"), r#""a \u0020 b c\u3164\u00A0\u0009""#);
    }

    #[test]
    fn what_is_wrong_with_a_grant_is_said() {
        for (text, wrong) in [
            ("network = [\"api\"]", "`api` names no scheme"),
            ("network = \"https://a\"", "expected a list like [\"…\", \"…\"]"),
            ("environment = \"A\"", "expected a list like"),
            ("certificates = \"a\"", "expected a list like"),
            (r#"network = [{ endpoint = "https://a", methods = "GET" }]"#, "expected a list like"),
            ("network = [1]", "expected an endpoint, or a table with one"),
            ("network = [{ endpoint = \"https://a\", port = 1 }]", "unknown field `port`"),
            (
                r#"network = [{ endpoint = "https://a", methods = ["GET, PUT"] }]"#,
                "`GET, PUT` is no HTTP method: write each",
            ),
            (r#"network = [{ endpoint = "https://a", methods = ["*"] }]"#, "and leave `methods` out for all"),
            ("network = [{ endpoint = \"https://a\", addresses = [\"all\"] }]", "`all` is no range of addresses"),
            ("filesystem = [{ path = \"a\", access = \"execute\" }]", "unknown variant `execute`"),
            (
                r#"filesystem = ["/srv/a\u0000b"]"#,
                "`/srv/a\\0b` is no path: write it without the NUL (`\\u0000`) in it",
            ),
            (r#"filesystem = [{ path = "a\u0000b" }]"#, "is no path"),
            (r#"filesystem = [""]"#, "`` is no path: leave it out, or write `.` for this file's directory"),
            (r#"filesystem = [{ path = "a", at = "" }]"#, "`` is no path"),
            (r#"filesystem = [{ path = "a", at = "/srv/\u0000" }]"#, "is no path"),
            (r#"certificates = ["ca.pem", "\u0000"]"#, "is no path"),
            ("packages = [1]", "expected a package, or a table with one"),
            ("packages = [{ from = \"https://a\" }]", "missing field `package`"),
            ("environment = [\"PULUMI_ACCESS_TOKEN\"]", "is the engine's own, and can't be granted"),
            ("environment = [\"$X\"]", "`$X` is no name of a variable"),
            ("environment = [\"A=B\"]", "`A=B` is no name of a variable"),
            ("environment = [\"\"]", "is no name of a variable"),
            ("capabilities = []", "unknown field `capabilities`"),
        ] {
            let error = grant(text).unwrap_err();
            assert!(error.contains(wrong) && error.contains("line 2"), "{text}: {error}");
        }
        let (foreign, long) = (format!("sha256:{}", "0g".repeat(32)), format!("sha256:{}", "0a".repeat(33)));
        for digest in ["sha256:12", "aa", "sha256:", "all", "*", &foreign, &long] {
            let error = toml::from_str::<Grant>(&format!("digest = \"{digest}\"")).unwrap_err().to_string();
            assert!(error.contains("is no digest"), "{error}");
        }
    }
}
