//! Files and addresses that a value from a guest may name: those that its request names.
//!
//! What a guest returns goes to the engine, and comes back in a later request, which is then read for it. A guest that could
//! name a file in a result would thus read any file of the machine. So it may pass on what it was given, and make up texts.

use std::collections::HashSet;

use super::bindings::values::{ArchiveSource, AssetSource, Node};
use super::held::Holds;

/// Which files and addresses may be named.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places(Option<Named>);

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
        let mut named = Named::default();
        for node in request.trees().into_iter().flat_map(|tree| &tree.nodes) {
            match place(node) {
                Some(Place::Path(path)) => named.paths.insert(path.to_owned()),
                Some(Place::Uri(uri)) => named.uris.insert(uri.to_owned()),
                None => false,
            };
        }
        Self(Some(named))
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
