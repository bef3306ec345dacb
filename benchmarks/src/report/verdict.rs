//! Targets, and whether they are met.

use super::figure::figure;

/// A target and what was measured for it. Each measured figure must be at most the limit.
#[derive(Clone, Debug)]
pub(crate) struct Verdict {
    target: String,
    limit: f64,
    measured: Vec<f64>,
}

impl Verdict {
    /// A target in words, what it allows at most, and what was measured.
    pub(crate) fn new(target: impl Into<String>, limit: f64, measured: impl IntoIterator<Item = f64>) -> Self {
        Self { target: target.into(), limit, measured: measured.into_iter().collect() }
    }

    /// Target, limit, figures, verdict.
    pub(super) fn cells(&self) -> [String; 4] {
        let measured: Vec<String> = self.measured.iter().copied().map(figure).collect();
        // Not a number isn't within anything.
        let met = self.measured.iter().all(|figure| *figure <= self.limit);
        let verdict = match met {
            _ if measured.is_empty() => "not measured",
            true => "met",
            false => "**not met**",
        };
        [self.target.clone(), figure(self.limit), measured.join(" / "), verdict.to_owned()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_met_if_all_figures_are_within_it() {
        let verdict = |measured: &[f64]| Verdict::new("t", 0.5, measured.iter().copied()).cells();
        assert_eq!(verdict(&[0.2, 0.5]), ["t", "0.500", "0.200 / 0.500", "met"]);
        assert_eq!(verdict(&[0.2, 0.51])[3], "**not met**");
        assert_eq!(verdict(&[f64::NAN])[3], "**not met**");
        // A run of some operations says nothing of the others.
        assert_eq!(verdict(&[])[3], "not measured");
    }
}
