//! What a component has asked its engine for, while it is being constructed or one of its methods runs.
//!
//! Whatever a guest asks begins at once, as a task of its own, so that children register side by side while the guest goes on.
//! Dropping this drops the tasks. How much may be under way is bounded here: the guest decides how often it asks. So is what comes
//! back, since a guest that waits for none of it could have the host keep any number of answers.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bulkhead_value::Value;
use tokio::task::JoinHandle;

use super::memory::{Holding, Lack};
use crate::provider::{Deployment, Error, ErrorKind, Registered};
use crate::wit::{Told, Weigh};

/// Requests of one call that nobody has waited for yet.
const MOST_PENDING: usize = 10_000;
/// What a request takes beside what it sends: its task, and its place in a connection.
const EACH: usize = 16 << 10;
/// Requests of one call.
const MOST_REQUESTS: u32 = 100_000;

/// A call that may use its deployment.
pub(crate) struct Composing {
    /// Where it registers.
    pub(crate) deployment: Arc<dyn Deployment>,
    resources: BTreeMap<u32, Pending<Registered>>,
    values: BTreeMap<u32, Pending<Value>>,
    requests: u32,
    /// The files and addresses that the call was given or told, once somebody asks.
    pub(crate) told: Option<Told>,
    /// What is on its way to the engine and nobody has waited for yet, bytes.
    pending: usize,
    most_pending: usize,
    /// What the engine told, as far as it is remembered until the end of the call, and how much of that the deployment remembers.
    kept: Holding,
    accounted: usize,
}

/// A request for a resource, as its guest knows it. It has a meaning during one call only.
#[derive(Clone, Copy)]
pub(crate) struct ResourceRequest(u32);

/// A request for a value, as its guest knows it. It has a meaning during one call only.
#[derive(Clone, Copy)]
pub(crate) struct ValueRequest(u32);

struct Pending<T> {
    task: Task<T>,
    weight: usize,
}

/// A request under way, which counts until somebody takes its answer. Dropping it gives it up.
pub(crate) struct Task<T> {
    handle: JoinHandle<Result<Answer<T>, Error>>,
    _counted: Holding,
}

/// What the engine answered.
enum Answer<T> {
    /// Which counts until it is taken.
    Kept { answer: T, _held: Holding },
    /// For which there was no room.
    Lost,
}

/// What comes of a request, as far as there is room for it. What it sends is there until it is answered, whoever waits for that: an engine
/// takes its time, and a connection does.
async fn answered<T: Weigh>(
    request: impl Future<Output = Result<T, Error>>,
    sent: Holding,
) -> Result<Answer<T>, Error> {
    let mut held = sent.another();
    let answer = request.await?;
    drop(sent);
    Ok(match held.take(answer.weight()) {
        Ok(()) => Answer::Kept { answer, _held: held },
        Err(_) => Answer::Lost,
    })
}

impl<T> Drop for Task<T> {
    fn drop(&mut self) {
        self.handle.abort();
    }
}

impl<T> Task<T> {
    fn answer(&mut self, context: &mut Context<'_>) -> Poll<Result<Answer<T>, Error>> {
        Pin::new(&mut self.handle).poll(context).map(|joined| {
            joined.unwrap_or_else(|_| {
                let error = Error::new(ErrorKind::Failed, "the host failed to ask the engine");
                Err(error.hint("this is a bug in Bulkhead; please report it"))
            })
        })
    }
}

impl<T> Future for Task<T> {
    type Output = Result<T, Error>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.answer(context).map(|answer| match answer? {
            Answer::Kept { answer, .. } => Ok(answer),
            Answer::Lost => {
                let message =
                    "there was no memory left for what the engine answered: wait for some answers before asking for more";
                Err(Error::new(ErrorKind::Exhausted, message))
            }
        })
    }
}

impl Composing {
    /// A call that has asked for nothing yet. What it asks for may weigh so many bytes at a time, of what there is for all.
    pub(crate) fn new(deployment: Arc<dyn Deployment>, most_pending: usize, kept: Holding) -> Self {
        Self {
            deployment,
            resources: BTreeMap::new(),
            values: BTreeMap::new(),
            requests: 0,
            told: None,
            pending: 0,
            most_pending,
            kept,
            accounted: 0,
        }
    }

    /// Begins a request for a resource.
    ///
    /// # Errors
    /// Too much under way.
    pub(crate) fn resource<F>(&mut self, weight: usize, request: F) -> Result<ResourceRequest, Error>
    where
        F: Future<Output = Result<Registered, Error>> + Send + 'static,
    {
        let (number, sent, counted) = self.begun(weight)?;
        let task = Task { handle: tokio::spawn(answered(request, sent)), _counted: counted };
        self.resources.insert(number, Pending { task, weight });
        Ok(ResourceRequest(number))
    }

    /// Begins a request for a value.
    ///
    /// # Errors
    /// Too much under way.
    pub(crate) fn value<F>(&mut self, weight: usize, request: F) -> Result<ValueRequest, Error>
    where
        F: Future<Output = Result<Value, Error>> + Send + 'static,
    {
        let (number, sent, counted) = self.begun(weight)?;
        let task = Task { handle: tokio::spawn(answered(request, sent)), _counted: counted };
        self.values.insert(number, Pending { task, weight });
        Ok(ValueRequest(number))
    }

    /// Counts a request that is under way: against what nobody has waited for yet, what it sends for as long as that is there, and what
    /// it takes itself.
    fn begun(&mut self, weight: usize) -> Result<(u32, Holding, Holding), Error> {
        self.account()?;
        let mut counted = self.kept.another();
        counted.take(EACH).map_err(no_room)?;
        let sent = self.admit(weight)?;
        self.pending = self.pending.saturating_add(weight);
        Ok((self.requests, sent, counted))
    }

    /// Counts a request, and what it sends for as long as what is returned is there.
    ///
    /// # Errors
    /// Too many, or too much under way.
    pub(crate) fn admit(&mut self, weight: usize) -> Result<Holding, Error> {
        self.fits(weight)?;
        let mut sent = self.kept.another();
        sent.take(weight).map_err(no_room)?;
        self.requests = self.requests.saturating_add(1);
        Ok(sent)
    }

    /// Counts what is remembered of the engine's answers, or of requests.
    ///
    /// # Errors
    /// No room for it.
    pub(crate) fn keep(&mut self, bytes: usize) -> Result<(), Error> {
        self.kept.take(bytes).map_err(|_| {
            let message = "there is no memory left for all the resources and files that the component and its engine tell each other of";
            Error::new(ErrorKind::Exhausted, message)
        })
    }

    /// Gives back what was counted and isn't remembered.
    pub(crate) fn give_back(&mut self, bytes: usize) {
        self.kept.give(bytes);
    }

    /// Counts what the deployment remembers by now.
    ///
    /// # Errors
    /// No room for it.
    pub(crate) fn account(&mut self) -> Result<(), Error> {
        let remembered = self.deployment.remembered();
        self.keep(remembered.saturating_sub(self.accounted))?;
        self.accounted = self.accounted.max(remembered);
        Ok(())
    }

    /// Whether another request would be taken.
    ///
    /// # Errors
    /// Too many, or too much under way.
    pub(crate) fn fits(&self, weight: usize) -> Result<(), Error> {
        let refused = |message: String| Err(Error::new(ErrorKind::Exhausted, message));
        if self.requests >= MOST_REQUESTS {
            return refused(format!(
                "a component may ask the engine {MOST_REQUESTS} times in one call, and has done so"
            ));
        }
        if self.resources.len().saturating_add(self.values.len()) >= MOST_PENDING {
            return refused(format!(
                "more than {MOST_PENDING} requests to the engine are under way: wait for some before making others"
            ));
        }
        if self.pending.saturating_add(weight) > self.most_pending {
            let most = self.most_pending >> 20;
            return refused(format!(
                "more than {most} MiB are on their way to the engine: wait for some of it before sending more"
            ));
        }
        Ok(())
    }

    /// What to wait for. None if somebody has, or the number is another call's.
    pub(crate) fn take_resource(&mut self, ResourceRequest(number): ResourceRequest) -> Option<Task<Registered>> {
        let pending = self.resources.remove(&number)?;
        self.pending = self.pending.saturating_sub(pending.weight);
        Some(pending.task)
    }

    /// What to wait for. None if somebody has, or the number is another call's.
    pub(crate) fn take_value(&mut self, ValueRequest(number): ValueRequest) -> Option<Task<Value>> {
        let pending = self.values.remove(&number)?;
        self.pending = self.pending.saturating_sub(pending.weight);
        Some(pending.task)
    }

    /// Waits for everything that the guest didn't wait for.
    ///
    /// # Errors
    /// The first failure. The rest is given up.
    pub(crate) async fn rest(self) -> Result<(), Error> {
        let Self { resources, values, .. } = self;
        let mut tasks: BTreeMap<u32, Waiting> = BTreeMap::new();
        tasks.extend(resources.into_iter().map(|(number, pending)| (number, Waiting::Resource(pending.task))));
        tasks.extend(values.into_iter().map(|(number, pending)| (number, Waiting::Value(pending.task))));
        std::future::poll_fn(|context| {
            let mut failure = None;
            tasks.retain(|_, task| match task.poll(context) {
                Poll::Pending => true,
                Poll::Ready(outcome) => {
                    failure = failure.take().or(outcome.err());
                    false
                }
            });
            match failure {
                Some(error) => Poll::Ready(Err(error)),
                None if tasks.is_empty() => Poll::Ready(Ok(())),
                None => Poll::Pending,
            }
        })
        .await
    }
}

fn no_room(_: Lack) -> Error {
    let message =
        "there is no memory left for what is on its way to the engine: wait for some of it before sending more";
    Error::new(ErrorKind::Exhausted, message)
}

enum Waiting {
    Resource(Task<Registered>),
    Value(Task<Value>),
}

impl Waiting {
    /// How it ends, whatever the answer is: nobody wants that any more.
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        match self {
            Self::Resource(task) => task.answer(context).map(|outcome| outcome.map(drop)),
            Self::Value(task) => task.answer(context).map(|outcome| outcome.map(drop)),
        }
    }
}
