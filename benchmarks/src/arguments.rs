//! The command line.

use std::fmt;
use std::path::PathBuf;

use clap::{Parser, ValueEnum};

use crate::attack::Chosen;
use crate::operation::Operation;

/// Measures Bulkhead beside native providers and prints a report in Markdown.
#[derive(Debug, Parser)]
pub(crate) struct Arguments {
    /// What to measure.
    #[arg(value_enum, default_value = "all")]
    pub(crate) what: What,
    /// A short run: enough to see what is far off, not to quote.
    #[arg(long)]
    pub(crate) quick: bool,
    /// The native random provider, an executable called `pulumi-resource-random`, to measure `providers/random` beside.
    #[arg(long, value_name = "PATH")]
    pub(crate) bridged: Option<PathBuf>,
    /// An executable of `bulkhead` to measure instead of building one.
    #[arg(long, value_name = "PATH")]
    pub(crate) bulkhead: Option<PathBuf>,
    /// Of what hostile calls do only this, as it is called in the report; may be given several times.
    #[arg(long, value_name = "WORDS", value_parser = |words: &str| named(words, Chosen::all()))]
    pub(crate) attack: Vec<Chosen>,
    /// Of calls only this operation, as it is called in the report, beside the one that does nothing; may be given several times.
    #[arg(long, value_name = "NAME", value_parser = |name: &str| named(name, Operation::ALL))]
    pub(crate) operation: Vec<Operation>,
}

/// What is called so in the report.
fn named<T: fmt::Display>(name: &str, all: impl IntoIterator<Item = T>) -> Result<T, String> {
    let all: Vec<T> = all.into_iter().collect();
    let names = all.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
    all.into_iter().find(|one| one.to_string() == name).ok_or_else(|| format!("one of: {names}"))
}

/// A measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum What {
    /// Everything.
    All,
    /// From the start of the process until Configure is answered.
    Startup,
    /// What calls cost.
    Calls,
    /// Memory after Configure and after load.
    Memory,
    /// What values of many nodes cost.
    Values,
    /// Ten providers at once.
    Many,
    /// How large the files are.
    Sizes,
    /// What hostile calls do to others.
    Attacked,
    /// Nothing: prints which functions run, as `host/first.ld` has them, of an executable that has its symbols.
    Order,
}

impl What {
    /// Whether a measurement is asked for.
    pub(crate) fn includes(self, other: Self) -> bool {
        self == Self::All || self == other
    }
}
