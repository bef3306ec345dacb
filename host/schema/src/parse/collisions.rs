//! Tokens that can't be told apart.
//!
//! Programs write tokens without the file part of a module, and look them up whatever their case. Two tokens that come to
//! the same can't both be meant, nor can one that is the name of a module.

use std::collections::{BTreeMap, BTreeSet};

use super::{node::Node, package::LONGEST_TOKEN, scope::Scope, tokens::Token};

/// Reports tokens of resources and functions that collide with each other or with a module.
pub(super) fn report(node: &Node<'_>, scope: &mut Scope<'_>) {
    let (resources, functions) = (node.member("resources"), node.member("functions"));
    let sections = [resources.as_ref(), functions.as_ref()];
    let entries: Vec<Entry<'_>> = sections
        .into_iter()
        .flatten()
        .flat_map(Node::members)
        .filter(|(token, _)| token.len() <= LONGEST_TOKEN)
        .map(|(token, node)| Entry::of(token, node, scope))
        .collect();

    let modules: BTreeSet<&str> = entries.iter().flat_map(|entry| enclosing(&entry.module)).collect();
    let mut known: BTreeMap<&str, &Entry<'_>> = BTreeMap::new();
    for entry in &entries {
        for spelling in entry.spellings() {
            if let Some(other) = known.get(spelling).filter(|other| !std::ptr::eq(**other, entry)) {
                let message = format!("the token is the same as '{}' to programs", other.token.escape_debug());
                scope.report_with(&entry.node, message, "tokens differ in more than case and the file of their module");
                break;
            }
            known.insert(spelling, entry);
        }
        if let Some(module) = entry.spellings().find_map(|spelling| modules.get(place(spelling).as_str())) {
            scope.report(&entry.node, format!("the token collides with the module '{}'", module.escape_debug()));
        }
    }
}

struct Entry<'n> {
    token: &'n str,
    node: Node<'n>,
    /// The token in lower case, as it is written and as programs write it.
    literal: String,
    canonical: String,
    /// The module that programs see, in lower case.
    module: String,
}

impl<'n> Entry<'n> {
    fn of(token: &'n str, node: Node<'n>, scope: &Scope<'_>) -> Self {
        let canonical = match (Token::of(token), scope.module(token)) {
            (Some(Token { package, name, .. }), Some(module)) => format!("{package}:{module}:{name}").to_lowercase(),
            _ => token.to_lowercase(),
        };
        let module = scope.module(&canonical).unwrap_or_default().to_owned();
        Self { token, node, literal: token.to_lowercase(), canonical, module }
    }

    fn spellings(&self) -> impl Iterator<Item = &str> {
        let canonical = Some(self.canonical.as_str()).filter(|canonical| *canonical != self.literal);
        [self.literal.as_str()].into_iter().chain(canonical)
    }
}

/// A module and those it stands in.
fn enclosing(module: &str) -> impl Iterator<Item = &str> {
    let ends = module.match_indices('/').map(|(end, _)| end).chain([module.len()]);
    ends.filter_map(|end| module.get(..end)).filter(|module| !module.is_empty())
}

/// Where a token stands among modules.
fn place(token: &str) -> String {
    match Token::of(token) {
        Some(Token { module: "index", name, .. }) => name.to_owned(),
        Some(Token { module, name, .. }) => format!("{module}/{name}"),
        None => String::new(),
    }
}
