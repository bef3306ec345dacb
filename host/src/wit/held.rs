//! Which assets and archives a request holds.
//!
//! A guest names what it wants to read by value, and a value can be made up. So what it names is looked for in the request that
//! it is serving, hash and source alike; only what is found there may be read. The search costs nothing until a guest asks.

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasher, Hash, Hasher, RandomState};
use std::sync::Arc;

use bulkhead_value::{Archive, ArchiveSource, Asset, Object, Value};

use super::bindings::exports::{components, config, functions, lists, resources, upgrade};
use super::bindings::types;
use super::bindings::values::{self, Field, Node, Tree};
use super::tree::asset_source;

/// A request to a guest: the values in it.
pub(crate) trait Holds: fmt::Debug + Send + Sync {
    /// Its values.
    fn trees(&self) -> Vec<&Tree>;
}

/// What a request holds, found by what it is.
#[derive(Debug)]
pub(crate) struct Held {
    request: Arc<dyn Holds>,
    /// Tree and node, by a hash of what is there.
    places: HashMap<u64, Vec<(usize, usize)>>,
    keys: RandomState,
}

impl Held {
    /// Looks through a request.
    pub(crate) fn of(request: Arc<dyn Holds>) -> Self {
        let keys = RandomState::new();
        let mut places: HashMap<u64, Vec<(usize, usize)>> = HashMap::new();
        for (tree, values) in request.trees().into_iter().enumerate() {
            for (node, value) in values.nodes.iter().enumerate() {
                let key = match value {
                    Node::Asset(asset) => asset_key(&keys, asset),
                    Node::Archive(archive) => archive_key(&keys, archive),
                    _ => continue,
                };
                places.entry(key).or_default().push((tree, node));
            }
        }
        Self { request, places, keys }
    }

    /// The request's asset that is equal to one from a guest.
    pub(crate) fn asset(&self, wanted: &values::Asset) -> Option<Asset> {
        let same = |node: &Node| matches!(node, Node::Asset(asset) if same_asset(asset, wanted));
        self.find(asset_key(&self.keys, wanted), same)?;
        Some(Asset { hash: wanted.hash.clone(), source: asset_source(wanted.source.clone()) })
    }

    /// The request's archive that is equal to one from a guest, with its members: those of a literal archive are named by
    /// position, which means something in the request only.
    pub(crate) fn archive(&self, wanted: &values::Archive) -> Option<Archive> {
        let same = |node: &Node| matches!(node, Node::Archive(archive) if same_archive(archive, wanted));
        let (tree, node) = self.find(archive_key(&self.keys, wanted), same)?;
        let trees = self.request.trees();
        match gathered(trees.get(tree)?, node)? {
            Value::Archive(archive) => Some(*archive),
            _ => None,
        }
    }

    fn find(&self, key: u64, same: impl Fn(&Node) -> bool) -> Option<(usize, usize)> {
        let trees = self.request.trees();
        let found = |(tree, node): &(usize, usize)| trees.get(*tree).and_then(|tree| tree.nodes.get(*node));
        self.places.get(&key)?.iter().find(|place| found(place).is_some_and(&same)).copied()
    }
}

/// The value at a node of archives and assets. Children come before their parents in a tree.
fn gathered(tree: &Tree, root: usize) -> Option<Value> {
    let mut wanted = vec![root];
    let mut next = 0;
    while let Some(node) = wanted.get(next).and_then(|at| tree.nodes.get(*at)) {
        next += 1;
        match node {
            Node::Archive(values::Archive { source: values::ArchiveSource::Members(members), .. }) => {
                wanted.extend(members.iter().filter_map(|member| usize::try_from(member.value).ok()));
            }
            Node::Secret(inner) => wanted.extend(usize::try_from(*inner).ok()),
            _ => {}
        }
    }
    wanted.sort_unstable();
    let mut built: HashMap<u32, Value> = HashMap::new();
    for at in wanted {
        let value = match tree.nodes.get(at)? {
            Node::Asset(asset) => {
                Value::from(Asset { hash: asset.hash.clone(), source: asset_source(asset.source.clone()) })
            }
            Node::Secret(inner) => built.remove(inner)?.secret(),
            Node::Archive(archive) => {
                let source = match &archive.source {
                    values::ArchiveSource::Members(members) => {
                        let mut object = Object::new();
                        for Field { name, value } in members {
                            object.insert(name.clone(), built.remove(value)?);
                        }
                        ArchiveSource::Members(object)
                    }
                    values::ArchiveSource::Path(path) => ArchiveSource::Path(path.clone()),
                    values::ArchiveSource::Uri(uri) => ArchiveSource::Uri(uri.clone()),
                    values::ArchiveSource::Elided => ArchiveSource::Elided,
                };
                Value::from(Archive { hash: archive.hash.clone(), source })
            }
            _ => return None,
        };
        built.insert(u32::try_from(at).ok()?, value);
    }
    built.remove(&u32::try_from(root).ok()?)
}

fn asset_key(keys: &RandomState, asset: &values::Asset) -> u64 {
    let mut key = keys.build_hasher();
    asset.hash.hash(&mut key);
    match &asset.source {
        values::AssetSource::Text(text) => (0, text).hash(&mut key),
        values::AssetSource::Path(path) => (1, path).hash(&mut key),
        values::AssetSource::Uri(uri) => (2, uri).hash(&mut key),
        values::AssetSource::Elided => 3.hash(&mut key),
    }
    key.finish()
}

fn same_asset(one: &values::Asset, other: &values::Asset) -> bool {
    use values::AssetSource::{Elided, Path, Text, Uri};
    one.hash == other.hash
        && match (&one.source, &other.source) {
            (Text(one), Text(other)) | (Path(one), Path(other)) | (Uri(one), Uri(other)) => one == other,
            (Elided, Elided) => true,
            _ => false,
        }
}

fn archive_key(keys: &RandomState, archive: &values::Archive) -> u64 {
    let mut key = keys.build_hasher();
    archive.hash.hash(&mut key);
    match &archive.source {
        values::ArchiveSource::Members(members) => (4, members.len()).hash(&mut key),
        values::ArchiveSource::Path(path) => (5, path).hash(&mut key),
        values::ArchiveSource::Uri(uri) => (6, uri).hash(&mut key),
        values::ArchiveSource::Elided => 7.hash(&mut key),
    }
    key.finish()
}

fn same_archive(one: &values::Archive, other: &values::Archive) -> bool {
    use values::ArchiveSource::{Elided, Members, Path, Uri};
    let same_members = |one: &[Field], other: &[Field]| {
        let same = |(one, other): (&Field, &Field)| one.name == other.name && one.value == other.value;
        one.len() == other.len() && one.iter().zip(other).all(same)
    };
    one.hash == other.hash
        && match (&one.source, &other.source) {
            (Members(one), Members(other)) => same_members(one, other),
            (Path(one), Path(other)) | (Uri(one), Uri(other)) => one == other,
            (Elided, Elided) => true,
            _ => false,
        }
}

/// The values of a request: its fields that are trees, and what it has on record of a resource.
macro_rules! holds {
    ($($request:path: |$this:ident| [$($tree:expr),*];)*) => {
        $(impl Holds for $request {
            fn trees(&self) -> Vec<&Tree> {
                let $this = self;
                let mut trees = Vec::new();
                $(trees.extend($tree);)*
                trees
            }
        })*
    };
}

holds! {
    config::ConfigureRequest: |this| [[&this.inputs]];
    resources::ReadRequest: |this| [this.prior.iter().flat_map(of_prior)];
    resources::DeleteRequest: |this| [of_prior(&this.prior)];
    upgrade::UpgradeRequest: |this| [[&this.state], &this.inputs];
    functions::InvokeRequest: |this| [[&this.arguments]];
    lists::ListRequest: |this| [[&this.query]];
    components::ConstructRequest: |this| [[&this.inputs], &this.options.replacement_trigger];
    components::CallRequest: |this| [[&this.arguments]];
    types::CreateRequest: |this| [[&this.inputs]];
    types::UpdateRequest: |this| [[&this.inputs], of_prior(&this.prior)];
    types::CheckRequest: |this| [[&this.inputs], &this.prior_inputs, &this.prior_state];
    types::DiffRequest: |this| [[&this.inputs], of_prior(&this.prior)];
    types::CheckConfigRequest: |this| [[&this.inputs], &this.prior_inputs];
    types::DiffConfigRequest: |this| [[&this.inputs], [&this.prior_inputs]];
}

fn of_prior(prior: &types::Prior) -> impl Iterator<Item = &Tree> {
    let views = prior.views.iter().flat_map(|view| [&view.inputs, &view.state]);
    [&prior.state].into_iter().chain(&prior.inputs).chain(views)
}

#[cfg(test)]
mod tests;
