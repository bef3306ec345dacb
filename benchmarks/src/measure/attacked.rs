//! What hostile calls do to others in the same process: to those of the same provider, and to those of another.
//!
//! A machine that others use is slow now and then, whoever is attacked. So each slice under attack stands beside a quiet one just
//! before it, on the same connection, and what counts is the ratio of the two.

use std::collections::BTreeMap;

use anyhow::Result;
use tokio::runtime::Handle;

use crate::artefacts::Hosting;
use crate::attack::{Attack, Chosen, over};
use crate::host::Host;
use crate::mix::{Kind, Latencies, Mix};
use crate::plan::Plan;
use crate::report::{Findings, Table, Verdict, figure};
use crate::statistics::median;

/// How much longer others' calls may take, at the 99th percentile.
pub(super) const AT_MOST: f64 = 2.0;
/// What is more than any pool of threads or instances has.
const THOUSAND: usize = 1_000;

/// Whose calls are measured.
const WHOSE: [(&str, &str); 2] = [("another provider", "another"), ("the same provider", "the same")];

/// Quiet and attacked, one a round.
pub(super) type Pairs = Vec<(Latencies, Latencies)>;
/// Whose calls they are, what attacked them, how often at once, and which they are.
type Samples = BTreeMap<(usize, Attack, usize, Mix), Pairs>;

/// Measures attacks.
///
/// # Errors
/// A well-behaved call that fails.
pub(super) async fn measure(hosting: &Hosting, hostile: &Handle, plan: &Plan, only: &[Chosen]) -> Result<Findings> {
    let mut samples = Samples::new();
    let few = [Attack::NONE].into_iter().chain(Attack::ALL);
    let few = few.flat_map(|attack| plan.attackers.iter().map(move |count| (attack, *count)));
    let many = Attack::OF_A_THOUSAND.into_iter().map(|attack| (attack, THOUSAND));
    let attacks: Vec<_> = few.chain(many).filter(|(attack, _)| Chosen::Alone(*attack).is_among(only)).collect();
    if attacks.is_empty() {
        return Ok(Findings::default());
    }
    for _ in 0..plan.attacked_rounds {
        let mut host = Host::start(hosting, hostile).await?;
        let (attacking, another) = (host.provider().await?, host.provider().await?);
        let granted = host.granted().await?;
        // What is done for the first time isn't what is measured.
        for provider in [&attacking, &another, &granted] {
            for mix in quick(plan).into_iter().chain(long(plan)) {
                mix.put(&provider.client).await?;
            }
        }
        for &(attack, count) in &attacks {
            let attacking = if attack.is_on_files() { &granted } else { &attacking };
            // Whoever has attacked is remembered for it, so that only one of them ever does.
            for (whose, attacked) in [&another, attacking].into_iter().enumerate() {
                // Calls of one configuration share their places, so that whoever takes all of them keeps the others waiting.
                if count == THOUSAND && whose != 0 {
                    continue;
                }
                // What takes long waits for the attacked provider's other calls, by its own choice.
                let long = if whose == 0 { long(plan) } else { Vec::new() };
                for mix in quick(plan).into_iter().chain(long) {
                    let quiet = mix.put(&attacked.client).await?;
                    let calls = attack.begin(&attacking.hostile, count)?;
                    // Until it is what it is for ever.
                    tokio::time::sleep(plan.attacked_slice / 4).await;
                    let under_attack = mix.put(&attacked.client).await?;
                    drop(calls);
                    over(host.pid()).await?;
                    samples.entry((whose, attack, count, mix)).or_default().push((quiet, under_attack));
                }
            }
        }
    }
    let mut findings = Findings::default();
    for (whose, names) in WHOSE.into_iter().enumerate() {
        of_quick(&mut findings, (whose, names), &attacks, plan, &samples);
    }
    of_long(&mut findings, &attacks, plan, &samples);
    Ok(findings)
}

/// Calls that are answered at once.
pub(super) fn quick(plan: &Plan) -> Vec<Mix> {
    let of = |callers: &usize| Mix { kind: Kind::Quick, callers: *callers, duration: plan.attacked_slice };
    plan.attacked_callers.iter().map(of).collect()
}

/// Calls that wait or compute, for twice as long: there are fewer of them.
fn long(plan: &Plan) -> Vec<Mix> {
    let duration = plan.attacked_slice * 2;
    vec![Mix { kind: Kind::Sleep, callers: 8, duration }, Mix { kind: Kind::Work, callers: 1, duration }]
}

/// Medians of a figure when it is quiet, under attack, and of the ratios of both.
pub(super) fn medians(pairs: &Pairs, figure: &dyn Fn(&Latencies) -> f64) -> [f64; 3] {
    let quiet = median(pairs.iter().map(|(quiet, _)| figure(quiet)));
    let attacked = median(pairs.iter().map(|(_, attacked)| figure(attacked)));
    [quiet, attacked, median(pairs.iter().map(|(quiet, attacked)| figure(attacked) / figure(quiet)))]
}

/// What quiet slices come to beside the quiet ones of the row before, as those under attack do beside theirs: so much is the machine's own.
#[derive(Default)]
struct Quiet<'a> {
    before: BTreeMap<Mix, &'a Pairs>,
    ratios: Vec<f64>,
}

impl<'a> Quiet<'a> {
    fn row(&mut self, mix: Mix, pairs: &'a Pairs) {
        if let Some(before) = self.before.insert(mix, pairs) {
            let ratios = before.iter().zip(pairs).map(|((before, _), (quiet, _))| quiet.all(99) / before.all(99));
            self.ratios.push(median(ratios));
        }
    }

    fn told(&self) -> String {
        let beyond = self.ratios.iter().filter(|ratio| **ratio > AT_MOST).count();
        let (rows, worst) = (self.ratios.len(), self.ratios.iter().copied().fold(0.0, f64::max));
        format!(
            "By p99, {beyond} of {rows} quiet slices come to more than {} beside the quiet ones of the row before, {} at worst.",
            figure(AT_MOST),
            figure(worst)
        )
    }
}

fn of_quick(
    findings: &mut Findings,
    (whose, (title, short)): (usize, (&str, &str)),
    attacks: &[(Attack, usize)],
    plan: &Plan,
    samples: &Samples,
) {
    let mut header = vec!["each hostile call".to_owned(), "at once".to_owned(), "others at once".to_owned()];
    header.extend(["p50 ms quiet", "attacked", "ratio", "p99 ms quiet", "attacked", "ratio"].map(str::to_owned));
    header.extend(Kind::QUICK.map(|name| format!("p99 of {name}")));
    let (mut table, mut quiet) = (Table::new(header), Quiet::default());
    let mut worst: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    for &(attack, count) in attacks {
        for mix in quick(plan) {
            let Some(pairs) = samples.get(&(whose, attack, count, mix)) else { continue };
            quiet.row(mix, pairs);
            let (p50, p99) = (medians(pairs, &|all| all.all(50)), medians(pairs, &|all| all.all(99)));
            let each = (0..Kind::QUICK.len()).map(|which| medians(pairs, &|all| all.of(which, 99))[2]);
            let figures = p50.into_iter().chain(p99).chain(each).map(figure);
            let cells = [attack.to_string(), count.to_string(), mix.callers.to_string()];
            table.row(cells.into_iter().chain(figures));
            if attack != Attack::NONE {
                let worst = worst.entry((count, mix.callers)).or_default();
                *worst = worst.max(p99[2]);
            }
        }
    }
    let counts: Vec<String> = worst.keys().map(|(count, callers)| format!("{count} on {callers}")).collect();
    findings.verdict(Verdict::new(
        format!("p99 of {short} provider's calls under the worst attack of {}, to quiet ones", counts.join(" / ")),
        AT_MOST,
        worst.into_values(),
    ));
    let text = format!(
        "Check, Create and Invoke in turn, {} s quiet and as long under attack; medians of {} fresh processes, and of the ratios of \
         each. Both providers are in one process. Of each call's limits: 200 ms of computing, 500 ms, 512 MiB. {}",
        figure(plan.attacked_slice.as_secs_f64()),
        plan.attacked_rounds,
        quiet.told()
    );
    findings.section(format!("Attacked. Calls of {title}"), text, table);
}

fn of_long(findings: &mut Findings, attacks: &[(Attack, usize)], plan: &Plan, samples: &Samples) {
    const NAMES: [&str; 2] = ["sleeps of 2 ms, p99 ms", "10 ms of computing, p99 ms"];
    let mut header = vec!["each hostile call".to_owned(), "at once".to_owned()];
    header.extend(NAMES.iter().flat_map(|name| [format!("{name} quiet"), "attacked".to_owned(), "ratio".to_owned()]));
    let (mut table, mut quiet) = (Table::new(header), Quiet::default());
    let mut worst: BTreeMap<(Kind, usize), f64> = BTreeMap::new();
    for &(attack, count) in attacks {
        let mut row = vec![attack.to_string(), count.to_string()];
        for mix in long(plan) {
            let Some(pairs) = samples.get(&(0, attack, count, mix)) else { continue };
            quiet.row(mix, pairs);
            let p99 = medians(pairs, &|all| all.all(99));
            row.extend(p99.map(figure));
            if attack != Attack::NONE {
                let worst = worst.entry((mix.kind, count)).or_default();
                *worst = worst.max(p99[2]);
            }
        }
        table.row(row);
    }
    for (kind, what) in [(Kind::Sleep, "sleeps"), (Kind::Work, "computing")] {
        let of_kind = worst.iter().filter(|((of, _), _)| *of == kind);
        let counts: Vec<String> = of_kind.clone().map(|((_, count), _)| count.to_string()).collect();
        let counts = counts.join(" / ");
        findings.verdict(Verdict::new(
            format!("p99 of another provider's {what} under the worst attack of {counts}, to quiet ones"),
            AT_MOST,
            of_kind.map(|(_, worst)| *worst),
        ));
    }
    let seconds = figure(plan.attacked_slice.as_secs_f64() * 2.0);
    let text = format!(
        "The same for calls that take longer: 8 at once that sleep, or one that computes. {seconds} s each. {}",
        quiet.told()
    );
    findings.section("Attacked. Calls of another provider that wait or compute", text, table);
}
