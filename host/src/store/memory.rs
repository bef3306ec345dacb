//! What the instances of a process have of its memory together: nobody more than he leaves to others.
//!
//! A limit for each instance says nothing of how many there are, and a system that runs out of memory ends the process with
//! everybody's calls. So each instance takes what it grows by from one account, and gives it back when it is dropped. Whoever
//! would have more than is left for all others is refused: one that is greedy gets half, two get a third each, and whoever has
//! little finds something. What instances hold that serve nobody at the moment is given up before one that does is refused, its own
//! configuration's first, and nobody's where that wouldn't be enough.
//!
//! Memory counts when it is grown, touched or not. What the host keeps at the wish of a guest counts as the guest's. Each linear memory
//! reserves far more addresses than it ever uses, which a process has for some ten thousand, so that they are counted as well.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError, Weak};

/// Linear memories of a process: a quarter of the addresses that it has, and of the mappings that a system gives it at most.
const MOST_MEMORIES: usize = 8_192;

/// The account of a process. Clones are the same.
#[derive(Clone, Debug)]
pub(crate) struct Memory(Arc<Account>);

struct Account {
    /// Asked for when somebody takes some: a run without an instance has no use for it.
    size: LazyLock<usize>,
    taken: AtomicUsize,
    memories: AtomicUsize,
    /// Those of all shares. Looked at only where there isn't enough.
    spare: Mutex<Vec<Weak<dyn Spare>>>,
}

impl fmt::Debug for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Account").field("taken", &self.taken).field("memories", &self.memories).finish_non_exhaustive()
    }
}

/// What the instances of one configuration have. Clones are the same.
#[derive(Clone, Debug)]
pub(crate) struct Share {
    memory: Memory,
    limit: usize,
    taken: Arc<AtomicUsize>,
    memories: Arc<AtomicUsize>,
    spare: Arc<OnceLock<Weak<dyn Spare>>>,
}

/// Instances that serve nobody at the moment.
pub(crate) trait Spare: Send + Sync {
    /// Drops one of them. False if there is none.
    fn give_up(&self) -> bool;

    /// What all of them hold.
    fn held(&self) -> Amount;
}

/// Bytes, and linear memories.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Amount {
    pub(crate) bytes: usize,
    pub(crate) memories: usize,
}

/// What one instance has. Given back when dropped.
#[derive(Debug)]
pub(crate) struct Holding {
    share: Share,
    bytes: usize,
    memories: usize,
}

/// Why there is no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lack {
    /// The configuration has all that it may.
    Limit,
    /// Others have to have some too.
    Process,
}

impl Memory {
    /// So many bytes, of which nobody has any.
    pub(crate) fn new(size: fn() -> usize) -> Self {
        let (taken, memories, spare) = <_>::default();
        Self(Arc::new(Account { size: LazyLock::new(size), taken, memories, spare }))
    }

    /// The share of a configuration, of at most so many bytes.
    pub(crate) fn share(&self, limit: usize) -> Share {
        Share { memory: self.clone(), limit, taken: Arc::default(), memories: Arc::default(), spare: Arc::default() }
    }
}

impl Share {
    /// The same share, some of which these instances hold.
    pub(crate) fn sparing(self, spare: Weak<dyn Spare>) -> Self {
        let mut all = self.memory.0.spare.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|spare| spare.strong_count() > 0);
        all.push(Weak::clone(&spare));
        drop(all);
        let _ = self.spare.set(spare);
        self
    }

    /// Has an instance that serves nobody give up what it holds, one of this share if there is any; false if there is none, or if it is no
    /// use. `lack` is why there isn't enough. `without` says why there wouldn't be enough without such instances either, of which
    /// those of this share hold so much, and all of them so much.
    fn give_up(&self, lack: Lack, without: impl FnOnce(Amount, Amount) -> Option<Lack>) -> bool {
        let own = self.spare.get().and_then(Weak::upgrade);
        let all = self.memory.0.spare.lock().unwrap_or_else(PoisonError::into_inner).clone();
        // Upgraded and dropped outside of the lock: what goes may be somebody's last.
        let all: Vec<_> = all.iter().filter_map(Weak::upgrade).collect();
        let held = all.iter().map(|spare| spare.held()).fold(Amount::default(), Amount::and);
        if without(own.as_ref().map(|own| own.held()).unwrap_or_default(), held).is_some() {
            return false;
        }
        own.is_some_and(|own| own.give_up()) || lack == Lack::Process && all.iter().any(|spare| spare.give_up())
    }

    /// Why it can't have so many bytes, where all shares together have so many.
    fn lacks(&self, own: usize, all: usize) -> Option<Lack> {
        match () {
            () if own > self.limit => Some(Lack::Limit),
            () if own > self.memory.0.size.saturating_sub(all) => Some(Lack::Process),
            () => None,
        }
    }

    /// What an instance has: nothing so far.
    pub(crate) fn holding(&self) -> Holding {
        Holding { share: self.clone(), bytes: 0, memories: 0 }
    }
}

impl Holding {
    /// Another one of the same share, with nothing so far.
    pub(crate) fn another(&self) -> Self {
        self.share.holding()
    }

    /// All that it has, for whoever goes on with it. From now on this has nothing.
    pub(crate) fn leave(&mut self) -> Self {
        let none = self.another();
        std::mem::replace(self, none)
    }

    /// Takes addresses for one more linear memory, of which others have to have some too.
    pub(crate) fn reserve(&mut self) -> Result<(), Lack> {
        while let Err(lack) = self.reserve_at_once() {
            let Share { memory: Memory(account), memories, .. } = &self.share;
            let without = |own: Amount, all: Amount| {
                lacks_addresses(with(memories, 1, own.memories), with(&account.memories, 1, all.memories))
            };
            if !self.share.give_up(lack, without) {
                return Err(lack);
            }
        }
        Ok(())
    }

    fn reserve_at_once(&mut self) -> Result<(), Lack> {
        let Share { memory: Memory(account), memories, .. } = &self.share;
        let own = memories.fetch_add(1, Ordering::Relaxed).saturating_add(1);
        let all = account.memories.fetch_add(1, Ordering::Relaxed).saturating_add(1);
        self.memories += 1;
        lacks_addresses(own, all).map_or(Ok(()), |lack| {
            self.unreserve(1);
            Err(lack)
        })
    }

    /// The linear memories that it has addresses for.
    pub(crate) fn memories(&self) -> usize {
        self.memories
    }

    fn unreserve(&mut self, count: usize) {
        self.memories = self.memories.saturating_sub(count);
        self.share.memories.fetch_sub(count, Ordering::Relaxed);
        self.share.memory.0.memories.fetch_sub(count, Ordering::Relaxed);
    }

    /// What it has, bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Takes more. Where there isn't as much, nothing is taken.
    pub(crate) fn take(&mut self, bytes: usize) -> Result<(), Lack> {
        // No machine has as much, and sums can't overflow.
        if isize::try_from(bytes).is_err() || bytes > self.share.limit {
            return Err(Lack::Limit);
        }
        while let Err(lack) = self.take_at_once(bytes) {
            let share = &self.share;
            let without = |own: Amount, all: Amount| {
                share.lacks(with(&share.taken, bytes, own.bytes), with(&share.memory.0.taken, bytes, all.bytes))
            };
            if !share.give_up(lack, without) {
                return Err(lack);
            }
        }
        Ok(())
    }

    fn take_at_once(&mut self, bytes: usize) -> Result<(), Lack> {
        let Share { memory: Memory(account), taken, .. } = &self.share;
        // Noted before it is decided: two at once may both be refused, and never both be given what is there for one.
        let own = taken.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        let all = account.taken.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        self.bytes = self.bytes.saturating_add(bytes);
        self.share.lacks(own, all).map_or(Ok(()), |lack| {
            self.give(bytes);
            Err(lack)
        })
    }

    /// Adds to it what another one of the same share has.
    pub(crate) fn join(&mut self, mut other: Self) {
        self.bytes = self.bytes.saturating_add(std::mem::take(&mut other.bytes));
        self.memories = self.memories.saturating_add(std::mem::take(&mut other.memories));
    }

    /// Gives some back.
    pub(crate) fn give(&mut self, bytes: usize) {
        let bytes = bytes.min(self.bytes);
        self.bytes -= bytes;
        self.share.taken.fetch_sub(bytes, Ordering::Relaxed);
        self.share.memory.0.taken.fetch_sub(bytes, Ordering::Relaxed);
    }
}

impl Drop for Holding {
    fn drop(&mut self) {
        self.give(self.bytes);
        self.unreserve(self.memories);
    }
}

impl Amount {
    /// Both together.
    pub(crate) fn and(self, other: Self) -> Self {
        let (bytes, memories) = (self.bytes.saturating_add(other.bytes), self.memories.saturating_add(other.memories));
        Self { bytes, memories }
    }
}

/// Why nobody may have so many linear memories, where all shares together have so many.
fn lacks_addresses(own: usize, all: usize) -> Option<Lack> {
    (own > MOST_MEMORIES.saturating_sub(all)).then_some(Lack::Process)
}

/// What would be taken with some more, and without what is spare of it.
fn with(taken: &AtomicUsize, more: usize, spare: usize) -> usize {
    taken.load(Ordering::Relaxed).saturating_sub(spare).saturating_add(more)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_has_more_than_is_left_to_others() {
        let memory = Memory::new(|| 120);
        let greedy = [memory.share(usize::MAX), memory.share(usize::MAX)];
        let [mut first, mut second] = greedy.each_ref().map(Share::holding);
        assert_eq!((first.take(60), first.take(1)), (Ok(()), Err(Lack::Process)), "one has half");
        assert_eq!(second.take(31), Err(Lack::Process));
        assert_eq!((second.take(30), first.bytes(), second.bytes()), (Ok(()), 60, 30));
        assert_eq!(memory.share(usize::MAX).holding().take(15), Ok(()), "whoever comes last finds some");
        assert_eq!(greedy[0].holding().take(1), Err(Lack::Process), "instances of one configuration count together");
        drop(first);
        assert_eq!((second.take(30), second.take(1)), (Ok(()), Err(Lack::Process)));
    }

    #[test]
    fn memories_are_counted_until_their_instance_is_gone() {
        let memory = Memory::new(|| usize::MAX);
        let share = memory.share(100);
        let mut first = share.holding();
        for _ in 0..MOST_MEMORIES / 2 {
            first.reserve().unwrap();
        }
        assert_eq!((first.reserve(), first.memories()), (Err(Lack::Process), MOST_MEMORIES / 2), "one has half");
        assert_eq!(share.holding().reserve(), Err(Lack::Process), "with all of its instances");
        assert_eq!(memory.share(100).holding().reserve(), Ok(()), "and others find some");
        drop(first);
        assert_eq!(share.holding().reserve(), Ok(()));
        assert_eq!(memory.0.memories.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn what_is_given_back_is_there_again_and_what_is_refused_takes_nothing() {
        let memory = Memory::new(|| usize::MAX);
        let share = memory.share(100);
        let mut holding = share.holding();
        assert_eq!((holding.take(70), holding.take(31)), (Ok(()), Err(Lack::Limit)));
        assert_eq!(holding.take(usize::MAX), Err(Lack::Limit));
        holding.give(20);
        assert_eq!((holding.bytes(), share.holding().take(51), holding.take(50)), (50, Err(Lack::Limit), Ok(())));
        holding.give(usize::MAX);
        assert_eq!((holding.bytes(), memory.0.taken.load(Ordering::Relaxed)), (0, 0));
    }

    /// Instances that hold so much each.
    struct Waiting(Mutex<Vec<Holding>>);

    impl Spare for Waiting {
        fn give_up(&self) -> bool {
            self.0.lock().unwrap().pop().is_some()
        }

        fn held(&self) -> Amount {
            let held = |holding: &Holding| Amount { bytes: holding.bytes(), memories: holding.memories() };
            self.0.lock().unwrap().iter().map(held).fold(Amount::default(), Amount::and)
        }
    }

    #[test]
    fn what_waits_gives_up_as_much_as_is_needed_and_nothing_for_what_nobody_may_have() {
        let waiting = Arc::new(Waiting(Mutex::default()));
        let spare = Arc::downgrade(&waiting);
        let share = Memory::new(|| 1 << 30).share(100).sparing(spare);
        for _ in 0..9 {
            let mut holding = share.holding();
            holding.take(10).unwrap();
            waiting.0.lock().unwrap().push(holding);
        }
        let left = || waiting.0.lock().unwrap().len();
        let mut busy = share.holding();
        assert_eq!((busy.take(10), left()), (Ok(()), 9));
        assert_eq!((busy.take(25), left()), (Ok(()), 6));
        assert_eq!((busy.take(101), left()), (Err(Lack::Limit), 6));
        assert_eq!((busy.take(70), left()), (Err(Lack::Limit), 6), "it wouldn't be enough without any");
        assert_eq!((busy.take(65), left()), (Ok(()), 0));
        busy.give(65);
        drop(waiting);
        assert_eq!(busy.take(65), Ok(()));
    }

    #[test]
    fn what_waits_in_other_configurations_gives_way_after_ones_own() {
        let memory = Memory::new(|| 100);
        let [(waiting, other), (own, share)] = std::array::from_fn(|_| {
            let waiting = Arc::new(Waiting(Mutex::default()));
            let spare = Arc::downgrade(&waiting);
            (waiting, memory.share(usize::MAX).sparing(spare))
        });
        let hold = |waiting: &Waiting, share: &Share| {
            let mut holding = share.holding();
            holding.take(10).unwrap();
            for _ in 0..MOST_MEMORIES / 8 {
                holding.reserve().unwrap();
            }
            waiting.0.lock().unwrap().push(holding);
        };
        let left = || [&waiting, &own].map(|waiting| waiting.0.lock().unwrap().len());
        (0..3).for_each(|_| hold(&waiting, &other));
        hold(&own, &share);
        let mut busy = share.holding();
        assert_eq!((busy.take(50), left()), (Ok(()), [0, 0]));
        busy.give(50);

        (0..3).for_each(|_| hold(&waiting, &other));
        hold(&own, &share);
        assert_eq!((busy.take(51), left()), (Err(Lack::Process), [3, 1]), "one has half at most");
        for _ in 0..MOST_MEMORIES / 2 {
            busy.reserve().unwrap();
        }
        assert_eq!((busy.reserve(), left()), (Err(Lack::Process), [0, 0]));
    }
}
