//! What a program says where it may say anything: what interfaces expect there, what is almost that, and what isn't.

use std::net::SocketAddr;
use std::path::PathBuf;

use super::secret;

/// Whom and what the program may name.
#[derive(Clone, Debug)]
pub(super) struct Surroundings {
    /// Whom it may send requests to.
    pub(super) http: SocketAddr,
    /// Whom it may send encrypted requests to, and the file of the authority that vouches for him.
    pub(super) https: SocketAddr,
    pub(super) authority: PathBuf,
    /// Whom it may open connections to.
    pub(super) tcp: SocketAddr,
    /// Who isn't granted.
    pub(super) denied: SocketAddr,
}

impl Surroundings {
    /// Words for what is called so: a parameter, a field or a case.
    pub(super) fn words(&self, called: &str) -> Vec<Vec<u8>> {
        let texts: Vec<String> = match called {
            "authority" => {
                let addresses = [self.http, self.http, self.https, self.https, self.tcp, self.denied];
                addresses.map(|address| address.to_string()).to_vec()
            }
            "method" => strings(&["GET", "PATCH", "G T", ""]),
            "path-with-query" => strings(&["/", "/a?b=c", "*", "http://other/", "/a b", "", "//x/y"]),
            "path" | "old-path" | "new-path" | "src-path" | "dest-path" => strings(&PATHS),
            "name" => [strings(&HEADERS), strings(&["key", "what", "name", "localhost", "host.example", "127.0.0.1"])]
                .concat()
                .into_iter()
                .chain(strings(&PACKAGES))
                .collect(),
            "value" => strings(&["1", "a\r\nb: c", "close", "gzip", "4", "18446744073709551616", ""]),
            "urn" | "urns" | "parent" | "depends-on" | "deleted-with" | "aliases" => strings(&URNS),
            "token" => strings(&[
                "hostile:index:Thing",
                "hostile:index:Own",
                "hostile:index:Group",
                "hostile:index:tell",
                "hostile:index:Group/tell",
                "other:a:B",
                "other:index:Thing",
                "command:local:Command",
                "pulumi:pulumi:getResource",
                "pulumi:pulumi:StackReference",
                "pulumi:providers:other",
                "pulumi:providers:hostile",
                "Plain",
                "",
            ]),
            "member" => strings(&["text", "text", "text", "text", "what", "any", "tree", "key", "__internal", "", "a"]),
            "source" | "package" => strings(&PACKAGES),
            "provider" => [strings(&PACKAGES), strings(&PROVIDERS)].concat(),
            "version" => strings(&["1.2.3", "2.0.0", "", "latest"]),
            "plugin-download-url" => strings(&["https://plugins.example", ""]),
            _ => Vec::new(),
        };
        texts.into_iter().map(String::into_bytes).collect()
    }

    /// Words that tell what the program was told in confidence.
    pub(super) fn secret() -> Vec<Vec<u8>> {
        secret::spelt().into_iter().map(String::into_bytes).collect()
    }

    /// Words for anything.
    pub(super) fn any(&self) -> Vec<Vec<u8>> {
        let mut words: Vec<Vec<u8>> =
            ANY.iter().chain(&PATHS).chain(&HEADERS).map(|word| word.as_bytes().to_vec()).collect();
        words.push(self.http.to_string().into_bytes());
        words.push(format!("http://{}/x", self.http).into_bytes());
        words.push(format!("https://{}/x", self.https).into_bytes());
        words.push(format!("http://user:secret@{}/x", self.denied).into_bytes());
        words.push("x".repeat(3_000).into_bytes());
        words.push("é\u{0}\u{202e}\u{1b}[2J".repeat(40).into_bytes());
        words
    }
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().copied().map(str::to_owned).collect()
}

const PATHS: [&str; 14] =
    ["a", "a", "b", "a/b", "a/../b", "..", "../secret", "/etc/passwd", ".", "", "a\0b", "in.txt", "link", "b/"];

const PACKAGES: [&str; 6] = ["other", "other", "silent", "command", "hostile", "pulumi/other"];

const PROVIDERS: [&str; 3] = [
    "urn:pulumi:dev::project::pulumi:providers:other::name::id-name",
    "urn:pulumi:dev::project::pulumi:providers:hostile::name::id-name",
    "urn:pulumi:dev::project::pulumi:providers:command::name::id",
];

const URNS: [&str; 6] = [
    "urn:pulumi:dev::project::hostile:index:Group::name",
    "urn:pulumi:dev::project::hostile:index:Thing::name",
    "urn:pulumi:dev::project::other:index:Thing::name",
    "urn:pulumi:dev::project::command:local:Command::name",
    "urn:pulumi:x",
    "",
];

const HEADERS: [&str; 9] =
    ["x-a", "x-a", "content-length", "transfer-encoding", "host", "connection", "Cookie", "x y", "content-type"];

const ANY: [&str; 12] =
    ["", "a", "what", "key", "text", "1", "-1", "null", "{}", "[0]", "4dabf18193072939515e22adb298388d", "__internal"];
