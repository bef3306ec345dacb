//! Types of which no value could ever end.

use std::collections::{BTreeSet, HashMap};

use super::{node::Node, scope::Scope};
use crate::model::{Definition, Section, Type};

/// Reports object types that must contain themselves. Lists, maps, unions and optional properties end such a chain.
pub(super) fn report(types: &Node<'_>, definitions: &Section<Definition>, scope: &mut Scope<'_>) {
    let mut finished = BTreeSet::new();
    for token in definitions.keys() {
        if let Some(cycle) = cycle(token, definitions, &mut finished)
            && let Some(node) = types.member(token)
        {
            let chain: Vec<_> = cycle.iter().map(|token| format!("'{}'", token.escape_debug())).collect();
            let hint = "make one of the properties optional";
            scope.report_with(
                &node,
                format!("no value could ever end: {} requires itself", chain.join(" requires ")),
                hint,
            );
        }
    }
}

/// A chain of required members that comes back to where it began, from here or below. What was looked at before isn't
/// looked at again.
fn cycle<'d>(
    start: &'d str,
    definitions: &'d Section<Definition>,
    finished: &mut BTreeSet<&'d str>,
) -> Option<Vec<&'d str>> {
    let mut way = vec![(start, required(start, definitions))];
    // A way may be as long as there are types.
    let mut positions = HashMap::from([(start, 0)]);
    while let Some((token, next)) = way.last_mut() {
        let Some(next) = next.pop() else {
            positions.remove(token);
            finished.insert(*token);
            way.pop();
            continue;
        };
        if let Some(position) = positions.get(next) {
            let cycle: Vec<&str> = way.iter().skip(*position).map(|(token, _)| *token).collect();
            finished.extend(way.iter().map(|(token, _)| *token));
            return Some(cycle);
        }
        if !finished.contains(next) {
            positions.insert(next, way.len());
            way.push((next, required(next, definitions)));
        }
    }
    None
}

/// The object types that a value of this one must have as members.
fn required<'d>(token: &str, definitions: &'d Section<Definition>) -> Vec<&'d str> {
    let Some(Definition::Object(object)) = definitions.get(token) else { return Vec::new() };
    let members = object.properties.iter().filter(|(name, _)| object.requires(name));
    members
        .filter_map(|(_, property)| match &property.ty {
            Type::Object(token) => Some(token.as_str()),
            _ => None,
        })
        .collect()
}
