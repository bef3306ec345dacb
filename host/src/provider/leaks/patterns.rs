//! What is looked for in texts, and how it is masked.
//!
//! A user decides how much is secret, so what is looked for has bounds, beyond which nothing is shown at all: a text that can't be
//! searched may hold anything.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::escapes;
use super::room::Room;
use super::sought::Sought;
use crate::provider::shortened;

/// What stands where a secret stood.
const MASK: &str = "[secret]";
/// What is said instead of a text that can't be searched.
const WITHHELD: &str = "[secret: the request holds more secrets than can be looked for in what the provider says]";
/// What is said instead of a text that takes too long to search.
pub(super) const TOO_MUCH: &str = "[secret: more is said than can be searched for the request's secrets]";
/// Bytes of a text that are searched, and shown.
pub(super) const LONGEST_TEXT: usize = 256 << 10;

/// From where to where in a text something stands.
pub(super) type Place = (usize, usize);

/// Secrets, ready to be found. Clones are the same.
#[derive(Clone, Default)]
pub(super) struct Patterns {
    sought: Vec<Arc<Sought>>,
    /// Those that there was no room for.
    unkept: Vec<Unkept>,
    /// There are more than can be looked for.
    too_many: bool,
}

/// Secrets that aren't kept ready.
#[derive(Clone)]
struct Unkept {
    secrets: Arc<BTreeSet<String>>,
    spelt: bool,
}

impl Patterns {
    /// More than can be looked for.
    pub(super) fn too_many() -> Self {
        Self { too_many: true, ..Self::default() }
    }

    /// Whether some aren't looked for, so that anything may hold one.
    fn are_incomplete(&self) -> bool {
        self.too_many || self.lack_room()
    }

    /// Whether there was no room to keep all of them ready.
    pub(super) fn lack_room(&self) -> bool {
        !self.unkept.is_empty()
    }

    /// All of them made ready, whether or not there is room: to be dropped once a result is looked through. What a guest says comes
    /// again and again, and isn't worth that.
    pub(super) fn for_once(mut self) -> Self {
        let room = Room::default();
        for Unkept { secrets, spelt } in std::mem::take(&mut self.unkept) {
            match Sought::of(Arc::unwrap_or_clone(secrets), spelt, &room) {
                Ok(sought) => self.sought.push(Arc::new(sought)),
                Err(_) => return Self::too_many(),
            }
        }
        self
    }

    /// Whether a name may spell one that isn't looked for in names, since there is too much of them.
    pub(super) fn may_be_spelt_by(&self, name: &str) -> bool {
        self.are_incomplete() || self.sought.iter().any(|sought| sought.names().may_be_in(name))
    }

    /// Looks for others too. Those that came last and aren't many more are made ready again with them: so no secret is more often than
    /// there are doublings, and however many come one by one, there are few to be looked for one after the other.
    pub(super) fn add(&mut self, mut secrets: BTreeSet<String>, spelt: bool, room: &Room) {
        if secrets.is_empty() || self.too_many {
            return;
        }
        if self.lack_room() {
            return self.leave_out(secrets, spelt);
        }
        let bytes = |secrets: &BTreeSet<String>| secrets.iter().map(String::len).sum::<usize>();
        while let Some(at) = self
            .sought
            .iter()
            .rposition(|before| before.is_spelt() == spelt && bytes(before.secrets()) / 2 <= bytes(&secrets))
        {
            secrets.extend(self.sought.remove(at).secrets().iter().cloned());
        }
        match Sought::of(secrets, spelt, room) {
            Ok(sought) => self.sought.push(Arc::new(sought)),
            Err(secrets) => {
                self.leave_out(secrets, spelt);
                // Nothing that is said is shown now, and others have their room.
                for sought in std::mem::take(&mut self.sought) {
                    self.leave_out(sought.secrets().clone(), sought.is_spelt());
                }
            }
        }
    }

    fn leave_out(&mut self, secrets: BTreeSet<String>, spelt: bool) {
        match self.unkept.iter_mut().find(|unkept| unkept.spelt == spelt) {
            Some(unkept) => Arc::make_mut(&mut unkept.secrets).extend(secrets),
            None => self.unkept.push(Unkept { secrets: Arc::new(secrets), spelt }),
        }
    }

    /// All that is looked for by the one or the other.
    pub(super) fn and(mut self, other: Self) -> Self {
        self.sought.extend(other.sought);
        self.unkept.extend(other.unkept);
        Self { too_many: self.too_many || other.too_many, ..self }
    }

    /// Whether this is one of the secrets that are looked for, or would be if there were room.
    pub(super) fn have(&self, secret: &str) -> bool {
        self.sought.iter().any(|sought| sought.secrets().contains(secret))
            || self.unkept.iter().any(|unkept| unkept.secrets.contains(secret))
    }

    /// Whether nothing is secret.
    pub(super) fn are_none(&self) -> bool {
        self.sought.is_empty() && !self.are_incomplete()
    }

    /// How often a text is searched for them.
    pub(super) fn searches(&self) -> usize {
        self.sought.len()
    }

    /// A text with every secret in it masked.
    pub(super) fn masked(&self, text: String) -> String {
        self.masked_at(text, |text| self.places(text))
    }

    /// A name that was made up, with every secret in it masked. Nothing of it if it may spell one that nobody looks for.
    pub(super) fn masked_name(&self, name: String) -> String {
        if self.may_be_spelt_by(&name) && !name.is_empty() {
            return WITHHELD.to_owned();
        }
        self.masked_at(name, |name| {
            let mut places = self.places(name)?;
            for sought in &self.sought {
                places.extend(sought.names().places(name)?);
            }
            Some(places)
        })
    }

    /// Whether a text is a secret, or has one in it that isn't there by chance, as it is or in one of its readings.
    pub(super) fn are_repeated_by(&self, text: &str) -> bool {
        let read = |text: &[u8]| self.sought.iter().any(|sought| sought.is_repeated_by(text));
        self.are_listed_in(text) || escapes::readings(text).iter().any(|reading| read(&reading.text))
    }

    /// The same in the spellings that are listed alone, which takes less.
    pub(super) fn are_listed_in(&self, text: &str) -> bool {
        self.are_incomplete() || self.sought.iter().any(|sought| sought.is_repeated_by(text.as_bytes()))
    }

    /// A text masked where secrets are found in as much of it as is searched. None are the places if there are more than can be told.
    fn masked_at(&self, text: String, places: impl FnOnce(&str) -> Option<Vec<Place>>) -> String {
        if self.are_incomplete() && !text.is_empty() {
            return WITHHELD.to_owned();
        }
        if self.sought.is_empty() {
            return text;
        }
        // What is left of a secret behind the cut isn't found, so what is shown ends before that.
        let end = text.floor_char_boundary(LONGEST_TEXT);
        let longest = self.sought.iter().map(|sought| sought.longest()).max().unwrap_or_default();
        let beyond = longest.saturating_mul(escapes::LONGEST);
        let searched = text.get(..text.floor_char_boundary(end.saturating_add(beyond))).unwrap_or(&text);
        let Some(places) = places(searched) else { return TOO_MUCH.to_owned() };
        if places.is_empty() {
            return shortened(text, LONGEST_TEXT / 4);
        }
        mask(&text, end, places)
    }

    /// Where secrets are. None if there are more than places for them: secrets that hold each other end a thousand times at each.
    fn places(&self, text: &str) -> Option<Vec<Place>> {
        let readings = escapes::readings(text);
        let mut all = Vec::new();
        for sought in &self.sought {
            all.extend(sought.places(text.as_bytes())?);
            for reading in &readings {
                all.extend(sought.places(&reading.text)?.into_iter().map(|place| reading.place(place)));
            }
        }
        Some(all)
    }
}

/// A text as far as its end, masked at these places.
pub(super) fn mask(text: &str, end: usize, mut places: Vec<Place>) -> String {
    places.sort_unstable();
    let mut apart: Vec<Place> = Vec::with_capacity(places.len());
    for (from, to) in places {
        add(&mut apart, (text.floor_char_boundary(from), text.ceil_char_boundary(to)));
    }
    let mut masked = String::with_capacity(end);
    let mut shown = 0;
    for (from, to) in apart.into_iter().filter(|(from, _)| *from < end) {
        masked.push_str(text.get(shown..from).unwrap_or_default());
        masked.push_str(MASK);
        shown = to;
    }
    masked.push_str(text.get(shown..end).unwrap_or_default());
    if end < text.len() {
        masked.push_str(&format!(" … ({} bytes in all)", text.len()));
    }
    masked
}

/// Adds a place to others, each of which ends before the next begins. It begins wherever, and ends behind all of them.
pub(super) fn add(places: &mut Vec<Place>, mut place: Place) {
    while let Some(last) = places.pop_if(|last| place.0 <= last.1) {
        place = (place.0.min(last.0), place.1.max(last.1));
    }
    places.push(place);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::gathered::{Gathered, MOST};
    use super::super::sought::PIECE;
    use super::*;

    fn patterns<'s>(secrets: impl IntoIterator<Item = &'s str>) -> Patterns {
        let mut gathered = Gathered::default();
        gathered.add(secrets.into_iter().map(str::to_owned));
        gathered.ready(&Patterns::default())
    }

    fn masked<const N: usize>(secrets: [&str; N], text: &str) -> String {
        patterns(secrets).masked(text.to_owned())
    }

    #[test]
    fn secrets_are_masked_wherever_they_stand() {
        assert_eq!(masked(["hunter2-hunter2"], "it is hunter2-hunter2."), "it is [secret].");
        assert_eq!(masked(["hunter2-hunter2"], "it is hunter2"), "it is hunter2");
        assert_eq!(masked(["password-1", "password-2"], "password-1password-2 password-3"), "[secret] password-3");
        assert_eq!(masked([], "nothing is secret"), "nothing is secret");
        // Unpadded, and in the middle of a header.
        assert_eq!(masked(["correct horse"], "Basic dXNlcjpjb3JyZWN0IGhvcnNl"), "Basic dXNlcjp[secret]");
        assert_eq!(masked(["a\"quoted\"one"], r#"{"x":"a\"quoted\"one"}"#), r#"{"x":"[secret]"}"#);
    }

    #[test]
    fn what_overlaps_is_masked_as_a_whole() {
        assert_eq!(masked(["abcdefgh", "efghijklmnop"], "<abcdefghijklmnop>"), "<[secret]>");
        assert_eq!(masked(["abcdefghijklmnop", "ghijklmn"], "<abcdefghijklmnop> <ghijklmn>"), "<[secret]> <[secret]>");
    }

    #[test]
    fn lines_of_a_secret_are_masked_and_so_are_pieces_of_a_long_one() {
        let key = "-----BEGIN KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ\n-----END KEY-----\n";
        assert_eq!(masked([key], "at line 2: `MC4CAQAwBQYDK2VwBCIEIJ`"), "at line 2: `[secret]`");
        let long: String = (0..1_000).map(|number| format!("{number:04}")).collect();
        assert_eq!(masked([long.as_str()], &format!("<{long}>")), "<[secret]>");
        let cut = long.get(..2_500).unwrap_or_default();
        assert_eq!(masked([long.as_str()], cut).len(), "[secret]".len() + 2_500 - 2 * PIECE);
        let indented = format!("users:\n- name: me\n    key: {long}\n");
        assert_eq!(masked([indented.as_str()], &format!("parse `key: {long}`")), "parse `[secret]`");
        for length in [PIECE + 1, PIECE + 15, 2 * PIECE + 3] {
            let secret = long.get(..length).unwrap_or_default();
            assert_eq!(masked([secret], &format!("<{secret}>")), "<[secret]>", "{length}");
        }
    }

    #[test]
    fn a_long_text_ends_before_a_secret_that_it_cuts() {
        let secret = "s".repeat(1_000);
        for before in [LONGEST_TEXT - 1, LONGEST_TEXT - 500, LONGEST_TEXT - 1_000, LONGEST_TEXT] {
            let text = format!("{}{secret}{}", "x".repeat(before), "y".repeat(LONGEST_TEXT));
            let shown = masked([secret.as_str()], &text);
            assert_eq!((shown.contains("[secret]"), shown.contains("ss")), (before < LONGEST_TEXT, false), "{before}");
            assert!(shown.len() < LONGEST_TEXT + 100);
            assert!(shown.ends_with(" bytes in all)"), "{before}");
        }
    }

    #[test]
    fn what_cannot_be_searched_is_not_shown() {
        let large = "x".repeat(MOST + 1);
        assert_eq!(masked([large.as_str()], "anything"), WITHHELD);
        assert!(patterns([large.as_str()]).are_repeated_by("anything"));
        assert_eq!(masked([large.as_str()], ""), "");
    }

    #[test]
    fn a_large_secret_does_not_take_along_the_short_ones_beside_it() {
        let large: String = (0..20_000).map(|number| format!("{number:08}\n")).collect();
        let known = patterns([large.as_str(), "AbCd1234EfGh5678"]);
        for (said, expected) in [
            ("https://abcd1234efgh5678.example.com (GET)", "https://[secret].example.com (GET)"),
            ("https://AbCd.1234.EfGh.5678.example.com", "https://[secret].example.com"),
            ("4162436431323334456647683536_3738", "[secret]"),
            ("https://db.example.com", "https://db.example.com"),
        ] {
            assert_eq!(known.masked_name(said.to_owned()), expected);
        }
        assert_eq!(known.masked("it is 41624364313233344566476835363738".to_owned()), "it is [secret]");
        assert_eq!(known.masked_name(large.replace('\n', "-")), WITHHELD);
    }

    #[test]
    fn of_more_secrets_than_are_spelt_a_name_that_may_spell_one_is_not_shown() {
        let secrets: Vec<String> = (0..10_000).map(|number| format!("Token-{number:05}-{number:05}")).collect();
        let known = patterns(secrets.iter().map(String::as_str));
        for secret in &secrets {
            let shown = known.masked_name(format!("https://{}.example", secret.to_lowercase()));
            assert!(!shown.contains("token"), "{shown}");
        }
        // With fewer letters and digits than each of them has.
        assert_eq!(known.masked_name("db.example:5432".to_owned()), "db.example:5432");
    }

    #[test]
    fn secrets_that_hold_each_other_are_not_counted_for_ever() {
        let secrets: Vec<String> = (8..400).map(|length| "a".repeat(length)).collect();
        let known = patterns(secrets.iter().map(String::as_str));
        assert_eq!(known.masked("a".repeat(LONGEST_TEXT)), TOO_MUCH);
        assert_eq!(known.masked_name(format!("{}.example", "a.".repeat(10_000))), TOO_MUCH);
        assert!(known.are_repeated_by(&"a".repeat(LONGEST_TEXT)));
        assert_eq!(known.masked(format!("<{}>", "a".repeat(8))), "<[secret]>");
    }

    /// Each as some library does it, all of which leave something else as it is.
    #[test]
    fn secrets_are_masked_however_much_of_them_is_escaped() {
        for escaped in [
            "https://u:a+b%2Fc-d&e%3D%3D@h/",
            "https://h/a+b%2Fc-d&e==",
            "https://h/?k=a%2Bb%2Fc%2Dd%26e%3D%3D",
            r#"{"k":"a+b/c-d\u0026e=="}"#,
            r#"{"k":"a+b\/c-d&e=="}"#,
            r#""{\"k\":\"a+b\\/c-d\\u0026e\u003d=\"}""#,
            "<k>a+b/c-d&amp;e==</k>",
            "<k>a&#43;b/c-d&#x26;e==</k>",
            r"'a+b/c-d\&e=='",
            r#"{"url":"https:\/\/h\/?k=a%2Bb%2Fc-d%26e%3D%3D"}"#,
        ] {
            let masked = masked(["a+b/c-d&e=="], escaped);
            assert!(masked.contains("[secret]") && !masked.contains("-d"), "{escaped}: {masked}");
        }
        assert_eq!(masked(["a+b/c-d&e=="], "at 100%: a+b%2fc-d%26e==, é"), "at 100%: [secret], é");
        assert_eq!(masked(["p\u{e4}ssw\u{f6}rter"], r"it is p\u00e4ssw\xc3\xb6rter."), "it is [secret].");
        assert!(patterns(["a+b/c-d&e=="]).are_repeated_by("a+b%2Fc-d&e=="), "which is the same");
        assert!(!patterns(["a+b/c-d&e=="]).are_repeated_by("https://h/a+b%2Fc-d&e=="), "which may be chance");
        assert!(patterns(["a+b/c-d&e==/long"]).are_repeated_by("https://h/a+b%2Fc-d&e==%2Flong"));
    }

    #[test]
    fn what_is_blank_around_a_secret_is_no_part_of_it() {
        let known = patterns(["hunter2-hunter\n", "\t short \n"]);
        assert_eq!(known.masked("it is hunter2-hunter.".to_owned()), "it is [secret].");
        assert_eq!(known.masked("it is hunter2-hunter\n.".to_owned()), "it is [secret]\n.");
        assert_eq!(known.masked("Basic dTpodW50ZXIyLWh1bnRlcgo=".to_owned()), "Basic dTp[secret]go=");
        assert!(known.are_repeated_by("hunter2-hunter") && known.are_repeated_by(" hunter2-hunter\r\n"));
        assert_eq!(known.masked("a short one".to_owned()), "a short one", "there is too little left of it");
    }

    #[test]
    fn short_secrets_are_equal_and_long_ones_are_within() {
        let known = patterns(["short-secret", "a-secret-long-enough"]);
        for (text, repeats) in [
            ("short-secret", true),
            ("arn:short-secret", false),
            ("a-secret-long-enough", true),
            ("postgres://u:a-secret-long-enough@h", true),
            ("YS1zZWNyZXQtbG9uZy1lbm91Z2g=", true),
            ("a-secret-long", false),
        ] {
            assert_eq!(known.are_repeated_by(text), repeats, "{text}");
        }
    }

    #[test]
    fn what_is_one_secret_and_another_one_spelt_is_within_as_either() {
        let known = patterns(["a-short-secret", "612d73686f72742d736563726574"]);
        assert!(known.are_repeated_by("it is 612d73686f72742d736563726574."));
    }

    #[test]
    fn what_is_ready_is_not_made_ready_again_for_what_comes() {
        let session = patterns(["a-secret-of-the-session", "another-one-of-the-session"]);
        let mut own = Gathered::default();
        own.add(["a-secret-of-the-session", "own-secret"].map(str::to_owned));
        let all = session.clone().and(own.ready(&session));
        let sought: Vec<usize> = all.sought.iter().map(|sought| sought.secrets().len()).collect();
        assert_eq!(sought, [2, 1], "none of them twice");
        assert!(all.sought.iter().zip(&session.sought).all(|(one, other)| Arc::ptr_eq(one, other)));
        assert_eq!(all.masked("own-secret, another-one-of-the-session".to_owned()), "[secret], [secret]");

        // One by one, as a component is told them by its engine.
        let (mut own, mut before, mut made) = (Gathered::default(), Patterns::default(), 0);
        for number in 0..500 {
            own.add([format!("secret-number-{number}")]);
            let ready = own.ready(&session);
            let fresh = ready.sought.iter().filter(|sought| !before.sought.iter().any(|old| Arc::ptr_eq(old, sought)));
            made += fresh.map(|sought| sought.secrets().len()).sum::<usize>();
            assert!(ready.searches() <= 10, "{}", ready.searches());
            before = ready;
        }
        assert!(made < 500 * 10, "{made}");
        assert_eq!(before.masked("secret-number-0 secret-number-499".to_owned()), "[secret] [secret]");
    }

    proptest! {
        #[test]
        fn nothing_secret_is_left_of_a_text(
            secrets in proptest::collection::btree_set("[ab]{8,12}", 1..5),
            text in "[ab ]{0,200}",
        ) {
            let known = patterns(secrets.iter().map(String::as_str));
            let masked = known.masked(text.clone());
            for secret in &secrets {
                prop_assert!(!masked.contains(secret.as_str()), "{} in {} of {}", secret, masked, text);
            }
            if secrets.iter().all(|secret| !text.contains(secret.as_str())) {
                prop_assert_eq!(masked, text);
            }
        }

        #[test]
        fn it_is_all_the_same_when_a_secret_came(
            secrets in proptest::collection::vec(("[ab]{8,12}|[ab]{16,20}|[ab]{4}-[ab]{6}", 0..4_usize), 0..8),
            text in "[ab]{0,20}([ab%-]|%2D){0,60}[ab]{0,20}",
        ) {
            let at_once = patterns(secrets.iter().map(|(secret, _)| secret.as_str()));
            let came = |when: usize| secrets.iter().filter(move |(_, then)| *then == when).map(|(secret, _)| secret.clone());
            let (mut session, mut own) = (Gathered::default(), Gathered::default());
            session.add(came(0));
            let session = session.ready(&Patterns::default());
            for when in 1..4 {
                own.add(came(when));
                own.ready(&session);
            }
            let by_and_by = session.clone().and(own.ready(&session));
            prop_assert_eq!(by_and_by.masked(text.clone()), at_once.masked(text.clone()));
            prop_assert_eq!(by_and_by.masked_name(text.clone()), at_once.masked_name(text.clone()));
            prop_assert_eq!(by_and_by.are_repeated_by(&text), at_once.are_repeated_by(&text));
        }
    }
}
