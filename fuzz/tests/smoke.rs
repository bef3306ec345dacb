//! Each target for a moment: what is checked in, and changes of it.
//!
//! The changes are drawn from a constant, so that a failure fails again. What a fuzzer has found goes to the corpus, and is
//! looked at here from then on.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test stops where something is wrong"
)]

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

use bulkhead_fuzz::Target;
use chacha20::ChaCha8Rng;
use rand::{Rng, SeedableRng};

/// How many changed inputs each target gets.
const CHANGED: usize = 20_000;
/// How often an input is changed at most.
const CHANGES: usize = 8;
/// The largest changed input, bytes.
const LARGEST: usize = 8_192;

fn corpus(target: Target) -> Vec<Vec<u8>> {
    let mut paths: Vec<_> = fs::read_dir(target.corpus()).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{} has no corpus", target.name());
    paths.into_iter().map(|path| fs::read(path).unwrap()).collect()
}

struct Draw(ChaCha8Rng);

impl Draw {
    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.0.next_u64()).unwrap() % bound.max(1)
    }

    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.below(length + 1);
        start..start + self.below((length - start + 1).min(32))
    }
}

/// An input with a few changes: bits, bytes, and pieces of itself or of another.
fn changed(corpus: &[Vec<u8>], draw: &mut Draw) -> Vec<u8> {
    let mut input = corpus[draw.below(corpus.len())].clone();
    for _ in 0..=draw.below(CHANGES) {
        let at = draw.below(input.len() + 1);
        match draw.below(6) {
            0 if at < input.len() => input[at] ^= 1 << draw.below(8),
            1 if at < input.len() => input[at] = [0, 1, 0x7f, 0x80, 0xff, b'"', b'{', b'['][draw.below(8)],
            2 => drop(input.drain(draw.range(input.len()))),
            3 => {
                let piece = input[draw.range(input.len())].to_vec();
                drop(input.splice(at..at, piece));
            }
            4 => {
                let other = &corpus[draw.below(corpus.len())];
                let piece = other[draw.range(other.len())].to_vec();
                drop(input.splice(at..at, piece));
            }
            _ => input.insert(at, u8::try_from(draw.below(256)).unwrap()),
        }
    }
    input.truncate(LARGEST);
    input
}

fn holds(target: Target, input: &[u8]) {
    let outcome = catch_unwind(AssertUnwindSafe(|| target.run(input)));
    assert!(outcome.is_ok(), "{} fails on {:?}", target.name(), String::from_utf8_lossy(input));
}

fn survives(target: Target) {
    let corpus = corpus(target);
    corpus.iter().for_each(|input| holds(target, input));
    let mut draw = Draw(ChaCha8Rng::from_seed([3; 32]));
    for _ in 0..CHANGED {
        holds(target, &changed(&corpus, &mut draw));
    }
}

#[test]
fn wire() {
    survives(Target::Wire);
}

#[test]
fn tree() {
    survives(Target::Tree);
}

#[test]
fn schema() {
    survives(Target::Schema);
}

#[test]
fn path() {
    survives(Target::Path);
}
