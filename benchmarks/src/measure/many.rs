//! Ten providers at once, as in a program that uses several accounts or regions.

use anyhow::Result;

use super::turns::{Sides, turns};
use crate::contender::Pair;
use crate::plan::Plan;
use crate::plugin::Plugin;
use crate::process::Memory;
use crate::report::{Findings, Table, figure};
use crate::statistics::median;

/// How many.
const MANY: usize = 10;

/// A kind of memory, with its name.
type Kind = (&'static str, fn(&Memory) -> f64);

const KINDS: [Kind; 2] = [("**PSS**", |memory| memory.proportional), ("RSS", |memory| memory.resident)];

/// Measures many providers.
///
/// # Errors
/// A contender that doesn't start.
pub(super) async fn measure(pairs: &[Pair], plan: &Plan) -> Result<Findings> {
    let mut findings = Findings::default();
    for pair in pairs {
        let mut sums: Sides<Vec<Memory>> = Sides::default();
        for round in 0..plan.rounds {
            for (side, contender) in turns(pair, round) {
                let mut plugins = Vec::new();
                for _ in 0..MANY {
                    plugins.push(Plugin::start(contender).await?);
                }
                let mut sum = Memory::default();
                for plugin in &plugins {
                    let Memory { resident, proportional } = Memory::of(plugin.pid())?;
                    sum.resident += resident;
                    sum.proportional += proportional;
                }
                sums.side(side).push(sum);
            }
        }
        let mut table = Table::new(["MiB, all together", pair.ours.name, pair.theirs.name, "ratio"]);
        for (name, memory) in KINDS {
            let sum = sums.map(|sums| median(sums.iter().map(memory)));
            table.row([name.to_owned(), figure(sum.ours), figure(sum.theirs), figure(sum.ratio())]);
        }
        let text = format!("{MANY} processes of one provider, after Configure. Medians of {} rounds.", plan.rounds);
        findings.section(format!("Ten at once. {}", pair.title), text, table);
    }
    Ok(findings)
}
