//! What one instance uses of memory and tables.
//!
//! A refused growth reaches the guest as an allocation failure, which most languages turn into a trap; the meter remembers the
//! refusal so that the call's error can say what really happened.

use wasmtime::ResourceLimiter;

use super::limits::Limits;

/// What an instance wanted more of than it may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Linear memory.
    Memory,
    /// The host's memory, for headers.
    Heads,
    /// Elements of its tables.
    TableElements,
}

/// Counts what one instance uses: all of its memories together, and all of its tables.
#[derive(Debug)]
pub(crate) struct Meter {
    memory_limit: usize,
    table_limit: usize,
    /// Of core instances, memories and tables each: it has one instance for each of its modules, and some between them.
    instance_limit: usize,
    /// Linear memory so far, bytes. It never shrinks.
    pub(crate) memory: usize,
    /// Elements of tables so far.
    elements: usize,
    /// What was added last, in case that the system doesn't have it.
    added: usize,
    /// What was refused last.
    pub(crate) refused: Option<Wanted>,
}

impl Meter {
    pub(crate) fn new(limits: &Limits) -> Self {
        let (memory_limit, table_limit, instance_limit) = (limits.memory, limits.table_elements, limits.instances);
        Self { memory_limit, table_limit, instance_limit, memory: 0, elements: 0, added: 0, refused: None }
    }
}

impl ResourceLimiter for Meter {
    fn memory_growing(&mut self, current: usize, desired: usize, _maximum: Option<usize>) -> wasmtime::Result<bool> {
        self.added = desired.saturating_sub(current);
        let all = self.memory.saturating_add(self.added);
        if all > self.memory_limit {
            self.refused = Some(Wanted::Memory);
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
        let all = self.elements.saturating_add(self.added);
        if all > self.table_limit {
            self.refused = Some(Wanted::TableElements);
            return Ok(false);
        }
        self.elements = all;
        Ok(true)
    }

    fn table_grow_failed(&mut self, _error: wasmtime::Error) -> wasmtime::Result<()> {
        self.elements = self.elements.saturating_sub(self.added);
        Ok(())
    }

    fn instances(&self) -> usize {
        self.instance_limit
    }

    fn memories(&self) -> usize {
        self.instance_limit
    }

    fn tables(&self) -> usize {
        self.instance_limit
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
        assert_eq!(meter.refused, Some(Wanted::TableElements));
        meter.memory = 40;
        assert!(meter.memory_growing(0, 50, None).unwrap());
        meter.memory_grow_failed(wasmtime::Error::msg("no memory")).unwrap();
        assert_eq!(meter.memory, 40);
    }
}
