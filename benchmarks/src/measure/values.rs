//! What values cost, by how many nodes they have.

use anyhow::Result;
use bulkhead_value::Object;

use super::turns::{Sides, turns};
use crate::contender::Pair;
use crate::load::{Load, Sample};
use crate::operation::Operation;
use crate::plan::Plan;
use crate::plugin::Plugin;
use crate::report::{Findings, Table, Verdict, figure};
use crate::requests::Requests;
use crate::statistics::median;
use crate::values::of_nodes;

/// From here on a call's own cost no longer counts.
const LARGE: usize = 1_000;

/// Measures values.
///
/// # Errors
/// A call that fails.
pub(super) async fn measure(pairs: &[Pair], plan: &Plan) -> Result<Findings> {
    let mut findings = Findings::default();
    for pair in pairs.iter().filter(|pair| pair.both().iter().all(|contender| contender.document.is_some())) {
        let (ours, theirs) = (pair.ours.name, pair.theirs.name);
        let header = [
            "operation",
            "nodes",
            &format!("CPU µs/node {ours}"),
            theirs,
            "ratio",
            &format!("p50 ms {ours}"),
            theirs,
            "ratio",
            "others",
        ];
        let mut table = Table::new(header);
        for operation in [Operation::Check, Operation::Create] {
            let mut per_node = Vec::new();
            for nodes in plan.nodes.iter().copied() {
                let samples = measure_size(pair, plan, operation, nodes).await?;
                let cpu = samples.map(|samples| median(samples.iter().map(|sample| sample.cpu * 1e3 / nodes as f64)));
                let p50 = samples.map(|samples| median(samples.iter().map(|sample| sample.p50)));
                let others = samples.ours.iter().chain(&samples.theirs).map(|sample| sample.others).fold(0.0, f64::max);
                per_node.push((nodes, cpu.ours));
                let figures = [cpu, p50].map(|sides| [sides.ours, sides.theirs, sides.ratio()]);
                let figures = figures.into_iter().flatten().chain([others]).map(figure);
                table.row([operation.to_string(), nodes.to_string()].into_iter().chain(figures));
            }
            let large: Vec<f64> =
                per_node.into_iter().filter(|(nodes, _)| *nodes >= LARGE).map(|(_, cpu)| cpu).collect();
            if let (Some(first), Some(last)) = (large.first(), large.last()) {
                let target = format!("{operation}: CPU per node of 100,000 nodes, to that of {LARGE}");
                findings.verdict(Verdict::new(target, 1.5, [last / first]));
            }
        }
        let text = format!(
            "One call at a time; medians of {} fresh processes, {} s each. A value is a list of records; \
             Check returns it, Create returns it as state. `others`: the most processors that anything else kept busy.",
            plan.rounds,
            figure(plan.slice.as_secs_f64())
        );
        findings.section(format!("Values. {}", pair.title), text, table);
    }
    Ok(findings)
}

async fn measure_size(pair: &Pair, plan: &Plan, operation: Operation, nodes: usize) -> Result<Sides<Vec<Sample>>> {
    let mut samples: Sides<Vec<Sample>> = Sides::default();
    for round in 0..plan.rounds {
        for (side, contender) in turns(pair, round) {
            let mut plugin = Plugin::start(contender).await?;
            let inputs = Object::from([("content", of_nodes(nodes))]);
            let requests = Requests::about(contender.document.unwrap_or_default(), inputs, &mut plugin.client).await?;
            let load = Load { operation, concurrency: 1, duration: plan.slice };
            samples.side(side).push(load.put(&plugin, &requests).await?);
        }
    }
    Ok(samples)
}
