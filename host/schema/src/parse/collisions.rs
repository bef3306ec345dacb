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

    let modules: BTreeSet<&str> = entries.iter().map(|entry| entry.module.as_str()).collect();
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
        if let Some(module) = entry.spellings().map(place).find(|place| is_module(place, &modules)) {
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

/// Whether a place is one of these modules, or one that they stand in. Those aren't listed: a module stands in as many as it
/// has slashes.
fn is_module(place: &str, modules: &BTreeSet<&str>) -> bool {
    let below = format!("{place}/");
    let stands_in_it = || modules.range(below.as_str()..).next().is_some_and(|next| next.starts_with(&below));
    !place.is_empty() && (modules.contains(place) || stands_in_it())
}

/// Where a token stands among modules.
fn place(token: &str) -> String {
    match Token::of(token) {
        Some(Token { module: "index", name, .. }) => name.to_owned(),
        Some(Token { module, name, .. }) => format!("{module}/{name}"),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::is_module;

    /// A module and those it stands in.
    fn enclosing(module: &str) -> impl Iterator<Item = &str> {
        let ends = module.match_indices('/').map(|(end, _)| end).chain([module.len()]);
        ends.map(|end| &module[..end]).filter(|module| !module.is_empty())
    }

    proptest! {
        #[test]
        fn modules_are_found_as_if_all_that_enclose_others_were_listed(
            modules in proptest::collection::btree_set("[.a/0]{0,6}", 0..6),
            place in "[.a/0]{0,4}",
        ) {
            let modules: BTreeSet<&str> = modules.iter().map(String::as_str).collect();
            let listed: BTreeSet<&str> = modules.iter().flat_map(|module| enclosing(module)).collect();
            prop_assert_eq!(is_module(&place, &modules), listed.contains(place.as_str()));
            for place in listed {
                prop_assert!(is_module(place, &modules), "{place}");
            }
        }
    }
}
