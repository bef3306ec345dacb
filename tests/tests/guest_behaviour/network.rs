//! What guests reach of the network, and what they don't: against real servers on this machine.

mod addresses;
mod assets;
mod bounds;
mod certificates;
mod destinations;
mod encrypted;
mod kept;
mod phases;
mod requests;
mod servers;
mod sockets;
mod traces;

use std::fs;
use std::io;
use std::net::IpAddr;
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex};

use bulkhead::Resolver;
use bulkhead::component::{Limits, Manifest, Sections};
use bulkhead_policy::{Applicant, Grant, Permissions};
use bulkhead_tests::serving::{Serving, load};
use bulkhead_value::{Object, Value};
use serde_json::json;
use tonic::Status;

use crate::{guest, object};

const FETCH: &str = "networked:index:fetch";
const TALK: &str = "networked:index:talk";

/// The guest, which is built once.
static NETWORKED: LazyLock<Vec<u8>> =
    LazyLock::new(|| fs::read(guest("networked").component).expect("a guest should be readable once it is built"));

/// What a component may do that is granted this much of all it asks for. `more` is what else a grant says.
fn granted(network: serde_json::Value, more: &[(&str, serde_json::Value)]) -> Permissions {
    let mut grant = json!({ "digest": "dev", "network": network });
    for (key, value) in more {
        grant[*key] = value.clone();
    }
    granted_by(&json!([grant]))
}

/// What these grants give, of what the guest asks for.
fn granted_by(grants: &serde_json::Value) -> Permissions {
    let sections = Sections::read(&NETWORKED).unwrap();
    let manifest = Manifest::parse(&sections.manifest.unwrap()).unwrap();
    let grants = serde_json::from_value::<Vec<Grant>>(grants.clone()).unwrap();
    let applicant = Applicant {
        provider: "networked".into(),
        digest: "d1".into(),
        component: "networked.wasm".into(),
        development: true,
    };
    Permissions::new(applicant, manifest.permissions, &grants, Vec::new(), Path::new("/"))
}

/// The guest, under limits, with permissions.
async fn under(limits: Limits, permissions: Permissions) -> Serving {
    let loaded = load(&NETWORKED, Limits::default()).unwrap();
    Serving::of(loaded.under(limits, permissions)).await.ready(Object::new()).await
}

/// The guest, which may talk to these endpoints.
async fn allowed(endpoints: &[String]) -> Serving {
    under(Limits::default(), granted(json!(endpoints), &[])).await
}

/// The guest with permissions, which is told by somebody else what names stand for.
async fn resolving(permissions: Permissions, names: &Arc<Names>) -> Serving {
    let loaded = load(&NETWORKED, Limits::default()).unwrap().under(Limits::default(), permissions);
    let loaded = loaded.resolving(Arc::clone(names) as Arc<dyn Resolver>);
    Serving::of(loaded).await.ready(Object::new()).await
}

/// What names stand for, one answer after the other; the last one stays.
struct Names {
    answers: Mutex<Vec<Vec<IpAddr>>>,
    asked: Mutex<Vec<String>>,
    /// On which threads.
    threads: Mutex<Vec<String>>,
}

impl Names {
    fn answering(answers: &[&[&str]]) -> Arc<Self> {
        let answers = answers.iter().map(|answer| answer.iter().map(|address| address.parse().unwrap()).collect());
        Arc::new(Self { answers: Mutex::new(answers.collect()), asked: Mutex::default(), threads: Mutex::default() })
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

#[async_trait::async_trait]
impl Resolver for Names {
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        self.asked.lock().unwrap().push(name.to_owned());
        self.threads.lock().unwrap().push(std::thread::current().name().unwrap_or_default().to_owned());
        let mut answers = self.answers.lock().unwrap();
        if answers.len() > 1 { Ok(answers.remove(0)) } else { Ok(answers[0].clone()) }
    }
}

/// What `fetch` is called with.
fn wish(authority: &str) -> Object {
    object([("authority", authority)])
}

/// The same, with more.
fn with<V: Into<Value>>(mut wish: Object, key: &str, value: V) -> Object {
    wish.insert(key.to_owned(), value.into());
    wish
}

fn texts(texts: &[&str]) -> Value {
    Value::List(texts.iter().map(|text| Value::from(*text)).collect::<Vec<_>>().into())
}

fn number(number: u32) -> Value {
    Value::from(f64::from(number))
}

fn numbers(numbers: &[u32]) -> Value {
    Value::List(numbers.iter().map(|found| number(*found)).collect::<Vec<_>>().into())
}

/// What came back of a fetch.
async fn fetched(serving: &Serving, wish: Object) -> Result<Object, Status> {
    serving.invoke(FETCH, wish).await.map(|invoked| {
        assert!(invoked.failures.is_empty(), "{:?}", invoked.failures);
        invoked.value
    })
}

/// The body that came back.
async fn body(serving: &Serving, wish: Object) -> Result<String, String> {
    let fetched = fetched(serving, wish).await.map_err(|status| status.message().to_owned())?;
    Ok(fetched["body"].as_str().unwrap().to_owned())
}

/// What a guest said of a failure, without what the host adds.
async fn failure(serving: &Serving, wish: Object) -> String {
    let message = body(serving, wish).await.expect_err("it should fail");
    message.lines().next().unwrap_or_default().to_owned()
}

/// What came of talking over a socket.
async fn talked(serving: &Serving, act: &str, host: &str, port: u16, text: &str) -> Result<String, String> {
    let inputs = object([
        ("act", Value::from(act)),
        ("host", host.into()),
        ("port", number(port.into())),
        ("text", text.into()),
        ("amount", number(40)),
    ]);
    let invoked = serving.invoke(TALK, inputs).await.map_err(|status| status.message().to_owned())?;
    assert!(invoked.failures.is_empty(), "{:?}", invoked.failures);
    Ok(invoked.value["text"].as_str().unwrap().to_owned())
}
