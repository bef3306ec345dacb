//! Tables.

use std::fmt;

/// A table: the first column holds words, all others figures.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub(crate) fn new(header: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { header: header.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = impl Into<String>>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| {} |", self.header.join(" | "))?;
        let rule = self.header.iter().enumerate().map(|(column, _)| if column == 0 { "---" } else { "---:" });
        writeln!(f, "|{}|", rule.collect::<Vec<_>>().join("|"))?;
        self.rows.iter().try_for_each(|row| writeln!(f, "| {} |", row.join(" | ")))
    }
}

#[cfg(test)]
mod tests {
    use super::Table;

    #[test]
    fn a_table_is_markdown() {
        let mut table = Table::new(["what", "ours"]);
        table.row(["Check", "0.03"]);
        assert_eq!(table.to_string(), "| what | ours |\n|---|---:|\n| Check | 0.03 |\n");
    }
}
