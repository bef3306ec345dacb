//! What the readers share: the problems found so far, and what may be referred to.

use std::collections::BTreeSet;

use semver::Version;

use super::{
    error::Problem,
    json::{Json, Members},
    node::{Node, kind},
    tokens::module,
};
use crate::{
    model::{ModuleFormat, Primitive},
    nearest::nearest,
};

/// Problems are collected up to this number.
const ENOUGH: usize = 1000;

/// How many problems may have a hint.
const HINTED: usize = 20;

/// How long the parts of a problem may be, bytes: a name in a document may be as long as the document.
const READABLE: usize = 2_000;

/// A text that isn't longer than anybody reads, on one line: a name with an end of a line in it would have what follows pass for the
/// host's own words.
fn readable(text: String) -> String {
    let mut line = String::with_capacity(text.len().min(READABLE));
    for character in text.chars() {
        let before = line.len();
        if character.is_control() {
            line.extend(character.escape_debug())
        } else {
            line.push(character)
        }
        if line.len() > READABLE {
            line.truncate(before);
            line.push('…');
            break;
        }
    }
    line
}

fn problem(node: &Node<'_>, message: String, hint: Option<String>) -> Problem {
    Problem { location: readable(node.location()), message: readable(message), hint: hint.map(readable) }
}

/// The document as a whole, seen from anywhere in it.
pub(super) struct Scope<'d> {
    pub(super) name: &'d str,
    pub(super) version: Option<Version>,
    pub(super) module_format: Option<ModuleFormat>,
    /// Packages beside this one that tokens may name.
    pub(super) allowed: BTreeSet<String>,
    /// Functions that are methods so far.
    pub(super) methods: BTreeSet<String>,
    /// Whether any property coerces.
    pub(super) coerces: bool,
    /// What the patterns read so far take, bytes.
    pub(super) patterns: usize,
    document: &'d Json<'d>,
    pub(super) problems: Vec<Problem>,
    /// What is accepted, but shouldn't be written any more.
    pub(super) notices: Vec<Problem>,
}

/// What a token under `types` names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    Object,
    Enum,
}

impl<'d> Scope<'d> {
    pub(super) fn new(document: &'d Json<'d>) -> Self {
        let name = document.get("name").and_then(Json::as_str).unwrap_or_default();
        Self {
            name,
            version: None,
            module_format: None,
            allowed: BTreeSet::new(),
            methods: BTreeSet::new(),
            coerces: false,
            patterns: 0,
            document,
            problems: Vec::new(),
            notices: Vec::new(),
        }
    }

    pub(super) fn report(&mut self, node: &Node<'_>, message: impl Into<String>) {
        self.push(node, message.into(), None);
    }

    pub(super) fn report_with(&mut self, node: &Node<'_>, message: impl Into<String>, hint: impl Into<String>) {
        self.push(node, message.into(), Some(hint.into()));
    }

    /// Notes what is accepted, but shouldn't be written any more.
    pub(super) fn notice(&mut self, node: &Node<'_>, message: impl Into<String>, hint: impl Into<String>) {
        if self.notices.len() < ENOUGH {
            self.notices.push(problem(node, message.into(), Some(hint.into())));
        }
    }

    fn push(&mut self, node: &Node<'_>, message: String, hint: Option<String>) {
        if self.problems.len() < ENOUGH {
            self.problems.push(problem(node, message, hint));
        }
    }

    fn mismatch(&mut self, node: &Node<'_>, expected: &str) {
        self.report(node, format!("expected {expected}, got {}", kind(node.json)));
    }

    /// The string, or a problem.
    pub(super) fn string<'n>(&mut self, node: &Node<'n>) -> Option<&'n str> {
        let text = node.json.as_str();
        if text.is_none() {
            self.mismatch(node, "a string");
        }
        text
    }

    /// The member of this name as a string, if it is there.
    pub(super) fn text(&mut self, node: &Node<'_>, name: &str) -> Option<String> {
        let member = node.member(name)?;
        self.string(&member).map(str::to_owned)
    }

    /// The member of this name as a string, if it is there and isn't empty.
    pub(super) fn stated(&mut self, node: &Node<'_>, name: &str) -> Option<String> {
        self.text(node, name).filter(|text| !text.is_empty())
    }

    /// Checks that the member of this name is a string, if it is there: nothing is made of it.
    pub(super) fn prose(&mut self, node: &Node<'_>, name: &str) {
        if let Some(member) = node.member(name) {
            self.string(&member);
        }
    }

    /// The member of this name as a truth value, false if it isn't there.
    pub(super) fn flag(&mut self, node: &Node<'_>, name: &str) -> bool {
        let Some(member) = node.member(name) else { return false };
        let flag = member.json.as_bool();
        if flag.is_none() {
            self.mismatch(&member, "a boolean");
        }
        flag.unwrap_or_default()
    }

    /// The member of this name as a number, if it is there.
    pub(super) fn number(&mut self, node: &Node<'_>, name: &str) -> Option<f64> {
        let member = node.member(name)?;
        let number = member.json.as_number();
        if number.is_none() {
            self.mismatch(&member, "a number");
        }
        number
    }

    /// The member of this name as a count, if it is there.
    pub(super) fn count(&mut self, node: &Node<'_>, name: &str) -> Option<usize> {
        let member = node.member(name)?;
        let count = member.json.as_count();
        if count.is_none() {
            self.report(&member, "expected a whole number that isn't negative");
        }
        count
    }

    /// The member of this name as a list of strings, empty if it isn't there.
    pub(super) fn strings(&mut self, node: &Node<'_>, name: &str) -> Vec<String> {
        let Some(member) = node.member(name) else { return Vec::new() };
        if member.json.as_array().is_none() {
            self.mismatch(&member, "an array");
        }
        let mut strings = Vec::new();
        for element in member.elements() {
            strings.extend(self.string(&element).map(str::to_owned));
        }
        strings
    }

    /// Whether this is an object; otherwise a problem.
    pub(super) fn is_object(&mut self, node: &Node<'_>) -> bool {
        let is_object = node.json.as_object().is_some();
        if !is_object {
            self.mismatch(node, "an object");
        }
        is_object
    }

    /// Reports members that aren't among these.
    pub(super) fn closed(&mut self, node: &Node<'_>, known: &[&str]) {
        for (name, member) in node.members() {
            if known.contains(&name) {
                continue;
            }
            let message = format!("unknown member '{}'", name.escape_debug());
            match self.nearest(name, known.iter().copied()) {
                Some(nearest) => self.report_with(&member, message, format!("did you mean '{nearest}'?")),
                None => self.report(&member, message),
            }
        }
    }

    /// The name that one may be a misspelling of. Only looked for while problems are few: it takes time, and a document
    /// with many is wrong in another way.
    pub(super) fn nearest<'c>(&self, name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
        if self.problems.len() < HINTED { nearest(name, candidates) } else { None }
    }

    /// What a token under `types` names, if there is one.
    pub(super) fn named_type(&self, token: &str) -> Option<Named> {
        let definition = self.document.get("types")?.get(token)?;
        let is_object = definition.get("type").and_then(Json::as_str) == Some("object");
        let has_values = definition.get("enum").is_some_and(|values| !values.is_null());
        Some(if has_values && !is_object { Named::Enum } else { Named::Object })
    }

    /// The primitive that an enum is made of, if it is one and says so.
    pub(super) fn underlying(&self, token: &str) -> Option<Primitive> {
        Primitive::named(self.document.get("types")?.get(token)?.get("type")?.as_str()?)
    }

    /// Whether there is a resource of this token, the provider included.
    pub(super) fn has_resource(&self, token: &str) -> bool {
        let resources = self.document.get("resources").and_then(|resources| resources.get(token));
        resources.is_some() || token.strip_prefix("pulumi:providers:") == Some(self.name)
    }

    /// Whether the package extends another, whose provider it shares.
    pub(super) fn extends(&self) -> bool {
        self.document.get("extensionParameterization").is_some_and(|extension| !extension.is_null())
    }

    /// The function of this token as it is written, if there is one.
    pub(super) fn function(&self, token: &str) -> Option<&'d Json<'d>> {
        self.document.get("functions").and_then(|functions| functions.get(token))
    }

    /// The module of a token that programs see; `None` for the root.
    pub(super) fn module<'t>(&self, token: &'t str) -> Option<&'t str> {
        module(self.module_format.as_ref(), token)
    }

    /// The token in this section that one may be a misspelling of.
    pub(super) fn nearest_token(&self, section: &str, token: &str) -> Option<&'d str> {
        let tokens = self.document.get(section).and_then(Json::as_object);
        self.nearest(token, tokens.into_iter().flat_map(Members::names))
    }
}
