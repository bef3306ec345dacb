//! Computing with outputs.
//!
//! Each operation unites dependencies, runs no closure on what isn't known, and stays secret where its source is.

use std::rc::Rc;

use super::marks::wrap;
use super::stop::{Stopped, stop};
use super::{Dependencies, Output, Resolved};
use crate::error::Result;

impl<T: 'static> Output<T> {
    /// Computes with the value. The closure doesn't run where the value or a part of it is unknown.
    ///
    /// ```
    /// use bulkhead_sdk::Output;
    ///
    /// let port = Output::from(8080_u32);
    /// assert_eq!(format!("{:?}", port.map(|port| port + 1)), "8081");
    /// assert_eq!(format!("{:?}", Output::<u32>::unknown().map(|_| unreachable!())), "[unknown]");
    /// # let _: Output<()> = Output::<u32>::unknown().map(|_| unreachable!());
    /// ```
    pub fn map<U: 'static>(&self, compute: impl FnOnce(&T) -> U + 'static) -> Output<U> {
        self.try_map(|value| Ok(compute(value)))
    }

    /// Computes with the value; an error ends the call, as the [module](crate::output) says.
    pub fn try_map<U: 'static>(&self, compute: impl FnOnce(&T) -> Result<U> + 'static) -> Output<U> {
        self.derive(|source| {
            let value = source.value.as_deref().map(compute).transpose().map_err(stop)?;
            Ok(Resolved {
                value: value.map(Rc::new),
                wire: None,
                secret: source.secret,
                dependencies: source.dependencies.clone(),
            })
        })
    }

    /// Computes an output with the value. What comes depends on both, and is unknown or secret where either is.
    pub fn and_then<U: 'static>(&self, compute: impl FnOnce(&T) -> Output<U> + 'static) -> Output<U> {
        self.map(compute).flatten()
    }

    /// The same value as a secret.
    #[must_use]
    pub fn secret(&self) -> Self {
        self.marked(true, Dependencies::none())
    }

    /// The same value, no longer secret: only where that is what the user wants.
    #[must_use]
    pub fn expose(&self) -> Self {
        self.derive(|source| Ok(Resolved { wire: None, secret: false, ..source.clone() }))
    }

    /// The same value, which depends on these resources too.
    #[must_use]
    pub fn depends_on(&self, urns: Dependencies) -> Self {
        self.marked(false, urns)
    }

    pub(crate) fn marked(&self, secret: bool, dependencies: Dependencies) -> Self {
        self.derive(move |source| Ok(source.clone().marked(secret, &dependencies)))
    }
}

impl<T: 'static> Output<Output<T>> {
    /// The output inside. It depends on what both depend on, and is unknown or secret where either is.
    #[must_use]
    pub fn flatten(&self) -> Output<T> {
        self.derive(|outer| match outer.value.as_deref() {
            Some(inner) => Ok(inner.resolve()?.clone().marked(outer.secret, &outer.dependencies)),
            None => Ok(Resolved::unknown().marked(outer.secret, &outer.dependencies)),
        })
    }
}

impl<T> Resolved<T> {
    pub(crate) fn marked(self, secret: bool, dependencies: &Dependencies) -> Self {
        let wire = self.wire.map(|wire| Rc::new(wrap(Rc::unwrap_or_clone(wire), secret, dependencies.clone())));
        Self {
            value: self.value,
            wire,
            secret: self.secret || secret,
            dependencies: self.dependencies.union(dependencies),
        }
    }

    /// The same about a value that is put together from this one, which is known unless one is missing.
    pub(super) fn take<U>(&self, whole: &mut Resolved<U>) -> Result<Option<Rc<T>>, Stopped> {
        whole.secret |= self.secret;
        whole.dependencies.extend(self.dependencies.iter());
        Ok(self.value.clone())
    }
}
