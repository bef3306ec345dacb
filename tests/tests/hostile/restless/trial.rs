//! One program, in a project of its own: all calls that engines make, one after the other or several at once, and what came of each.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use bulkhead::audit::{AuditFile, Auditor};
use bulkhead::component::{Cache, Limits, Loaded};
use bulkhead_proto::provider::ErrorResourceInitFailed;
use bulkhead_tests::serving::{Serving, detail, load_with, object};
use bulkhead_tests::temporary_directory;
use serde_json::json;
use tempfile::TempDir;
use tokio::task::JoinSet;
use tonic::{Code, Status};

use super::chance::Chance;
use super::engine::Engine;
use super::words::Surroundings;
use super::{engine, program, secret};
use crate::calls::{ALL, Call};
use crate::{aside, permitted};

/// Far more than a call has that has a deadline.
const PATIENT: Duration = Duration::from_secs(20);
/// How long a call may take that has none, until it is cancelled.
const ENDLESS: Duration = Duration::from_secs(3);
/// Far more than a call has that was cancelled.
const SOON: Duration = Duration::from_secs(40);
/// How many calls are made at once.
const TOGETHER: usize = 6;

/// What stands where a secret was.
pub(super) const MASKED: &str = "[secret]";

/// Packages of others.
pub(super) const PACKAGES: &str = "packages";

/// How often each code came, how often a secret was masked, and how many packages of others were used.
pub(super) type Outcomes = BTreeMap<String, usize>;

/// A program that is served.
struct Trial {
    seed: u64,
    chance: Chance,
    serving: Arc<Serving>,
    engine: Engine,
    audited: PathBuf,
    /// How much was looked at of what is written down, and of what was said.
    looked_at: (usize, usize),
    /// What was looked at of what the engine was told.
    told: BTreeSet<String>,
    outcomes: Outcomes,
}

/// All calls of a program, and what came of each.
pub(super) async fn tried(seed: u64, surroundings: Surroundings) -> Outcomes {
    let project = project();
    let before = (held(project.path()), held(&project.path().join("in")));
    let written = temporary_directory();
    let mut trial = Trial::start(seed, surroundings, project.path(), written.path()).await;
    trial.configured().await;
    if trial.chance.percent(60) {
        trial.one_by_one().await;
    } else {
        trial.together().await;
        trial.together().await;
    }
    let granted: BTreeSet<String> = granted(seed).iter().map(|package| (*package).to_owned()).collect();
    let used = trial.engine.used();
    assert!(used.is_subset(&granted), "{seed}: {used:?} of {granted:?}");
    *trial.outcomes.entry(PACKAGES.to_owned()).or_default() += used.len();
    let outcomes = std::mem::take(&mut trial.outcomes);
    drop(trial);
    assert_eq!((held(project.path()), held(&project.path().join("in"))), before, "{seed}: outside of what was granted");
    outcomes
}

/// A directory to write to, another to read, and what is granted to nobody.
fn project() -> TempDir {
    let project = temporary_directory();
    for directory in ["out", "in"] {
        fs::create_dir(project.path().join(directory)).unwrap();
    }
    fs::write(project.path().join("secret"), "secret").unwrap();
    fs::write(project.path().join("in/in.txt"), "template").unwrap();
    std::os::unix::fs::symlink("../secret", project.path().join("in/link")).unwrap();
    project
}

/// What a directory holds. What lies in those within isn't looked at.
fn held(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut held = BTreeMap::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        held.insert(name, if path.is_dir() { b"a directory".to_vec() } else { fs::read(&path).unwrap_or_default() });
    }
    held
}

/// Packages of others that a program is granted.
fn granted(seed: u64) -> &'static [&'static str] {
    if seed.is_multiple_of(2) { &engine::PACKAGES } else { &[] }
}

/// A program, granted some packages, a server by each scheme, a directory to write to and another to read.
async fn loaded(seed: u64, surroundings: Surroundings, project: &Path) -> Arc<Loaded> {
    let phases =
        ["check", "diff", "preview", "create", "read", "update", "delete", "invoke", "list", "construct", "call"];
    let Surroundings { http, https, tcp, authority, .. } = &surroundings;
    let endpoints = [format!("http://{http}"), format!("https://{https}"), format!("tcp://{tcp}")];
    let requested = |endpoint| json!({ "endpoint": endpoint, "phases": phases, "reason": "its server" });
    let allowed = |endpoint| json!({ "endpoint": endpoint, "addresses": ["loopback"], "phases": phases });
    let permissions = permitted(
        &json!({
            "network": endpoints.each_ref().map(requested),
            "filesystem": [
                { "path": "out", "access": "write", "reason": "reports" },
                { "path": "in", "access": "read", "reason": "templates" },
            ],
            "packages": engine::PACKAGES.map(|package| json!({ "package": package, "reason": "uses it" })),
        }),
        json!({
            "digest": "dev",
            "network": endpoints.each_ref().map(allowed),
            "certificates": [authority],
            "filesystem": [
                { "path": "out", "at": project.join("out"), "access": "write" },
                { "path": "in", "at": project.join("in"), "access": "read" },
            ],
            "packages": granted(seed),
        }),
    );
    let limits = Limits { compute: Duration::from_millis(500), wall: Duration::from_secs(1), ..Limits::default() };
    let loaded = aside(move || {
        // No other run has the same: ports are others.
        let cache = temporary_directory();
        load_with(&Cache::new(cache.path()), &program::component(seed, &surroundings), Limits::default()).unwrap()
    });
    loaded.await.under(limits, permissions)
}

impl Trial {
    async fn start(seed: u64, surroundings: Surroundings, project: &Path, written: &Path) -> Self {
        let mut chance = Chance::of_seed(!seed);
        let audited = written.join("audit.jsonl");
        let file = AuditFile::new(&audited, chance.percent(50));
        let auditor = Auditor::new(vec![file], None, "hostile", "d1");
        let loaded = loaded(seed, surroundings, project).await;
        let serving = Arc::new(Serving::audited(loaded, auditor).await);
        let engine = Engine::start(&mut chance).await;
        if chance.percent(10) {
            serving.unseen();
        }
        Self {
            seed,
            chance,
            serving,
            engine,
            audited,
            looked_at: (0, 0),
            told: BTreeSet::new(),
            outcomes: Outcomes::new(),
        }
    }

    async fn configured(&mut self) {
        self.serving.handshake(self.engine.handshake()).await;
        let configured = self.serving.configure(secret::configuration()).await.map(|_| String::new());
        self.judge("configure the provider", false, &configured);
    }

    /// Every call, after the one before. What has no timeout ends when it is cancelled.
    async fn one_by_one(&mut self) {
        let (serving, given) = (Arc::clone(&self.serving), secret::request(self.engine.addresses()));
        for (doing, call) in ALL {
            let mut made = pin!(call.make_with(&serving, &given));
            let endless = matches!(call, Call::Construct | Call::Method);
            let patience = if endless { ENDLESS } else { PATIENT };
            let Ok(result) = tokio::time::timeout(patience, &mut made).await else {
                serving.cancel().await;
                let result = tokio::time::timeout(SOON, made).await;
                let result = result.unwrap_or_else(|_| panic!("{}: it should be over soon: {doing}", self.seed));
                self.judge(doing, secret::is_asked(call), &result);
                assert!(endless, "{}: it has a deadline: {doing}", self.seed);
                break;
            };
            self.judge(doing, secret::is_asked(call), &result);
        }
    }

    /// Several calls at once, some of which nobody waits for any longer at some time, and all of which may be cancelled.
    async fn together(&mut self) {
        let mut running = JoinSet::new();
        for _ in 0..TOGETHER {
            let (doing, call) = *self.chance.of(&ALL);
            // What it isn't told can't be told from what the others are.
            if !secret::is_asked(call) {
                continue;
            }
            let given_up = matches!(call, Call::Construct | Call::Method) || self.chance.percent(30);
            let patience = if given_up { Duration::from_millis(self.chance.next() % 1_000) } else { PATIENT };
            let (serving, given) = (Arc::clone(&self.serving), secret::request(self.engine.addresses()));
            running.spawn(async move {
                let made = tokio::time::timeout(patience, call.make_with(&serving, &given)).await;
                (doing, call, given_up, made.ok())
            });
        }
        let cancelled = self.chance.percent(30);
        if cancelled {
            tokio::time::sleep(Duration::from_millis(self.chance.next() % 600)).await;
            self.serving.cancel().await;
        }
        while let Some(made) = running.join_next().await {
            let (doing, call, given_up, result) = made.unwrap();
            match result {
                Some(result) => self.judge(doing, secret::is_asked(call), &result),
                None => assert!(given_up, "{}: it has a deadline: {doing}", self.seed),
            }
        }
        if cancelled {
            self.configured().await;
        }
    }

    fn count(&mut self, result: &Result<String, Status>) {
        let code = result.as_ref().map_or_else(|status| format!("{:?}", status.code()), |_| "Ok".to_owned());
        *self.outcomes.entry(code).or_default() += 1;
    }

    /// What may come of a call, and what may be said by then.
    fn judge(&mut self, doing: &str, asked: bool, result: &Result<String, Status>) {
        let seed = self.seed;
        self.count(result);
        let mut texts = self.said();
        if let Ok(answer) = result {
            texts.push(answer.clone());
        }
        if let Err(status) = result {
            if let Some(left) = detail::<ErrorResourceInitFailed>(status) {
                texts.push(format!("{:?}", [left.properties, left.inputs].map(|sent| sent.map(object))));
            }
            let (code, message) = (status.code(), status.message());
            assert!(!matches!(code, Code::Internal | Code::Unavailable), "{seed}: {doing}: {code:?} {message}");
            let odd = message.chars().any(|letter| letter.is_control() && letter != '\n');
            assert!(!odd && message.chars().count() < 17_000, "{seed}: {doing}: {message:?}");
            texts.push(message.to_owned());
        }
        for text in texts {
            assert_eq!(secret::told(asked, &text), None, "{seed}: {doing}: nobody may be told");
            *self.outcomes.entry(MASKED.to_owned()).or_default() += text.matches(MASKED).count();
        }
    }

    /// What was said, written down and told the engine since the last time.
    fn said(&mut self) -> Vec<String> {
        let messages = self.serving.messages();
        let written = fs::read(&self.audited).unwrap_or_default();
        let looked_at = std::mem::replace(&mut self.looked_at, (messages.len(), written.len()));
        let mut said: Vec<String> = messages.into_iter().skip(looked_at.0).map(|message| message.text).collect();
        said.push(String::from_utf8_lossy(&written[looked_at.1..]).into_owned());
        said.extend(self.engine.told().into_iter().filter(|told| self.told.insert(told.clone())));
        said
    }
}
