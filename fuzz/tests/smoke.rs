//! Each target for a moment: what is checked in, and changes of it.
//!
//! The changes are drawn from a constant, so that a failure fails again. What a fuzzer has found goes to the corpus, and is
//! looked at here from then on.

#![allow(clippy::unwrap_used, reason = "a test stops where something is wrong")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use bulkhead_fuzz::{Mutation, Target};

/// How many changed inputs each target gets.
const CHANGED: usize = 20_000;

fn holds(target: Target, input: &[u8]) {
    let outcome = catch_unwind(AssertUnwindSafe(|| target.run(input)));
    assert!(outcome.is_ok(), "{} fails on {:?}", target.name(), String::from_utf8_lossy(input));
}

fn survives(target: Target) {
    let corpus = target.inputs().unwrap();
    assert!(!corpus.is_empty(), "{} has no corpus", target.name());
    corpus.iter().for_each(|input| holds(target, input));
    let mut mutation = Mutation::of(corpus, 0);
    for _ in 0..CHANGED {
        holds(target, &mutation.next_input());
    }
}

#[test]
fn wire() {
    survives(Target::Wire);
}

#[test]
#[cfg(feature = "host")]
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
