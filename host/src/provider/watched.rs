//! A deployment that remembers what went through it, so that results can be held to it.
//!
//! A component that returned the URN of a resource that it didn't register would put its outputs on somebody else's record; what
//! outputs depend on has to be something that it was told of (`told.rs`); and whether it may return values that aren't known
//! depends on whether the engine told it some. What it registers may depend on, or go with, whatever there is: engines don't look, and
//! record what they can't read again. So whoever wasn't told of a resource has the engine asked for it.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use bulkhead_schema::secrets::Marking;
use bulkhead_schema::{ObjectType, Package, Steps};
use bulkhead_value::{Object, PropertyPath, Urn, Value};

use super::{
    Dependencies, Deployment, Error, ErrorKind, Invocation, Registered, Registration, Surroundings, depends_on,
    shortened,
};

/// What is remembered of URNs at most, bytes: those of a hundred thousand resources, or of thirty thousand components of its own.
const MOST: usize = 32 << 20;
/// Characters of what is told of a registration.
const LONGEST: usize = 256;
/// What each takes beside its own, bytes.
const EACH: usize = 64;
/// So many times what one comparison may take is what all registrations of a call have: those of a hundred thousand components of a hundred
/// values each take three quarters of it.
const COMPARISONS: usize = 2;

/// A deployment under watch.
pub(super) struct Watched {
    deployment: Arc<dyn Deployment>,
    package: Arc<Package>,
    /// What marks what is put on record, one registration after the other: those of a call take no more than one thread.
    marking: tokio::sync::Mutex<Marking>,
    components: Mutex<BTreeMap<String, Component>>,
    /// URNs in the request, and in the engine's answers.
    answered: Mutex<Answered>,
    lacks: AtomicBool,
}

/// URNs that are remembered, and how many bytes they take.
#[derive(Default)]
struct Answered {
    /// Each with whether the program or the engine said that there is such a resource. Else it stood in some value, which may be of the component's own
    /// provider.
    urns: BTreeMap<String, bool>,
    bytes: usize,
    /// Something found no room any more.
    full: bool,
}

impl Answered {
    /// None so far beside what the request named, which is there and isn't counted.
    fn beside(told: BTreeSet<String>) -> Self {
        Self { urns: told.into_iter().map(|urn| (urn, true)).collect(), ..Self::default() }
    }

    /// Remembers some more, and whether they are there for sure.
    ///
    /// # Errors
    /// More than anybody's resources are called. What is beyond that is remembered by nobody, so that nobody else needs to count it in time.
    fn add(&mut self, urns: impl IntoIterator<Item = String>, are_there: bool) -> Result<(), Error> {
        for urn in urns {
            if let Some(known) = self.urns.get_mut(&urn) {
                *known |= are_there;
                continue;
            }
            self.take(urn.len().saturating_add(EACH))?;
            self.urns.insert(urn, are_there);
        }
        Ok(())
    }

    /// Counts what is remembered beside them.
    ///
    /// # Errors
    /// As above.
    fn take(&mut self, bytes: usize) -> Result<(), Error> {
        let bytes = self.bytes.saturating_add(bytes);
        if bytes > MOST {
            self.full = true;
            return Err(too_many());
        }
        self.bytes = bytes;
        Ok(())
    }
}

fn too_many() -> Error {
    let message = format!("the engine has told the component of more resources than {} MiB have names for", MOST >> 20);
    Error::new(ErrorKind::Exhausted, message)
}

/// A component that was registered.
struct Component {
    token: String,
    /// Whether its outputs were registered.
    ended: bool,
}

impl Watched {
    /// Watches a deployment for a call of the package that was given inputs or arguments, and told of resources.
    pub(super) fn new(
        deployment: Arc<dyn Deployment>,
        package: Arc<Package>,
        given: Object,
        told: BTreeSet<String>,
    ) -> Self {
        Self {
            deployment,
            package,
            marking: tokio::sync::Mutex::new(Marking::by(Some(given), Steps::of(COMPARISONS))),
            components: Mutex::default(),
            answered: Mutex::new(Answered::beside(told)),
            lacks: AtomicBool::new(false),
        }
    }

    /// Whether a component with this URN was registered.
    pub(super) fn registered(&self, urn: &str) -> bool {
        self.components().contains_key(urn)
    }

    /// Holds what a result depends on to what the request named and what the deployment answered.
    ///
    /// # Errors
    /// The first property that depends on anything else.
    pub(super) async fn hold(&self, what: &str, result: &Object, said: &Dependencies) -> Result<(), Error> {
        // What is said of members that aren't there is told to nobody.
        for (name, value) in result {
            for urn in depends_on(value, false).iter().chain(said.get(name).into_iter().flatten()) {
                let was_told = self.answered().urns.contains_key(urn);
                if !was_told || !self.is_there(urn).await? {
                    let path = PropertyPath::field(name);
                    let message = format!(
                        "{what} returned what depends on a resource that it wasn't told of in this call, at {path:#}"
                    );
                    return Err(Error::provider_bug(message));
                }
            }
        }
        Ok(())
    }

    /// Holds what a registration depends on, and goes with, to what there is.
    ///
    /// # Errors
    /// Something else: engines that record it find no way back.
    async fn rests_on_what_is_there(&self, registration: &Registration) -> Result<(), Error> {
        let Registration { options, inputs, .. } = registration;
        let named = options.depends_on.iter().chain(&options.replace_with).chain(&options.deleted_with).cloned();
        let values = inputs.values().chain(&options.replacement_trigger);
        let urns: BTreeSet<String> = named.chain(values.flat_map(|value| depends_on(value, true))).collect();
        for urn in &urns {
            if !self.is_there(urn).await? {
                let (name, urn) = (shortened(registration.name.clone(), LONGEST), shortened(urn.clone(), LONGEST));
                let message = format!("the component registers `{name}` with `{urn}`, a resource that isn't there");
                return Err(Error::provider_bug(message));
            }
        }
        Ok(())
    }

    /// Whether there is such a resource: the program says so, or the engine does.
    ///
    /// # Errors
    /// More of them than can be remembered.
    async fn is_there(&self, urn: &str) -> Result<bool, Error> {
        if self.answered().urns.get(urn) == Some(&true) {
            return Ok(true);
        }
        if Urn::parse(urn).is_err() || self.deployment.hydrate(urn.to_owned()).await.is_err() {
            return Ok(false);
        }
        self.answered().add([urn.to_owned()], true).map(|()| true)
    }

    fn answered(&self) -> MutexGuard<'_, Answered> {
        self.answered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether something in the engine's answers wasn't known.
    pub(super) fn lacks(&self) -> bool {
        self.lacks.load(Ordering::Acquire)
    }

    fn components(&self) -> MutexGuard<'_, BTreeMap<String, Component>> {
        self.components.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The type of a component whose outputs may be registered now.
    ///
    /// # Errors
    /// An engine would put them on whatever record the URN has, somebody else's or the stack's, and ends the whole deployment for a
    /// URN that it doesn't know or whose outputs it has.
    fn end(&self, urn: &str) -> Result<String, Error> {
        let flaw = match self.components().get_mut(urn) {
            Some(component) if !component.ended => {
                component.ended = true;
                return Ok(component.token.clone());
            }
            Some(_) => "twice for the same component",
            None => "for something that it didn't register as a component in this call",
        };
        Err(Error::provider_bug(format!("the component registers outputs {flaw}")))
    }

    fn seen(&self, value: &Value) -> Result<(), Error> {
        if value.contains_unknown() {
            self.lacks.store(true, Ordering::Release);
        }
        self.answered().add(depends_on(value, true), false)
    }

    /// Nothing more is asked for of which nothing more can be remembered.
    ///
    /// # Errors
    /// It is full.
    fn has_room(&self) -> Result<(), Error> {
        if self.answered().full { Err(too_many()) } else { Ok(()) }
    }

    /// What is put on record, with what is secret marked.
    ///
    /// # Errors
    /// All that was put on record makes too much work: nobody knows what of this would be secret.
    async fn marked(&self, ty: &ObjectType, recorded: Object) -> Result<Object, Error> {
        self.marking.lock().await.mark(&self.package, ty, recorded).ok_or_else(|| {
            let message = "the component registers components with too much in them to be compared with the types that the schema allows";
            Error::new(ErrorKind::Exhausted, message)
        })
    }

    /// Takes note of a resource that the engine answered with.
    fn met(&self, met: &Registered) -> Result<(), Error> {
        self.answered().add([met.urn.clone()], true)?;
        self.seen(&met.state)
    }
}

#[async_trait]
impl Deployment for Watched {
    async fn describe(&self) -> Result<Surroundings, Error> {
        self.deployment.describe().await
    }

    async fn register(&self, mut registration: Registration) -> Result<Registered, Error> {
        self.has_room()?;
        self.rests_on_what_is_there(&registration).await?;
        let own = (!registration.custom && !registration.remote).then(|| registration.token.clone());
        // An engine checks the inputs of nothing but custom resources, and puts these on record as they are sent.
        if let Some(component) = own.as_ref().and_then(|token| self.package.resource(token)) {
            let inputs = mem::take(&mut registration.inputs);
            registration.inputs = self.marked(&component.inputs, inputs).await?;
        }
        let registered = self.deployment.register(registration).await?;
        if let Some(token) = own {
            let each = registered.urn.len().saturating_add(token.len()).saturating_add(EACH);
            // Whoever was asked remembers them for the sake of its outputs, too.
            self.answered().take(each.saturating_mul(2))?;
            self.components().insert(registered.urn.clone(), Component { token, ended: false });
        }
        self.met(&registered)?;
        Ok(registered)
    }

    async fn read(&self, registration: Registration, id: String) -> Result<Registered, Error> {
        self.has_room()?;
        self.rests_on_what_is_there(&registration).await?;
        let read = self.deployment.read(registration, id).await?;
        self.met(&read)?;
        Ok(read)
    }

    async fn register_outputs(&self, urn: String, outputs: Object) -> Result<(), Error> {
        // They are put on record as they are sent, before the component returns them.
        let outputs = match self.package.resource(&self.end(&urn)?) {
            Some(component) => self.marked(&component.outputs, outputs).await?,
            None => outputs,
        };
        self.deployment.register_outputs(urn, outputs).await
    }

    async fn hydrate(&self, urn: String) -> Result<Registered, Error> {
        self.has_room()?;
        let found = self.deployment.hydrate(urn).await?;
        self.met(&found)?;
        Ok(found)
    }

    async fn invoke(&self, invocation: Invocation) -> Result<Value, Error> {
        self.has_room()?;
        let value = self.deployment.invoke(invocation).await?;
        // What the whole depends on is what the component's arguments did.
        self.seen(value.plain())?;
        Ok(value)
    }

    async fn call(&self, invocation: Invocation) -> Result<Value, Error> {
        self.has_room()?;
        let value = self.deployment.call(invocation).await?;
        self.seen(&value)?;
        Ok(value)
    }

    fn remembered(&self) -> usize {
        self.answered().bytes
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    /// An engine that calls each resource as it was asked for, and counts them.
    #[derive(Default)]
    struct Naming(AtomicUsize);

    #[async_trait]
    impl Deployment for Naming {
        async fn register(&self, registration: Registration) -> Result<Registered, Error> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Ok(Registered { urn: registration.name, id: None, state: Value::Null })
        }

        async fn describe(&self) -> Result<Surroundings, Error> {
            Err(nothing_else())
        }

        async fn read(&self, _: Registration, _: String) -> Result<Registered, Error> {
            Err(nothing_else())
        }

        async fn register_outputs(&self, _: String, _: Object) -> Result<(), Error> {
            Err(nothing_else())
        }

        async fn hydrate(&self, _: String) -> Result<Registered, Error> {
            Err(nothing_else())
        }

        async fn invoke(&self, _: Invocation) -> Result<Value, Error> {
            Err(nothing_else())
        }

        async fn call(&self, _: Invocation) -> Result<Value, Error> {
            Err(nothing_else())
        }
    }

    fn nothing_else() -> Error {
        Error::new(ErrorKind::Unsupported, "it registers, and no more")
    }

    #[tokio::test]
    async fn components_without_end_are_counted_and_no_more_are_asked_for_than_anybody_has() {
        let engine = Arc::<Naming>::default();
        let watched = Watched::new(Arc::clone(&engine) as _, Arc::default(), Object::new(), BTreeSet::new());
        let mut made = 0;
        for number in 0..2_000 {
            let name = format!("{number}-{}", "x".repeat(64 << 10));
            let component = Registration { name, token: "y".repeat(64 << 10), ..Registration::default() };
            made += usize::from(watched.register(component).await.is_ok());
        }
        // Each is called the same thrice, and is of the same type twice.
        assert!((90..110).contains(&made), "{made}");
        assert_eq!((watched.components().len(), engine.0.load(Ordering::Relaxed)), (made, made + 1));
        assert!(watched.remembered() > made * 5 * (64 << 10) && watched.remembered() <= MOST);
        // What else an engine does can't be taken back either.
        let nothing_more = |refused: Error| assert!(matches!(refused.kind, ErrorKind::Exhausted), "{refused:?}");
        nothing_more(watched.read(Registration::default(), "id".to_owned()).await.unwrap_err());
        nothing_more(watched.hydrate("urn".to_owned()).await.unwrap_err());
        nothing_more(watched.invoke(Invocation::default()).await.unwrap_err());
        nothing_more(watched.call(Invocation::default()).await.unwrap_err());
    }

    #[test]
    fn of_urns_without_end_no_more_are_remembered_than_anybody_has() {
        let mut answered = Answered::default();
        let urn = |number: usize| format!("{number}-{}", "x".repeat(1 << 20));
        let refused = (0..100).find(|number| answered.add([urn(*number)], true).is_err());
        assert_eq!(refused, Some(MOST / (1 << 20) - 1));
        assert!(answered.add([urn(0)], true).is_ok() && answered.add([urn(99)], true).is_err());
        assert_eq!(answered.urns.len(), MOST / (1 << 20) - 1);
    }
}
