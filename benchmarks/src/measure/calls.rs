//! What calls cost: processor time, latency and throughput.

use anyhow::Result;

use super::floor;
use super::samples::Samples;
use super::turns::{Side, turns};
use crate::contender::{Contender, Pair, Peer};
use crate::load::{Load, Sample};
use crate::operation::Operation;
use crate::plan::{CONCURRENCIES, Plan};
use crate::plugin::Plugin;
use crate::replay::replay;
use crate::report::{Findings, Table, Verdict, figure};
use crate::requests::Requests;
use crate::statistics::{Spread, median};

/// Measures calls.
///
/// # Errors
/// A call that fails.
pub(super) async fn measure(pairs: &[Pair], plan: &Plan, only: &[Operation]) -> Result<Findings> {
    let mut all: Vec<Samples> = pairs.iter().map(|_| Samples::default()).collect();
    for round in 0..plan.rounds {
        for (pair, samples) in pairs.iter().zip(&mut all) {
            measure_round(pair, plan, only, round, samples).await?;
        }
    }
    let mut findings = Findings::default();
    for (pair, samples) in pairs.iter().zip(&all) {
        findings.extend(costs(pair, plan, samples));
        findings.extend(floor::compare(pair, samples));
    }
    Ok(findings)
}

async fn measure_round(
    pair: &Pair,
    plan: &Plan,
    only: &[Operation],
    round: usize,
    samples: &mut Samples,
) -> Result<()> {
    let asked =
        |operation: &Operation| only.is_empty() || only.contains(operation) || *operation == Operation::GetPluginInfo;
    let replay = replay(&pair.ours)?;
    let [first, second] = turns(pair, round).map(|(side, contender)| (Some(side), contender));
    let mut running: Vec<(Option<Side>, Plugin, Requests)> = Vec::new();
    for (side, contender) in [first, (None, &replay), second] {
        let (plugin, requests) = ready(contender).await?;
        running.push((side, plugin, requests));
    }
    for (row, operation) in Operation::ALL.into_iter().enumerate().filter(|(_, operation)| asked(operation)) {
        for concurrency in CONCURRENCIES {
            // Nothing else is compared with the server that does nothing.
            let is_read = |side: &Option<Side>| side.is_some() || floor::compares(operation);
            let called = running.iter().filter(|(side, _, requests)| is_read(side) && requests.has(operation));
            for (side, plugin, requests) in called {
                let load = Load { operation, concurrency, duration: plan.slice };
                let sample = load.put(plugin, requests).await?;
                match side {
                    Some(side) => samples.pair.entry((row, concurrency)).or_default().side(*side).push(sample),
                    None => samples.nothing.entry((row, concurrency)).or_default().push(sample),
                }
            }
        }
    }
    Ok(())
}

/// A plugin, and what to ask it.
pub(super) async fn ready(contender: &Contender) -> Result<(Plugin, Requests)> {
    let mut plugin = Plugin::start(contender).await?;
    let requests = Requests::random_string(contender, &mut plugin.client).await?;
    Ok((plugin, requests))
}

fn costs(pair: &Pair, plan: &Plan, samples: &Samples) -> Findings {
    let (ours, theirs) = (pair.ours.name, pair.theirs.name);
    let mut table = Table::new([
        "operation".to_owned(),
        "at once".to_owned(),
        format!("CPU-s/1000 {ours}"),
        theirs.to_owned(),
        "ratio".to_owned(),
        format!("ops/s {ours}"),
        theirs.to_owned(),
        format!("p50 ms {ours}"),
        theirs.to_owned(),
        format!("p99 ms {ours}"),
        theirs.to_owned(),
        "others".to_owned(),
    ]);
    let mut findings = Findings::default();
    let mut ratios = Vec::new();
    let mut absolute = Vec::new();
    for ((row, concurrency), samples) in &samples.pair {
        let Some(operation) = Operation::ALL.get(*row) else { continue };
        let of = |what: fn(&Sample) -> f64| samples.map(|samples| median(samples.iter().map(what)));
        let (cpu, rate) = (of(|sample| sample.cpu), of(|sample| sample.rate));
        let (p50, p99) = (of(|sample| sample.p50), of(|sample| sample.p99));
        let others = Spread::of(samples.ours.iter().chain(&samples.theirs).map(|sample| sample.others));
        if *operation == Operation::CheckAndCreate {
            ratios.push(cpu.ratio());
            absolute.push(cpu.ours);
        }
        let figures = [cpu.ours, cpu.theirs, cpu.ratio(), rate.ours, rate.theirs];
        let latencies = [p50.ours, p50.theirs, p99.ours, p99.theirs, others.max];
        let figures = figures.into_iter().chain(latencies).map(figure);
        table.row([operation.to_string(), concurrency.to_string()].into_iter().chain(figures));
    }
    match pair.peer {
        Peer::Infer => {
            findings.verdict(Verdict::new("CPU per Check + Create at 1 / 8 / 32, to the infer peer", 1.0 / 3.0, ratios))
        }
        Peer::Bridged => {
            findings.verdict(Verdict::new(
                "CPU per Check + Create of random at 1 / 8 / 32, to the bridged one",
                0.1,
                ratios,
            ));
            findings.verdict(Verdict::new("CPU-s per 1,000 Check + Create of random at 1 / 8 / 32", 0.4, absolute));
        }
    }
    let text = format!(
        "Medians of {} fresh processes, {} s each. CPU is the provider's, user and system. The callers share the machine. `others`: \
         the most processors that anything else kept busy meanwhile.",
        plan.rounds,
        figure(plan.slice.as_secs_f64())
    );
    findings.section(format!("Calls. {}", pair.title), text, table);
    findings
}
