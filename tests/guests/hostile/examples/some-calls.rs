//! Attacks in the calls whose input `what` names an attack, and serves all others well, in the same configuration.

use hostile::exports::functions::InvokeRequest;
use hostile::types::{CheckRequest, Checked, Error};
use hostile::{
    Attack, Field, Method, Node, Request, Tree, assets, attack, defaults, field, granted, log, object, operation, send,
    text,
};
use wasip2::clocks::monotonic_clock;
use wasip2::filesystem::types::{DescriptorFlags, OpenFlags, PathFlags};
use wasip2::random::random::{get_random_bytes, get_random_u64};

/// As many nodes as a host takes, but for some.
const NODES: u32 = 1_990_000;
/// Some 10 ms of computing.
const STEPS: u64 = 10_000_000;
/// As long as a call may compute and still pass for one that waits, or a bit less, ns.
const BURST: u64 = 3_000_000;
/// What counts as little, or a bit less, ns.
const SLICE: u64 = 400_000;

struct Sometimes;

/// Takes as much memory as there is, and touches all of it.
fn memory() -> ! {
    let mut pieces = Vec::new();
    loop {
        // Beyond the limit it aborts.
        pieces.push(std::hint::black_box(vec![1_u8; 16 << 20]));
    }
}

/// Writes to a lot of memory, again and again, each time with a single instruction.
fn fill() -> ! {
    let mut memory = vec![0_u8; 256 << 20];
    for value in (0..=u8::MAX).cycle() {
        std::hint::black_box(&mut memory).fill(value);
    }
    unreachable!("values never end")
}

/// Computes between naps, so that it seems to wait.
fn bursts(each: u64, nap: impl Fn()) -> ! {
    loop {
        let until = monotonic_clock::now().saturating_add(each);
        while monotonic_clock::now() < until {
            compute(STEPS / 2_000);
        }
        nap();
    }
}

/// Reads the archive that it was given, again and again, until it has read as much as it may.
fn unpack(inputs: &Tree) -> Result<(), assets::AssetError> {
    loop {
        for node in &inputs.nodes {
            let Node::Archive(archive) = node else { continue };
            let reader = assets::open_archive(archive)?;
            for name in reader.names()? {
                std::hint::black_box(reader.open(&name)?.read(0.0, 1 << 20)?);
            }
        }
    }
}

/// Looks for a file by a path that takes long, again and again: others of the system's threads do.
fn files() {
    let Ok(directory) = granted() else { return };
    let _ = directory.create_directory_at("d");
    let path = format!("{}d", "d/../".repeat(800));
    loop {
        let _ = directory.metadata_hash_at(PathFlags::SYMLINK_FOLLOW, &path);
    }
}

/// Lists a directory in which there is very much, again and again.
fn list() {
    let Ok(directory) = granted() else { return };
    let Ok(many) = directory.open_at(PathFlags::empty(), "many", OpenFlags::DIRECTORY, DescriptorFlags::READ) else {
        return;
    };
    loop {
        drop(std::hint::black_box(many.read_directory()));
    }
}

/// Asks for places that nobody granted, each another one.
fn denied() -> ! {
    for number in 0_u64.. {
        let authority = format!("{number}.example");
        let _ = send(&Request { authority, ..Request::default() });
    }
    unreachable!("numbers don't end before the call does")
}

fn compute(steps: u64) {
    for step in 0..steps {
        std::hint::black_box(step);
    }
}

/// A value of many nodes, beside a text.
fn large(nodes: u32) -> Tree {
    let mut all = vec![Node::Boolean(true); nodes as usize];
    all.push(Node::Items((0..nodes).collect()));
    all.push(text("told"));
    let field = |name: &str, value| Field { name: name.to_owned(), value };
    all.push(Node::Fields(vec![field("any", nodes), field("text", nodes + 1)]));
    Tree { nodes: all }
}

impl Attack for Sometimes {
    fn strike(&self, method: Method, inputs: Option<&Tree>) {
        if method == Method::Configure {
            return;
        }
        match inputs.and_then(|inputs| field(inputs, "what")).as_deref() {
            Some("loop") => loop {
                std::hint::black_box(());
            },
            Some("memory") => memory(),
            Some("fill") => fill(),
            Some("wait") => loop {
                operation::sleep(u32::MAX);
            },
            Some("naps") => loop {
                operation::sleep(1);
            },
            Some("bursts") => bursts(BURST, || {
                operation::sleep(1);
            }),
            Some("slices") => bursts(SLICE, || monotonic_clock::subscribe_duration(1).block()),
            Some("files") => files(),
            Some("list") => list(),
            Some("unpack") => drop(inputs.map(unpack)),
            Some("coin") if get_random_u64().is_multiple_of(5) => {
                std::hint::black_box(vec![1_u8; 50 << 20]);
            }
            Some("calls") => loop {
                std::hint::black_box(get_random_u64());
            },
            Some("random") => loop {
                std::hint::black_box(get_random_bytes(4 << 20));
            },
            Some("denied") => denied(),
            Some("log") => loop {
                log::log(log::Level::Info, &"x".repeat(16_000));
            },
            Some("crash") => std::process::abort(),
            Some("honest sleep") => drop(operation::sleep(2)),
            Some("honest work") => compute(STEPS),
            _ => {}
        }
    }

    fn invoke(&self, request: InvokeRequest) -> Result<Tree, Error> {
        match field(&request.arguments, "what").as_deref() {
            Some("nodes") => Ok(large(NODES)),
            Some("text") => Ok(object(&["text"], vec![text(&"x".repeat(100 << 20))])),
            _ => Ok(object(&["text"], vec![text("told")])),
        }
    }

    fn check(&self, mut request: CheckRequest) -> Result<Checked, Error> {
        if field(&request.inputs, "what").as_deref() == Some("check") {
            request.inputs = large(NODES / 4);
            loop {
                defaults::check(&request)?;
            }
        }
        defaults::check(&request)
    }
}

attack!(Sometimes);
