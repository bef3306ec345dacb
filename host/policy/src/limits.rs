//! What operators may limit, as far as their files name it.
//!
//! What a limit is by default, and where it bites, is the host's to know; what it means to an operator stands in
//! `docs/operator.md`.

mod reading;

use std::num::NonZeroUsize;
use std::time::Duration;

use bytesize::ByteSize;
use serde::Deserialize;

use crate::request::LimitName;
use reading::{at_least_one, component, depth, message, nodes, size, time};

/// The most nodes that a value has, whatever a file says.
pub const MOST_NODES: usize = 2_000_000;
/// The most levels that a value has, whatever a file says.
pub const MOST_DEPTH: usize = 1_024;
/// The largest message that is read, bytes, whatever a file says.
pub const MOST_MESSAGE: usize = 400 << 20;
/// The largest component that is read, bytes, whatever a file says.
pub const MOST_COMPONENT: u64 = 1 << 30;

/// Limits of one configuration of a provider, as far as a file names them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct LimitSettings {
    /// Linear memory of an instance.
    #[serde(deserialize_with = "size")]
    pub memory: Option<ByteSize>,
    /// Linear memory of all instances of a configuration together.
    #[serde(deserialize_with = "size")]
    pub memory_together: Option<ByteSize>,
    /// Elements of an instance's tables.
    pub table_elements: Option<usize>,
    /// Core instances of an instance; as many memories, and as many tables.
    pub instances: Option<usize>,
    /// Calls at once; more wait.
    #[serde(deserialize_with = "at_least_one")]
    pub concurrency: Option<NonZeroUsize>,
    /// Time that a call may compute.
    #[serde(deserialize_with = "time")]
    pub compute: Option<Duration>,
    /// Time that a call may take that changes nothing, where the engine names none.
    #[serde(deserialize_with = "time")]
    pub wall: Option<Duration>,
    /// The values that a guest passes in one call.
    #[serde(deserialize_with = "size")]
    pub value: Option<ByteSize>,
    /// The nodes of a value that a guest passes.
    #[serde(deserialize_with = "nodes")]
    pub nodes: Option<usize>,
    /// The levels of a value that a guest passes.
    #[serde(deserialize_with = "depth")]
    pub depth: Option<usize>,
    /// A request from the engine.
    #[serde(deserialize_with = "message")]
    pub message: Option<ByteSize>,
    /// One asset, or the file of one archive.
    #[serde(deserialize_with = "size")]
    pub asset: Option<ByteSize>,
    /// What is unpacked from archives in one call.
    #[serde(deserialize_with = "size")]
    pub unpacked: Option<ByteSize>,
    /// What the instances of one configuration share.
    #[serde(deserialize_with = "size")]
    pub session: Option<ByteSize>,
    /// The body of a response from elsewhere.
    #[serde(deserialize_with = "size")]
    pub response: Option<ByteSize>,
    /// Connections for HTTP at once; more wait.
    #[serde(deserialize_with = "at_least_one")]
    pub connections: Option<NonZeroUsize>,
    /// Sockets at once; more are refused.
    pub sockets: Option<usize>,
    /// All that is sent elsewhere in one call.
    #[serde(deserialize_with = "size")]
    pub sent: Option<ByteSize>,
    /// All that is written to files in one call.
    #[serde(deserialize_with = "size")]
    pub written: Option<ByteSize>,
    /// What calls share.
    pub isolation: Option<Isolation>,
    /// Calls that wait for others to end.
    pub queue: Option<usize>,
    /// All log messages of one call.
    #[serde(deserialize_with = "size")]
    pub log: Option<ByteSize>,
    /// A component's file.
    #[serde(deserialize_with = "component")]
    pub component: Option<ByteSize>,
    /// Time that compiling a component may take.
    #[serde(deserialize_with = "time")]
    pub compile: Option<Duration>,
}

impl LimitSettings {
    /// Whether one of those that components may ask for is set.
    pub fn sets(&self, limit: LimitName) -> bool {
        match limit {
            LimitName::Memory => self.memory.is_some(),
            LimitName::Compute => self.compute.is_some(),
            LimitName::Concurrency => self.concurrency.is_some(),
            LimitName::Wall => self.wall.is_some(),
        }
    }

    /// These, and where they say nothing, those.
    pub(crate) fn or(self, others: &Self) -> Self {
        Self {
            memory: self.memory.or(others.memory),
            memory_together: self.memory_together.or(others.memory_together),
            table_elements: self.table_elements.or(others.table_elements),
            instances: self.instances.or(others.instances),
            concurrency: self.concurrency.or(others.concurrency),
            compute: self.compute.or(others.compute),
            wall: self.wall.or(others.wall),
            value: self.value.or(others.value),
            nodes: self.nodes.or(others.nodes),
            depth: self.depth.or(others.depth),
            message: self.message.or(others.message),
            asset: self.asset.or(others.asset),
            unpacked: self.unpacked.or(others.unpacked),
            session: self.session.or(others.session),
            response: self.response.or(others.response),
            connections: self.connections.or(others.connections),
            sockets: self.sockets.or(others.sockets),
            sent: self.sent.or(others.sent),
            written: self.written.or(others.written),
            isolation: self.isolation.or(others.isolation),
            queue: self.queue.or(others.queue),
            log: self.log.or(others.log),
            component: self.component.or(others.component),
            compile: self.compile.or(others.compile),
        }
    }
}

/// What calls into a component share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Isolation {
    /// Calls of one configuration may follow each other in one instance.
    #[default]
    Configuration,
    /// Each call gets an instance of its own.
    Call,
}
