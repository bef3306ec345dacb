//! What a guest may use: memory, tables, time, calls at once, and how much it exchanges with others.
//!
//! Each exhaustion is one call's error. These are the numbers alone: what counts up to them stands beside it.

use std::cmp::Ordering;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use bulkhead_policy::{Isolation, LimitRequest, LimitSettings};
use bytesize::ByteSize;

use super::deciding::Deciding;
use super::session::SessionLimits;
use crate::assets::AssetLimits;
use crate::outgoing::OutgoingLimits;
use crate::wit::TreeLimits;

/// How long a guest runs before it yields.
pub(crate) const TICK: Duration = Duration::from_millis(10);

/// Limits of one configuration of a component.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Linear memory of an instance, bytes. 1 GiB.
    pub memory: usize,
    /// Linear memory of all instances of the configuration, bytes. What this machine has for them.
    pub memory_together: usize,
    /// Elements of an instance's tables. 100,000.
    pub table_elements: usize,
    /// Core instances of an instance, and as many tables. 200.
    pub instances: usize,
    /// Calls at once; more wait. 64.
    pub concurrency: usize,
    /// Time a call may compute, the host's work for it counted and waiting not. 30 s.
    pub compute: Duration,
    /// Time a call may take that changes nothing, where the engine names none. 60 s.
    pub wall: Duration,
    /// Bytes of the values a guest passes to the host in one call. 256 MiB.
    pub value_bytes: usize,
    /// Nodes of a value that a guest passes. 2 million, and never more: whatever is recorded has to be taken back.
    pub nodes: usize,
    /// Levels of a value that a guest passes. 1,024, and never more.
    pub depth: usize,
    /// Bytes of a request from the engine. 400 MiB, as engines have it.
    pub message_bytes: usize,
    /// What calls share. Instances, within one configuration.
    pub isolation: Isolation,
    /// Memory above which an instance isn't used again, bytes. 64 MiB.
    pub retire_above: usize,
    /// Characters of one log message. 16,384.
    pub log_message: usize,
    /// Log messages of one call; the rest is dropped with a note. 1,000.
    pub log_messages: u32,
    /// Bytes of all log messages of one call. 4 MiB.
    pub log_bytes: usize,
    /// Calls that wait for others to end. 10,000.
    pub queue: usize,
    /// Bytes of a component's file. 256 MiB.
    pub component: usize,
    /// Time that compiling a component may take. 10 min.
    pub compile: Duration,
    /// What the instances of a configuration may share.
    pub session: SessionLimits,
    /// Bytes of another package's description. 64 MiB.
    pub description: usize,
    /// What is read of assets and archives.
    pub assets: AssetLimits,
    /// What is exchanged with others over the network.
    pub outgoing: OutgoingLimits,
    /// Bytes that a call writes to files. 4 GiB.
    pub written: u64,
    /// The files that decide these limits, where it isn't the project's.
    pub deciding: Deciding,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            memory: 1 << 30,
            memory_together: usize::MAX,
            table_elements: 100_000,
            instances: 200,
            concurrency: 64,
            compute: Duration::from_secs(30),
            wall: Duration::from_secs(60),
            value_bytes: 256 << 20,
            nodes: TreeLimits::default().nodes,
            depth: TreeLimits::default().depth,
            message_bytes: 400 << 20,
            isolation: Isolation::Configuration,
            retire_above: 64 << 20,
            log_message: 16_384,
            log_messages: 1_000,
            log_bytes: 4 << 20,
            queue: 10_000,
            component: 256 << 20,
            compile: Duration::from_secs(600),
            session: SessionLimits::default(),
            description: 64 << 20,
            assets: AssetLimits::default(),
            outgoing: OutgoingLimits::default(),
            written: 4 << 30,
            deciding: Deciding::default(),
        }
    }
}

impl Limits {
    /// Sets what a project's file names.
    pub fn set(&mut self, settings: &LimitSettings) {
        self.follow(settings, None);
    }

    /// Narrows to what a file above a project's names: the smaller limit, the stricter isolation.
    pub fn narrow(&mut self, settings: &LimitSettings, file: &str) {
        self.follow(settings, Some(file));
    }

    fn follow(&mut self, settings: &LimitSettings, above: Option<&str>) {
        let bytes = |named: ByteSize| usize::try_from(named.as_u64()).unwrap_or(usize::MAX);
        let amounts = [
            ("memory", &mut self.memory, settings.memory.map(bytes)),
            ("memory-together", &mut self.memory_together, settings.memory_together.map(bytes)),
            ("table-elements", &mut self.table_elements, settings.table_elements),
            ("concurrency", &mut self.concurrency, settings.concurrency.map(usize::from)),
            ("value", &mut self.value_bytes, settings.value.map(bytes)),
            ("nodes", &mut self.nodes, settings.nodes),
            ("depth", &mut self.depth, settings.depth),
            ("message", &mut self.message_bytes, settings.message.map(bytes)),
            ("session", &mut self.session.bytes, settings.session.map(bytes)),
            ("instances", &mut self.instances, settings.instances),
            ("response", &mut self.outgoing.response, settings.response.map(bytes)),
            ("connections", &mut self.outgoing.connections, settings.connections.map(usize::from)),
            ("sockets", &mut self.outgoing.sockets, settings.sockets),
            ("log", &mut self.log_bytes, settings.log.map(bytes)),
            ("queue", &mut self.queue, settings.queue),
            ("component", &mut self.component, settings.component.map(bytes)),
        ];
        let lengths = [
            ("asset", &mut self.assets.bytes, settings.asset),
            ("unpacked", &mut self.assets.unpacked, settings.unpacked),
            ("sent", &mut self.outgoing.sent, settings.sent),
            ("written", &mut self.written, settings.written),
        ];
        let times = [
            ("compute", &mut self.compute, settings.compute),
            ("wall", &mut self.wall, settings.wall),
            ("compile", &mut self.compile, settings.compile),
        ];
        let mut follower = Follower { above, deciding: &mut self.deciding };
        for (name, limit, named) in amounts {
            follower.follow(name, limit, named);
        }
        for (name, limit, named) in lengths {
            follower.follow(name, limit, named.map(|named| named.as_u64()));
        }
        for (name, limit, named) in times {
            follower.follow(name, limit, named);
        }
        if let Some(named) = settings.isolation {
            self.isolation = if above.is_some() { self.isolation.max(named) } else { named };
        }
    }

    /// Where a limit is changed, as it reads after "in".
    pub(crate) fn place(&self, limit: &str) -> String {
        self.deciding.place(limit)
    }

    /// What a component gets of a limit that it asks for where that is less, with the file in which it is raised, and whose file above
    /// the project's keeps the rest from it.
    pub(crate) fn given(&self, asked: &LimitRequest, project: &str) -> Option<(String, Option<String>)> {
        let given = LimitSettings {
            memory: Some(ByteSize(u64::try_from(self.memory).unwrap_or(u64::MAX))),
            compute: Some(self.compute),
            wall: Some(self.wall),
            concurrency: NonZeroUsize::new(self.concurrency),
            ..LimitSettings::default()
        };
        let (less, limit) = (asked.falls_short(&given)?, asked.limit.name());
        let raise = format!("raise the limit `{limit}` in {}", self.deciding.place_beside(limit, project));
        Some((format!("{less}; {raise}"), self.deciding.above(limit)))
    }

    /// What an operator can do about a limit that a provider met.
    pub(crate) fn raise(&self, limit: &str) -> String {
        format!("if the provider should have more, raise the limit `{limit}` in {}", self.place(limit))
    }

    /// Bounds of the trees that a guest returns together, or gives in one call of the host.
    pub(crate) fn trees(&self) -> TreeLimits {
        let most = TreeLimits::default();
        // What can't be raised is nothing to tell an operator of.
        let hint = |limit, is_lowered: bool| is_lowered.then(|| Arc::from(self.raise(limit)));
        TreeLimits {
            more: hint("nodes", self.nodes < most.nodes),
            deeper: hint("depth", self.depth < most.depth),
            nodes: self.nodes.min(most.nodes),
            depth: self.depth.min(most.depth),
            ..most
        }
    }
}

/// A file that limits follow: the project's, or one above it.
struct Follower<'a> {
    above: Option<&'a str>,
    deciding: &'a mut Deciding,
}

impl Follower<'_> {
    fn follow<T: Ord>(&mut self, name: &'static str, limit: &mut T, named: Option<T>) {
        let Some(named) = named else { return };
        match self.above.map(|file| (file, named.cmp(limit))) {
            None => *limit = named,
            Some((file, Ordering::Less)) => {
                *limit = named;
                self.deciding.by(name, file);
            }
            Some((file, Ordering::Equal)) => self.deciding.also_by(name, file),
            Some((_, Ordering::Greater)) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_may_not_exceed_is_what_nothing_exceeds() {
        let most = TreeLimits::default();
        assert_eq!((most.nodes, most.depth), (bulkhead_policy::MOST_NODES, bulkhead_policy::MOST_DEPTH));
        assert_eq!(Limits::default().message_bytes, bulkhead_policy::MOST_MESSAGE);
    }

    /// Limits by the names that files have for them, numbers all: of bytes, of things, of seconds.
    fn named(limits: &Limits) -> [(&'static str, u64); 23] {
        let (assets, outgoing) = (&limits.assets, &limits.outgoing);
        [
            ("asset", assets.bytes),
            ("unpacked", assets.unpacked),
            ("sent", outgoing.sent),
            ("written", limits.written),
            ("compute", limits.compute.as_secs()),
            ("wall", limits.wall.as_secs()),
            ("compile", limits.compile.as_secs()),
            ("memory", limits.memory as u64),
            ("memory-together", limits.memory_together as u64),
            ("table-elements", limits.table_elements as u64),
            ("instances", limits.instances as u64),
            ("concurrency", limits.concurrency as u64),
            ("value", limits.value_bytes as u64),
            ("nodes", limits.nodes as u64),
            ("depth", limits.depth as u64),
            ("message", limits.message_bytes as u64),
            ("session", limits.session.bytes as u64),
            ("response", outgoing.response as u64),
            ("connections", outgoing.connections as u64),
            ("sockets", outgoing.sockets as u64),
            ("log", limits.log_bytes as u64),
            ("queue", limits.queue as u64),
            ("component", limits.component as u64),
        ]
    }

    /// A default as people write it.
    fn written(name: &str, value: u64) -> String {
        let (mib, gib) = (1 << 20, 1 << 30);
        match name {
            "compute" | "wall" | "compile" if value > 60 && value.is_multiple_of(60) => format!("{} min", value / 60),
            "compute" | "wall" | "compile" => format!("{value} s"),
            "nodes" => format!("{} million", value / 1_000_000),
            _ if value >= gib && value.is_multiple_of(gib) => format!("{} GiB", value / gib),
            _ if value >= mib && value.is_multiple_of(mib) => format!("{} MiB", value / mib),
            _ if value >= 1_000 => format!("{},{:03}", value / 1_000, value % 1_000),
            _ => value.to_string(),
        }
    }

    #[test]
    fn operators_read_the_defaults_that_hold() {
        let document = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/operator.md")).unwrap();
        let rows: Vec<Vec<&str>> = document.lines().map(|line| line.split('|').map(str::trim).collect()).collect();
        // That of all instances together follows from the machine.
        for (name, value) in named(&Limits::default()).into_iter().filter(|(name, _)| *name != "memory-together") {
            let row = rows.iter().find(|row| row.len() == 5 && row[1].contains(&format!("`{name}`"))).unwrap();
            let said: Vec<&str> = row[3].split(" · ").collect();
            assert!(
                said.contains(&written(name, value).as_str()),
                "{name} is {value}, and the document says {}",
                row[3]
            );
        }
    }

    #[test]
    fn each_limit_follows_the_files_and_no_other_does() {
        // A value of its own for each, so that none passes for another.
        let values = |from: u64| named(&Limits::default()).map(|(name, _)| name).into_iter().zip(from..);
        let settings = |from| {
            let line = |(name, value): (&str, u64)| match name {
                "compute" | "wall" | "compile" => format!("{name} = \"{value}s\"\n"),
                _ => format!("{name} = {value}\n"),
            };
            let text: String = values(from).map(line).collect();
            bulkhead_policy::OperatorFile::parse(&format!("[limits]\n{text}")).unwrap().limits("x")
        };
        let follows = |limits: &Limits, from| assert!(values(from).eq(named(limits)), "{from}: {limits:?}");
        let mut limits = Limits::default();
        let (mib, gib) = (1 << 20, 1 << 30);
        assert_eq!(
            named(&limits).map(|(_, value)| value),
            [
                [4 * gib; 4].as_slice(),
                &[30, 60, 600, gib, u64::MAX, 100_000, 200, 64, 256 * mib, 2_000_000, 1_024, 400 * mib, mib, 256 * mib],
                &[64, 32, 4 * mib, 10_000, 256 * mib],
            ]
            .concat()[..],
            "as the documentation has them"
        );
        limits.set(&settings(500));
        follows(&limits, 500);
        limits.narrow(&settings(600), "above.toml");
        follows(&limits, 500);
        limits.narrow(&settings(1), "above.toml");
        follows(&limits, 1);
        limits.set(&settings(100));
        follows(&limits, 100);

        let isolated = |isolation| LimitSettings { isolation: Some(isolation), ..LimitSettings::default() };
        limits.narrow(&isolated(Isolation::Call), "above.toml");
        assert_eq!(limits.isolation, Isolation::Call);
        limits.narrow(&isolated(Isolation::Configuration), "above.toml");
        assert_eq!(limits.isolation, Isolation::Call, "files above the project's loosen nothing");
        limits.set(&isolated(Isolation::Configuration));
        assert_eq!(limits.isolation, Isolation::Configuration);
    }

    #[test]
    fn whoever_should_raise_a_limit_is_sent_to_the_file_that_decides_it() {
        let of = |text: &str| bulkhead_policy::OperatorFile::parse(&format!("[limits]\n{text}")).unwrap().limits("x");
        let after = |project: &str, above: &[(&str, &str)]| {
            let mut limits = Limits::default();
            limits.set(&of(project));
            above.iter().for_each(|(file, text)| limits.narrow(&of(text), file));
            limits
        };
        let (user, organisation) = ("/home/me/.config/bulkhead/bulkhead.toml", "/etc/bulkhead/bulkhead.toml");
        let low = after("memory = \"8GiB\"", &[(user, "memory = \"16MiB\""), (organisation, "memory = \"32MiB\"")]);
        let raise = |limit: &str, place: &str| {
            format!("if the provider should have more, raise the limit `{limit}` in {place}")
        };
        assert_eq!(low.raise("memory"), raise("memory", user));
        assert_eq!(low.raise("compute"), raise("compute", "bulkhead.toml"), "that no file sets");
        let lower = after("", &[(user, "compute = \"2s\""), (organisation, "compute = \"1s\"")]);
        assert_eq!(lower.place("compute"), organisation, "the lowest decides");
        let own = after("sent = \"1MiB\"", &[(user, "sent = \"2MiB\"")]);
        assert_eq!(own.place("sent"), "bulkhead.toml");
        let both = after("", &[(user, "memory = \"1GiB\"")]);
        assert_eq!(both.place("memory"), format!("bulkhead.toml and in {user}"), "more than the default takes both");
    }

    #[test]
    fn what_a_component_gets_of_a_limit_is_told_with_the_file_that_decides_it() {
        let of = |text: &str| bulkhead_policy::OperatorFile::parse(&format!("[limits]\n{text}")).unwrap().limits("x");
        let given = |project: &str, above: &str, limit: &str, value: &str| {
            let mut limits = Limits::default();
            limits.set(&of(project));
            limits.narrow(&of(above), "/etc/b");
            let asked = serde_json::from_value(serde_json::json!({"limit": limit, "value": value, "reason": "r"}));
            limits.given(&asked.unwrap(), "/p/b")
        };
        let said = |text: &str, above: Option<&str>| Some((text.to_owned(), above.map(str::to_owned)));
        assert_eq!(given("", "", "memory", "1GiB"), None, "no file has to say so");
        assert_eq!(given("", "", "memory", "2GiB"), said("1.0 GiB; raise the limit `memory` in /p/b", None));
        assert_eq!(given("wall = \"5s\"", "", "wall", "1m"), said("5s; raise the limit `wall` in /p/b", None));
        let above = said("1s; raise the limit `compute` in /etc/b", Some("/etc/b"));
        assert_eq!(given("compute = \"1m\"", "compute = \"1s\"", "compute", "1m"), above);
        let both = said("4; raise the limit `concurrency` in /p/b and in /etc/b", Some("/etc/b"));
        assert_eq!(given("concurrency = 4", "concurrency = 4", "concurrency", "5"), both);
    }

    #[test]
    fn values_are_told_of_as_limited_only_where_somebody_can_raise_that() {
        let raise = |limits: &Limits| (limits.trees().more, limits.trees().deeper);
        assert_eq!(raise(&Limits::default()), (None, None));
        let (more, deeper) = raise(&Limits { nodes: 10, depth: 10, ..Limits::default() });
        assert!(more.unwrap().ends_with("raise the limit `nodes` in bulkhead.toml"));
        assert!(deeper.unwrap().ends_with("raise the limit `depth` in bulkhead.toml"));
    }
}
