//! The places of a walk that something is noted about, and the ways to them.
//!
//! Ways are kept as a tree: places that are deep or many have most of their way in common.

use super::place::{Step, Walk};

/// The number of the root's place.
pub(crate) const ROOT: usize = 0;

/// Places with notes. They come in the order of the walk, parents before children.
pub(crate) struct Trail<'a, N> {
    pub(crate) places: Vec<Noted<'a, N>>,
    /// The way to the place that was added last: the visits on it, and their places.
    way: Vec<(usize, usize)>,
}

/// A place with what is noted about it.
pub(crate) struct Noted<'a, N> {
    pub(crate) parent: usize,
    /// The step from the parent; the root has none.
    pub(crate) step: Option<Step<'a>>,
    pub(crate) note: N,
}

impl<N: Default> Default for Trail<'_, N> {
    fn default() -> Self {
        Self { places: vec![Noted { parent: ROOT, step: None, note: N::default() }], way: Vec::new() }
    }
}

impl<'a, N: Default> Trail<'a, N> {
    /// The note about the place where the walk stands.
    pub(crate) fn here<T>(&mut self, walk: &Walk<'a, T>) -> Option<&mut N> {
        let place = self.place(walk, walk.depth());
        self.note(place)
    }

    /// The note about the place above the one where the walk stands, and the step that leads down.
    pub(crate) fn above<T>(&mut self, walk: &Walk<'a, T>) -> Option<(Step<'a>, &mut N)> {
        let (_, step) = walk.visits().last()?;
        let place = self.place(walk, walk.depth().saturating_sub(1));
        Some((step, self.note(place)?))
    }

    /// Adds a place one step below where the walk stands, which the walk needn't visit.
    pub(crate) fn below<T>(&mut self, walk: &Walk<'a, T>, step: Step<'a>, note: N) {
        let parent = self.place(walk, walk.depth());
        self.places.push(Noted { parent, step: Some(step), note });
    }

    fn note(&mut self, place: usize) -> Option<&mut N> {
        self.places.get_mut(place).map(|place| &mut place.note)
    }

    /// The place after so many steps of the way on which the walk stands.
    fn place<T>(&mut self, walk: &Walk<'a, T>, depth: usize) -> usize {
        // Both ways start out together, and don't meet again once they part.
        let (mut known, mut parted) = (0, depth.min(self.way.len()));
        while known < parted {
            let middle = known.midpoint(parted);
            let together = self.way.get(middle).is_some_and(|(visit, _)| walk.visit_at(middle) == Some(*visit));
            if together { known = middle.saturating_add(1) } else { parted = middle }
        }
        self.way.truncate(known);
        for (visit, step) in walk.visits().take(depth).skip(known) {
            let parent = self.way.last().map_or(ROOT, |(_, place)| *place);
            self.way.push((visit, self.places.len()));
            self.places.push(Noted { parent, step: Some(step), note: N::default() });
        }
        self.way.last().map_or(ROOT, |(_, place)| *place)
    }
}
