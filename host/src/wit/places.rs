//! Files and addresses that a value from a guest may name: those that its request names.
//!
//! What a guest returns goes to the engine, and comes back in a later request, which is then read for it. A guest that could
//! name a file in a result would thus read any file of the machine. So it may pass on what it was given, and make up texts.

use std::collections::HashSet;
use std::sync::Arc;

use super::bindings::values::{ArchiveSource, AssetSource, Node, Tree};
use super::held::Holds;

/// Which files and addresses may be named.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places(Option<Arc<Named>>);

#[derive(Clone, Debug, Default)]
struct Named {
    paths: HashSet<String>,
    uris: HashSet<String>,
}

/// A place that a node names.
#[derive(Clone, Copy)]
enum Place<'n> {
    Path(&'n str),
    Uri(&'n str),
}

impl Places {
    /// Those that a request names, on record or given.
    pub(crate) fn of(request: &dyn Holds) -> Self {
        let mut places = Self(Some(Arc::default()));
        request.trees().into_iter().for_each(|tree| places.learn(tree));
        places
    }

    /// Those of a tree may be named as well.
    pub(crate) fn learn(&mut self, tree: &Tree) {
        let Some(named) = &mut self.0 else { return };
        for place in tree.nodes.iter().filter_map(place) {
            let named = Arc::make_mut(named);
            match place {
                Place::Path(path) => named.paths.insert(path.to_owned()),
                Place::Uri(uri) => named.uris.insert(uri.to_owned()),
            };
        }
    }

    /// Whether a node names nothing else. Of the default, everything may be named.
    pub(super) fn allow(&self, node: &Node) -> bool {
        match (&self.0, place(node)) {
            (None, _) | (_, None) => true,
            (Some(named), Some(Place::Path(path))) => named.paths.contains(path),
            (Some(named), Some(Place::Uri(uri))) => named.uris.contains(uri),
        }
    }
}

fn place(node: &Node) -> Option<Place<'_>> {
    match node {
        Node::Asset(asset) => match &asset.source {
            AssetSource::Path(path) => Some(Place::Path(path)),
            AssetSource::Uri(uri) => Some(Place::Uri(uri)),
            AssetSource::Text(_) | AssetSource::Elided => None,
        },
        Node::Archive(archive) => match &archive.source {
            ArchiveSource::Path(path) => Some(Place::Path(path)),
            ArchiveSource::Uri(uri) => Some(Place::Uri(uri)),
            ArchiveSource::Members(_) | ArchiveSource::Elided => None,
        },
        _ => None,
    }
}
