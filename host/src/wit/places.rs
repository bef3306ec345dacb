//! Files and addresses that a value from a guest may name: those that its request names.
//!
//! What a guest returns goes to the engine, and comes back in a later request, which is then read for it. A guest that could
//! name a file in a result would thus read any file of the machine. So it may pass on what it was given, and make up texts. What
//! it passes on keeps the hash that it came with, by which engines tell whether it changed.

use std::collections::HashMap;
use std::sync::Arc;

use super::bindings::values::{ArchiveSource, AssetSource, Node, Tree};
use super::held::Holds;

/// Which files and addresses may be named.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places(Option<Arc<Named>>);

#[derive(Clone, Debug, Default)]
struct Named {
    paths: HashMap<String, Hash>,
    uris: HashMap<String, Hash>,
}

/// The hash of what lies at a place, if it is known. That of an archive is its file's, and a directory is no asset.
type Hash = Option<String>;

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
        for node in &tree.nodes {
            let Some(place) = place(node) else { continue };
            let named = Arc::make_mut(named);
            let known = match place {
                Place::Path(path) => named.paths.entry(path.to_owned()).or_default(),
                Place::Uri(uri) => named.uris.entry(uri.to_owned()).or_default(),
            };
            // What is given comes before what is on record, which may be of another time.
            if known.is_none() {
                *known = hash(node).cloned();
            }
        }
    }

    /// Whether a node names nothing else. Of the default, everything may be named.
    pub(super) fn allow(&self, node: &Node) -> bool {
        match (&self.0, place(node)) {
            (None, _) | (_, None) => true,
            (Some(named), Some(Place::Path(path))) => named.paths.contains_key(path),
            (Some(named), Some(Place::Uri(uri))) => named.uris.contains_key(uri),
        }
    }

    /// The hash of what a node names, if it is known.
    fn known(&self, node: &Node) -> Hash {
        match (self.0.as_ref()?, place(node)?) {
            (named, Place::Path(path)) => named.paths.get(path)?.clone(),
            (named, Place::Uri(uri)) => named.uris.get(uri)?.clone(),
        }
    }

    /// Gives a node that names a place the hash that it came with, if it has none.
    pub(super) fn remind(&self, node: &mut Node) {
        if place(node).is_some() && hash(node).is_none() {
            let known = self.known(node);
            match node {
                Node::Asset(asset) => asset.hash = known,
                Node::Archive(archive) => archive.hash = known,
                _ => {}
            }
        }
    }
}

fn hash(node: &Node) -> Option<&String> {
    match node {
        Node::Asset(asset) => asset.hash.as_ref(),
        Node::Archive(archive) => archive.hash.as_ref(),
        _ => None,
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
