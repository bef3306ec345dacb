//! Memory after Configure, and after load: what a provider takes up while an engine runs it.

use anyhow::Result;

use super::calls::ready;
use super::turns::{Sides, turns};
use crate::contender::{Contender, Pair, Peer};
use crate::load::Load;
use crate::operation::Operation;
use crate::plan::{CONCURRENCIES, Plan};
use crate::plugin::Plugin;
use crate::process::Memory;
use crate::report::{Findings, Table, Verdict, figure};
use crate::statistics::median;

/// Measures memory.
///
/// # Errors
/// A contender that doesn't start, or a call that fails.
pub(super) async fn measure(pairs: &[Pair], plan: &Plan) -> Result<Findings> {
    let mut findings = Findings::default();
    for pair in pairs {
        let (ours, theirs) = (pair.ours.name, pair.theirs.name);
        let header = ["MiB", &format!("RSS {ours}"), theirs, "ratio", &format!("PSS {ours}"), theirs, "ratio"];
        let mut table = Table::new(header);
        for concurrency in [0].into_iter().chain(CONCURRENCIES) {
            let mut measured: Sides<Vec<Memory>> = Sides::default();
            for round in 0..plan.rounds {
                for (side, contender) in turns(pair, round) {
                    measured.side(side).push(after(contender, concurrency, plan).await?);
                }
            }
            let resident = measured.map(|measured| median(measured.iter().map(|memory| memory.resident)));
            let proportional = measured.map(|measured| median(measured.iter().map(|memory| memory.proportional)));
            let when = match concurrency {
                0 => "after Configure".to_owned(),
                _ => format!("after load at {concurrency}"),
            };
            let figures = [resident, proportional].map(|sides| [sides.ours, sides.theirs, sides.ratio()].map(figure));
            table.row([when].into_iter().chain(figures.into_iter().flatten()));
            let limit = match concurrency {
                0 => Some(("RSS / PSS after Configure, to the infer peer", 0.5)),
                32 => Some(("RSS / PSS after load at 32, to the infer peer", 1.0)),
                _ => None,
            };
            if let Some((target, limit)) = limit.filter(|_| pair.peer == Peer::Infer) {
                findings.verdict(Verdict::new(target, limit, [resident.ratio(), proportional.ratio()]));
            }
        }
        let text = format!(
            "Medians of {} fresh processes. Load is {} s of Check + Create. RSS counts a page as often as it is mapped, PSS once.",
            plan.rounds,
            figure(plan.memory_load.as_secs_f64())
        );
        findings.section(format!("Memory. {}", pair.title), text, table);
    }
    Ok(findings)
}

/// The memory of a fresh process after some load, or none.
async fn after(contender: &Contender, concurrency: usize, plan: &Plan) -> Result<Memory> {
    if concurrency == 0 {
        return Memory::of(Plugin::start(contender).await?.pid());
    }
    let (plugin, requests) = ready(contender).await?;
    let load = Load { operation: Operation::CheckAndCreate, concurrency, duration: plan.memory_load };
    load.put(&plugin, &requests).await?;
    Memory::of(plugin.pid())
}
