//! What is made ready to be found takes a hundred times its own size, for as long as its call goes on.
//!
//! A call has little of it, but a thousand components may wait at once, each with as many secrets as are looked for. So those of one
//! configuration have so much together, and beyond that what a call says is shown no more than where its secrets are too many. What it
//! returns is looked through all the same: whether an output is secret isn't for other calls to decide.
//!
//! And it takes time, of which a process that leaves has little: what its calls made has to be told before that is over.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes for all calls of a configuration: of forty with as many secrets as are looked for in all spellings, or of a thousand with five kilobytes.
const MOST: usize = 512 << 20;
/// Bytes of secrets that all calls of a configuration make ready once the process leaves: half a second's work.
const MOST_IN_HASTE: usize = 256 << 10;

/// The room of a configuration. Clones are the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Room(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    taken: AtomicUsize,
    /// Bytes of secrets that were made ready in haste.
    hurried: AtomicUsize,
}

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
        let before = self.0.taken.fetch_add(bytes, Ordering::Relaxed);
        (before.saturating_add(bytes) <= MOST).then_some(taken)
    }

    /// Whether so many bytes of secrets may be made ready while the process leaves.
    pub(super) fn hurry(&self, bytes: usize) -> bool {
        let hurried = |before: usize| before.checked_add(bytes).filter(|all| *all <= MOST_IN_HASTE);
        self.0.hurried.fetch_update(Ordering::Relaxed, Ordering::Relaxed, hurried).is_ok()
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.room.0.taken.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use bulkhead_value::{Object, Value};
    use tokio_util::sync::CancellationToken;

    use super::super::call::{Leaks, MOST_ONCE, Remembered};
    use super::*;

    const SECRET: &str = "Correct-Horse-Battery";
    const SPELT: &str = "436f72726563742d486f7273652d42617474657279";

    fn said(leaks: &Leaks) -> String {
        leaks.text("whatever".to_owned())
    }

    /// What is marked of what a call returns.
    fn marked(leaks: &Leaks) -> Vec<String> {
        let texts = [("late", "told-later"), ("other", "whatever"), ("same", SECRET), ("spelt", SPELT)];
        let returned = Object::from(texts.map(|(name, text)| (name, Value::from(text))));
        let returned = leaks.members(returned).into_map().into_iter();
        returned.filter(|(_, value)| value.contains_secret()).map(|(name, _)| name).collect()
    }

    #[test]
    fn what_a_call_returns_is_marked_alike_whether_or_not_others_leave_it_room() {
        let (session, leaving) = (Remembered::default(), CancellationToken::new());
        let large: String = (0..50_000).map(|number| format!("{number:08}")).collect();
        let of_call = || {
            let leaks = Leaks::within(&session, &leaving);
            [SECRET, &large].into_iter().for_each(|secret| leaks.gather_text(secret));
            leaks
        };
        let alone = of_call();
        assert_eq!(said(&alone), "whatever");
        assert_eq!(marked(&alone), ["same", "spelt"]);
        drop(alone);

        let others = session.room().take(MOST - 1_000_000);
        assert!(others.is_some());
        let among = of_call();
        assert_ne!(said(&among), "whatever");
        assert_eq!(marked(&among), ["same", "spelt"]);
        among.gather_text("told-later");
        assert_eq!(marked(&among), ["late", "same", "spelt"]);
        let room = session.room().take(900_000);
        assert!(room.is_some(), "what isn't kept ready takes none");
        drop((others, room));
        assert_ne!(said(&among), "whatever");
        assert_eq!(said(&of_call()), "whatever");

        // Each time takes as long as to make them ready does.
        (0..MOST_ONCE).for_each(|_| drop(marked(&among)));
        assert_eq!(marked(&among), ["late", "other", "same", "spelt"]);
    }

    #[test]
    fn once_the_process_leaves_the_secrets_of_few_calls_are_made_ready_and_the_others_show_nothing() {
        let (session, leaving) = (Remembered::default(), CancellationToken::new());
        let of_call = |number: usize, bytes: usize| {
            let leaks = Leaks::within(&session, &leaving);
            leaks.gather_text(&format!("{number:08}").repeat(bytes / 8));
            leaks
        };
        let ready = of_call(0, 100_000);
        assert_eq!(said(&ready), "whatever");
        let calls: Vec<Leaks> = (1..=64).map(|number| of_call(number, 100_000)).collect();
        let small = of_call(100, 800);
        leaving.cancel();
        let shown = calls.iter().filter(|leaks| marked(leaks).is_empty() && said(leaks) == "whatever").count();
        assert_eq!(shown, MOST_IN_HASTE / 100_000);
        assert!(calls.iter().skip(shown).all(|leaks| marked(leaks).len() == 4 && said(leaks) != "whatever"));
        assert_eq!((said(&ready), said(&small)), ("whatever".to_owned(), "whatever".to_owned()));
        assert_eq!(small.text("00000100".repeat(100)), "[secret]");
    }

    #[test]
    fn of_many_calls_with_many_secrets_the_last_say_nothing_until_others_are_over() {
        let session = Remembered::default();
        let of_many = |number: usize| {
            let leaks = Leaks::within(&session, &CancellationToken::new());
            let secret =
                |part: usize| format!("{:x}", (number * 10_000 + part).wrapping_mul(0x9e37_79b9_7f4a_7c15)).repeat(60);
            (0..120).for_each(|part| leaks.gather_text(&secret(part)));
            leaks
        };
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
