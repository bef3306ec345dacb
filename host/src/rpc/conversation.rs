//! One engine's conversation with a provider: what was negotiated, and the session behind it.

use std::sync::{Arc, Mutex, PoisonError, RwLock};

use bulkhead_schema::Package;
use bulkhead_value::wire::encode::Capabilities;

use crate::provider::{Component, Log, Session};

/// What a front end serves.
pub struct Offer {
    /// The package schema's text, as GetSchema returns it.
    pub schema: Arc<[u8]>,
    /// The package.
    pub package: Arc<Package>,
    /// The component.
    pub component: Arc<dyn Component>,
}

/// The way back to the engine.
pub trait EngineLink: Send + Sync {
    /// Sends messages to the engine at an address from now on.
    fn connect(&self, address: &str);

    /// Where messages go.
    fn log(&self) -> Arc<dyn Log>;
}

/// From one Handshake to the next. An engine that attaches repeatedly starts afresh each time.
pub(super) struct Conversation {
    pub(super) session: Session,
    capabilities: Mutex<Capabilities>,
}

impl Conversation {
    fn new(offer: &Offer, link: &dyn EngineLink, capabilities: Capabilities) -> Arc<Self> {
        let session = Session::new(Arc::clone(&offer.package), offer.component.as_ref(), link.log());
        Arc::new(Self { session, capabilities: Mutex::new(capabilities) })
    }

    /// What the engine accepts in results.
    pub(super) fn capabilities(&self) -> Capabilities {
        *self.capabilities.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes over the flags of Configure, the only ones that an engine without Handshake sends.
    pub(super) fn negotiate(&self, secrets: bool, resources: bool) {
        let mut capabilities = self.capabilities.lock().unwrap_or_else(PoisonError::into_inner);
        capabilities.secrets = secrets;
        capabilities.resources = resources;
    }
}

/// The present conversation.
pub(super) struct Current {
    offer: Arc<Offer>,
    link: Arc<dyn EngineLink>,
    conversation: RwLock<Arc<Conversation>>,
}

impl Current {
    pub(super) fn new(offer: Arc<Offer>, link: Arc<dyn EngineLink>) -> Self {
        // An engine that never shakes hands is an old one: nothing is accepted until its Configure says so.
        let capabilities =
            Capabilities { secrets: false, resources: false, outputs: false, byte_strings: false, unknowns: true };
        let conversation = RwLock::new(Conversation::new(&offer, link.as_ref(), capabilities));
        Self { offer, link, conversation }
    }

    pub(super) fn offer(&self) -> &Offer {
        &self.offer
    }

    pub(super) fn link(&self) -> &dyn EngineLink {
        self.link.as_ref()
    }

    pub(super) fn get(&self) -> Arc<Conversation> {
        Arc::clone(&self.conversation.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Begins a new conversation with an engine that shook hands, and ends the one before.
    pub(super) fn restart(&self, byte_strings: bool) {
        let capabilities =
            Capabilities { secrets: true, resources: true, outputs: false, byte_strings, unknowns: true };
        let fresh = Conversation::new(&self.offer, self.link.as_ref(), capabilities);
        let before = std::mem::replace(&mut *self.conversation.write().unwrap_or_else(PoisonError::into_inner), fresh);
        before.session.cancel();
    }
}
