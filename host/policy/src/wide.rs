//! What reaches far among what would be granted.
//!
//! A component may ask for a thousand things, of which all but one are harmless. Whoever is to say yes sees the end of a list that
//! long, so what reaches further than its neighbours is told there, in so few lines that none of them is far from the question.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path};

use crate::address::Reached;
use crate::destination::Scheme;
use crate::endpoint::HostPattern;
use crate::explain::beginning;
use crate::grant::{FilesystemGrant, Grant, NetworkGrant};
use crate::host::Host;
use crate::package::PackageGrant;
use crate::request::Phase;

/// Entries of a kind that are told; of more it is only said how many they are.
const TOLD: usize = 3;
/// Characters of an entry that are told. All of it stands in the list.
const LONGEST: usize = 120;

/// How far something reaches, the furthest first, as it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Wide {
    AnyHost,
    WholeFilesystem,
    AnyPackage,
    ManyNames,
    NotPublic,
    Outside,
    WholeProject,
    Engine,
    PluginFrom,
    AnyPort,
    Socket,
    Early,
}

impl Wide {
    /// In words.
    fn words(self) -> &'static str {
        match self {
            Self::AnyHost => "any server",
            Self::WholeFilesystem => "a whole file system",
            Self::AnyPackage => "any other package, outside of the sandbox",
            Self::ManyNames => "every name of a top-level domain",
            Self::NotPublic => "this machine or its own networks",
            Self::Outside => "a directory outside of the project",
            Self::WholeProject => "all of the project",
            Self::Engine => "any stack that the user may read",
            Self::PluginFrom => "a plugin from an address that the component names",
            Self::AnyPort => "any port",
            Self::Socket => "sockets, over which nothing more is known",
            Self::Early => "in checks, diffs or previews, before anybody has agreed to anything",
        }
    }
}

impl Grant {
    /// What of it reaches far: a line for each way to do so, the furthest first.
    pub fn wide(&self) -> Vec<String> {
        let network = self.network.iter().filter(|granted| granted.endpoint.never().is_none());
        let network = network.flat_map(|granted| {
            let entry = format!("network {granted}");
            granted.wide().into_iter().map(move |wide| (wide, entry.clone()))
        });
        let filesystem =
            self.filesystem.iter().filter_map(|granted| Some((granted.wide()?, format!("filesystem {granted}"))));
        let packages = self.packages.iter().flat_map(|granted| {
            let entry = format!("packages {granted}");
            granted.wide().into_iter().map(move |wide| (wide, entry.clone()))
        });
        let mut found: BTreeMap<Wide, Vec<String>> = BTreeMap::new();
        for (wide, entry) in network.chain(filesystem).chain(packages) {
            found.entry(wide).or_default().push(entry);
        }
        let line = |(wide, entries): (Wide, Vec<String>)| {
            let told: Vec<String> = entries.iter().take(TOLD).map(|entry| beginning(entry, LONGEST)).collect();
            let more = entries.len().checked_sub(TOLD).filter(|more| *more > 0);
            let more = more.map(|more| format!(", and {more} more")).unwrap_or_default();
            format!("{}: {}{more}", wide.words(), told.join(", "))
        };
        found.into_iter().map(line).collect()
    }

    /// How many things it gives.
    pub fn entries(&self) -> usize {
        let Self { digest: _, network, environment, filesystem, certificates, packages } = self;
        [network.len(), environment.len(), filesystem.len(), certificates.len(), packages.len()].iter().sum()
    }
}

impl NetworkGrant {
    fn wide(&self) -> BTreeSet<Wide> {
        let mut found = BTreeSet::new();
        // What refers to a configuration means what its user chose.
        if let Some(pattern) = self.endpoint.fixed() {
            found.extend(match &pattern.host {
                HostPattern::Any => Some(Wide::AnyHost),
                HostPattern::Below(name) if !name.contains('.') => Some(Wide::ManyNames),
                HostPattern::Below(_) => None,
                HostPattern::One(Host::Address(address)) => {
                    (Reached::by(*address) != Reached::Public).then_some(Wide::NotPublic)
                }
                HostPattern::One(host) => host.is_localhost().then_some(Wide::NotPublic),
            });
            found.extend(pattern.port.is_none().then_some(Wide::AnyPort));
            found.extend(pattern.is_over(Scheme::Tcp).then_some(Wide::Socket));
        }
        found.extend((!self.addresses.is_empty()).then_some(Wide::NotPublic));
        let early = self.phases.iter().any(|phase| matches!(phase, Phase::Check | Phase::Diff | Phase::Preview));
        found.extend(early.then_some(Wide::Early));
        found
    }
}

impl FilesystemGrant {
    /// By what is written alone: where that really lies is somebody else's to find out.
    fn wide(&self) -> Option<Wide> {
        let path = Path::new(self.at.as_ref().unwrap_or(&self.path));
        let (mut depth, mut outside) = (0_usize, path.has_root());
        for component in path.components() {
            match component {
                Component::Normal(_) => depth = depth.saturating_add(1),
                Component::ParentDir if depth == 0 => outside = true,
                Component::ParentDir => depth = depth.saturating_sub(1),
                Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
            }
        }
        match (outside, depth) {
            (true, 0) if path.has_root() => Some(Wide::WholeFilesystem),
            (true, _) => Some(Wide::Outside),
            (false, 0) => Some(Wide::WholeProject),
            (false, _) => None,
        }
    }
}

impl PackageGrant {
    fn wide(&self) -> Vec<Wide> {
        let by_name = match self.package.as_str() {
            "*" => Some(Wide::AnyPackage),
            "pulumi" => Some(Wide::Engine),
            _ => None,
        };
        by_name.into_iter().chain(self.from.is_some().then_some(Wide::PluginFrom)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grant::Granted;
    use crate::request::Requests;

    fn wide(requests: serde_json::Value) -> Vec<String> {
        Grant::of(&serde_json::from_value::<Requests>(requests).unwrap(), Granted::Development).wide()
    }

    #[test]
    fn what_reaches_far_is_told_by_how_far() {
        let network = |endpoint: &str| {
            wide(serde_json::json!({"network": [{"endpoint": endpoint, "reason": "r"}]}))
                .iter()
                .map(|line| line.split_once(": ").unwrap().0.to_owned())
                .collect::<Vec<_>>()
        };
        let (own, sockets) = ("this machine or its own networks", "sockets, over which nothing more is known");
        for (endpoint, words) in [
            ("https://api.example.com", &[][..]),
            ("https://*.example.com", &[]),
            ("https://1.1.1.1:8443", &[]),
            ("${config.endpoint}", &[]),
            ("https://*", &["any server"]),
            ("http://*:*", &["any server", "any port"]),
            ("https://*.com", &["every name of a top-level domain"]),
            ("http://10.1.2.3", &[own]),
            ("http://[::1]:8081", &[own]),
            ("http://db.localhost", &[own]),
            ("tcp://db.example.com:5432", &[sockets]),
            ("http://169.254.169.254", &[]),
        ] {
            assert_eq!(network(endpoint), words, "{endpoint}");
        }
        let filesystem = |path: &str| {
            wide(serde_json::json!({"filesystem": [{"path": path, "access": "read", "reason": "r"}]})).pop()
        };
        for (path, words) in [
            ("certs", None),
            ("a/../b", None),
            ("a/b/..", None),
            ("/", Some("a whole file system")),
            ("/srv/..", Some("a whole file system")),
            ("//./", Some("a whole file system")),
            ("/etc/ssl", Some("a directory outside of the project")),
            ("..", Some("a directory outside of the project")),
            ("certs/../../.ssh", Some("a directory outside of the project")),
            (".", Some("all of the project")),
            ("a/..", Some("all of the project")),
        ] {
            assert_eq!(filesystem(path), words.map(|words| format!("{words}: filesystem \"{path}\"")), "{path}");
        }
        let packages = serde_json::json!({"packages": [{"package": "*", "reason": "r"}, {"package": "pulumi", "reason": "r"},
            {"package": "random", "reason": "r"}, {"package": "shop", "from": "https://a", "reason": "r"}],
            "network": [{"endpoint": "https://a", "phases": ["preview"], "reason": "r"}]});
        assert_eq!(
            wide(packages),
            [
                "any other package, outside of the sandbox: packages \"*\"",
                "any stack that the user may read: packages \"pulumi\"",
                "a plugin from an address that the component names: packages { package = \"shop\", from = \"https://a\" }",
                "in checks, diffs or previews, before anybody has agreed to anything: network { endpoint = \"https://a\", \
                 phases = [\"preview\"] }",
            ]
        );
    }

    #[test]
    fn what_an_entry_adds_reaches_as_far_as_it_does() {
        let granted = r#"network = [{ endpoint = "https://a.example", phases = ["read"] },
            { endpoint = "http://10.1.2.3:*", phases = ["diff"], addresses = ["private"] },
            { endpoint = "https://b.example", addresses = ["10.0.0.0/8"] }, { endpoint = "https://c.example", phases = ["check"] },
            { endpoint = "https://d.example", phases = ["preview", "read"] }]"#;
        let grant = Grant::parse(&Granted::Development, granted).unwrap();
        let own = r#"{ endpoint = "http://10.1.2.3:*", phases = ["diff"], addresses = ["private"] }"#;
        assert_eq!(
            grant.wide(),
            [
                format!(
                    r#"this machine or its own networks: network {own}, network {{ endpoint = "https://b.example", addresses = ["10.0.0.0/8"] }}"#
                ),
                format!("any port: network {own}"),
                format!(
                    "in checks, diffs or previews, before anybody has agreed to anything: network {own}, network {{ endpoint = \
                     \"https://c.example\", phases = [\"check\"] }}, network {{ endpoint = \"https://d.example\", phases = [\"preview\", \
                     \"read\"] }}"
                ),
            ]
        );
        assert_eq!(grant.entries(), 5);
    }

    #[test]
    fn what_reaches_far_is_short_however_much_there_is_of_it() {
        let network: Vec<_> = (1..=1000)
            .map(|port| serde_json::json!({"endpoint": format!("https://*:{port}"), "reason": "r"}))
            .collect();
        let filesystem = [serde_json::json!({"path": "/a".repeat(2000), "access": "read", "reason": "r"})];
        let told = wide(serde_json::json!({"network": &network, "filesystem": filesystem}));
        assert_eq!(
            told.first().unwrap(),
            r#"any server: network "https://*:1", network "https://*:2", network "https://*:3", and 997 more"#
        );
        let few = |count: usize| {
            wide(serde_json::json!({"network": network.iter().take(count).collect::<Vec<_>>()})).remove(0)
        };
        assert!(few(3).ends_with("\"https://*:3\"") && few(4).ends_with(", and 1 more"), "{} {}", few(3), few(4));
        assert!(told.iter().all(|line| line.chars().count() < 4 * LONGEST), "{told:?}");
    }
}
