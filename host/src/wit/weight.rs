//! About how many bytes what a guest gives takes in the host, which is what it has to be counted by.
//!
//! A member that isn't counted is where somebody hides a gigabyte. So each type is taken apart here by all of its members: one that
//! is added to the contract and not counted doesn't compile. Nothing here converts or keeps anything.

mod replies;

use super::bindings::engine::Registration;
use super::bindings::exports::components::{Called, Constructed, PropertyDependencies};
use super::bindings::options::{Alias, AliasParts, CustomTimeouts, Hooks, ProviderChoice, ResourceOptions};
use super::bindings::values::{
    Archive, ArchiveSource, Asset, AssetSource, Field, Node, Opaque, Output, Reference, ReferenceId, Tree,
};
use super::bindings::views::ViewStep;
use crate::assets::Room;

/// What the host keeps beside each text, list and node.
pub(super) const EACH: usize = 48;

/// Something that takes memory.
pub(crate) trait Weigh {
    /// About how many bytes, with those that it owns elsewhere.
    fn weight(&self) -> usize;
}

/// The sum of several weights.
fn sum<'a>(parts: impl IntoIterator<Item = &'a dyn Weigh>) -> usize {
    parts.into_iter().map(Weigh::weight).fold(0, usize::saturating_add)
}

impl Weigh for String {
    fn weight(&self) -> usize {
        self.len().saturating_add(EACH)
    }
}

impl<T: Weigh> Weigh for Vec<T> {
    fn weight(&self) -> usize {
        self.iter().map(Weigh::weight).fold(EACH, usize::saturating_add)
    }
}

impl<T: Weigh> Weigh for Option<T> {
    fn weight(&self) -> usize {
        self.as_ref().map_or(0, Weigh::weight)
    }
}

impl Weigh for Tree {
    fn weight(&self) -> usize {
        let Self { nodes } = self;
        nodes.weight().saturating_add(whole_names(nodes))
    }
}

/// What archives of a tree take while they are hashed: a member of one in another has a name that lies nowhere as a whole, and a small
/// tree may have very much of that. What has a hash isn't hashed.
fn whole_names(nodes: &[Node]) -> usize {
    let members =
        |node: &Node| matches!(node, Node::Archive(Archive { hash: None, source: ArchiveSource::Members(_) }));
    if !nodes.iter().any(members) {
        return 0;
    }
    let mut all = 0_usize;
    // Of each node: how many assets are in it, and bytes of their names in it.
    let mut within: Vec<(usize, usize)> = Vec::with_capacity(nodes.len());
    for node in nodes {
        let (mut assets, mut names) = (0_usize, 0_usize);
        match node {
            Node::Asset(_) => assets = 1,
            Node::Archive(Archive { hash, source: ArchiveSource::Members(fields) }) => {
                for Field { name, value } in fields {
                    let member = usize::try_from(*value).ok().and_then(|member| within.get(member));
                    let (inner, named) = member.copied().unwrap_or_default();
                    assets = assets.saturating_add(inner);
                    names = names.saturating_add(named).saturating_add(name.len().saturating_mul(inner));
                }
                if hash.is_none() {
                    all = all.saturating_add(names);
                }
            }
            _ => {}
        }
        within.push((assets, names));
    }
    // More than that isn't hashed.
    all.min(Room::NAMES)
}

impl Weigh for Node {
    fn weight(&self) -> usize {
        let held = match self {
            Self::Null | Self::Boolean(_) | Self::Number(_) | Self::Unknown | Self::Secret(_) => 0,
            Self::Text(text) => text.weight(),
            Self::Bytes(bytes) => bytes.len(),
            Self::Items(items) => items.len().saturating_mul(size_of::<u32>()),
            Self::Fields(fields) => fields.weight(),
            Self::Asset(Asset { hash, source }) => sum([hash as &dyn Weigh, source]),
            Self::Archive(Archive { hash, source }) => sum([hash as &dyn Weigh, source]),
            Self::Output(Output { value: _, secret: _, dependencies }) => dependencies.weight(),
            Self::Reference(Reference { urn, id, package_version }) => sum([urn as &dyn Weigh, id, package_version]),
            Self::Opaque(Opaque { signature, fields }) => sum([signature as &dyn Weigh, fields]),
        };
        held.saturating_add(EACH)
    }
}

impl Weigh for Field {
    fn weight(&self) -> usize {
        let Self { name, value: _ } = self;
        name.weight()
    }
}

impl Weigh for AssetSource {
    fn weight(&self) -> usize {
        match self {
            Self::Text(text) | Self::Path(text) | Self::Uri(text) => text.weight(),
            Self::Elided => 0,
        }
    }
}

impl Weigh for ArchiveSource {
    fn weight(&self) -> usize {
        match self {
            Self::Members(fields) => fields.weight(),
            Self::Path(text) | Self::Uri(text) => text.weight(),
            Self::Elided => 0,
        }
    }
}

impl Weigh for ReferenceId {
    fn weight(&self) -> usize {
        match self {
            Self::Known(id) => id.weight(),
            Self::Unknown => 0,
        }
    }
}

impl Weigh for ViewStep {
    fn weight(&self) -> usize {
        let Self { token, name, parent, operation: _, status: _, error, old_state, new_state, changes } = self;
        let above = parent.as_ref().map_or(0, |(token, name)| sum([token as &dyn Weigh, name]));
        sum([token as &dyn Weigh, name, error, old_state, new_state, changes]).saturating_add(above)
    }
}

impl Weigh for Registration {
    fn weight(&self) -> usize {
        let Self { token, name, custom: _, remote: _, inputs, options } = self;
        sum([token as &dyn Weigh, name, inputs, options])
    }
}

impl Weigh for Constructed {
    fn weight(&self) -> usize {
        let Self { urn, state, state_dependencies } = self;
        sum([urn as &dyn Weigh, state, state_dependencies])
    }
}

impl Weigh for Called {
    fn weight(&self) -> usize {
        let Self { value, dependencies } = self;
        sum([value as &dyn Weigh, dependencies])
    }
}

impl Weigh for PropertyDependencies {
    fn weight(&self) -> usize {
        let Self { name, urns } = self;
        sum([name as &dyn Weigh, urns])
    }
}

impl Weigh for ResourceOptions {
    fn weight(&self) -> usize {
        let Self {
            parent,
            depends_on,
            protect: _,
            provider,
            providers,
            aliases,
            ignore_changes,
            replace_on_changes,
            additional_secret_outputs,
            delete_before_replace: _,
            custom_timeouts,
            retain_on_delete: _,
            deleted_with,
            replace_with,
            import_id,
            version,
            plugin_download_url,
            hooks,
            replacement_trigger,
            hide_diffs,
        } = self;
        let lists =
            [depends_on, ignore_changes, replace_on_changes, additional_secret_outputs, replace_with, hide_diffs];
        let texts = [parent, provider, deleted_with, import_id, version, plugin_download_url];
        let others = [providers as &dyn Weigh, aliases, custom_timeouts, hooks, replacement_trigger];
        let (lists, texts) = (lists.map(|list| list as &dyn Weigh), texts.map(|text| text as &dyn Weigh));
        sum(lists.into_iter().chain(texts).chain(others))
    }
}

impl Weigh for ProviderChoice {
    fn weight(&self) -> usize {
        let Self { package, provider } = self;
        sum([package as &dyn Weigh, provider])
    }
}

impl Weigh for Alias {
    fn weight(&self) -> usize {
        match self {
            Self::Urn(urn) => urn.weight(),
            Self::Parts(AliasParts { name, token, stack, project, parent }) => {
                sum([name, token, stack, project, parent].map(|part| part as &dyn Weigh))
            }
        }
    }
}

impl Weigh for CustomTimeouts {
    fn weight(&self) -> usize {
        let Self { create, update, delete, read } = self;
        sum([create, update, delete, read].map(|text| text as &dyn Weigh))
    }
}

impl Weigh for Hooks {
    fn weight(&self) -> usize {
        let Self { before_create, after_create, before_update, after_update, before_delete, after_delete, on_error } =
            self;
        let lists = [before_create, after_create, before_update, after_update, before_delete, after_delete, on_error];
        sum(lists.map(|list| list as &dyn Weigh))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More than whatever else there is.
    const LONG: usize = 100_000;

    fn long() -> String {
        "a".repeat(LONG)
    }

    fn nodes() -> Vec<Node> {
        let field = || vec![Field { name: long(), value: 0 }];
        let reference = |urn, id, package_version| Node::Reference(Reference { urn, id, package_version });
        vec![
            Node::Text(long()),
            Node::Bytes(vec![0; LONG]),
            Node::Items(vec![0; LONG]),
            Node::Fields(field()),
            Node::Asset(Asset { hash: Some(long()), source: AssetSource::Elided }),
            Node::Asset(Asset { hash: None, source: AssetSource::Uri(long()) }),
            Node::Archive(Archive { hash: Some(long()), source: ArchiveSource::Elided }),
            Node::Archive(Archive { hash: None, source: ArchiveSource::Path(long()) }),
            Node::Archive(Archive { hash: None, source: ArchiveSource::Members(field()) }),
            Node::Output(Output { value: None, secret: false, dependencies: vec![long()] }),
            reference(long(), None, String::new()),
            reference(String::new(), Some(ReferenceId::Known(long())), String::new()),
            reference(String::new(), None, long()),
            Node::Opaque(Opaque { signature: long(), fields: Vec::new() }),
            Node::Opaque(Opaque { signature: String::new(), fields: field() }),
        ]
    }

    #[test]
    fn nothing_in_a_value_is_for_free() {
        for node in nodes() {
            let weight = Tree { nodes: vec![node.clone()] }.weight();
            assert!(weight >= LONG, "{weight} of {}", format!("{node:?}").split('(').next().unwrap_or_default());
        }
        let empty = Tree { nodes: vec![Node::Null; LONG] };
        assert!(empty.weight() >= LONG * size_of::<u64>());
    }

    /// Whoever hashes them has each name as a whole, and takes the time for it.
    #[test]
    fn members_of_archives_in_archives_weigh_what_their_whole_names_do() {
        let field = |name: String, value| Field { name, value };
        let archive = |hash: Option<&str>, fields| {
            let hash = hash.map(str::to_owned);
            Node::Archive(Archive { hash, source: ArchiveSource::Members(fields) })
        };
        let tree = |hash| {
            let mut nodes = vec![Node::Asset(Asset { hash: None, source: AssetSource::Elided }); 100];
            nodes.push(archive(Some(""), (0..100).map(|member| field(member.to_string(), member)).collect()));
            nodes.push(archive(hash, vec![field("n".repeat(4_000), 100)]));
            Tree { nodes }
        };
        let plain = tree(Some("")).weight();
        assert!(plain < 64 << 10, "{plain}");
        assert!(tree(None).weight() >= 100 * 4_000);
        let shared = (1..400).fold(tree(None), |mut tree, node| {
            tree.nodes.push(archive(None, vec![field("n".into(), 100 + node), field("m".into(), 100 + node)]));
            tree
        });
        assert!(shared.weight() <= plain * 20 + Room::NAMES, "more isn't hashed");
    }

    #[test]
    fn lists_of_nothing_weigh_something() {
        let options = vec![Alias::Urn(String::new()); LONG];
        assert!(options.weight() >= LONG * size_of::<String>());
    }
}
