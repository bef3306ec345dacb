//! There is no network: a test says what is answered.

use std::cell::RefCell;
use std::rc::Rc;

use crate::http::{Bounds, Failed, HttpError, Request, Response, Transport};

thread_local! {
    static TRANSPORT: RefCell<Option<Rc<dyn Transport>>> = const { RefCell::new(None) };
}

pub(crate) fn send(request: &Request, bounds: &Bounds) -> Result<Response, HttpError> {
    match TRANSPORT.with_borrow(Clone::clone) {
        Some(transport) => transport.send(request, bounds),
        None => Err(HttpError::new(request, false, Failed::Protocol("no test says what is answered".to_owned()))),
    }
}

pub(crate) fn answer(transport: impl Transport + 'static) {
    TRANSPORT.set(Some(Rc::new(transport)));
}

pub(crate) fn reset() {
    TRANSPORT.take();
}
