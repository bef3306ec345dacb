//! What a guest may use: memory, tables, time, calls at once, and how much it exchanges with others.
//!
//! Each exhaustion is one call's error. These are the numbers alone: what counts up to them stands beside it.

use std::time::Duration;

use bulkhead_policy::{Isolation, LimitSettings};
use bytesize::ByteSize;

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
        }
    }
}

impl Limits {
    /// Sets what an operator names.
    pub fn set(&mut self, settings: &LimitSettings) {
        self.follow(settings, |_, named| named, |_, named| named, |_, named| named, |_, named| named);
    }

    /// Narrows to what an operator names: the smaller limit, the stricter isolation.
    pub fn narrow(&mut self, settings: &LimitSettings) {
        self.follow(settings, usize::min, u64::min, Duration::min, Isolation::max);
    }

    fn follow(
        &mut self,
        settings: &LimitSettings,
        amount: fn(usize, usize) -> usize,
        length: fn(u64, u64) -> u64,
        time: fn(Duration, Duration) -> Duration,
        isolation: fn(Isolation, Isolation) -> Isolation,
    ) {
        let bytes = |named: ByteSize| usize::try_from(named.as_u64()).unwrap_or(usize::MAX);
        let amounts = [
            (&mut self.memory, settings.memory.map(bytes)),
            (&mut self.memory_together, settings.memory_together.map(bytes)),
            (&mut self.table_elements, settings.table_elements),
            (&mut self.concurrency, settings.concurrency.map(usize::from)),
            (&mut self.value_bytes, settings.value.map(bytes)),
            (&mut self.nodes, settings.nodes),
            (&mut self.depth, settings.depth),
            (&mut self.message_bytes, settings.message.map(bytes)),
            (&mut self.session.bytes, settings.session.map(bytes)),
            (&mut self.instances, settings.instances),
            (&mut self.outgoing.response, settings.response.map(bytes)),
            (&mut self.outgoing.connections, settings.connections.map(usize::from)),
            (&mut self.outgoing.sockets, settings.sockets),
            (&mut self.log_bytes, settings.log.map(bytes)),
            (&mut self.queue, settings.queue),
            (&mut self.component, settings.component.map(bytes)),
        ];
        let lengths = [
            (&mut self.assets.bytes, settings.asset),
            (&mut self.assets.unpacked, settings.unpacked),
            (&mut self.outgoing.sent, settings.sent),
            (&mut self.written, settings.written),
        ];
        for (limit, named) in lengths {
            *limit = named.map_or(*limit, |named| length(*limit, named.as_u64()));
        }
        for (limit, named) in amounts {
            *limit = named.map_or(*limit, |named| amount(*limit, named));
        }
        let times = [
            (&mut self.compute, settings.compute),
            (&mut self.wall, settings.wall),
            (&mut self.compile, settings.compile),
        ];
        for (limit, named) in times {
            *limit = named.map_or(*limit, |named| time(*limit, named));
        }
        self.isolation = settings.isolation.map_or(self.isolation, |named| isolation(self.isolation, named));
    }

    /// Bounds of the trees that a guest may return.
    pub(crate) fn trees(&self) -> TreeLimits {
        let most = TreeLimits::default();
        TreeLimits { nodes: self.nodes.min(most.nodes), depth: self.depth.min(most.depth), ..most }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_may_not_exceed_is_what_nothing_exceeds() {
        let most = TreeLimits::default();
        assert_eq!((most.nodes, most.depth), (bulkhead_policy::MOST_NODES, bulkhead_policy::MOST_DEPTH));
    }

    fn named() -> LimitSettings {
        let one = Some(ByteSize::b(1));
        LimitSettings {
            instances: Some(1),
            connections: std::num::NonZeroUsize::new(1),
            sockets: Some(1),
            response: one,
            sent: one,
            written: one,
            ..LimitSettings::default()
        }
    }

    fn of(limits: &Limits) -> [u64; 6] {
        let OutgoingLimits { connections, sockets, response, sent, .. } = limits.outgoing;
        let counts = [limits.instances, connections, sockets, response].map(|limit| limit as u64);
        [counts[0], counts[1], counts[2], counts[3], sent, limits.written]
    }

    #[test]
    fn what_goes_out_and_what_is_written_follow_the_files() {
        let mut limits = Limits::default();
        assert_eq!(of(&limits), [200, 64, 32, 256 << 20, 4 << 30, 4 << 30]);
        limits.set(&named());
        assert_eq!(of(&limits), [1; 6]);
        limits.narrow(&LimitSettings { sockets: Some(2), sent: Some(ByteSize::b(2)), ..LimitSettings::default() });
        assert_eq!(of(&limits), [1; 6], "files above the project's widen nothing");
        let mut limits = Limits::default();
        limits.narrow(&named());
        assert_eq!(of(&limits), [1; 6]);
    }
}
