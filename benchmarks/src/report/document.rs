//! The whole report.

use std::fmt;

use super::table::Table;
use super::verdict::Verdict;
use crate::process::Machine;

/// What one measurement found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Findings {
    sections: Vec<(String, String, Table)>,
    verdicts: Vec<Verdict>,
}

impl Findings {
    /// Adds a table with its heading and what is to be said about it.
    pub(crate) fn section(&mut self, title: impl Into<String>, text: impl Into<String>, table: Table) {
        self.sections.push((title.into(), text.into(), table));
    }

    /// Adds a target.
    pub(crate) fn verdict(&mut self, verdict: Verdict) {
        self.verdicts.push(verdict);
    }

    /// Adds other findings.
    pub(crate) fn extend(&mut self, other: Self) {
        self.sections.extend(other.sections);
        self.verdicts.extend(other.verdicts);
    }
}

/// Everything that was found on a machine.
#[derive(Debug)]
pub(crate) struct Report {
    /// The machine.
    pub(crate) machine: Machine,
    /// How thorough the run was.
    pub(crate) quick: bool,
    /// What was found.
    pub(crate) findings: Findings,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Machine { processors, model, kernel } = &self.machine;
        writeln!(f, "{processors} × {model}, Linux {kernel}, Bulkhead {}.", env!("CARGO_PKG_VERSION"))?;
        if self.quick {
            writeln!(f, "\nA quick run: not to be quoted.")?;
        }
        if !self.findings.verdicts.is_empty() {
            let mut table = Table::new(["target", "at most", "measured", ""]);
            self.findings.verdicts.iter().for_each(|verdict| table.row(verdict.cells()));
            write!(f, "\n### Targets\n\n{table}")?;
        }
        for (title, text, table) in &self.findings.sections {
            write!(f, "\n### {title}\n\n{text}\n\n{table}")?;
        }
        Ok(())
    }
}
