//! What a guest may use: memory, tables, time, calls at once.
//!
//! Each exhaustion is one call's error. A refused growth reaches the guest as an allocation failure, which most languages
//! turn into a trap; the meter remembers the refusal so that the error can say what really happened.

use std::time::Duration;

use bulkhead_policy::{Isolation, LimitSettings};
use bytesize::ByteSize;
use wasmtime::ResourceLimiter;

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
    /// Elements of an instance's tables. 100,000.
    pub table_elements: usize,
    /// Calls at once; more wait. 64.
    pub concurrency: usize,
    /// Time a call may compute, waiting not counted. 30 s.
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
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            memory: 1 << 30,
            table_elements: 100_000,
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
            (&mut self.table_elements, settings.table_elements),
            (&mut self.concurrency, settings.concurrency.map(usize::from)),
            (&mut self.value_bytes, settings.value.map(bytes)),
            (&mut self.nodes, settings.nodes),
            (&mut self.depth, settings.depth),
            (&mut self.message_bytes, settings.message.map(bytes)),
            (&mut self.session.bytes, settings.session.map(bytes)),
            (&mut self.outgoing.response, settings.response.map(bytes)),
            (&mut self.log_bytes, settings.log.map(bytes)),
            (&mut self.queue, settings.queue),
            (&mut self.component, settings.component.map(bytes)),
        ];
        let lengths = [(&mut self.assets.bytes, settings.asset), (&mut self.assets.unpacked, settings.unpacked)];
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

    /// The computing time in ticks of the clock.
    pub(crate) fn compute_ticks(&self) -> u64 {
        u64::try_from(self.compute.as_millis() / TICK.as_millis()).unwrap_or(u64::MAX)
    }

    /// Bounds of the trees that a guest may return.
    pub(crate) fn trees(&self) -> TreeLimits {
        let most = TreeLimits::default();
        TreeLimits { nodes: self.nodes.min(most.nodes), depth: self.depth.min(most.depth), ..most }
    }
}

/// Core instances of one instance of a component: it has one for each of its modules, and some between them.
const MOST_INSTANCES: usize = 200;

/// Counts what one instance uses: all of its memories together, and all of its tables.
#[derive(Debug)]
pub(crate) struct Meter {
    memory_limit: usize,
    table_limit: usize,
    /// Linear memory so far, bytes. It never shrinks.
    pub(crate) memory: usize,
    /// Elements of tables so far.
    tables: usize,
    /// What was added last, in case that the system doesn't have it.
    added: usize,
    /// What was refused last, in words.
    pub(crate) refused: Option<&'static str>,
}

impl Meter {
    pub(crate) fn new(limits: &Limits) -> Self {
        let (memory_limit, table_limit) = (limits.memory, limits.table_elements);
        Self { memory_limit, table_limit, memory: 0, tables: 0, added: 0, refused: None }
    }
}

impl ResourceLimiter for Meter {
    fn memory_growing(&mut self, current: usize, desired: usize, _maximum: Option<usize>) -> wasmtime::Result<bool> {
        self.added = desired.saturating_sub(current);
        let all = self.memory.saturating_add(self.added);
        if all > self.memory_limit {
            self.refused = Some("memory");
            return Ok(false);
        }
        self.memory = all;
        Ok(true)
    }

    fn memory_grow_failed(&mut self, _error: wasmtime::Error) -> wasmtime::Result<()> {
        self.memory = self.memory.saturating_sub(self.added);
        Ok(())
    }

    fn table_growing(&mut self, current: usize, desired: usize, _maximum: Option<usize>) -> wasmtime::Result<bool> {
        self.added = desired.saturating_sub(current);
        let all = self.tables.saturating_add(self.added);
        if all > self.table_limit {
            self.refused = Some("table elements");
            return Ok(false);
        }
        self.tables = all;
        Ok(true)
    }

    fn table_grow_failed(&mut self, _error: wasmtime::Error) -> wasmtime::Result<()> {
        self.tables = self.tables.saturating_sub(self.added);
        Ok(())
    }

    fn instances(&self) -> usize {
        MOST_INSTANCES
    }

    fn memories(&self) -> usize {
        MOST_INSTANCES
    }

    fn tables(&self) -> usize {
        MOST_INSTANCES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memories_and_tables_count_together_and_what_the_system_lacks_does_not_count() {
        let mut meter = Meter::new(&Limits { memory: 100, table_elements: 10, ..Limits::default() });
        let mut memory = |current, desired| meter.memory_growing(current, desired, None).unwrap();
        assert!(memory(0, 60) && memory(0, 20) && memory(20, 40));
        assert!(!memory(0, 1), "two memories have it all");
        meter.refused = None;
        assert!(meter.table_growing(0, 6, None).unwrap() && meter.table_growing(0, 4, None).unwrap());
        assert!(!meter.table_growing(6, 7, None).unwrap());
        assert_eq!(meter.refused, Some("table elements"));
        meter.memory = 40;
        assert!(meter.memory_growing(0, 50, None).unwrap());
        meter.memory_grow_failed(wasmtime::Error::msg("no memory")).unwrap();
        assert_eq!(meter.memory, 40);
    }
}
