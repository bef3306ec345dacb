//! What guests say, until it is sent: in turns, call by call.
//!
//! Guests say more than an engine takes, and of one queue for all a call that says a thousand things has every place: what another one says
//! would wait for all of it, or be lost. So each call has a line of its own, of which one message at a time is taken. Where there are no
//! places left, the longest line loses its end, and says so.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::{Notify, oneshot};

use crate::provider::{Message, Speaker};

/// How many messages may wait, of all calls.
const MOST: usize = 1_024;

/// What guests say.
#[derive(Default)]
pub(super) struct Said {
    lines: Mutex<Lines>,
    changed: Notify,
}

/// What comes out.
#[derive(Default)]
pub(super) struct Turn {
    /// A message. None where somebody waits for none.
    pub(super) message: Option<Message>,
    /// Who waits until it is sent.
    pub(super) waiting: Vec<oneshot::Sender<()>>,
}

#[derive(Default)]
struct Lines {
    /// Each has a message, or lost some.
    lines: HashMap<Speaker, Line>,
    /// Who has one, in the order of their turns.
    turns: VecDeque<Speaker>,
    /// Messages in all of them.
    many: usize,
    /// Who waits for nothing that is in a line.
    waiting: Vec<oneshot::Sender<()>>,
    /// Nobody says anything any more, or nobody takes it.
    closed: bool,
}

struct Line {
    messages: VecDeque<Message>,
    /// How many were lost, and of what.
    lost: usize,
    urn: Option<String>,
    /// Who waits until all of it is sent.
    waiting: Vec<oneshot::Sender<()>>,
}

impl Said {
    /// Keeps a message, if there is a place for it.
    pub(super) fn push(&self, message: Message, by: Speaker) {
        self.lines().push(message, by);
        self.changed.notify_one();
    }

    /// Ends when all that a call has said so far is sent, or nobody takes it. For nobody's sake, when its turn comes.
    pub(super) fn sent(&self, by: Option<Speaker>) -> oneshot::Receiver<()> {
        let (sent, seen) = oneshot::channel();
        self.lines().wait(sent, by);
        self.changed.notify_one();
        seen
    }

    /// What comes next; none when nobody says anything any more.
    pub(super) async fn next(&self) -> Option<Turn> {
        loop {
            {
                let mut lines = self.lines();
                if let Some(turn) = lines.take() {
                    return Some(turn);
                }
                if lines.closed {
                    return None;
                }
            }
            self.changed.notified().await;
        }
    }

    /// Nobody says anything any more.
    pub(super) fn close(&self) {
        self.lines().closed = true;
        self.changed.notify_one();
    }

    /// Nobody takes anything any more.
    pub(super) fn forget(&self) {
        *self.lines() = Lines { closed: true, ..Lines::default() };
    }

    fn lines(&self) -> MutexGuard<'_, Lines> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lines {
    fn push(&mut self, message: Message, by: Speaker) {
        if self.closed || (self.many >= MOST && !self.makes_room(by)) {
            return;
        }
        let line = match self.lines.entry(by) {
            Entry::Occupied(line) => line.into_mut(),
            Entry::Vacant(place) => {
                self.turns.push_back(by);
                let urn = message.urn.clone();
                place.insert(Line { messages: VecDeque::new(), lost: 0, urn, waiting: Vec::new() })
            }
        };
        line.messages.push_back(message);
        self.many += 1;
    }

    /// Whether a longer line than that of a call lost its last message for it. Else what the call says is lost, and told.
    fn makes_room(&mut self, by: Speaker) -> bool {
        let own = self.lines.get(&by).map_or(0, |line| line.messages.len());
        let all = self.lines.iter().map(|(by, line)| (*by, line.messages.len()));
        let Some((longest, most)) = all.max_by_key(|(_, many)| *many) else { return false };
        // The last one of a line stays: whoever has lost some has a turn left to say so.
        let is_longer = most > own.max(1);
        let loser = if is_longer || own == 0 { longest } else { by };
        let Some(line) = self.lines.get_mut(&loser) else { return false };
        line.lost += 1;
        if is_longer && line.messages.pop_back().is_some() {
            self.many -= 1;
        }
        is_longer
    }

    fn wait(&mut self, sent: oneshot::Sender<()>, by: Option<Speaker>) {
        if self.closed {
            return;
        }
        match by.and_then(|by| self.lines.get_mut(&by)) {
            Some(line) => line.waiting.push(sent),
            None => self.waiting.push(sent),
        }
    }

    fn take(&mut self) -> Option<Turn> {
        if !self.waiting.is_empty() {
            return Some(Turn { message: None, waiting: std::mem::take(&mut self.waiting) });
        }
        let by = self.turns.pop_front()?;
        let Entry::Occupied(mut line) = self.lines.entry(by) else { return Some(Turn::default()) };
        let message = match line.get_mut().messages.pop_front() {
            Some(message) => {
                self.many -= 1;
                Some(message)
            }
            None => line.get_mut().loss(),
        };
        if line.get().messages.is_empty() && line.get().lost == 0 {
            return Some(Turn { message, waiting: line.remove().waiting });
        }
        self.turns.push_back(by);
        Some(Turn { message, waiting: Vec::new() })
    }
}

impl Line {
    /// A note of what was lost.
    fn loss(&mut self) -> Option<Message> {
        let lost = std::mem::take(&mut self.lost);
        let text = format!("{lost} more messages of the provider were dropped: it says more than the engine takes");
        let urn = self.urn.clone();
        (lost > 0).then(|| Message { urn, ..Message::warning(text) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::Severity;

    fn message(text: impl ToString) -> Message {
        Message { severity: Severity::Info, text: text.to_string(), urn: Some("urn".to_owned()), ephemeral: false }
    }

    /// All that comes out.
    fn all(said: &Said) -> Vec<String> {
        let turns = std::iter::from_fn(|| said.lines().take());
        turns.filter_map(|turn| turn.message).map(|message| message.text).collect()
    }

    #[test]
    fn who_says_little_is_heard_beside_those_who_say_much() {
        let (said, [loud, louder, quiet]) = (Said::default(), std::array::from_fn(|_| Speaker::next()));
        for number in 0..MOST {
            said.push(message(format!("loud {number}")), loud);
            said.push(message(format!("louder {number}")), louder);
        }
        said.push(message("quiet"), quiet);
        let heard = all(&said);
        assert_eq!(heard[..3], ["loud 0", "louder 0", "quiet"], "in turns");
        let of = |who: &str| heard.iter().filter(|text| text.starts_with(who)).count();
        let (loud, louder) = (of("loud "), of("louder "));
        assert!(loud + louder + 1 == MOST && loud.abs_diff(louder) == 1 && of("quiet") == 1, "{loud} {louder}");
        let note = |told: usize| {
            let lost = MOST - told;
            format!("{lost} more messages of the provider were dropped: it says more than the engine takes")
        };
        // Either line may be the shorter one, whose note comes before the other's last message.
        let mut notes: Vec<_> = heard.iter().filter(|text| text.ends_with("takes")).cloned().collect();
        notes.sort_unstable();
        assert_eq!(notes, [note(MOST / 2), note(MOST / 2 - 1)]);
        assert!(all(&said).is_empty(), "it is told once");
    }

    #[test]
    fn what_is_lost_of_those_who_say_one_thing_each_is_told_too() {
        let said = Said::default();
        for number in 0..=MOST {
            said.push(message(number), Speaker::next());
        }
        let heard = all(&said);
        assert_eq!(heard[..MOST], std::array::from_fn::<_, MOST, _>(|number| number.to_string()));
        assert_eq!(heard[MOST..].len(), 1);
        assert!(heard[MOST].starts_with("1 more messages"), "{heard:?}");
    }

    #[tokio::test]
    async fn who_waits_does_so_for_what_its_call_said_and_its_loss() {
        let (said, [first, second]) = (Said::default(), std::array::from_fn(|_| Speaker::next()));
        for number in 0..=MOST {
            said.push(message(number), first);
        }
        said.push(message("other"), second);
        let (mut all_of_it, mut other) = (said.sent(Some(first)), said.sent(Some(second)));
        let mut turns = Vec::new();
        while other.try_recv().is_err() {
            let turn = said.next().await.unwrap();
            turn.waiting.into_iter().for_each(|waits| waits.send(()).unwrap());
            turns.extend(turn.message.map(|message| message.text));
        }
        assert_eq!(turns, ["0", "other"]);
        assert!(all_of_it.try_recv().is_err());
        let mut last = Turn::default();
        while last.waiting.is_empty() {
            last = said.next().await.unwrap();
        }
        let note = last.message.unwrap();
        assert!(note.text.starts_with("2 more messages") && note.urn.as_deref() == Some("urn"), "{note:?}");
        let nobody = said.sent(None);
        said.forget();
        assert!(nobody.await.is_err() && said.sent(Some(first)).await.is_err(), "nobody waits for ever");
        assert!(said.next().await.is_none());
    }
}
