//! [`Output`] itself.

use std::cell::{Cell, OnceCell};
use std::fmt;
use std::rc::Rc;

use super::Dependencies;
use super::stop::{self, Stopped, Unfinished};
use crate::error::{Error, Result};
use crate::value::Value;

/// An eventual value: it may not be known yet, may be secret, and depends on resources.
///
/// A clone is the same output. See the [module](crate::output) for when outputs are waited for, and what happens when one fails.
///
/// ```
/// use bulkhead_sdk::Output;
/// use bulkhead_sdk::output::all;
///
/// let host = Output::from("example.com".to_owned());
/// let port = Output::from(8080_u32).secret();
/// let address = all((host, port)).map(|(host, port)| format!("{host}:{port}"));
/// assert_eq!(format!("{address:?}"), "[secret]");
/// ```
pub struct Output<T>(Rc<State<T>>);

struct State<T> {
    resolved: OnceCell<Result<Resolved<T>, Stopped>>,
    /// How to get there, until somebody does.
    pending: Cell<Option<Pending<T>>>,
}

type Pending<T> = Box<dyn FnOnce() -> Result<Resolved<T>, Stopped>>;

/// What is known in the end.
pub(crate) struct Resolved<T> {
    /// The value, unless it or a part of it is unknown.
    pub(crate) value: Option<Rc<T>>,
    /// The value as it came, with what is said about its parts. Operations on parts use it, and it goes back as it is.
    pub(crate) wire: Option<Rc<Value>>,
    /// Whether the value or a part of it is secret.
    pub(crate) secret: bool,
    /// What the value or a part of it depends on.
    pub(crate) dependencies: Dependencies,
}

impl<T> Resolved<T> {
    pub(crate) fn known(value: T) -> Self {
        Self { value: Some(Rc::new(value)), wire: None, secret: false, dependencies: Dependencies::none() }
    }

    pub(crate) fn unknown() -> Self {
        Self { value: None, wire: None, secret: false, dependencies: Dependencies::none() }
    }
}

impl<T> Clone for Resolved<T> {
    fn clone(&self) -> Self {
        Self {
            value: self.value.clone(),
            wire: self.wire.clone(),
            secret: self.secret,
            dependencies: self.dependencies.clone(),
        }
    }
}

impl<T> Output<T> {
    /// A value that is known, and depends on nothing.
    ///
    /// ```
    /// use bulkhead_sdk::Output;
    ///
    /// let retries = Output::new(3);
    /// assert_eq!(format!("{retries:?}"), "3");
    /// ```
    pub fn new(value: T) -> Self {
        Self::resolved(Resolved::known(value))
    }

    /// A value that a preview doesn't know yet.
    pub fn unknown() -> Self {
        Self::resolved(Resolved::unknown())
    }

    pub(crate) fn resolved(resolved: Resolved<T>) -> Self {
        Self::settled(Ok(resolved))
    }

    pub(crate) fn stopped(error: Error) -> Self {
        Self::settled(Err(stop::stop(error)))
    }

    fn settled(resolution: Result<Resolved<T>, Stopped>) -> Self {
        Self(Rc::new(State { resolved: OnceCell::from(resolution), pending: Cell::new(None) }))
    }

    /// An output that is resolved when it is first needed, or never.
    pub(crate) fn lazy(resolve: impl FnOnce() -> Result<Resolved<T>, Stopped> + 'static) -> Self {
        Self(Rc::new(State { resolved: OnceCell::new(), pending: Cell::new(Some(Box::new(resolve))) }))
    }

    /// Whether nothing need be waited for.
    pub(crate) fn is_resolved(&self) -> bool {
        self.0.resolved.get().is_some()
    }

    /// Waits for the value.
    pub(crate) fn resolve(&self) -> Result<&Resolved<T>, Stopped> {
        self.0.resolve()
    }
}

impl<T: 'static> Output<T> {
    /// An output that is resolved when it is first needed, and at the end of the call at the latest.
    pub(crate) fn started(resolve: impl FnOnce() -> Result<Resolved<T>, Stopped> + 'static) -> Self {
        let output = Self::lazy(resolve);
        stop::defer(Rc::clone(&output.0) as Rc<dyn Unfinished>);
        output
    }

    /// An output whose resolving sends a request, which happens before anything is waited for at the end of the call.
    pub(crate) fn unsent(resolve: impl FnOnce() -> Result<Resolved<T>, Stopped> + 'static) -> Self {
        let output = Self::lazy(resolve);
        stop::send_later(Rc::clone(&output.0) as Rc<dyn Unfinished>);
        output
    }

    /// The output of something that is done at once.
    pub(crate) fn now(resolve: impl FnOnce() -> Result<Resolved<T>, Stopped>) -> Self {
        Self::settled(stop::check().and_then(|()| resolve()))
    }

    /// A part of this output: at once, if it is there, or else when it is needed, if it ever is.
    pub(crate) fn look<U: 'static>(
        &self,
        take: impl FnOnce(&Resolved<T>) -> Result<Resolved<U>, Stopped> + 'static,
    ) -> Output<U> {
        let source = self.clone();
        let resolve = move || take(source.resolve()?);
        if self.is_resolved() { Output::settled(resolve()) } else { Output::lazy(resolve) }
    }

    /// What comes of this output: at once, if it is there.
    pub(super) fn derive<U: 'static>(
        &self,
        compute: impl FnOnce(&Resolved<T>) -> Result<Resolved<U>, Stopped> + 'static,
    ) -> Output<U> {
        let source = self.clone();
        let resolve = move || {
            let resolved = source.resolve()?;
            stop::check()?;
            compute(resolved)
        };
        if self.is_resolved() { Output::settled(resolve()) } else { Output::started(resolve) }
    }
}

impl<T> State<T> {
    fn resolve(&self) -> Result<&Resolved<T>, Stopped> {
        if self.resolved.get().is_none() {
            let resolution = match self.pending.take() {
                Some(resolve) => resolve(),
                None => Err(stop::stop(Error::bug("an output depends on itself"))),
            };
            // Resolving may have come round to this output, which has failed then.
            _ = self.resolved.set(resolution);
        }
        match self.resolved.get() {
            Some(resolution) => resolution.as_ref().map_err(|stopped| *stopped),
            None => Err(Stopped),
        }
    }
}

impl<T> Unfinished for State<T> {
    fn finish(&self) -> Result<(), Stopped> {
        self.resolve().map(|_| ())
    }
}

/// The value itself, which depends on nothing.
impl<T> From<T> for Output<T> {
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

impl<T> Clone for Output<T> {
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

/// Shows the value unless it is secret. Waits for nothing.
impl<T: fmt::Debug> fmt::Debug for Output<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.resolved.get() {
            None => formatter.write_str("[pending]"),
            Some(Err(_)) => formatter.write_str("[failed]"),
            Some(Ok(Resolved { secret: true, .. })) => formatter.write_str("[secret]"),
            Some(Ok(Resolved { value: Some(value), .. })) => value.fmt(formatter),
            Some(Ok(_)) => formatter.write_str("[unknown]"),
        }
    }
}
