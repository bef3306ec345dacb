//! Few figures out of many.

/// The smallest, the median and the largest of some figures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spread {
    /// The smallest.
    pub(crate) min: f64,
    /// The one in the middle; of an even number, the mean of both.
    pub(crate) median: f64,
    /// The largest.
    pub(crate) max: f64,
}

impl Spread {
    /// Of some figures; all zero if there are none.
    pub(crate) fn of(figures: impl IntoIterator<Item = f64>) -> Self {
        let mut sorted: Vec<f64> = figures.into_iter().collect();
        sorted.sort_by(f64::total_cmp);
        let at = |index: usize| sorted.get(index).copied().unwrap_or_default();
        let last = sorted.len().saturating_sub(1);
        Self { min: at(0), median: f64::midpoint(at(last / 2), at(last.div_ceil(2))), max: at(last) }
    }
}

/// The median of some figures.
pub(crate) fn median(figures: impl IntoIterator<Item = f64>) -> f64 {
    Spread::of(figures).median
}

/// The figure that `percent` of a hundred are at most as large as, by nearest rank. The figures are sorted; 0 if there are none.
pub(crate) fn percentile(sorted: &[u64], percent: usize) -> u64 {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_needs_no_order() {
        assert_eq!(Spread::of([3.0, 1.0, 2.0]), Spread { min: 1.0, median: 2.0, max: 3.0 });
        assert_eq!(Spread::of([4.0, 1.0, 2.0, 3.0]), Spread { min: 1.0, median: 2.5, max: 4.0 });
        assert_eq!(Spread::of([7.0]), Spread { min: 7.0, median: 7.0, max: 7.0 });
        assert_eq!(Spread::of([]), Spread { min: 0.0, median: 0.0, max: 0.0 });
    }

    #[test]
    fn a_percentile_is_one_of_the_figures() {
        let hundred: Vec<u64> = (1..=100).collect();
        assert_eq!((percentile(&hundred, 50), percentile(&hundred, 99), percentile(&hundred, 100)), (50, 99, 100));
        assert_eq!((percentile(&[5, 9], 50), percentile(&[5, 9], 99)), (5, 9));
        assert_eq!((percentile(&[5], 50), percentile(&[], 99)), (5, 0));
    }
}
