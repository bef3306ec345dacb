//! One call into a guest, from the permit to the instance's return.
//!
//! When the caller loses interest a call is told, not dropped (`finishing.rs`). Dropping it is the last resort, for guests that
//! don't end.

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bulkhead_policy::Phase;
use tokio::task::coop::unconstrained;
use tokio_util::sync::CancellationToken;

use super::denied::{Denied, is_answer, warn};
use super::ending;
use super::finishing::Finishing;
use super::instance::Instance;
use super::pace::Paced;
use super::pool::Pool;
use super::replying::LEAST;
use super::workers::{Course, Unbegun};
use crate::assets::Access;
use crate::audit::{Trail, within};
use crate::provider::{Call, Error, ErrorKind, Speaker, heard, keep};
use crate::store::{
    Allowance, Announced, Authority, Checkpoint, Computing, Ending, Looked, Serving, Shortage, Shortages, Terms,
};
use crate::threads::beside_others;
use crate::wit::Taken;
use crate::wit::bindings::types;

/// How long a call that was ended has to unwind before its future is dropped.
const LAST_RESORT: Duration = Duration::from_secs(5);

/// How long a call may go on in a process that leaves, which waits for 4 s: what it announced has to be told before that.
const LEAVING: Duration = Duration::from_millis(2_500);
/// How much longer a call may take to unwind, there and elsewhere, which takes a turn on a thread that others may want, and the end of what
/// can't be interrupted. Then it is answered without it.
const UNWINDING: Duration = Duration::from_millis(500);
/// What became of a call that never began.
const CANCELLED: &str = "the operation was cancelled before it began";

/// A future over a borrowed instance.
pub(super) type Running<'a, R> = Pin<Box<dyn Future<Output = wasmtime::Result<R>> + Send + 'a>>;

/// How a call ended, and what the guest had announced by then.
pub(super) struct Ended<R> {
    /// What the guest returned, or why it didn't.
    pub(super) result: Result<R, Error>,
    /// The last checkpoint.
    pub(super) checkpoint: Option<Checkpoint>,
    /// Whether the guest said something that can't be read, so that nobody knows what it did.
    pub(super) unreadable: bool,
    /// What it was denied, and was short of.
    pub(super) denied: Denied,
    /// What the result takes of the host's memory, and the checkpoint.
    taken: Vec<Taken>,
}

/// Runs one call.
pub(super) async fn run<T, F>(pool: &Arc<Pool>, call: Call, phase: Phase, enter: F) -> Ended<Result<T, types::Error>>
where
    T: Send + 'static,
    F: for<'a> FnOnce(&'a mut Instance) -> Running<'a, Result<T, types::Error>> + Send + 'static,
{
    let deadline = call.deadline.and_then(|after| Instant::now().checked_add(after));
    // The guest may have the host check and compare what it likes, and what it returns is held to the schema.
    if call.package.labour() > 1 {
        beside_others().await;
    }
    let (cancel, leaving) = (call.cancel.clone(), call.leaving.clone());
    let grace = Grace { cancelled: call.grace, leaving: leaving.clone() };
    let announced = matches!(phase, Phase::Create | Phase::Update).then(Announced::default);
    // What the guest is asked to do, and with what.
    let paced = Paced::of(&pool.pace, &(std::mem::discriminant(&phase), &call.context.token));
    let workers = pool.loaded.runtime.workers();
    let unbegun = Some(Unbegun { cancel: cancel.clone(), deadline });
    let course = Course { lines: pool.loaded.lines.clone(), computed: Computing::default(), paced, unbegun };
    let serving = serve(Arc::clone(pool), call, phase, deadline, course.clone(), announced.clone(), enter);
    let left = async {
        leaving.cancelled().await;
        tokio::time::sleep(LEAVING + UNWINDING).await;
    };
    // Most calls are over before either is asked. The call watches as well: it goes on where nobody waits for this any longer.
    let unwound = async {
        Box::pin(watch(cancel.clone(), grace, deadline, CancellationToken::new())).await;
        tokio::time::sleep(UNWINDING).await;
    };
    let late = async {
        tokio::select! { () = left => Ending::Cancelled, () = unwound => Ending::at(deadline, &cancel) }
    };
    let checkpoint = || announced.and_then(|announced| announced.take());
    let ended = tokio::select! {
        biased;
        ended = Finishing::new(serving, workers, course, cancel.clone()) => ended,
        ending = late => {
            let error = ending::error(&ending.into(), None, pool.limits.as_ref());
            return Ended { checkpoint: checkpoint(), ..failed(error) };
        }
    };
    let mut ended = ended.unwrap_or_else(|| {
        let error = Error::new(ErrorKind::Failed, "the host failed to finish the call");
        Ended { unreadable: true, ..failed(error.hint("this is a bug in Bulkhead; please report it")) }
    });
    let checkpoint = checkpoint();
    // What comes next is to read it, and to hash what in it has no hash yet.
    if !ended.taken.is_empty() || (checkpoint.is_some() && !matches!(ended.result, Ok(Ok(_)))) {
        beside_others().await;
    }
    // Whoever is answered with it has it for as long as that takes.
    ended.taken.drain(..).for_each(keep);
    Ended { checkpoint, ..ended }
}

fn failed<R>(error: Error) -> Ended<R> {
    Ended { result: Err(error), checkpoint: None, unreadable: false, denied: Denied::default(), taken: Vec::new() }
}

async fn serve<T, F>(
    pool: Arc<Pool>,
    call: Call,
    phase: Phase,
    deadline: Option<Instant>,
    Course { computed: computing, paced, .. }: Course,
    announced: Option<Announced>,
    enter: F,
) -> Ended<Result<T, types::Error>>
where
    T: Send + 'static,
    F: for<'a> FnOnce(&'a mut Instance) -> Running<'a, Result<T, types::Error>> + Send + 'static,
{
    // A process that leaves waits for it, whether or not the caller still does.
    let _under_way = call.under_way;
    let seed = call.context.seed;
    let hard = CancellationToken::new();
    // A component waits for children, which only this provider may be able to create: it never queues with their calls.
    let composing = matches!(phase, Phase::Construct | Phase::Call);
    let leaks = call.leaks;
    let trail = Trail::of(&call.cause, call.context.urn.as_deref(), &call.context.token, &phase);
    let authority = Arc::new(Authority::new(pool.permissions(), phase, trail.clone(), leaks.clone()));
    let access = Access::new(call.origin.directory, pool.limits.assets.clone(), hard.clone());
    let (shortages, limits, told) = (Shortages::default(), pool.limits.as_ref(), Arc::<AtomicBool>::default());
    let speaker = Speaker::next();
    let serving = Serving::from(Arc::new(Terms {
        speaker,
        urn: call.context.urn.clone(),
        package: Some(call.package),
        authority: Arc::clone(&authority),
        deadline,
        soft: call.cancel.clone(),
        hard: hard.clone(),
        announced,
        generated: call.generated,
        session: Arc::clone(&pool.session),
        files: pool.files.clone(),
        outgoing: pool.outgoing.clone(),
        packages: call.origin.packages,
        descriptions: pool.descriptions.clone(),
        views: call.context.views,
        access,
        leaks,
        computing: computing.clone(),
        sent: Allowance::new(limits.outgoing.sent, &shortages, Shortage::Sent),
        written: Allowance::new(limits.written, &shortages, Shortage::Written),
        shortages: shortages.clone(),
        told: Arc::clone(&told),
    }));
    let ended = || Ending::at(deadline, &call.cancel);
    let grace = Grace { cancelled: call.grace, leaving: call.leaving };
    // Most calls are over before it is asked, and pay for none of it.
    let mut last_resort = pin!(async { Box::pin(watch(call.cancel.clone(), grace, deadline, hard.clone())).await });
    let permit = tokio::select! {
        biased;
        // What hasn't begun doesn't: whoever cancelled counts on nothing more being changed.
        () = call.cancel.cancelled() => return failed(Error::new(ErrorKind::Cancelled, CANCELLED)),
        // It may have waited for its first turn until then.
        () = std::future::ready(()), if deadline.is_some_and(|deadline| deadline <= Instant::now()) => {
            return failed(ending::overdue(limits));
        }
        permit = pool.turn(), if !composing => match permit {
            Ok(permit) => permit,
            Err(error) => return failed(error),
        },
        permit = async { pool.composing.try_acquire().ok() }, if composing => match permit {
            Some(permit) => Some(permit),
            None => {
                let message = "the provider constructs more components at once than it may";
                return failed(Error::new(ErrorKind::Exhausted, message));
            }
        },
        // Polled here too, since it is what sets the token.
        () = &mut last_resort => return failed(ending::unbegun(ended(), limits)),
        () = hard.cancelled() => return failed(ending::unbegun(ended(), limits)),
    };
    let ticking = pool.loaded.runtime.ticking();
    let mut kept = None;
    // What is done for it elsewhere ends with it, however it ends: before its instance goes, with which bodies go that are half sent.
    let over = hard.clone().drop_guard();
    let mut entered = false;
    let outcome = {
        // Each layer around it would have room for it once more.
        let body = Box::pin(async {
            // The instance is kept outside, so that its meter outlives a call that fails or is dropped.
            let instance = match pool.idle(seed.is_some()) {
                Some(mut instance) => {
                    instance.arm(serving);
                    kept.insert(instance)
                }
                None => {
                    pool.loaded.surroundings.record(&serving.authority)?;
                    kept.insert(Box::pin(pool.fresh(serving)).await?)
                }
            };
            // What was given to others since is given to an idle one too.
            pool.given.replay(instance).await?;
            // Not before: a start or a configuration that draws would take from what the call should get.
            instance.store.data().chance.seed(seed.as_deref());
            entered = true;
            enter(instance).await
        });
        tokio::select! {
            biased;
            // Who has used up what a task may have at once, by looking at many clocks that have rung, isn't watched any more otherwise:
            // the watcher is of the same task, and its clock would wait for the next turn each time.
            outcome = unconstrained(computing.count(within(trail, body))) => outcome,
            () = &mut last_resort => Err(ended().into()),
        }
    };
    drop((over, ticking, permit));
    let mut refused = None;
    let mut looked = Looked::default();
    let mut pause = Duration::ZERO;
    let mut said = false;
    let mut taken = Vec::new();
    if let Some(mut instance) = kept {
        let state = instance.store.data_mut();
        refused = state.last_refused();
        looked = state.looked;
        said = state.call.messages > 0;
        let announced = state.meter.leave();
        taken = std::mem::take(&mut instance.replies);
        // It isn't the instance's any more, and is there until it is answered with.
        if announced.bytes() >= LEAST {
            taken.push(Box::new(announced));
        }
        // An instance whose call trapped is in no state to serve another.
        match &outcome {
            Ok(_) => {
                paced.returned(computing.spent());
                pool.give(instance);
            }
            // Who was ended took its time already.
            Err(trap) if trap.is::<Ending>() => drop(paced.lost()),
            Err(_) => pause = paced.lost(),
        }
    }
    if !pause.is_zero() {
        tokio::time::sleep(pause).await;
    }
    let unreadable = entered && outcome.as_ref().err().is_some_and(ending::is_unreadable);
    let denials = authority.denials();
    if outcome.as_ref().is_ok_and(|returned| is_answer(phase, returned)) {
        said |= !denials.is_empty();
        warn(pool.log(), call.context.urn.as_ref(), &denials);
    }
    if said || told.load(Ordering::Relaxed) {
        heard(pool.log(), Some(speaker)).await;
    }
    let denied = Denied::new(denials, &pool.loaded.surroundings, looked).short_of(&shortages.all(), limits);
    Ended {
        result: outcome.map_err(|trap| {
            let error = ending::error(&trap, refused, limits);
            if entered { error } else { ending::unentered(error) }
        }),
        checkpoint: None,
        unreadable,
        denied,
        taken,
    }
}

/// How long a call goes on that should end.
struct Grace {
    /// After it was cancelled.
    cancelled: Duration,
    /// Set when the process leaves, which it does soon.
    leaving: CancellationToken,
}

/// Sets the hard token when the deadline passes or the grace after a cancellation is over; completes when the guest
/// hasn't ended long after that.
async fn watch(soft: CancellationToken, grace: Grace, deadline: Option<Instant>, hard: CancellationToken) {
    let cancelled = async {
        soft.cancelled().await;
        let left = async {
            grace.leaving.cancelled().await;
            tokio::time::sleep(LEAVING.min(grace.cancelled)).await;
        };
        tokio::select! { () = tokio::time::sleep(grace.cancelled) => {}, () = left => {} }
    };
    let expired = async {
        match deadline {
            Some(deadline) => tokio::time::sleep_until(deadline.into()).await,
            None => std::future::pending().await,
        }
    };
    tokio::select! { () = cancelled => {}, () = expired => {} }
    hard.cancel();
    tokio::time::sleep(LAST_RESORT).await;
}

#[cfg(test)]
mod tests;
