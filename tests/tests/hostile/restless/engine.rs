//! Engines that nobody wrote: what programs ask of one is answered, refused, answered with something else, or never answered. What comes of
//! that is the error of the call, too.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::Duration;

use bulkhead_proto::provider::ProviderHandshakeRequest;
use bulkhead_proto::raw::Struct;
use bulkhead_proto::resource::{RegisterResourceResponse, register_resource_response};
use bulkhead_tests::engine;
use bulkhead_tests::monitor::{ALL, Monitor, Nature, Reaction, urn};
use bulkhead_tests::serving::wire;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tonic::{Code, Status};

use super::chance::Chance;
use super::secret;
use crate::calls::Addresses;
use crate::object;
use crate::peers::{noises, says};

/// An engine. Gone when it is dropped.
pub(super) struct Engine {
    monitor: Monitor,
    services: engine::Engine,
    /// Who listens where the monitor should, and where all else should, if that is somebody else.
    noise: [Option<Noise>; 2],
}

/// Packages that it has, and that programs are granted, if any.
pub(super) const PACKAGES: [&str; 2] = ["other", engine::SILENT];
/// The package of programs.
const OWN: &str = "hostile";

impl Engine {
    pub(super) async fn start(chance: &mut Chance) -> Self {
        let monitor = Monitor::of(nature(chance)).await;
        let services = engine::Engine::start(&[("other", b"{\"name\":\"other\"}"), ("command", b"[")]).await;
        let mut noise = [None, None];
        for (noise, times) in noise.iter_mut().zip([12, 25]) {
            if chance.percent(times) {
                *noise = Some(Noise::start(chance).await);
            }
        }
        Self { monitor, services, noise }
    }

    /// Where it listens.
    pub(super) fn addresses(&self) -> Addresses {
        let [monitor, views] = self.noise.each_ref().map(|noise| noise.as_ref().map(|noise| noise.address.clone()));
        Addresses {
            monitor: monitor.unwrap_or_else(|| self.monitor.endpoint()),
            views: views.unwrap_or_else(|| self.services.address.clone()),
        }
    }

    /// What it says first: where all but its monitor is.
    pub(super) fn handshake(&self) -> ProviderHandshakeRequest {
        let address = self.addresses().views;
        let [loader_target, mapper_target, resolver_target] = std::array::from_fn(|_| Some(address.clone()));
        ProviderHandshakeRequest { loader_target, mapper_target, resolver_target, ..<_>::default() }
    }

    /// What it was told and may tell others, who have plugins or descriptions of them; and what it records as it is.
    pub(super) fn told(&self) -> Vec<String> {
        let (asked, services) = (self.monitor.asked(), &self.services);
        let registered = asked.registrations.iter().map(|of| {
            let paths = [&of.ignore_changes, &of.replace_on_changes, &of.additional_secret_outputs, &of.hide_diffs];
            format!("{:?} {:?} {paths:?}", of.version, of.plugin_download_url)
        });
        let read = asked.reads.iter().map(|of| format!("{:?} {:?}", of.version, of.plugin_download_url));
        let called = asked.invokes.iter().map(|of| format!("{:?} {:?}", of.version, of.plugin_download_url));
        let described = services.asked().into_iter().map(|of| format!("{of:?}"));
        let mapped = services.mapped().into_iter().map(|of| format!("{of:?}"));
        let resolved = services.resolved().into_iter().map(|of| format!("{of:?}"));
        registered.chain(read).chain(called).chain(described).chain(mapped).chain(resolved).collect()
    }
    /// Packages that it was to use or to describe, by what named them.
    pub(super) fn used(&self) -> BTreeSet<String> {
        let (asked, services) = (self.monitor.asked(), &self.services);
        let registrations = asked.registrations.iter();
        let providers = registrations.clone().flat_map(|of| of.providers.values().chain([&of.provider]));
        let types = registrations.clone().map(|of| of.r#type.clone());
        let urns = registrations.flat_map(|of| of.alias_ur_ns.iter().chain([&of.deleted_with])).chain(providers);
        let tokens = asked.reads.iter().map(|of| &of.r#type).chain(asked.calls.iter().map(|of| &of.tok));
        let functions = asked.invokes.iter().map(|of| &of.tok).filter(|token| *token != "pulumi:pulumi:getResource");
        let named = urns.filter(|urn| !urn.is_empty()).map(|urn| urn.split("::").nth(2).unwrap_or_default());
        let named = named.filter_map(|types| types.split('$').next_back().map(str::to_owned));
        let tokens = types.chain(tokens.chain(functions).cloned()).chain(named);
        let packages = tokens.filter_map(|token| match token.split(':').collect::<Vec<_>>()[..] {
            // Components of no package.
            [_] => None,
            ["pulumi", "providers", package] => Some(package.to_owned()),
            ref parts => Some(parts[0].to_owned()),
        });
        let described = services.asked().into_iter().map(|of| of.package);
        let mapped = services.mapped().into_iter().map(|of| of.provider);
        let resolved = services.resolved().into_iter().map(|of| of.source);
        let mut used: BTreeSet<String> = packages.chain(described).chain(mapped).chain(resolved).collect();
        used.remove(OWN);
        used
    }
}

/// Somebody who says what no engine says, hears nothing, or isn't there.
struct Noise {
    address: String,
    task: Option<JoinHandle<()>>,
}

impl Noise {
    async fn start(chance: &mut Chance) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let nowhere = ["", "127.0.0.1", "nowhere:1", "127.0.0.1:99999", "\u{1b}[2J:1"];
        match chance.below(12) {
            0 => Self { address, task: None },
            1 => Self { address: (*chance.of(&nowhere)).to_owned(), task: None },
            2 => {
                let deaf = async move {
                    let _kept = listener;
                    std::future::pending().await
                };
                Self { address, task: Some(tokio::spawn(deaf)) }
            }
            _ => {
                let (_, bytes, endless) = chance.of(&noises()).clone();
                Self { address, task: Some(tokio::spawn(says(listener, bytes, endless))) }
            }
        }
    }
}

impl Drop for Noise {
    fn drop(&mut self) {
        if let Some(task) = &self.task {
            task.abort();
        }
    }
}

/// A monitor of any nature.
fn nature(chance: &mut Chance) -> Nature {
    let mut features = ALL.to_vec();
    features.retain(|_| chance.percent(90));
    let (reliable, chances) = (chance.percent(50), Mutex::new(Chance::of_seed(chance.next())));
    Nature {
        preview: chance.percent(20),
        says: chance.percent(80),
        features,
        parallel: *chance.of(&[16, 1, 0, -1, i32::MAX]),
        reacts: Box::new(move |request| {
            if reliable {
                return Reaction::Answers;
            }
            reaction(&mut chances.lock().unwrap(), &urn(&request.parent, &request.r#type, &request.name))
        }),
    }
}

/// What becomes of a registration of a URN.
fn reaction(chance: &mut Chance, urn: &str) -> Reaction {
    match chance.below(12) {
        0..=4 => Reaction::Answers,
        5 => Reaction::Waits(Duration::from_millis(chance.next() % 400)),
        6 | 7 => Reaction::Refuses(Status::new(Code::from_i32(*chance.of(&[1, 2, 4, 5, 8, 12, 14])), text(chance))),
        8 => Reaction::Fails,
        9 => Reaction::LeavesOut,
        10 => Reaction::Says(response(chance, urn)),
        _ => Reaction::Hangs,
    }
}

/// An answer that may be one.
fn response(chance: &mut Chance, urn: &str) -> RegisterResourceResponse {
    let objects = [
        None,
        Some(Struct::from_bytes(vec![0xff; 40])),
        Some(Struct::from_bytes(vec![10, 0xff, 0xff, 0xff, 0xff, 7])),
        Some(wire(&object([("text", text(chance))]))),
    ];
    let dependencies = register_resource_response::PropertyDependencies { urns: vec![text(chance), urn.to_owned()] };
    RegisterResourceResponse {
        urn: if chance.percent(60) { urn.to_owned() } else { text(chance) },
        id: text(chance),
        object: chance.of(&objects).clone(),
        property_dependencies: [(text(chance), dependencies)].into(),
        result: *chance.of(&[0, 1, 2, 77, -1]),
        unknown: chance.percent(20),
        ..<_>::default()
    }
}

/// What an engine says.
fn text(chance: &mut Chance) -> String {
    match chance.below(6) {
        0 => String::new(),
        1 => "é\u{0}\u{202e}\u{1b}[2J\r\nhint: run this".to_owned(),
        2 => "x".repeat(200_000),
        3 => chance.of(&secret::spelt()).clone(),
        _ => "no".to_owned(),
    }
}
