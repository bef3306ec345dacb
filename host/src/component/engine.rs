//! One wasmtime engine per process, the clock that lets it interrupt guests, and the threads for guests that take long.
//!
//! A guest that loops would hold a thread for ever. Every 10 ms, while any call is under way, the epoch advances and each
//! running guest yields to its neighbours and looks whether it should end. Without calls the clock sleeps.

use std::io;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use super::machine;
use super::workers::Workers;
use crate::scarcity;
use crate::store::{Memory, TICK};
use wasmtime::{Config, Engine, EngineWeak, WasmBacktraceDetails};

/// Stack of a guest's own code, bytes: that of all calls that are under way in one instance.
pub(super) const MOST_STACK: usize = 512 << 10;

/// What machine code is made for. An engine takes none that was made for another configuration.
pub(super) fn configuration() -> Config {
    let mut config = Config::new();
    config.wasm_component_model(true);
    config.epoch_interruption(true);
    config.max_wasm_stack(MOST_STACK);
    // Where nothing is said, an environment variable decides, of which compilers have none.
    config.wasm_backtrace_details(WasmBacktraceDetails::Disable);
    // Nobody is told which functions crashed. Each that was under way would have its name copied, of which a component has as many
    // bytes as it likes: gigabytes for a crash, which count for nobody.
    config.wasm_backtrace_max_frames(None);
    config
}

/// Why no engine starts.
#[derive(Debug, thiserror::Error)]
pub enum RuntimeError {
    /// This machine can't run compiled code.
    #[error("start the WebAssembly engine: {0}")]
    Engine(wasmtime::Error),
    /// The system has no thread for the clock.
    #[error("start the WebAssembly engine: {0}")]
    Clock(#[from] io::Error),
}

impl RuntimeError {
    /// What to do about it, where anybody can do something.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Engine(_) => None,
            Self::Clock(error) => scarcity::remedy(error),
        }
    }
}

/// The engine and its clock.
#[derive(Clone)]
pub struct Runtime {
    engine: Engine,
    clock: Arc<Clock>,
    workers: Arc<Workers>,
    memory: Memory,
}

impl Runtime {
    /// Starts an engine.
    ///
    /// # Errors
    /// When this machine can't run compiled code, or has no thread left.
    pub fn new() -> Result<Self, RuntimeError> {
        let engine = Engine::new(&configuration()).map_err(RuntimeError::Engine)?;
        let clock = Arc::new(Clock::default());
        let (weak, ticking) = (engine.weak(), Arc::clone(&clock));
        std::thread::Builder::new().name("epoch".to_owned()).spawn(move || ticking.run(&weak))?;
        // A quarter is the host's own, and everybody else's.
        let memory = Memory::new(|| machine::memory().map_or(usize::MAX, |all| all / 4 * 3));
        Ok(Self { engine, clock, workers: Arc::default(), memory })
    }

    /// The engine.
    pub(super) fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Threads for calls that take long.
    pub(super) fn workers(&self) -> &Arc<Workers> {
        &self.workers
    }

    /// The memory of all instances.
    pub(super) fn memory(&self) -> &Memory {
        &self.memory
    }

    /// What counts the ticks.
    pub(super) fn clock(&self) -> Arc<Clock> {
        Arc::clone(&self.clock)
    }

    /// Keeps the clock running until the guard is dropped.
    pub(super) fn ticking(&self) -> Ticking {
        if self.clock.calls.fetch_add(1, Ordering::AcqRel) == 0 {
            // The lock orders this with the clock's own look at the counter, so that no wake-up is lost.
            let asleep = *self.clock.asleep.lock().unwrap_or_else(PoisonError::into_inner);
            // Waking nobody is a system call too, and so is waking whoever then waits for the lock.
            if asleep {
                self.clock.wake.notify_all();
            }
        }
        Ticking(Arc::clone(&self.clock))
    }
}

/// While it lives, guests are interrupted.
pub(super) struct Ticking(Arc<Clock>);

impl Drop for Ticking {
    fn drop(&mut self) {
        self.0.calls.fetch_sub(1, Ordering::AcqRel);
    }
}

/// What interrupts guests.
#[derive(Default)]
pub(super) struct Clock {
    /// How often it has ticked.
    ticks: AtomicU64,
    calls: AtomicUsize,
    asleep: Mutex<bool>,
    wake: Condvar,
}

impl Clock {
    /// How often it has ticked so far.
    pub(super) fn ticks(&self) -> u64 {
        self.ticks.load(Ordering::Relaxed)
    }

    fn run(&self, engine: &EngineWeak) {
        loop {
            let mut asleep = self.asleep.lock().unwrap_or_else(PoisonError::into_inner);
            while self.calls.load(Ordering::Acquire) == 0 {
                *asleep = true;
                asleep = self.wake.wait(asleep).unwrap_or_else(PoisonError::into_inner);
            }
            *asleep = false;
            drop(asleep);
            std::thread::sleep(TICK);
            self.ticks.fetch_add(1, Ordering::Relaxed);
            match engine.upgrade() {
                Some(engine) => engine.increment_epoch(),
                None => return,
            }
        }
    }
}
