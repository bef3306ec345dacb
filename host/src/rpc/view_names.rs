//! Names of views, as engines record them.
//!
//! A view's URN has the type of the resource that it is beneath, but nothing else of it. So two resources of one type whose provider calls
//! a part of either `one` would be on record under the same URN, as would a resource and the one that it replaces, until that is
//! deleted; and no engine reads such a state again. The engine is told of `RESOURCE::OPERATION::VIEW` therefore, after the
//! operation that first told of it, and the guest, which knows whose views it is asked about, of `VIEW` alone. What an
//! earlier Bulkhead had recorded under the guest's own name stays under that.
//!
//! A program may give a resource another name, type or kind of parent, and say so (`aliases`), and a provider's schema may do so for the
//! type. What an engine has on record as its views is another one's then, as it sees it, and a step of such a view ends it in the
//! middle of what it writes down. It is told of none. So `OPERATION` says of the types, too, whose view it is. It says nothing of stack
//! and project: where those are called otherwise, so are they for what is on record.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use bulkhead_proto::provider::View as WireView;
use sha2::{Digest as _, Sha256};

const BETWEEN: &str = "::";
/// Hexadecimal digits that stand for an operation.
const OPERATION: usize = 8;
/// Those after them, which stand for the types of the resource. Names that an earlier Bulkhead made have none.
const TYPES: usize = 4;
const ALL: usize = OPERATION + TYPES;

/// The names of the views of one resource in one operation.
#[derive(Debug)]
pub(super) struct ViewNames {
    resource: Resource,
    /// The engine's token for the operation.
    operation: String,
    /// Engines' names of those that are on record, by type and guest's name.
    on_record: BTreeMap<(String, String), String>,
    /// Whether they are on record beneath a resource of another URN.
    renamed: bool,
}

impl ViewNames {
    /// Of the resource with a URN, in the operation that the engine has a token for, of which these are on record.
    pub(super) fn of(urn: &str, operation: &str, on_record: &[WireView]) -> Self {
        let resource = Resource::of(urn);
        let renamed =
            on_record.iter().any(|view| resource.parts(&view.name).is_some_and(|parts| !resource.has(&parts)));
        let named = |view: &WireView| ((view.r#type.clone(), resource.guests(&view.name)), view.name.clone());
        let on_record = on_record.iter().map(named).collect();
        Self { resource, operation: operation.to_owned(), on_record, renamed }
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
        let operation = digits(&self.operation, OPERATION);
        format!("{}{BETWEEN}{operation}{}{BETWEEN}{guests}", self.resource.name, self.resource.digits())
    }

    /// The guest's name for an engine's.
    pub(super) fn guests(&self, engines: &str) -> String {
        self.resource.guests(engines)
    }
}

/// What a URN says of a resource beside its stack and project.
#[derive(Debug)]
struct Resource {
    name: String,
    /// Its own type, after those of what it is beneath.
    types: String,
    /// What stands for them, once for all views that are on record.
    digits: OnceLock<String>,
}

/// What an engine's name consists of.
struct Parts<'n> {
    resource: &'n str,
    operation: &'n str,
    guests: &'n str,
}

impl Resource {
    fn of(urn: &str) -> Self {
        let mut parts = urn.splitn(4, BETWEEN).skip(2).map(str::to_owned);
        let (types, name) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        Self { name, types, digits: OnceLock::new() }
    }

    /// What stands for its types.
    fn digits(&self) -> &str {
        self.digits.get_or_init(|| digits(&self.types, TYPES))
    }

    /// The parts of an engine's name: after this resource's, which may have whatever stands between names in it and what looks like an
    /// operation, or else after another one's. Names are as long as guests like, and there are many: none is gone through once for each
    /// of what may be its parts.
    fn parts<'n>(&self, engines: &'n str) -> Option<Parts<'n>> {
        let after = |end: usize| {
            let (resource, rest) = engines.split_at_checked(end)?;
            let (operation, guests) = rest.strip_prefix(BETWEEN)?.split_once(BETWEEN)?;
            let is_operation =
                matches!(operation.len(), OPERATION | ALL) && operation.bytes().all(|byte| byte.is_ascii_hexdigit());
            is_operation.then_some(Parts { resource, operation, guests })
        };
        let own = engines.starts_with(&self.name).then_some(self.name.len());
        let others = engines.match_indices(BETWEEN).map(|(at, _)| at);
        own.into_iter().chain(others).find_map(after)
    }

    /// Whether a name with these parts is that of a view of this resource.
    fn has(&self, parts: &Parts<'_>) -> bool {
        let types = parts.operation.get(OPERATION..).filter(|types| !types.is_empty());
        parts.resource == self.name && types.is_none_or(|types| types == self.digits())
    }

    fn guests(&self, engines: &str) -> String {
        self.parts(engines).map_or(engines, |parts| parts.guests).to_owned()
    }
}

/// So many digits that stand for a text.
fn digits(text: &str, count: usize) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).take(count / 2).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(name: &str) -> WireView {
        WireView { r#type: "p:index:Part".to_owned(), name: name.to_owned(), ..WireView::default() }
    }

    #[test]
    fn views_are_called_by_resource_and_operation_but_for_those_on_record() {
        let urn = "urn:pulumi:dev::project::p:index:Whole::a::b";
        let recorded = ["old", "a::b::old", "a::b::0123abcd::new"].map(view);
        let names = ViewNames::of(urn, "token", &recorded);
        assert!(!names.renamed());
        for (name, engines) in [
            ("old", "old"),
            ("a::b::old", "a::b::old"),
            ("new", "a::b::0123abcd::new"),
            ("other", "a::b::3c469e9dc145::other"),
            ("module::other", "a::b::3c469e9dc145::module::other"),
        ] {
            assert_eq!(names.engines("p:index:Part", name), engines);
            assert_eq!(names.guests(engines), name);
        }
        assert_eq!(names.engines("p:index:Other", "old"), "a::b::3c469e9dc145::old");
        let next = ViewNames::of(urn, "another token", &[]);
        assert_ne!(next.engines("p:index:Part", "other"), names.engines("p:index:Part", "other"));
    }

    /// What `token` calls the view `part` of a resource that is on record under a URN.
    fn on_record(urn: &str) -> WireView {
        view(&ViewNames::of(urn, "token", &[]).engines("p:index:Part", "part"))
    }

    #[test]
    fn views_of_a_resource_with_another_name_type_or_kind_of_parent_are_told_apart() {
        let recorded = [on_record("urn:pulumi:dev::project::p:index:Whole::a")];
        for (urn, renamed) in [
            ("urn:pulumi:dev::project::p:index:Whole::a", false),
            ("urn:pulumi:prod::other::p:index:Whole::a", false),
            ("urn:pulumi:dev::project::p:index:Whole::b", true),
            ("urn:pulumi:dev::project::p:index:Whole::a::b", true),
            ("urn:pulumi:dev::project::p:parts:Whole::a", true),
            ("urn:pulumi:dev::project::my:index:Group$p:index:Whole::a", true),
        ] {
            let names = ViewNames::of(urn, "next", &recorded);
            assert_eq!(names.renamed(), renamed, "{urn}");
            assert_eq!(names.guests(&recorded[0].name), "part", "{urn}");
        }
        let earlier =
            ViewNames::of("urn:pulumi:dev::project::p:index:Whole::b", "next", &["a::0123abcd::part"].map(view));
        assert!(earlier.renamed());
    }

    #[test]
    fn a_name_may_have_what_looks_like_an_operation() {
        let urn = "urn:pulumi:dev::project::p:index:Whole::deploy::3f2a91bc::web";
        let recorded = [view("deploy::3f2a91bc::web::0123abcd::earlier"), on_record(urn)];
        let names = ViewNames::of(urn, "next", &recorded);
        assert!(!names.renamed());
        assert_eq!(recorded.map(|view| names.guests(&view.name)), ["earlier", "part"]);
    }

    #[test]
    fn a_name_of_many_parts_is_gone_through_once() {
        let begun = std::time::Instant::now();
        for between in ["::", "a::", ":::a"] {
            let named = between.repeat((1 << 20) / between.len());
            let recorded = [view(&named)];
            let names = ViewNames::of("urn:pulumi:dev::project::p:index:Whole::a", "next", &recorded);
            assert_eq!((names.renamed(), names.guests(&named)), (false, named));
        }
        assert!(begun.elapsed() < std::time::Duration::from_secs(15), "{:?}", begun.elapsed());
    }
}
