//! A run: builds, measures, reports.

use anyhow::{Context, Result};
use tokio::runtime::Builder;

use super::{attacked, calls, many, memory, sizes, startup, together, values};
use crate::arguments::{Arguments, What};
use crate::artefacts::{hosting, prepare};
use crate::plan::Plan;
use crate::process::{Machine, busy};
use crate::report::{Findings, Report};

/// Measures what is asked for.
///
/// # Errors
/// Something doesn't build, start or answer.
pub(crate) fn run(arguments: &Arguments) -> Result<Report> {
    busy()?;
    let plan = if arguments.quick { Plan::QUICK } else { Plan::FULL };
    let runtime = Builder::new_multi_thread().enable_all().build().context("start the callers")?;
    let mut findings = Findings::default();
    if arguments.what.includes(What::Attacked) {
        let hosting = hosting(arguments)?;
        let attackers = Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let attackers = attackers.context("start the attackers")?;
        let (hostile, only) = (attackers.handle(), arguments.attack.as_slice());
        tell("attacks");
        findings.extend(runtime.block_on(attacked::measure(&hosting, hostile, &plan, only))?);
        findings.extend(runtime.block_on(together::measure(&hosting, hostile, &plan, only))?);
    }
    if arguments.what == What::Attacked {
        return Ok(Report { machine: Machine::here(), quick: arguments.quick, findings });
    }
    let artefacts = prepare(arguments)?;
    let pairs = artefacts.pairs.as_slice();
    if arguments.what.includes(What::Startup) {
        tell("start-up");
        findings.extend(runtime.block_on(startup::measure(pairs, &plan))?);
    }
    if arguments.what.includes(What::Calls) {
        tell("calls");
        findings.extend(runtime.block_on(calls::measure(pairs, &plan, &arguments.operation))?);
    }
    if arguments.what.includes(What::Memory) {
        tell("memory");
        findings.extend(runtime.block_on(memory::measure(pairs, &plan))?);
    }
    if arguments.what.includes(What::Many) {
        tell("many providers at once");
        findings.extend(runtime.block_on(many::measure(pairs, &plan))?);
    }
    if arguments.what.includes(What::Values) {
        tell("values");
        findings.extend(runtime.block_on(values::measure(pairs, &plan))?);
    }
    if arguments.what.includes(What::Sizes) {
        findings.extend(sizes::measure(&artefacts)?);
    }
    Ok(Report { machine: Machine::here(), quick: arguments.quick, findings })
}

/// Says what is under way.
#[allow(clippy::print_stderr, reason = "a run takes minutes, and its report stands on stdout")]
fn tell(what: &str) {
    eprintln!("measuring {what} ...");
}
