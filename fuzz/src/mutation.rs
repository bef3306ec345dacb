//! Inputs made from others by a few changes, blindly: for a moment in `cargo test`, and where libFuzzer can't be built.

use std::ops::Range;

use chacha20::ChaCha8Rng;
use rand::{Rng, SeedableRng};

/// How often an input is changed at most.
const CHANGES: usize = 8;
/// The largest input, bytes.
const LARGEST: usize = 8_192;
/// The largest piece that is moved, bytes.
const PIECE: usize = 64;
/// Bytes that mean something to one format or another.
const TELLING: [u8; 10] = [0, 1, 0x7f, 0x80, 0xff, b'"', b'{', b'[', b'\\', b'.'];

/// Changes inputs. Equal seeds make equal changes.
pub struct Mutation {
    corpus: Vec<Vec<u8>>,
    source: ChaCha8Rng,
}

impl Mutation {
    /// Changes of these inputs.
    pub fn of(corpus: Vec<Vec<u8>>, seed: u64) -> Self {
        Self { corpus, source: ChaCha8Rng::seed_from_u64(seed) }
    }

    fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.source.next_u64() % bound).unwrap_or_default()
    }

    fn any(&mut self) -> Vec<u8> {
        let index = self.below(self.corpus.len());
        self.corpus.get(index).cloned().unwrap_or_default()
    }

    /// A place in so many bytes.
    fn piece(&mut self, length: usize) -> Range<usize> {
        let start = self.below(length.saturating_add(1));
        let most = length.saturating_sub(start).min(PIECE);
        start..start.saturating_add(self.below(most.saturating_add(1)))
    }

    /// The next input.
    pub fn next_input(&mut self) -> Vec<u8> {
        let mut input = self.any();
        for _ in 0..=self.below(CHANGES) {
            self.change(&mut input);
        }
        input.truncate(LARGEST);
        input
    }

    fn change(&mut self, input: &mut Vec<u8>) {
        let at = self.below(input.len().saturating_add(1));
        match self.below(6) {
            0 => {
                let bit = self.below(8);
                input.get_mut(at).into_iter().for_each(|byte| *byte ^= 1 << bit);
            }
            1 => {
                let telling = TELLING.get(self.below(TELLING.len())).copied().unwrap_or_default();
                input.get_mut(at).into_iter().for_each(|byte| *byte = telling);
            }
            2 => drop(input.drain(self.piece(input.len()))),
            3 => {
                let piece = input.get(self.piece(input.len())).unwrap_or_default().to_vec();
                drop(input.splice(at..at, piece));
            }
            4 => {
                let other = self.any();
                let piece = other.get(self.piece(other.len())).unwrap_or_default().to_vec();
                drop(input.splice(at..at, piece));
            }
            _ => {
                let [byte, ..] = self.source.next_u64().to_le_bytes();
                input.insert(at, byte);
            }
        }
    }
}
