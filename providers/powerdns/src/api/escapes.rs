//! Contents with escapes, as servers since 5.1 read them.
//!
//! Those take a level of escapes off each content before they parse it, and never say that what they store then is another one: of `DOMAIN\\user`
//! the backslash goes, of `john\.doe.example.org.` what keeps the mailbox one label. So contents are written to them with a level more. Since
//! nobody promises that later versions read the same way, what came of it is looked at while nobody here changes the zone, and where it is
//! something else, what was there before is put back.

use std::collections::BTreeSet;

use super::record_set::{Change, RecordSet};
use super::{Problem, Server};
use crate::dns;

/// The type whose contents servers read as they are.
const CODE: &str = "LUA";
/// How contents start that are written in the form for types without a name.
const UNKNOWN: &str = "\\#";

impl Server {
    /// Puts a set in the place of the one of its name and type, in a turn.
    pub(super) fn put_record_set(&self, zone: &str, set: &RecordSet) -> Result<(), Problem> {
        let Some(sent) = self.respelled(set).map_err(Problem::before_any_change)? else {
            return self.ask_for_change(zone, Change::Replace(set));
        };
        let before = self.record_set(zone, &set.name, &set.kind).map_err(Problem::before_any_change)?;
        self.ask_for_change(zone, Change::Replace(&sent))?;
        let found = self.record_set(zone, &set.name, &set.kind);
        let found = found.map_err(|problem| Problem::Unseen(Box::new(problem)))?;
        // Who deleted it meanwhile meant to.
        let Some(found) = found else { return Ok(()) };
        let Some(place) = misread(set, &sent, &found) else { return Ok(()) };
        let put_back = match before {
            // As it was told: a server that took a level off that would have read the set as it was meant.
            Some(before) => self.ask_for_change(zone, Change::Replace(&before.restored(set, &found))),
            None => self.ask_for_change(zone, Change::Delete { name: &set.name, kind: &set.kind }),
        };
        Err(Problem::Misread { place, left: put_back.err().map(Box::new) })
    }

    /// The set as it has to be written so that the server reads it as it is; none if that is as it stands.
    fn respelled(&self, set: &RecordSet) -> Result<Option<RecordSet>, Problem> {
        if set.kind == CODE || set.records.iter().all(|record| escaped(&record.content) == record.content) {
            return Ok(None);
        }
        let version = self.version()?;
        if !version.unescapes() {
            return Ok(None);
        }
        let stays = |content: &str| content.starts_with(UNKNOWN) && version.leaves_unknown();
        let mut sent = set.clone();
        for record in sent.records.iter_mut().filter(|record| !stays(&record.content)) {
            record.content = escaped(&record.content);
        }
        Ok((sent.records != set.records).then_some(sent))
    }
}

impl RecordSet {
    /// The set as it was before `changed` was put in its place, which the server has as `found`.
    fn restored(mut self, changed: &Self, found: &Self) -> Self {
        // Comments that were left as they are are there still, with their dates.
        if changed.comments.is_none() {
            self.comments = None;
        }
        if let ("SOA", [soa], [found]) = (self.kind.as_str(), self.records.as_mut_slice(), found.records.as_slice()) {
            soa.content = dns::not_older(&soa.content, &found.content);
        }
        self
    }
}

/// The first record of a set that was sent with a level of escapes more, and that the server has as another one.
fn misread(set: &RecordSet, sent: &RecordSet, found: &RecordSet) -> Option<usize> {
    // The server overlooks the case of letters itself, and so says of some contents another than it was given.
    let key = |content: &str| dns::settled_key(&set.kind, content).to_ascii_lowercase();
    let found: BTreeSet<String> = found.records.iter().map(|record| key(&record.content)).collect();
    let mut pairs = set.records.iter().zip(&sent.records);
    pairs.position(|(record, sent)| record != sent && !found.contains(&key(&record.content)))
}

/// A content of which this one is left when a level of escapes is taken off it.
fn escaped(content: &str) -> String {
    let mut text = String::with_capacity(content.len());
    let (mut in_string, mut is_escaped, mut before) = (false, false, ' ');
    for character in content.chars() {
        let stands = match character {
            '\\' => false,
            // One that ends a string, or begins it.
            '"' if !is_escaped && (in_string || matches!(before, ' ' | '=')) => {
                in_string = !in_string;
                true
            }
            '"' => false,
            // Only in strings they are taken for themselves.
            '(' | ')' | ';' => in_string,
            _ => true,
        };
        if !stands {
            text.push('\\');
        }
        text.push(character);
        is_escaped = character == '\\' && !is_escaped;
        before = character;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_of_escapes_is_added() {
        for (content, sent) in [
            ("192.0.2.1", "192.0.2.1"),
            (r#"0 issue "letsencrypt.org; a=(b)""#, r#"0 issue "letsencrypt.org; a=(b)""#),
            (r"john\.doe.example.org.", r"john\\.doe.example.org."),
            (r"a\\.example.org.", r"a\\\\.example.org."),
            (r"a\032b.example.org.", r"a\\032b.example.org."),
            (r#"a(b"c;.example.org."#, r#"a\(b\"c\;.example.org."#),
            (r#""DOMAIN\\user""#, r#""DOMAIN\\\\user""#),
            (r#""say \"hi  you\"" "\\" "(""#, r#""say \\\"hi  you\\\"" "\\\\" "(""#),
            (r#""gr\195\188n""#, r#""gr\\195\\188n""#),
            (r#"1 . dohpath="/q{?dns}" key65400="\"""#, r#"1 . dohpath="/q{?dns}" key65400="\\\"""#),
        ] {
            assert_eq!(escaped(content), sent);
        }
    }
}
