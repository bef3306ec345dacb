//! Names of views, as engines record them.
//!
//! A view's URN has the type of the resource that it is beneath, but nothing else of it. So two resources of one type whose provider calls
//! a part of either `one` would be on record under the same URN, as would a resource and the one that it replaces, until that is
//! deleted; and no engine reads such a state again. The engine is told of `RESOURCE::OPERATION::VIEW` therefore, after the
//! operation that first told of it, and the guest, which knows whose views it is asked about, of `VIEW` alone. What an
//! earlier Bulkhead had recorded under the guest's own name stays under that.
//!
//! A program may call a resource otherwise, and say so (`aliases`). What an engine has on record as its views is another one's then, as
//! it sees it, and a step of such a view ends it in the middle of what it writes down. It is told of none.

use std::collections::BTreeMap;

use bulkhead_proto::provider::View as WireView;
use sha2::{Digest as _, Sha256};

const BETWEEN: &str = "::";
/// Hexadecimal digits that stand for an operation.
const DIGITS: usize = 8;

/// The names of the views of one resource in one operation.
#[derive(Debug)]
pub(super) struct ViewNames {
    urn: String,
    /// The engine's token for the operation.
    operation: String,
    /// Engines' names of those that are on record, by type and guest's name.
    on_record: BTreeMap<(String, String), String>,
    /// Whether they are on record beneath a resource of another name.
    renamed: bool,
}

impl ViewNames {
    /// Of the resource with a URN, in the operation that the engine has a token for, of which these are on record.
    pub(super) fn of(urn: &str, operation: &str, on_record: &[WireView]) -> Self {
        let renamed = on_record.iter().any(|view| parts(&view.name).is_some_and(|(of, _)| of != resource(urn)));
        let on_record = on_record.iter().map(|view| ((view.r#type.clone(), guests(&view.name)), view.name.clone()));
        Self { urn: urn.to_owned(), operation: operation.to_owned(), on_record: on_record.collect(), renamed }
    }

    /// Whether the engine can't be told of any.
    pub(super) fn renamed(&self) -> bool {
        self.renamed
    }

    /// The engine's name for a guest's.
    pub(super) fn engines(&self, token: &str, guests: &str) -> String {
        if let Some(name) = self.on_record.get(&(token.to_owned(), guests.to_owned())) {
            return name.clone();
        }
        // Here, since few operations tell of a view. The token lets publish, so that nobody reads it in a name.
        let digest = Sha256::digest(&self.operation);
        let operation: String = digest.iter().map(|byte| format!("{byte:02x}")).take(DIGITS / 2).collect();
        format!("{}{BETWEEN}{operation}{BETWEEN}{guests}", resource(&self.urn))
    }
}

/// The guest's name for an engine's.
pub(super) fn guests(engines: &str) -> String {
    parts(engines).map_or(engines, |(_, view)| view).to_owned()
}

/// What an engine's name consists of: the resource's name, which may have whatever stands between names in it, and the guest's.
fn parts(engines: &str) -> Option<(&str, &str)> {
    let is_operation = |part: &str| part.len() == DIGITS && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    engines.match_indices(BETWEEN).find_map(|(at, _)| {
        let (operation, view) = engines.get(at + BETWEEN.len()..)?.split_once(BETWEEN)?;
        is_operation(operation).then_some((engines.get(..at)?, view))
    })
}

/// The name in a URN: what comes after the stack, the project and the types.
fn resource(urn: &str) -> &str {
    urn.splitn(4, "::").nth(3).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_are_called_by_resource_and_operation_but_for_those_on_record() {
        let urn = "urn:pulumi:dev::project::p:index:Whole::a::b";
        let view =
            |name: &str| WireView { r#type: "p:index:Part".to_owned(), name: name.to_owned(), ..WireView::default() };
        let recorded = ["old", "a::b::old", "a::b::0123abcd::new"].map(view);
        let names = ViewNames::of(urn, "token", &recorded);
        assert!(!names.renamed());
        for (name, engines) in [
            ("old", "old"),
            ("a::b::old", "a::b::old"),
            ("new", "a::b::0123abcd::new"),
            ("other", "a::b::3c469e9d::other"),
            ("module::other", "a::b::3c469e9d::module::other"),
        ] {
            assert_eq!(names.engines("p:index:Part", name), engines);
            assert_eq!(guests(engines), name);
        }
        assert_eq!(names.engines("p:index:Other", "old"), "a::b::3c469e9d::old");
        let renamed = ViewNames::of(urn, "token", &["old", "c::0123abcd::new"].map(view));
        assert!(renamed.renamed());
        assert_eq!(guests("c::0123abcd::new"), "new");
        let next = ViewNames::of(urn, "another token", &[]);
        assert_ne!(next.engines("p:index:Part", "other"), names.engines("p:index:Part", "other"));
    }
}
