//! The secrets of one call, and what they do to whatever a guest says in it.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use bulkhead_schema::{Change, Difference, Failure, ObjectType, Package, Type, secrets};
use bulkhead_value::{Object, PropertyPath, Segment, Value};
use tokio_util::sync::CancellationToken;

use super::escapes;
use super::gathered::{Gathered, TELLING};
use super::patterns::{LONGEST_TEXT, Patterns, TOO_MUCH};
use super::room::Room;
use crate::legible::legible;
use crate::provider::{Checked, Error, ErrorKind, Fault, MissingKey, Partial, Reason, shortened};

/// Bytes of texts that are searched in one call. It is done after the call, while others wait, so a guest doesn't say how long.
const MOST_SAID: usize = 64 << 20;
/// Bytes of values that are read in other ways too.
const MOST_READ: usize = 64 << 20;
/// How often secrets that there is no room for are made ready in one call: what a resource returns is two objects at most.
pub(super) const MOST_ONCE: usize = 4;
/// Characters of a reason, and of what is said of a key that is missing.
const LONGEST_REASON: usize = 4_096;

/// What stands beside the properties of a state, and is in no schema.
const NOTES: [&str; 3] = ["__meta", "__pulumi_raw_state_delta", "id"];

/// The secrets of a session's configuration, which every later call may repeat.
#[derive(Clone, Default)]
pub(super) struct Remembered(Arc<Mutex<Gathered>>);

impl Remembered {
    pub(super) fn add(&self, secrets: BTreeSet<String>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).add(secrets);
    }

    pub(super) fn room(&self) -> Room {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).room()
    }

    fn unsought(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).unsought()
    }

    fn patterns(&self) -> Patterns {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).ready(&Patterns::default())
    }
}

/// The secrets of one call. Shared by everything that serves it; a call without secrets pays for nothing but looking for them.
#[derive(Clone, Default)]
pub struct Leaks(Arc<OfCall>);

#[derive(Default)]
struct OfCall {
    session: Remembered,
    own: Mutex<Gathered>,
    room: Room,
    /// Set once the process leaves.
    leaving: CancellationToken,
    /// Bytes of texts that were searched.
    said: AtomicUsize,
    /// Bytes of values that were read in other ways too.
    read: AtomicUsize,
    /// How often secrets were made ready that there was no room for.
    once: AtomicUsize,
}

/// What a name spells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spelt {
    /// Nothing that is secret.
    None,
    /// A secret.
    Secret,
    /// A secret perhaps: there are more than can be looked for.
    Unknown,
}

/// Nothing of it is for printing.
impl fmt::Debug for Leaks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Leaks")
    }
}

impl Leaks {
    /// The secrets of a call within a session, until its process leaves.
    pub(super) fn within(session: &Remembered, leaving: &CancellationToken) -> Self {
        let room = session.room();
        let own = Mutex::new(Gathered::within(room.clone()));
        let (session, leaving) = (session.clone(), leaving.clone());
        Self(Arc::new(OfCall { session, own, room, leaving, ..OfCall::default() }))
    }

    /// Adds what is secret in an object, by its marks and by what the package says of the token: of a resource type, a function,
    /// or the configuration if it is empty.
    pub(super) fn gather(&self, package: &Package, token: &str, object: &Object) -> BTreeSet<String> {
        let found = secrets::telling(package, &types(package, token), object);
        let found: BTreeSet<String> = found.into_iter().map(Cow::into_owned).collect();
        self.add(found.iter().cloned());
        found
    }

    /// Adds the secrets of a value by its marks.
    pub(super) fn gather_marked(&self, value: &Value) {
        let holder = Object::from([("", value.clone())]);
        self.add(secrets::telling(&Package::default(), &[], &holder).into_iter().map(Cow::into_owned));
    }

    /// Adds a text that is secret as a whole.
    pub(super) fn gather_text(&self, text: &str) {
        self.gather_marked(&Value::from(text).secret());
    }

    fn add(&self, secrets: impl IntoIterator<Item = String>) {
        self.0.own.lock().unwrap_or_else(PoisonError::into_inner).add(secrets);
    }

    /// What finds all of them, those of the session too.
    fn patterns(&self) -> Patterns {
        if !self.are_in_time() {
            return Patterns::too_many();
        }
        let session = self.0.session.patterns();
        let own = self.0.own.lock().unwrap_or_else(PoisonError::into_inner).ready(&session);
        session.and(own)
    }

    /// Whether there is time to make ready what isn't. A process that leaves has seconds for all of its calls, whose answers wait for it.
    fn are_in_time(&self) -> bool {
        if !self.0.leaving.is_cancelled() {
            return true;
        }
        let own = self.0.own.lock().unwrap_or_else(PoisonError::into_inner).unsought();
        let bytes = own.saturating_add(self.0.session.unsought());
        bytes == 0 || self.0.room.hurry(bytes)
    }

    /// What finds all of them in what is returned: those too that there is no room to keep ready.
    fn patterns_for_values(&self) -> Patterns {
        let patterns = self.patterns();
        let once = || !self.0.leaving.is_cancelled() && self.0.once.fetch_add(1, Ordering::Relaxed) < MOST_ONCE;
        match patterns.lack_room() && once() {
            true => patterns.for_once(),
            false => patterns,
        }
    }

    /// A text of the guest's, for people: with every secret masked.
    #[must_use]
    pub fn text(&self, text: String) -> String {
        let patterns = self.patterns();
        let searched = searched(&text).saturating_mul(patterns.searches());
        match searched > 0 && self.0.said.fetch_add(searched, Ordering::Relaxed) > MOST_SAID {
            true => TOO_MUCH.to_owned(),
            false => patterns.masked(text),
        }
    }

    /// A name of the guest's, for people, such as a host's: with every secret masked that its letters and digits spell.
    #[must_use]
    pub fn name(&self, name: String) -> String {
        // No secret is as short.
        if name.len() < TELLING {
            return name;
        }
        self.patterns().masked_name(name)
    }

    /// Those of a call that has these.
    #[cfg(test)]
    pub(crate) fn of(secrets: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        let leaks = Self::default();
        secrets.into_iter().for_each(|secret| leaks.gather_text(secret.as_ref()));
        leaks
    }

    /// Whether the letters and digits of a name spell a secret.
    pub(crate) fn spelt_by(&self, name: &str) -> Spelt {
        let patterns = self.patterns();
        // No secret is as short.
        if name.len() < TELLING {
            return Spelt::None;
        }
        match patterns.may_be_spelt_by(name) {
            true => Spelt::Unknown,
            false if patterns.masked_name(name.to_owned()) == name => Spelt::None,
            false => Spelt::Secret,
        }
    }

    /// Whether a text repeats a secret: as a whole, or as a part that isn't there by chance.
    pub(super) fn are_in(&self, text: &str) -> bool {
        self.repeats(&self.patterns(), text)
    }

    /// The same, of secrets that are at hand.
    fn repeats(&self, patterns: &Patterns, text: &str) -> bool {
        let read = || text.len() <= LONGEST_TEXT && self.0.read.fetch_add(text.len(), Ordering::Relaxed) <= MOST_READ;
        match escapes::may_be_in(text) && read() {
            true => patterns.are_repeated_by(text),
            false => patterns.are_listed_in(text),
        }
    }

    /// An object of the guest's: what repeats a secret is marked as one, at every depth. Names at the top that the package doesn't
    /// declare for the token, which can't be marked, are masked.
    #[must_use]
    pub fn object(&self, package: &Package, token: &str, object: Object) -> Object {
        let patterns = self.patterns_for_values();
        if patterns.are_none() {
            return object;
        }
        let types = types(package, token);
        let object = match object.keys().any(|name| is_invented(&types, name) && self.repeats(&patterns, name)) {
            false => object,
            true => object
                .into_map()
                .into_iter()
                .map(|(name, value)| (if is_invented(&types, &name) { patterns.masked(name) } else { name }, value))
                .collect(),
        };
        secrets::mark_repeating(object, &|text| self.repeats(&patterns, text))
    }

    /// The same for an object whose names aren't the guest's to make up.
    pub(super) fn members(&self, object: Object) -> Object {
        let patterns = self.patterns_for_values();
        match patterns.are_none() {
            true => object,
            false => secrets::mark_repeating(object, &|text| self.repeats(&patterns, text)),
        }
    }

    /// A value of the guest's, marked likewise.
    #[must_use]
    pub(super) fn value(&self, package: &Package, token: &str, value: Value) -> Value {
        match value {
            Value::Object(object) => Value::Object(self.object(package, token, object)),
            value => self.anonymous(value),
        }
    }

    /// The same for a value that no package declares.
    pub(super) fn anonymous(&self, value: Value) -> Value {
        let patterns = self.patterns_for_values();
        match patterns.are_none() {
            true => value,
            false => secrets::mark_value_repeating(value, &|text| self.repeats(&patterns, text)),
        }
    }

    /// A path of the guest's, whose names it may have made up, but for one at the top that the types declare.
    fn path(&self, types: &[&ObjectType], path: PropertyPath) -> PropertyPath {
        let patterns = self.patterns();
        let masked = |depth: usize, name: &str| match depth == 0 && !is_invented(types, name) {
            true => name.to_owned(),
            false => patterns.masked(name.to_owned()),
        };
        match patterns.are_none() {
            true => path,
            false => renamed(&path, masked),
        }
    }

    /// Changes of the guest's, of things that nothing is declared of.
    #[must_use]
    pub fn changes(&self, changes: Vec<Change>) -> Vec<Change> {
        self.declared_changes(&[], changes)
    }

    fn declared_changes(&self, types: &[&ObjectType], changes: Vec<Change>) -> Vec<Change> {
        // Of which no name steers a terminal. It may lead nowhere then, so this is for a guest's alone.
        let shown = |path| renamed(&self.path(types, path), |_, name| legible(name.to_owned()));
        changes.into_iter().map(|change| Change { path: shown(change.path), ..change }).collect()
    }

    pub(super) fn difference(&self, package: &Package, token: &str, difference: Difference) -> Difference {
        let types = types(package, token);
        let stable = |name: String| if is_invented(&types, &name) { self.text(name) } else { name };
        Difference {
            changes: self.declared_changes(&types, difference.changes),
            stable: difference.stable.into_iter().map(stable).collect(),
            ..difference
        }
    }

    pub(super) fn checked(&self, package: &Package, token: &str, checked: Checked) -> Checked {
        Checked {
            inputs: self.object(package, token, checked.inputs),
            failures: self.failures(package, token, checked.failures),
            ..checked
        }
    }

    fn failures(&self, package: &Package, token: &str, failures: Vec<Failure>) -> Vec<Failure> {
        let types = types(package, token);
        let failure = |failure: Failure| Failure {
            path: self.path(&types, failure.path),
            reason: self.reason(failure.reason),
            ..failure
        };
        failures.into_iter().map(failure).collect()
    }

    /// A text of which people read the beginning. It is cut here, not before: half of a secret is none that anybody would find.
    fn reason(&self, text: String) -> String {
        shortened(self.text(text), LONGEST_REASON)
    }

    /// An error of the guest's, or about what it did. What the host says of limits and of what to do is none of the guest's words, and
    /// what was denied was masked when it was. However much the guest says, that stays legible.
    pub(super) fn error(&self, package: &Package, token: &str, error: Error) -> Error {
        let kind = match error.kind {
            ErrorKind::Rejected(failures) => ErrorKind::Rejected(self.failures(package, token, failures)),
            ErrorKind::MissingConfiguration(keys) => {
                let key = |key: MissingKey| MissingKey {
                    name: self.reason(key.name),
                    description: self.reason(key.description),
                };
                ErrorKind::MissingConfiguration(keys.into_iter().map(key).collect())
            }
            other => other,
        };
        let message = if kind.is_the_hosts() { error.message } else { self.text(error.message) };
        Error { kind, message, hint: error.hint }
    }

    /// Why a resource isn't ready, of which what the host says is as legible as that of an error.
    fn why(&self, reason: Reason) -> Reason {
        match reason {
            Reason::Said(text) => Reason::Said(self.text(text)),
            Reason::Explained(text) => Reason::Explained(text),
        }
    }

    pub(super) fn fault(&self, package: &Package, token: &str, fault: Fault) -> Fault {
        match fault {
            Fault::Error(error) => Fault::Error(self.error(package, token, error)),
            Fault::Partial(partial) => Fault::Partial(Partial {
                state: self.object(package, token, partial.state),
                inputs: partial.inputs.map(|inputs| self.object(package, token, inputs)),
                reasons: partial.reasons.into_iter().map(|reason| self.why(reason)).collect(),
                ..partial
            }),
        }
    }
}

/// Whether a name at the top is the guest's own. Notes of bridges and a repeated id are called the same whatever the type.
fn is_invented(types: &[&ObjectType], name: &str) -> bool {
    !NOTES.contains(&name) && !types.iter().any(|ty| ty.properties.contains_key(name))
}

/// Bytes that are searched of a text, in all of its readings.
fn searched(text: &str) -> usize {
    let readings = if escapes::may_be_in(text) { escapes::READINGS } else { 0 };
    text.len().min(LONGEST_TEXT).saturating_mul(readings.saturating_add(1))
}

/// The types that values of a token may be of.
fn types<'p>(package: &'p Package, token: &str) -> Vec<&'p ObjectType> {
    if token.is_empty() {
        return vec![&package.configuration];
    }
    if let Some(resource) = package.resource(token) {
        return [&resource.inputs, &resource.outputs].into_iter().chain(&resource.list_inputs).collect();
    }
    let Some(function) = package.function(token) else { return Vec::new() };
    let returned = match &function.outputs {
        bulkhead_schema::Returns::Object(ty) => Some(ty),
        bulkhead_schema::Returns::Type(Type::Object(token)) => package.object_type(token),
        _ => None,
    };
    function.inputs.iter().chain(returned).collect()
}

/// A path with other names, each by its depth and the one that it has.
fn renamed(path: &PropertyPath, name_of: impl Fn(usize, &str) -> String) -> PropertyPath {
    let segment = |(depth, segment): (usize, &Segment)| match segment {
        Segment::Field(name) => Segment::Field(name_of(depth, name)),
        Segment::Key(name) => Segment::Key(name_of(depth, name)),
        other => other.clone(),
    };
    path.segments().iter().enumerate().map(segment).collect()
}

#[cfg(test)]
mod tests {
    use bulkhead_schema::ChangeKind;

    use super::*;

    const TOKEN: &str = "p:index:R";

    /// A guest's alone: the host's own lead to what a program gave.
    #[test]
    fn what_steers_a_terminal_is_no_part_of_a_name_in_a_change() {
        let path = ["a\u{1b}[2J", "\u{202e}b"].map(|name| Segment::Key(name.to_owned())).into_iter().collect();
        let change = Change { path, kind: ChangeKind::Updated, replaces: false, input_diff: true };
        let told = Leaks::default().changes(vec![change]);
        let shown: PropertyPath = told.into_iter().flat_map(|change| change.path.segments().to_vec()).collect();
        assert_eq!(
            shown,
            ["a\u{fffd}[2J", "\u{fffd}b"].map(|name| Segment::Key(name.to_owned())).into_iter().collect()
        );
    }

    /// The names in what is said of a resource, where its secrets are too many to be looked for.
    #[test]
    fn what_the_package_declares_keeps_its_name_however_much_is_secret() {
        let schema = br#"{ "name": "p", "version": "1.0.0", "resources": { "p:index:R": {
            "inputProperties": { "keepers": { "$ref": "pulumi.json#/Any" } }, "properties": { "hex": { "type": "string" } }
        } } }"#;
        let package = Package::parse(schema).unwrap();
        let leaks = Leaks::default();
        leaks.gather_text(&"secret! ".repeat(200_000));

        let changed = |path: &str| Change {
            path: path.parse().unwrap(),
            kind: ChangeKind::Updated,
            replaces: true,
            input_diff: true,
        };
        let difference = Difference {
            changes: vec![changed("keepers"), changed("other")],
            stable: vec!["hex".to_owned()],
            ..<_>::default()
        };
        let told = leaks.difference(&package, TOKEN, difference);
        let paths: Vec<String> = told.changes.iter().map(|change| change.path.to_string()).collect();
        assert_eq!(paths.first().map(String::as_str), Some("keepers"));
        assert!(paths.last().is_some_and(|path| path.contains("[secret")), "{paths:?}");
        assert_eq!(told.stable, ["hex"]);

        let state =
            Object::from(["hex", "id", "__pulumi_raw_state_delta", "other"].map(|name| (name, Value::from(1.0))));
        let told = leaks.object(&package, TOKEN, state);
        assert!(["hex", "id", "__pulumi_raw_state_delta"].iter().all(|name| told.contains_key(*name)), "{told:?}");
        assert!(!told.contains_key("other"), "{told:?}");
    }

    #[test]
    fn what_the_host_says_is_told_however_much_a_guest_says() {
        let leaks = Leaks::of(["correct-horse"]);
        // No more of it is searched than is shown.
        drop(leaks.text("x".repeat(80 << 20)));
        assert_eq!(leaks.text("it is correct-horse".to_owned()), "it is [secret]");
        (0..256).for_each(|_| drop(leaks.text("x".repeat(LONGEST_TEXT))));
        assert_eq!(leaks.text("it is correct-horse".to_owned()), TOO_MUCH);
        let told = |kind| leaks.error(&Package::default(), TOKEN, Error::new(kind, "no more").hint("raise it"));
        assert_eq!(told(ErrorKind::Exhausted).to_string(), "no more\nhint: raise it");
        assert_eq!(told(ErrorKind::DeadlineExceeded).to_string(), "no more\nhint: raise it");
        assert_eq!(told(ErrorKind::Failed).to_string(), format!("{TOO_MUCH}\nhint: raise it"));
        let explained = Reason::Explained("raise it".to_owned());
        let partial = Partial { reasons: vec!["no more".into(), explained.clone()], ..Partial::default() };
        let Fault::Partial(left) = leaks.fault(&Package::default(), TOKEN, Fault::Partial(partial)) else { panic!() };
        assert_eq!(left.reasons, [TOO_MUCH.into(), explained]);
    }

    #[test]
    fn the_key_in_a_key_file_is_masked_by_itself_and_what_identifies_the_account_is_not() {
        let leaks = Leaks::default();
        leaks.gather_text(r#"{"type": "service_account", "client_email": "robot@example.org", "private_key": "MIIEvQIBADANBg\nkqhkiG9w0BAQEF"}"#);
        leaks.gather_text("postgres://admin:correct%20horse@db.internal/x");
        let told = "robot@example.org can't sign with MIIEvQIBADANBg\nkqhkiG9w0BAQEF, nor log in at db.internal with 'correct horse'";
        let expected = "robot@example.org can't sign with [secret], nor log in at db.internal with '[secret]'";
        assert_eq!(leaks.text(told.to_owned()), expected);
        assert_eq!(leaks.text("a password of 5".to_owned()), "a password of 5");
    }
}
