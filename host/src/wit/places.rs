//! Files and addresses that a value from a guest may name: those that its request names.
//!
//! What a guest returns goes to the engine, and comes back in a later request, which is then read for it. A guest that could
//! name a file in a result would thus read any file of the machine. So it may pass on what it was given, and make up texts. What
//! it passes on keeps the hash that it came with, by which engines tell whether it changed.

use std::collections::HashMap;
use std::sync::Arc;

use super::bindings::values::{ArchiveSource, AssetSource, Node, Tree};
use super::held::Holds;

/// What each place takes beside its name, bytes.
const EACH: usize = 128;

/// Which files and addresses may be named.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    named: Option<Arc<Named>>,
    /// What names them may be as it was before.
    undone: bool,
}

#[derive(Clone, Debug, Default)]
struct Named {
    paths: HashMap<String, Hash>,
    uris: HashMap<String, Hash>,
}

/// The hash of what lies at a place, if it is known. That of an archive is its file's, and a directory is no asset.
#[derive(Clone, Debug, Default)]
struct Hash {
    /// As it is given.
    given: Option<String>,
    /// As it was before, if that is on record too.
    recorded: Option<String>,
}

impl Hash {
    fn bytes(&self) -> usize {
        self.given.iter().chain(&self.recorded).map(String::len).fold(0, usize::saturating_add)
    }
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
        let mut places = Self::none();
        request.trees().into_iter().for_each(|tree| places.learn(tree));
        places
    }

    /// Nothing may be named.
    pub(crate) fn none() -> Self {
        Self { named: Some(Arc::default()), undone: false }
    }

    /// How many bytes the places that a tree names take at most.
    pub(crate) fn weight(tree: &Tree) -> usize {
        let each = tree.nodes.iter().filter_map(|node| match place(node)? {
            Place::Path(name) | Place::Uri(name) => {
                // As it is given, and as it was before.
                let hashes = hash(node).map_or(0, String::len).saturating_mul(2);
                Some(name.len().saturating_add(EACH).saturating_add(hashes))
            }
        });
        each.fold(0, usize::saturating_add)
    }

    /// Those of a tree may be named as well.
    fn learn(&mut self, tree: &Tree) {
        tree.nodes.iter().for_each(|node| {
            self.add(node);
        });
    }

    /// One more, and how many bytes that takes: none if it is there.
    fn add(&mut self, node: &Node) -> usize {
        let (Some(named), Some(place)) = (&mut self.named, place(node)) else { return 0 };
        let named = Arc::make_mut(named);
        let (all, name) = match place {
            Place::Path(path) => (&mut named.paths, path),
            Place::Uri(uri) => (&mut named.uris, uri),
        };
        let taken = if all.contains_key(name) { 0 } else { name.len().saturating_add(EACH) };
        let known = all.entry(name.to_owned()).or_default();
        let before = known.bytes();
        // What is given comes before what is on record, which may be of another time.
        if let Some(hash) = hash(node) {
            known.given.get_or_insert_with(|| hash.clone());
            known.recorded = Some(hash.clone());
        }
        taken.saturating_add(known.bytes().saturating_sub(before))
    }

    /// The same, named by what an operation left that came to no end: what of it is done, nobody knows. A change that was made is made again
    /// rather than taken for one that was.
    pub(super) fn undone(&self) -> Self {
        Self { undone: true, ..self.clone() }
    }

    /// Whether a node names nothing else. Of the default, everything may be named.
    pub(super) fn allow(&self, node: &Node) -> bool {
        match (&self.named, place(node)) {
            (None, _) | (_, None) => true,
            (Some(named), Some(Place::Path(path))) => named.paths.contains_key(path),
            (Some(named), Some(Place::Uri(uri))) => named.uris.contains_key(uri),
        }
    }

    /// The hash of what a node names, if it is known.
    fn known(&self, node: &Node) -> Option<String> {
        let hash = match (self.named.as_ref()?, place(node)?) {
            (named, Place::Path(path)) => named.paths.get(path)?,
            (named, Place::Uri(uri)) => named.uris.get(uri)?,
        };
        if self.undone { hash.recorded.clone() } else { hash.given.clone() }
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

/// What a component may name, which asks its engine for things meanwhile: what it was given, and told by others. What it named to them
/// itself, without having been given or told it, it isn't told by hearing it again.
#[derive(Debug)]
pub(crate) struct Told {
    allowed: Places,
    made_up: Places,
}

impl Told {
    /// What a request gives.
    pub(crate) fn of(request: &dyn Holds) -> Self {
        Self { allowed: Places::of(request), made_up: Places::none() }
    }

    /// What may be named.
    pub(crate) fn allowed(&self) -> &Places {
        &self.allowed
    }

    /// Notes what it names to others, and how many bytes that takes.
    pub(crate) fn named(&mut self, tree: &Tree) -> usize {
        let made_up = tree.nodes.iter().filter(|node| !self.allowed.allow(node));
        made_up.map(|node| self.made_up.add(node)).fold(0, usize::saturating_add)
    }

    /// Notes what it is told, and how many bytes that takes.
    pub(crate) fn learn(&mut self, answer: &Tree) -> usize {
        let told = answer.nodes.iter().filter(|node| place(node).is_some() && !self.made_up.allow(node));
        told.map(|node| self.allowed.add(node)).fold(0, usize::saturating_add)
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

#[cfg(test)]
mod tests {
    use super::super::bindings::exports::functions::InvokeRequest;
    use super::*;
    use crate::wit::bindings::values::Asset;

    fn asset(path: &str) -> Node {
        Node::Asset(Asset { hash: None, source: AssetSource::Path(path.to_owned()) })
    }

    fn tree(paths: &[&str]) -> Tree {
        Tree { nodes: paths.iter().map(|path| asset(path)).collect() }
    }

    #[test]
    fn who_hears_again_what_it_said_was_not_told() {
        let request = InvokeRequest { token: String::new(), arguments: tree(&["given"]), preview: false };
        let mut told = Told::of(&request);
        assert_eq!(told.named(&tree(&["given", "given"])), 0);
        let made_up = told.named(&tree(&["made up", "given", "made up"]));
        assert_eq!((made_up, told.named(&tree(&["made up"]))), ("made up".len() + EACH, 0));
        assert_eq!(told.learn(&tree(&["told", "made up", "given", "told"])), "told".len() + EACH);
        assert_eq!(told.named(&tree(&["told"])), 0, "it may be told it again");
        assert_eq!(Places::weight(&tree(&["told", "told"])), 2 * ("told".len() + EACH), "no more than that");
        let allowed = ["given", "told", "made up", "else"].map(|path| told.allowed().allow(&asset(path)));
        assert_eq!(allowed, [true, true, false, false]);
        assert!(Places::default().allow(&asset("else")) && !Places::none().allow(&asset("else")));
    }
}
