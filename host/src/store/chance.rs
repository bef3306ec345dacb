//! What a guest takes for chance and for time.
//!
//! An engine repeats a check and expects the same answer, so a check that the author overrides draws from the request's seed,
//! and its clocks start where the seed says and advance with each reading. All other calls get the system's. A generator
//! that a guest keeps in its memory would carry one into the other, so an instance remembers what it has drawn: see
//! [`Chance::drawn`] and [`Chance::spoilt`].

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chacha20::ChaCha20Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use sha2::{Digest, Sha256};
use wasmtime_wasi::random::thread_rng;
use wasmtime_wasi::{HostMonotonicClock, HostWallClock, WasiCtxBuilder};

/// How far a seeded clock advances with each reading. A guest that waits for one by looking at it comes to an end.
const STEP: Duration = Duration::from_millis(1);

/// The source of an instance's randomness and time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chance(Arc<Mutex<Source>>);

#[derive(Debug, Default)]
struct Source {
    seeded: Option<Seeded>,
    /// Whether the system's randomness was drawn.
    drawn: bool,
    /// Whether seeded randomness was drawn.
    drawn_seeded: bool,
}

#[derive(Debug)]
struct Seeded {
    random: ChaCha20Rng,
    time: Duration,
}

impl Chance {
    /// Makes a WASI context take its time from here.
    pub(crate) fn supply(&self, context: &mut WasiCtxBuilder) {
        context
            .wall_clock(Wall(self.clone()))
            .monotonic_clock(Monotonic { chance: self.clone(), system: wasmtime_wasi::clocks::MonotonicClock::new() });
    }

    /// From now on, chance and time follow from a seed, or are the system's.
    pub(crate) fn seed(&self, seed: Option<&[u8]>) {
        self.source().seeded = seed.map(|seed| {
            let mut random = ChaCha20Rng::from_seed(Sha256::digest(seed).into());
            let time = Duration::from_secs(u64::from(random.next_u32()));
            Seeded { random, time }
        });
    }

    /// Fills a piece with random bytes: from the seed where there is one, else from the system.
    pub(crate) fn fill(&self, bytes: &mut [u8]) {
        let source = &mut *self.source();
        match &mut source.seeded {
            Some(seeded) => {
                source.drawn_seeded = true;
                seeded.random.fill_bytes(bytes);
            }
            None => {
                source.drawn = true;
                thread_rng().fill_bytes(bytes);
            }
        }
    }

    /// Whether the instance has drawn from the system: then what a seeded call draws may not follow from its seed alone.
    pub(crate) fn drawn(&self) -> bool {
        self.source().drawn
    }

    /// Whether something in the instance may follow from a seed, which others know: nothing secret may be drawn from it.
    pub(crate) fn spoilt(&self) -> bool {
        self.source().drawn_seeded
    }

    fn source(&self) -> MutexGuard<'_, Source> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A reading of the seeded clock, if there is one.
    fn time(&self) -> Option<Duration> {
        self.source().seeded.as_mut().map(|seeded| {
            seeded.time += STEP;
            seeded.time
        })
    }
}

struct Wall(Chance);

impl HostWallClock for Wall {
    fn resolution(&self) -> Duration {
        wasmtime_wasi::clocks::WallClock::new().resolution()
    }

    fn now(&self) -> Duration {
        self.0.time().unwrap_or_else(|| wasmtime_wasi::clocks::WallClock::new().now())
    }
}

struct Monotonic {
    chance: Chance,
    system: wasmtime_wasi::clocks::MonotonicClock,
}

impl HostMonotonicClock for Monotonic {
    fn resolution(&self) -> u64 {
        self.system.resolution()
    }

    fn now(&self) -> u64 {
        let seeded = self.chance.time().map(|time| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
        seeded.unwrap_or_else(|| self.system.now())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(chance: &Chance) -> ([u8; 8], Duration, u64) {
        let mut bytes = [0; 8];
        chance.fill(&mut bytes);
        let system = wasmtime_wasi::clocks::MonotonicClock::new();
        (bytes, Wall(chance.clone()).now(), Monotonic { chance: chance.clone(), system }.now())
    }

    #[test]
    fn chance_and_time_follow_from_the_seed() {
        let of = |seed: &[u8]| {
            let chance = Chance::default();
            chance.seed(Some(seed));
            [drawn(&chance), drawn(&chance)]
        };
        assert_eq!(of(b"one"), of(b"one"));
        assert_ne!(of(b"one"), of(b"two"));
        let [first, second] = of(b"one");
        assert_ne!(first.0, second.0);
        assert!(first.1 < second.1 && first.2 < second.2, "{first:?} {second:?}");
    }

    #[test]
    fn without_a_seed_nothing_can_be_foretold() {
        let (one, two) = (Chance::default(), Chance::default());
        assert_ne!(drawn(&one).0, drawn(&two).0);
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        assert!(drawn(&one).1.abs_diff(now) < Duration::from_secs(60));
    }

    #[test]
    fn what_was_drawn_one_way_is_not_mixed_with_the_other() {
        let system = Chance::default();
        assert!(!system.drawn());
        drawn(&system);
        assert!(system.drawn(), "a generator in the guest may have been seeded at random");
        assert!(!system.spoilt());

        let seeded = Chance::default();
        seeded.seed(Some(b"seed"));
        assert!(!seeded.spoilt(), "nothing was drawn");
        drawn(&seeded);
        seeded.seed(None);
        assert!(seeded.spoilt() && !seeded.drawn());
    }
}
