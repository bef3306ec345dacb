//! What one instance uses of memory and tables.
//!
//! A refused growth reaches the guest as an allocation failure, which most languages turn into a trap; the meter remembers the
//! refusal so that the call's error can say what really happened.
//!
//! Who takes much memory fills it next, and an instruction that does can't be interrupted, however long it takes. So the call gives
//! its thread back before it gets any, and goes on where it holds up nobody.

use async_trait::async_trait;
use wasmtime::ResourceLimiterAsync;

use super::computing::Computing;
use super::limits::Limits;
use super::memory::{Amount, Holding, Lack, Share};

/// Linear memories of one instance. Each takes 4 GiB of addresses, and components have one for each language that they are made of.
pub(crate) const MEMORIES: usize = 16;

/// Linear memory that a call may take where it is, bytes. It is filled within a millisecond or two.
const MUCH: usize = 8 << 20;

/// What an element of a table takes of the host's memory, bytes.
const ELEMENT: usize = 8;

/// What an instance wanted more of than it may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Linear memory.
    Memory,
    /// Memory, of which all instances of the configuration together have what they may.
    MemoryTogether,
    /// Memory, of which others in this process have to have some too.
    MemoryOfProcess,
    /// One more linear memory, of which this process can't have any number.
    Addresses,
    /// The host's memory, for something.
    Kept(&'static str),
    /// Elements of its tables.
    TableElements,
    /// Directories that it begins with, of which all instances of the configuration together have what they may.
    Directories,
}

impl From<Lack> for Wanted {
    fn from(lack: Lack) -> Self {
        match lack {
            Lack::Limit => Self::MemoryTogether,
            Lack::Process => Self::MemoryOfProcess,
        }
    }
}

/// That an instance was refused something. Travels as the cause of a trap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it needs more than its limit allows")]
pub(crate) struct Refused(pub(crate) Wanted);

/// Counts what one instance uses: all of its memories together, and all of its tables.
#[derive(Debug)]
pub(crate) struct Meter {
    memory_limit: usize,
    table_limit: usize,
    /// Of core instances, memories and tables each: it has one instance for each of its modules, and some between them.
    instance_limit: usize,
    /// Linear memory so far. It never shrinks.
    memory: Holding,
    /// The host's memory, for all that the instance is put together from and for elements of its tables.
    parts: Holding,
    /// The host's memory, for what a call says that it made.
    kept: Holding,
    /// Elements of tables so far.
    elements: usize,
    /// What was refused last.
    pub(crate) refused: Option<Wanted>,
    /// What is computed, and how much linear memory the present call has taken.
    computing: Computing,
    grown: usize,
}

impl Meter {
    pub(crate) fn new(limits: &Limits, share: &Share) -> Self {
        let (memory_limit, table_limit, instance_limit) = (limits.memory, limits.table_elements, limits.instances);
        let [memory, parts, kept] = [(); 3].map(|()| share.holding());
        let computing = Computing::default();
        let (elements, grown, refused) = (0, 0, None);
        Self { memory_limit, table_limit, instance_limit, memory, parts, kept, elements, refused, computing, grown }
    }

    /// Prepares for a call.
    pub(crate) fn arm(&mut self, computing: &Computing) {
        (self.computing, self.grown) = (computing.clone(), 0);
    }

    /// Takes what the host keeps for an instance that begins, bytes: for all that it is put together from.
    ///
    /// # Errors
    /// There isn't as much.
    pub(crate) async fn begin(&mut self, parts: usize) -> Result<(), Refused> {
        self.parts.take(parts).map_err(|lack| Refused(lack.into()))?;
        self.filling(parts).await;
        Ok(())
    }

    /// Has the host keep so many bytes for the call, in place of those that it did.
    ///
    /// # Errors
    /// There aren't as many; none are kept.
    pub(crate) fn keep(&mut self, bytes: usize) -> Result<(), Lack> {
        self.kept.give(usize::MAX);
        self.kept.take(bytes)
    }

    /// What is kept for the call, which may be there for longer than its instance. From now on nothing is.
    pub(crate) fn leave(&mut self) -> Holding {
        self.kept.leave()
    }

    /// What the instance may have of the host's memory beside that, as far as there is any.
    pub(crate) fn holding(&self) -> Holding {
        self.kept.another()
    }

    /// What it holds of what all instances have together.
    pub(crate) fn held(&self) -> Amount {
        let bytes = [&self.memory, &self.parts, &self.kept].map(Holding::bytes);
        Amount { bytes: bytes.into_iter().fold(0, usize::saturating_add), memories: self.memory.memories() }
    }

    /// Linear memory so far, bytes.
    pub(crate) fn memory(&self) -> usize {
        self.memory.bytes()
    }
}

impl Meter {
    /// Whether this may be a memory that begins, which takes room among addresses however small it is. One that is empty and grows looks
    /// the same, as often as somebody tries; but there are no more memories than an instance may have.
    fn begins(&self, current: usize) -> bool {
        current == 0 && self.memory.memories() < MEMORIES
    }

    /// Whether a memory may grow by so many bytes.
    fn grow(&mut self, current: usize, added: usize) -> bool {
        let all = self.memory.bytes().saturating_add(added);
        let refused = match () {
            () if all > self.memory_limit => Some(Wanted::Memory),
            () if self.begins(current) && self.memory.reserve().is_err() => Some(Wanted::Addresses),
            () => self.memory.take(added).err().map(Wanted::from),
        };
        self.refused = refused.or(self.refused);
        refused.is_none()
    }

    /// Gives the thread back before so many bytes are filled, where that takes long.
    async fn filling(&mut self, bytes: usize) {
        self.grown = self.grown.saturating_add(bytes);
        // Once: it stays there.
        if self.grown > MUCH && self.computing.burden() {
            tokio::task::yield_now().await;
        }
    }
}

/// Whether something grows beyond what it says itself that it never does. That costs nothing.
fn is_beyond(desired: usize, maximum: Option<usize>) -> bool {
    maximum.is_some_and(|maximum| desired > maximum)
}

/// What was taken isn't given back where the growth fails all the same: for want of memory of the system's, which only its own guest is
/// charged for. A failure is also told of growth that nobody was asked about, which a guest has as often as it likes.
#[async_trait]
impl ResourceLimiterAsync for Meter {
    async fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let added = desired.saturating_sub(current);
        if is_beyond(desired, maximum) || !self.grow(current, added) {
            return Ok(false);
        }
        self.filling(added).await;
        Ok(true)
    }

    async fn table_growing(
        &mut self,
        current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        if is_beyond(desired, maximum) {
            return Ok(false);
        }
        let added = desired.saturating_sub(current);
        let all = self.elements.saturating_add(added);
        let refused = match () {
            () if all > self.table_limit => Some(Wanted::TableElements),
            () => self.parts.take(added.saturating_mul(ELEMENT)).err().map(Wanted::from),
        };
        if refused.is_some() {
            self.refused = refused;
            return Ok(false);
        }
        self.elements = all;
        Ok(true)
    }

    fn instances(&self) -> usize {
        self.instance_limit
    }

    fn memories(&self) -> usize {
        self.instance_limit.min(MEMORIES)
    }

    fn tables(&self) -> usize {
        self.instance_limit
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::super::memory::Memory;
    use super::*;

    #[tokio::test]
    async fn memories_and_tables_count_together() {
        let limits = Limits { memory: 100, table_elements: 10, ..Limits::default() };
        let mut meter = Meter::new(&limits, &Memory::new(|| 1 << 30).share(1 << 20));
        let mut memory = |current, added| meter.grow(current, added);
        assert!(memory(0, 60) && memory(0, 20) && memory(20, 20));
        assert!(!memory(0, 1), "two memories have it all");
        meter.refused = None;
        assert!(meter.table_growing(0, 6, None).await.unwrap() && meter.table_growing(0, 4, None).await.unwrap());
        assert!(!meter.table_growing(6, 7, None).await.unwrap());
        assert_eq!(meter.refused, Some(Wanted::TableElements));
    }

    /// As often as a guest likes.
    #[tokio::test]
    async fn growth_beyond_what_something_says_of_itself_counts_for_nothing() {
        let mut meter = Meter::new(&Limits::default(), &Memory::new(|| 1 << 30).share(1 << 20));
        for _ in 0..20_000 {
            assert!(!meter.memory_growing(0, 2, Some(1)).await.unwrap());
            assert!(!meter.table_growing(0, 2, Some(1)).await.unwrap());
        }
        assert_eq!((meter.memory(), meter.memory.memories(), meter.elements, meter.refused), (0, 0, 0, None));
    }

    #[tokio::test]
    async fn a_failure_gives_back_nothing_that_was_had_before() {
        let mut meter = Meter::new(&Limits::default(), &Memory::new(|| 1 << 30).share(1 << 20));
        assert!(meter.memory_growing(0, 100, None).await.unwrap() && meter.table_growing(0, 7, None).await.unwrap());
        meter.table_grow_failed(wasmtime::Error::msg("overflow")).unwrap();
        meter.memory_grow_failed(wasmtime::Error::msg("overflow")).unwrap();
        assert_eq!((meter.memory(), meter.elements), (100, 7));
    }

    #[test]
    fn instances_of_one_configuration_count_together_as_do_all_of_the_process() {
        let (limits, memory) = (Limits { memory: 100, ..Limits::default() }, Memory::new(|| 200));
        let share = memory.share(80);
        let [mut first, mut second] = [(); 2].map(|()| Meter::new(&limits, &share));
        let mut other = Meter::new(&limits, &memory.share(200));
        assert!(first.grow(0, 50));
        assert!(!second.grow(0, 31));
        assert_eq!(second.refused, Some(Wanted::MemoryTogether));
        assert!(!other.grow(0, 80));
        assert_eq!(other.refused, Some(Wanted::MemoryOfProcess));
        drop(first);
        assert!(second.grow(0, 31) && other.grow(0, 80));
    }

    #[tokio::test]
    async fn what_an_instance_is_put_together_from_counts_with_its_memory_and_goes_with_it() {
        let memory = Memory::new(|| 1 << 30);
        let share = memory.share(100);
        let new = || Meter::new(&Limits::default(), &share);
        let (mut first, mut second) = (new(), new());
        first.begin(50).await.unwrap();
        assert!(first.grow(0, 10) && first.table_growing(0, 2, None).await.unwrap());
        assert_eq!((first.held().bytes, first.memory()), (76, 10));
        assert_eq!(second.begin(25).await, Err(Refused(Wanted::MemoryTogether)));
        assert!(!second.table_growing(0, 4, None).await.unwrap());
        assert_eq!((second.refused, second.held().bytes), (Some(Wanted::MemoryTogether), 0));
        second.begin(24).await.unwrap();
        drop(first);
        assert!(second.grow(0, 76));
        assert_eq!(new().begin(1 << 40).await, Err(Refused(Wanted::MemoryTogether)));
    }

    #[tokio::test]
    async fn who_is_put_together_from_much_gives_its_thread_back_before() {
        let mut meter = Meter::new(&Limits::default(), &Memory::new(|| MUCH * 20).share(MUCH * 10));
        let computing = Computing::default();
        meter.arm(&computing);
        assert_eq!(meter.begin(MUCH).now_or_never(), Some(Ok(())));
        assert!(!computing.is_burden());
        let mut larger = Meter::new(&Limits::default(), &Memory::new(|| MUCH * 20).share(MUCH * 10));
        larger.arm(&computing);
        assert_eq!(larger.begin(MUCH + 1).now_or_never(), None);
        assert!(computing.is_burden());
    }

    #[tokio::test]
    async fn who_takes_much_memory_gives_its_thread_back_once_before_it_gets_it() {
        let limits = Limits { memory: MUCH * 4, ..Limits::default() };
        let mut meter = Meter::new(&limits, &Memory::new(|| MUCH * 20).share(MUCH * 10));
        let computing = Computing::default();
        meter.arm(&computing);
        let mut at_once = |from, to| meter.memory_growing(from, to, None).now_or_never().map(Result::unwrap);
        assert_eq!(at_once(0, MUCH), Some(true));
        assert!(!computing.is_burden());
        assert_eq!(at_once(MUCH, MUCH + 1), None);
        assert!(computing.is_burden());
        assert_eq!(at_once(MUCH + 1, MUCH * 2), Some(true), "it is elsewhere already");
        let next = Computing::default();
        meter.arm(&next);
        assert!(meter.memory_growing(MUCH * 2, MUCH * 3, None).await.unwrap());
        assert!(!next.is_burden(), "what others took is there");
    }
}
