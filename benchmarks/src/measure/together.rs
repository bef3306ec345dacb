//! What two providers that attack at once do to a third one in the same process.
//!
//! What a host keeps for whoever attacks nobody, a thread, memory, a turn, it may keep from one attacker and lose to two. So this has
//! a few pairs of attacks that want most of the same thing. Each slice stands beside a quiet one, as where one provider attacks.

use std::collections::BTreeMap;

use anyhow::Result;
use tokio::runtime::Handle;

use super::attacked::{AT_MOST, Pairs, medians, quick};
use crate::artefacts::Hosting;
use crate::attack::{Chosen, Together, over};
use crate::host::Host;
use crate::mix::{Kind, Mix};
use crate::plan::Plan;
use crate::report::{Findings, Table, Verdict, figure};

/// How many hostile calls each of the two has under way.
const EACH: usize = 8;

/// Measures attacks of two providers.
///
/// # Errors
/// A well-behaved call that fails.
pub(super) async fn measure(hosting: &Hosting, hostile: &Handle, plan: &Plan, only: &[Chosen]) -> Result<Findings> {
    let all = [Together::NONE].into_iter().chain(Together::ALL);
    let pairs: Vec<_> = all.filter(|pair| Chosen::Together(*pair).is_among(only)).collect();
    let mut findings = Findings::default();
    if pairs.is_empty() {
        return Ok(findings);
    }
    let mut samples: BTreeMap<(Together, Mix), Pairs> = BTreeMap::new();
    for _ in 0..plan.attacked_rounds {
        let mut host = Host::start(hosting, hostile).await?;
        let (first, second, third) = (host.provider().await?, host.provider().await?, host.provider().await?);
        // What is done for the first time isn't what is measured.
        for provider in [&first, &second, &third] {
            for mix in quick(plan) {
                mix.put(&provider.client).await?;
            }
        }
        for &pair in &pairs {
            for mix in quick(plan) {
                let quiet = mix.put(&third.client).await?;
                let calls = [pair.first.begin(&first.hostile, EACH)?, pair.second.begin(&second.hostile, EACH)?];
                // Until it is what it is for ever.
                tokio::time::sleep(plan.attacked_slice / 4).await;
                let attacked = mix.put(&third.client).await?;
                drop(calls);
                over(host.pid()).await?;
                samples.entry((pair, mix)).or_default().push((quiet, attacked));
            }
        }
    }
    report(&mut findings, plan, &pairs, &samples);
    Ok(findings)
}

fn report(findings: &mut Findings, plan: &Plan, pairs: &[Together], samples: &BTreeMap<(Together, Mix), Pairs>) {
    let mut header = vec!["hostile calls of the one + of the other".to_owned(), "others at once".to_owned()];
    header.extend(["p50 ms quiet", "attacked", "ratio", "p99 ms quiet", "attacked", "ratio"].map(str::to_owned));
    header.extend(Kind::QUICK.map(|name| format!("p99 of {name}")));
    let mut table = Table::new(header);
    let mut worst: BTreeMap<usize, f64> = BTreeMap::new();
    for &pair in pairs {
        for mix in quick(plan) {
            let Some(slices) = samples.get(&(pair, mix)) else { continue };
            let (p50, p99) = (medians(slices, &|all| all.all(50)), medians(slices, &|all| all.all(99)));
            let each = (0..Kind::QUICK.len()).map(|which| medians(slices, &|all| all.of(which, 99))[2]);
            let figures = p50.into_iter().chain(p99).chain(each).map(figure);
            table.row([pair.to_string(), mix.callers.to_string()].into_iter().chain(figures));
            if pair != Together::NONE {
                let worst = worst.entry(mix.callers).or_default();
                *worst = worst.max(p99[2]);
            }
        }
    }
    let callers: Vec<String> = worst.keys().map(usize::to_string).collect();
    findings.verdict(Verdict::new(
        format!(
            "p99 of a third provider's calls under the worst two attacks at once on {}, to quiet ones",
            callers.join(" / ")
        ),
        AT_MOST,
        worst.into_values(),
    ));
    let text = format!(
        "The same where two providers attack at once, each with {EACH} calls at once, and a third one is called, in one process."
    );
    findings.section("Attacked by two. Calls of a third provider", text, table);
}
