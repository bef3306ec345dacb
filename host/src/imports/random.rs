//! `wasi:random`, a piece at a time.
//!
//! The stock implementation makes each byte by itself, so that a few megabytes keep a thread, and everybody who waits for it, for
//! a tenth of a second. Here they are made at once, from the call's chance.

use wasmtime::component::{HasSelf, Linker};
use wasmtime_wasi::p2::bindings::random::{insecure, random};

use crate::store::State;

/// Bytes that a guest may ask for at once.
const MOST: u64 = 4 << 20;

/// Replaces what draws in the stock `wasi:random`.
///
/// # Errors
/// Two definitions of one import.
pub(super) fn add_to_linker(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    random::add_to_linker::<_, HasSelf<State>>(linker, |state| state)?;
    insecure::add_to_linker::<_, HasSelf<State>>(linker, |state| state)
}

fn bytes(state: &State, length: u64) -> wasmtime::Result<Vec<u8>> {
    let length = usize::try_from(length).ok().filter(|_| length <= MOST);
    let length = length.ok_or_else(|| wasmtime::Error::msg(format!("more than {MOST} random bytes at once")))?;
    let mut bytes = vec![0; length];
    state.chance.fill(&mut bytes);
    Ok(bytes)
}

fn number(state: &State) -> u64 {
    let mut bytes = [0; 8];
    state.chance.fill(&mut bytes);
    u64::from_le_bytes(bytes)
}

impl random::Host for State {
    fn get_random_bytes(&mut self, length: u64) -> wasmtime::Result<Vec<u8>> {
        bytes(self, length)
    }

    fn get_random_u64(&mut self) -> wasmtime::Result<u64> {
        Ok(number(self))
    }
}

impl insecure::Host for State {
    fn get_insecure_random_bytes(&mut self, length: u64) -> wasmtime::Result<Vec<u8>> {
        bytes(self, length)
    }

    fn get_insecure_random_u64(&mut self) -> wasmtime::Result<u64> {
        Ok(number(self))
    }
}

#[cfg(test)]
mod tests {
    use wasmtime_wasi::p2::bindings::random::{insecure::Host as Insecure, random::Host as Random};

    use super::*;

    /// What is drawn becomes keys and passwords.
    #[test]
    fn whatever_is_drawn_is_drawn_anew_and_from_a_seed_only_where_there_is_one() {
        let draws: [fn(&mut State) -> Vec<u8>; 4] = [
            |state| state.get_random_bytes(32).unwrap(),
            |state| state.get_insecure_random_bytes(32).unwrap(),
            |state| state.get_random_u64().unwrap().to_le_bytes().to_vec(),
            |state| state.get_insecure_random_u64().unwrap().to_le_bytes().to_vec(),
        ];
        for draw in draws {
            let mut state = State::of_nobody();
            assert!(!state.chance.drawn());
            assert_ne!(draw(&mut state), draw(&mut state));
            assert!(state.chance.drawn() && !state.chance.spoilt(), "who has drawn is told from who hasn't");
            let seeded = [[1; 32], [1; 32], [2; 32]].map(|seed| {
                state.chance.seed(Some(&seed));
                draw(&mut state)
            });
            assert!(seeded[0] == seeded[1] && seeded[0] != seeded[2]);
            assert!(state.chance.spoilt());
        }
    }
}
