//! What a call costs more than one that does nothing. Transport is the floor under every provider; what a host puts on top of it
//! is what can be blamed on the host.
//!
//! There are two such floors. A provider's own GetPluginInfo has the same server, and hardly any message. A server that does nothing but give
//! our answers has the same messages, and the server that everybody has.

use super::samples::Samples;
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

/// What a call is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Floor {
    /// The same provider's GetPluginInfo.
    OwnInfo,
    /// The same call of a server that does nothing.
    Nothing,
}

impl Floor {
    const ALL: [Self; 2] = [Self::OwnInfo, Self::Nothing];

    /// As it reads after "to".
    fn name(self) -> &'static str {
        match self {
            Self::OwnInfo => "an RPC that does nothing",
            Self::Nothing => "the same from a server that does nothing",
        }
    }

    fn text(self, pair: &Pair) -> String {
        let (ours, theirs) = (pair.ours.name, pair.theirs.name);
        match self {
            Self::OwnInfo => format!("{ours}, and in parentheses {theirs}, each to its own GetPluginInfo."),
            Self::Nothing => format!(
                "{ours}, and in parentheses {theirs}, to a server on tonic as it comes, with one thread, that answers each call with \
                 what {ours} answered to the first of its kind: the same messages, and nothing in between."
            ),
        }
    }
}

/// Whether an operation is compared with those that do nothing.
pub(super) fn compares(operation: Operation) -> bool {
    FROM_SCHEMA.contains(&operation) || BY_GUEST.contains(&operation)
}

/// Compares each operation with those that do nothing.
pub(super) fn compare(pair: &Pair, samples: &Samples) -> Findings {
    let mut findings = Findings::default();
    for floor in Floor::ALL {
        findings.extend(above(floor, pair, samples));
    }
    findings
}

fn above(floor: Floor, pair: &Pair, samples: &Samples) -> Findings {
    let mut findings = Findings::default();
    let mut table = Table::new([&format!("to {}", floor.name()), "Check", "Diff, no change", "Create", "Invoke"]);
    for (name, measure) in MEASURES {
        let ratio = |operation, concurrency| over_floor(floor, samples, operation, concurrency, measure);
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
                CONCURRENCIES.into_iter().filter_map(move |concurrency| {
                    let ratios = operations.into_iter().filter_map(|operation| ratio(operation, concurrency));
                    ratios.map(|sides| sides.ours).reduce(f64::max)
                })
            };
            let target = |calls| format!("{name} of {calls} at 1 / 8 / 32, to {}", floor.name());
            findings.verdict(Verdict::new(target("Check and Diff"), 1.2, worst(FROM_SCHEMA)));
            findings.verdict(Verdict::new(target("Create and Invoke"), 1.7, worst(BY_GUEST)));
        }
    }
    findings.section(format!("Above {}. {}", floor.name(), pair.title), floor.text(pair), table);
    findings
}

fn over_floor(
    floor: Floor,
    samples: &Samples,
    operation: Operation,
    concurrency: usize,
    measure: fn(&Sample) -> f64,
) -> Option<Sides<f64>> {
    let key = |operation: Operation| {
        let row = Operation::ALL.iter().position(|other| *other == operation)?;
        Some((row, concurrency))
    };
    let of = |samples: &Vec<Sample>| median(samples.iter().map(measure));
    let pair = |operation| Some(samples.pair.get(&key(operation)?)?.map(of));
    let floor = match floor {
        Floor::OwnInfo => pair(Operation::GetPluginInfo)?,
        Floor::Nothing => {
            let nothing = of(samples.nothing.get(&key(operation)?)?);
            Sides { ours: nothing, theirs: nothing }
        }
    };
    let measured = pair(operation)?;
    Some(Sides { ours: measured.ours / floor.ours, theirs: measured.theirs / floor.theirs })
}
