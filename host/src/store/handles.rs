//! The handles of an instance, and what the host keeps behind them.
//!
//! A table grows with whatever is put into it, and asks nobody. What is behind a handle takes some hundred bytes: of as many as an
//! instance may have that is tens of megabytes, and instances are many. So a table has room only for what is counted, and before
//! anybody changes it more is counted, if there is little room left. Most instances have a few handles, and nothing is counted of them.

use std::ops::{Deref, DerefMut};

use wasmtime::component::ResourceTable;

use super::memory::{Holding, Lack};
use super::meter::Wanted;

/// Handles of an instance at once.
pub(crate) const HANDLES: usize = 32_768;

/// What a handle takes with what is behind it, bytes. What may take more counts by itself.
const EACH: usize = 1 << 10;
/// Handles that don't count.
const FEW: usize = 512;
/// Handles that are counted at once: the account is shared with other threads.
const PORTION: usize = 1_024;
/// The least room before a call of the host, each of which makes a few handles.
const SPARE: usize = 256;

/// The table of an instance.
pub(crate) struct Handles {
    table: ResourceTable,
    counted: Holding,
    /// Why no more could be counted.
    lack: Option<Lack>,
}

impl Handles {
    /// A table without handles, which are counted here.
    pub(crate) fn new(counted: Holding) -> Self {
        let mut table = ResourceTable::new();
        table.set_max_capacity(FEW);
        Self { table, counted, lack: None }
    }

    /// Gives back what was counted, once no handle is left.
    pub(crate) fn renew(&mut self) {
        if self.counted.bytes() > 0 {
            *self = Self::new(self.counted.another());
        }
    }

    /// What it would take for another handle, if there is no room for one.
    pub(crate) fn wanted(&mut self) -> Option<Wanted> {
        let is_full = self.room() == 0;
        self.lack.filter(|_| is_full).map(Wanted::from)
    }

    /// Room for so many more.
    fn room(&mut self) -> usize {
        // Free places among those that there are aren't counted: they were taken all at once before, and may be again.
        let (_, places) = self.table.iter_mut().size_hint();
        self.table.max_capacity().saturating_sub(places.unwrap_or(HANDLES))
    }

    /// Counts more where there is little room left.
    fn provide(&mut self) {
        let most = self.table.max_capacity();
        if most >= HANDLES || self.room() >= SPARE {
            return;
        }
        self.lack = self.counted.take(PORTION * EACH).err();
        if self.lack.is_none() {
            self.table.set_max_capacity(HANDLES.min(most + PORTION));
        }
    }
}

impl Deref for Handles {
    type Target = ResourceTable;

    fn deref(&self) -> &ResourceTable {
        &self.table
    }
}

/// Whoever puts something into the table comes by here.
impl DerefMut for Handles {
    fn deref_mut(&mut self) -> &mut ResourceTable {
        self.provide();
        &mut self.table
    }
}

#[cfg(test)]
mod tests {
    use wasmtime::component::Resource;

    use super::super::memory::{Memory, Share};
    use super::*;

    fn share(handles: usize) -> Share {
        Memory::new(|| 1 << 40).share(handles * EACH)
    }

    /// Handles of something, as many as there can be.
    fn filled(table: &mut Handles) -> Vec<Resource<[u8; 8]>> {
        std::iter::from_fn(|| table.push([0; 8]).ok()).collect()
    }

    #[test]
    fn few_handles_count_for_nothing_and_more_before_they_are_there() {
        let share = share(2 * PORTION);
        let (mut first, mut second) = (Handles::new(share.holding()), Handles::new(share.holding()));
        let handles = filled(&mut first);
        assert_eq!((handles.len(), first.wanted()), (FEW + 2 * PORTION, Some(Wanted::MemoryTogether)));
        let others = filled(&mut second);
        assert_eq!((others.len(), second.wanted()), (FEW, Some(Wanted::MemoryTogether)));
        for handle in handles {
            first.delete(handle).unwrap();
        }
        assert!(share.holding().take(1).is_err(), "as many may be made again, of whatever kind");
        first.renew();
        second.push([0; 8]).expect("what others gave back is there");
        assert_eq!((second.counted.bytes(), second.wanted()), (PORTION * EACH, None));
    }

    #[test]
    fn there_are_no_more_than_an_instance_may_have_however_much_memory_there_is() {
        let share = share(2 * HANDLES);
        let mut table = Handles::new(share.holding());
        assert_eq!((filled(&mut table).len(), table.wanted()), (HANDLES, None));
        assert!(table.counted.bytes() >= (HANDLES - FEW) * EACH);
        drop(table);
        assert_eq!(share.holding().take(2 * HANDLES * EACH), Ok(()));
    }

    /// They are free again, one by one, while others are taken.
    #[test]
    fn handles_that_come_and_go_take_what_the_most_at_once_do() {
        let share = share(HANDLES);
        let mut table = Handles::new(share.holding());
        for _ in 0..10 * FEW {
            let handle = table.push([0; 8]).unwrap();
            table.delete(handle).unwrap();
        }
        assert_eq!(table.counted.bytes(), 0);
    }
}
