//! What loads showed.

use std::collections::BTreeMap;

use super::turns::Sides;
use crate::load::Sample;

/// What a pair's loads showed, by operation and callers, one sample a round.
#[derive(Default)]
pub(super) struct Samples {
    /// The pair.
    pub(super) pair: BTreeMap<(usize, usize), Sides<Vec<Sample>>>,
    /// A server that does nothing but give our answers.
    pub(super) nothing: BTreeMap<(usize, usize), Vec<Sample>>,
}
