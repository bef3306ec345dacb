//! From just before the process is started until an engine can work with it.

use std::time::{Duration, Instant};

use anyhow::Result;

use super::turns::{Sides, turns};
use crate::contender::{Pair, Peer};
use crate::plan::Plan;
use crate::plugin::{Plugin, StartUp};
use crate::process::{busy, cpu_time};
use crate::report::{Findings, Table, Verdict, figure};
use crate::statistics::Spread;

/// A time of a start-up, with its name.
type Moment = (&'static str, fn(&StartUp) -> Duration);

const MOMENTS: [Moment; 4] = [
    ("port line, ms", |start| start.port),
    ("Handshake answered, ms", |start| start.handshake),
    ("**Configure answered**, ms", |start| start.configured),
    ("processor time until then, ms", |start| start.cpu),
];

/// Measures start-up.
///
/// # Errors
/// A contender that doesn't start.
pub(super) async fn measure(pairs: &[Pair], plan: &Plan) -> Result<Findings> {
    let mut starts: Vec<Sides<Vec<StartUp>>> = pairs.iter().map(|_| Sides::default()).collect();
    // The first of each isn't counted: it reads from disk.
    for pair in pairs {
        for (_, contender) in turns(pair, 0) {
            Plugin::start(contender).await?;
        }
    }
    let (began, machine, own) = (Instant::now(), busy()?, cpu_time(std::process::id())?);
    for round in 0..plan.starts {
        for (pair, starts) in pairs.iter().zip(&mut starts) {
            for (side, contender) in turns(pair, round) {
                starts.side(side).push(Plugin::start(contender).await?.start_up);
            }
        }
    }
    let providers: Duration =
        starts.iter().flat_map(|starts| [&starts.ours, &starts.theirs]).flatten().map(|start| start.cpu).sum();
    let own = cpu_time(std::process::id())?.saturating_sub(own);
    let others = (busy()?.saturating_sub(machine)).saturating_sub(providers + own);
    Ok(findings(pairs, &starts, others.as_secs_f64() / began.elapsed().as_secs_f64()))
}

fn findings(pairs: &[Pair], starts: &[Sides<Vec<StartUp>>], others: f64) -> Findings {
    let mut findings = Findings::default();
    for (pair, starts) in pairs.iter().zip(starts) {
        let header = ["since just before the start", pair.ours.name, pair.theirs.name, "ratio of medians"];
        let mut table = Table::new(header);
        for (name, moment) in MOMENTS {
            let spread = starts.map(|starts| Spread::of(starts.iter().map(|start| moment(start).as_secs_f64() * 1e3)));
            let ratio = spread.map(|spread| spread.median).ratio();
            table.row([name.to_owned(), shown(spread.ours), shown(spread.theirs), figure(ratio)]);
            if pair.peer == Peer::Infer && name.contains("Configure") {
                findings.verdict(Verdict::new("start until configured, to the infer peer", 0.1, [ratio]));
            }
        }
        let text = format!(
            "{} starts each, in turns; min / median / max. Compiled code is cached. Others kept {} processors busy.",
            starts.ours.len(),
            figure(others)
        );
        findings.section(format!("Start-up. {}", pair.title), text, table);
    }
    findings
}

fn shown(spread: Spread) -> String {
    format!("{} / {} / {}", figure(spread.min), figure(spread.median), figure(spread.max))
}
