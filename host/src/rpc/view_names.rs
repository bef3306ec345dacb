//! Names of views, as engines record them.
//!
//! A view's URN has the type of the resource that it is beneath, but not the name of it. So two resources of one type whose provider calls
//! a part of either `one` would be on record under the same URN, and no engine reads such a state again. The engine is told of
//! `RESOURCE::VIEW` therefore, and the guest, which knows whose views it is asked about, of `VIEW` alone. What an earlier
//! Bulkhead had recorded under the guest's own name stays under that.

use std::collections::BTreeSet;

use bulkhead_proto::provider::View as WireView;

use crate::provider::VIEW_SEPARATOR;

/// The names of the views of one resource.
#[derive(Debug)]
pub(super) struct ViewNames {
    /// What engines' names of this resource's views begin with.
    prefix: String,
    /// Types and names of those that are on record under the guest's name.
    plain: BTreeSet<(String, String)>,
}

impl ViewNames {
    /// Of the resource with a URN, of which these are on record.
    pub(super) fn of(urn: &str, on_record: &[WireView]) -> Self {
        // After the stack, the project and the types.
        let resource = urn.splitn(4, "::").nth(3).unwrap_or_default();
        let prefix = format!("{resource}{VIEW_SEPARATOR}");
        let plain = on_record.iter().filter(|view| !view.name.starts_with(&prefix));
        let plain = plain.map(|view| (view.r#type.clone(), view.name.clone())).collect();
        Self { prefix, plain }
    }

    /// The guest's name for an engine's.
    pub(super) fn guests(&self, engines: String) -> String {
        engines.strip_prefix(&self.prefix).map(str::to_owned).unwrap_or(engines)
    }

    /// The engine's name for a guest's.
    pub(super) fn engines(&self, token: &str, guests: &str) -> String {
        match self.plain.contains(&(token.to_owned(), guests.to_owned())) {
            true => guests.to_owned(),
            false => format!("{}{guests}", self.prefix),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_are_called_by_their_resource_but_for_those_that_never_were() {
        let view =
            |name: &str| WireView { r#type: "p:index:Part".to_owned(), name: name.to_owned(), ..WireView::default() };
        let names = ViewNames::of("urn:pulumi:dev::project::p:index:Whole::a::b", &[view("old"), view("a::b::new")]);
        for (guests, engines) in [("old", "old"), ("new", "a::b::new"), ("another", "a::b::another")] {
            assert_eq!(names.engines("p:index:Part", guests), engines);
            assert_eq!(names.guests(engines.to_owned()), guests);
        }
        assert_eq!(names.engines("p:index:Other", "old"), "a::b::old");
    }
}
