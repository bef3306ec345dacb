//! What a call costs more than one that does nothing. Transport is the floor under every provider; what a host puts on top of it
//! is what can be blamed on the host.

use super::calls::Samples;
use super::turns::Sides;
use crate::contender::{Pair, Peer};
use crate::load::Sample;
use crate::operation::Operation;
use crate::plan::CONCURRENCIES;
use crate::report::{Findings, Table, Verdict, figure};
use crate::statistics::median;

/// Calls that Bulkhead answers from the schema, without the guest.
const FROM_SCHEMA: [Operation; 2] = [Operation::Check, Operation::Diff];
/// Calls that the guest is needed for.
const BY_GUEST: [Operation; 2] = [Operation::Create, Operation::Invoke];

/// A figure of a sample, with its name.
type Measure = (&'static str, fn(&Sample) -> f64);

const MEASURES: [Measure; 2] = [("CPU", |sample| sample.cpu), ("median latency", |sample| sample.p50)];

/// Compares each operation with the one that does nothing.
pub(super) fn compare(pair: &Pair, samples: &Samples) -> Findings {
    let mut findings = Findings::default();
    let mut table = Table::new(["to GetPluginInfo", "Check", "Diff, no change", "Create", "Invoke"].map(str::to_owned));
    for (name, measure) in MEASURES {
        let ratio = |operation, concurrency| over_floor(samples, operation, concurrency, measure);
        for concurrency in CONCURRENCIES {
            let cells = FROM_SCHEMA.into_iter().chain(BY_GUEST).map(|operation| match ratio(operation, concurrency) {
                Some(Sides { ours, theirs }) => format!("{} ({})", figure(ours), figure(theirs)),
                None => "–".to_owned(),
            });
            table.row([format!("{name} at {concurrency}")].into_iter().chain(cells));
        }
        // A provider with checks of its own is asked for every call.
        if pair.peer == Peer::Infer {
            let worst = |operations: [Operation; 2]| {
                CONCURRENCIES.map(|concurrency| {
                    let ratios = operations.into_iter().filter_map(|operation| ratio(operation, concurrency));
                    ratios.map(|sides| sides.ours).fold(0.0, f64::max)
                })
            };
            let target = |calls| format!("{name} of {calls} at 1 / 8 / 32, to an RPC that does nothing");
            findings.verdict(Verdict::new(target("Check and Diff"), 1.2, worst(FROM_SCHEMA)));
            findings.verdict(Verdict::new(target("Create and Invoke"), 1.7, worst(BY_GUEST)));
        }
    }
    let text = format!("{}, and in parentheses {}, each to its own GetPluginInfo.", pair.ours.name, pair.theirs.name);
    findings.section(format!("Above the floor. {}", pair.title), text, table);
    findings
}

fn over_floor(
    samples: &Samples,
    operation: Operation,
    concurrency: usize,
    measure: fn(&Sample) -> f64,
) -> Option<Sides<f64>> {
    let medians = |operation: Operation| {
        let row = Operation::ALL.iter().position(|other| *other == operation)?;
        Some(samples.get(&(row, concurrency))?.map(|samples| median(samples.iter().map(measure))))
    };
    let (measured, floor) = (medians(operation)?, medians(Operation::GetPluginInfo)?);
    Some(Sides { ours: measured.ours / floor.ours, theirs: measured.theirs / floor.theirs })
}
