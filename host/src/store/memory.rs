//! What the instances of a process have of its memory together: nobody more than he leaves to others.
//!
//! A limit for each instance says nothing of how many there are, and a system that runs out of memory ends the process with
//! everybody's calls. So each instance takes what it grows by from one account, and gives it back when it is dropped. Whoever
//! would have more than is left for all others is refused: one that is greedy gets half, two get a third each, and whoever has
//! little finds something. What instances hold that serve nobody at the moment is given up before one that does is refused.
//!
//! Memory counts when it is grown, touched or not. What the host keeps at the wish of a guest counts as the guest's. Each linear memory
//! reserves far more addresses than it ever uses, which a process has for some ten thousand, so that they are counted as well.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, OnceLock, Weak};

/// Linear memories of a process: a quarter of the addresses that it has, and of the mappings that a system gives it at most.
const MOST_MEMORIES: usize = 8_192;

/// The account of a process. Clones are the same.
#[derive(Clone, Debug)]
pub(crate) struct Memory(Arc<Account>);

#[derive(Debug)]
struct Account {
    /// Asked for when somebody takes some: a run without an instance has no use for it.
    size: LazyLock<usize>,
    taken: AtomicUsize,
    memories: AtomicUsize,
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
        Self(Arc::new(Account { size: LazyLock::new(size), taken: AtomicUsize::new(0), memories: AtomicUsize::new(0) }))
    }

    /// The share of a configuration, of at most so many bytes.
    pub(crate) fn share(&self, limit: usize) -> Share {
        Share { memory: self.clone(), limit, taken: Arc::default(), memories: Arc::default(), spare: Arc::default() }
    }
}

impl Share {
    /// The same share, some of which these instances hold.
    pub(crate) fn sparing(self, spare: Weak<dyn Spare>) -> Self {
        let _ = self.spare.set(spare);
        self
    }

    /// Has an instance give up what it holds. False if there is none.
    fn give_up(&self) -> bool {
        self.spare.get().and_then(Weak::upgrade).is_some_and(|spare| spare.give_up())
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

    /// Takes addresses for one more linear memory, of which others have to have some too.
    pub(crate) fn reserve(&mut self) -> Result<(), Lack> {
        let Share { memory: Memory(account), memories, .. } = &self.share;
        let own = memories.fetch_add(1, Ordering::Relaxed).saturating_add(1);
        let all = account.memories.fetch_add(1, Ordering::Relaxed).saturating_add(1);
        self.memories += 1;
        if own > MOST_MEMORIES.saturating_sub(all) {
            self.unreserve(1);
            return Err(Lack::Process);
        }
        Ok(())
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
        loop {
            match self.take_at_once(bytes) {
                Err(_) if self.share.give_up() => {}
                outcome => return outcome,
            }
        }
    }

    fn take_at_once(&mut self, bytes: usize) -> Result<(), Lack> {
        let Share { memory: Memory(account), limit, taken, .. } = &self.share;
        // Noted before it is decided: two at once may both be refused, and never both be given what is there for one.
        let own = taken.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        let all = account.taken.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        let lack = match () {
            () if own > *limit => Some(Lack::Limit),
            () if own > account.size.saturating_sub(all) => Some(Lack::Process),
            () => None,
        };
        self.bytes = self.bytes.saturating_add(bytes);
        lack.map_or(Ok(()), |lack| {
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

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

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
        assert_eq!((busy.take(70), left()), (Err(Lack::Limit), 0));
        assert_eq!(busy.bytes(), 35);
        drop(waiting);
        assert_eq!(busy.take(65), Ok(()));
    }
}
