//! Secrets of the inputs that come back in a state.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, btree_map};
use std::{mem, str};

use bulkhead_value::{ArchiveSource, AssetSource, Object, Value};

use super::mark::Places;
use crate::walk::is_foreign;

/// Strings shorter than this, in bytes, are equal by chance.
const TELLING: usize = 8;

/// What a state may repeat of inputs. It is looked for once, however many states are compared with it.
#[derive(Debug)]
pub(super) struct Repeated<'v> {
    /// The telling strings inside the secrets.
    pub(super) strings: BTreeSet<Cow<'v, str>>,
    /// Objects with the members that have a secret in them, and for those that are objects the position of theirs. The last one is what all
    /// the others lie in.
    objects: Vec<BTreeMap<Cow<'v, str>, Option<usize>>>,
}

impl<'v> Repeated<'v> {
    pub(super) fn of(inputs: &'v Object) -> Self {
        Self { strings: strings_beside(inputs, &Places::default()), objects: with_secrets(inputs) }
    }

    /// The same without the inputs.
    pub(super) fn into_owned(self) -> Repeated<'static> {
        fn owned(text: Cow<'_, str>) -> Cow<'static, str> {
            Cow::Owned(text.into_owned())
        }
        let named = |members: BTreeMap<_, _>| members.into_iter().map(|(name, of)| (owned(name), of)).collect();
        Repeated {
            strings: self.strings.into_iter().map(owned).collect(),
            objects: self.objects.into_iter().map(named).collect(),
        }
    }

    /// Notes what stands in the state under the same name as something secret in the inputs. Of two objects the one with fewer members is
    /// gone through.
    pub(super) fn by_name<'s>(&'s self, state: &'s Object, secret: &mut Places) {
        let mut open: Vec<_> = self.objects.last().map(|members| (members, state)).into_iter().collect();
        while let Some((members, state)) = open.pop() {
            let mut both = |of: Option<usize>, output: &'s Value| match (of.and_then(|of| self.objects.get(of)), output)
            {
                (Some(inner), Value::Object(output)) => open.push((inner, output)),
                _ => secret.add(output),
            };
            if members.len() <= state.len() {
                let found = members.iter().filter_map(|(name, of)| Some((of, state.get(name.as_ref())?)));
                found.for_each(|(of, output)| both(*of, output));
            } else {
                let found = state.iter().filter_map(|(name, output)| Some((members.get(name.as_str())?, output)));
                found.for_each(|(of, output)| both(*of, output));
            }
        }
    }
}

/// An object that is being gone through.
struct Open<'v> {
    /// What it is called in the one around it.
    name: &'v str,
    rest: btree_map::Iter<'v, String, Value>,
    members: BTreeMap<Cow<'v, str>, Option<usize>>,
    /// Whether there is a secret in it, be it in members of others.
    has_secret: bool,
}

impl<'v> Open<'v> {
    fn of(name: &'v str, object: &'v Object) -> Self {
        Self { name, rest: object.iter(), members: BTreeMap::new(), has_secret: false }
    }
}

/// The objects of inputs that have secrets in them, each behind those that lie in it.
fn with_secrets(inputs: &Object) -> Vec<BTreeMap<Cow<'_, str>, Option<usize>>> {
    let mut objects = Vec::new();
    let mut around: Vec<Open<'_>> = Vec::new();
    let mut inner = Open::of("", inputs);
    loop {
        match inner.rest.next() {
            Some((name, Value::Object(object))) if !is_foreign(name, None) => {
                around.push(mem::replace(&mut inner, Open::of(name, object)));
            }
            Some((name, value)) if value.contains_secret() => {
                inner.has_secret = true;
                if !is_foreign(name, None) {
                    inner.members.insert(name.into(), None);
                }
            }
            Some(_) => {}
            None => {
                let Open { name, members, has_secret, .. } = inner;
                let position = objects.len();
                if has_secret {
                    objects.push(members);
                }
                let Some(outer) = around.pop() else { return objects };
                inner = outer;
                if has_secret {
                    inner.has_secret = true;
                    inner.members.insert(name.into(), Some(position));
                }
            }
        }
    }
}

/// The telling strings inside the secrets of the inputs, with what else is known to be secret.
pub(super) fn strings_beside<'v>(inputs: &'v Object, secret: &Places) -> BTreeSet<Cow<'v, str>> {
    let mut strings = BTreeSet::new();
    let mut open: Vec<(&Value, bool)> = inputs.values().map(|value| (value, false)).collect();
    while let Some((value, concealed)) = open.pop() {
        let concealed = concealed || secret.has(value);
        match value {
            Value::Secret(inner) => open.push((inner.inner(), true)),
            Value::Output(output) => {
                open.extend(output.value.as_deref().map(|value| (value, concealed || output.secret)));
            }
            Value::List(list) => open.extend(list.iter().map(|value| (value, concealed))),
            value if let Some(members) = value.members() => {
                open.extend(members.values().map(|value| (value, concealed)));
            }
            leaf if concealed => strings.extend(spelt(leaf).filter(|text| text.len() >= TELLING)),
            _ => {}
        }
    }
    strings
}

/// The text that a value is, or is written down as: of numbers only of whole ones, such as accounts and codes have. Any number of others may be
/// measured, and to look for all of them would hide whatever is said.
fn spelt(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::Number(number) if number.fract() == 0.0 => Some(Cow::Owned(number.to_string())),
        value => text(value).map(Cow::Borrowed),
    }
}

/// The text that a value is, or the address that it has, which may sign for whoever knows it.
pub(super) fn text(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) => Some(text),
        Value::Asset(asset) if let AssetSource::Text(text) | AssetSource::Uri(text) = &asset.source => Some(text),
        Value::Archive(archive) if let ArchiveSource::Uri(text) = &archive.source => Some(text),
        Value::Bytes(bytes) => str::from_utf8(bytes).ok(),
        _ => None,
    }
}
