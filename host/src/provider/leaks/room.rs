//! What is made ready to be found takes a hundred times its own size, for as long as its call goes on.
//!
//! A call has little of it, but a thousand components may wait at once, each with as many secrets as are looked for. So those of one
//! configuration have so much together, and beyond that what a call says is shown no more than where its secrets are too many.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes for all calls of a configuration: of forty with as many secrets as are looked for in all spellings, or of a thousand with five kilobytes.
const MOST: usize = 512 << 20;

/// The room of a configuration. Clones are the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Room(Arc<AtomicUsize>);

/// Some of it, given back when dropped.
#[derive(Debug)]
pub(super) struct Taken {
    room: Room,
    bytes: usize,
}

impl Room {
    /// Takes some. None if there isn't as much.
    pub(super) fn take(&self, bytes: usize) -> Option<Taken> {
        let taken = Taken { room: self.clone(), bytes };
        let before = self.0.fetch_add(bytes, Ordering::Relaxed);
        (before.saturating_add(bytes) <= MOST).then_some(taken)
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.room.0.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::super::call::{Leaks, Remembered};

    #[test]
    fn of_many_calls_with_many_secrets_the_last_say_nothing_until_others_are_over() {
        let session = Remembered::default();
        let of_many = |number: usize| {
            let leaks = Leaks::within(&session);
            let secret =
                |part: usize| format!("{:x}", (number * 10_000 + part).wrapping_mul(0x9e37_79b9_7f4a_7c15)).repeat(60);
            (0..120).for_each(|part| leaks.gather_text(&secret(part)));
            leaks
        };
        let said = |leaks: &Leaks| leaks.text("whatever".to_owned());
        let mut calls = Vec::new();
        while let leaks = of_many(calls.len())
            && said(&leaks) == "whatever"
        {
            calls.push(leaks);
            assert!(calls.len() < 1_000, "nothing bounds them");
        }
        assert!(calls.len() > 20, "{}", calls.len());
        assert_eq!(said(&of_many(10_000)), said(&of_many(10_001)));
        calls.clear();
        assert_eq!(said(&of_many(10_002)), "whatever");
    }
}
