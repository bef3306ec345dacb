//! Everything that is measured, put together in pairs.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::bulkhead::{Bulkhead, Bundle};
use super::{hostile, peer};
use crate::arguments::Arguments;
use crate::contender::{Contender, Pair, Peer};

/// What is measured, and the files that it consists of.
#[derive(Debug)]
pub(crate) struct Artefacts {
    /// Who is compared with whom.
    pub(crate) pairs: Vec<Pair>,
    /// Files of Bulkhead's that are no contender's alone.
    pub(crate) bulkhead: PathBuf,
    /// For each pair, the component and the directory of its compiled code.
    pub(crate) components: Vec<(PathBuf, PathBuf)>,
}

/// Builds whatever isn't there.
///
/// # Errors
/// Something doesn't build.
pub(crate) fn prepare(arguments: &Arguments) -> Result<Artefacts> {
    let bulkhead = executable(arguments)?;
    let bundle = small(&bulkhead)?;
    let mut components = vec![(bundle.component.clone(), bundle.cache.clone())];
    let mut pairs = vec![Pair {
        title: "The same small provider under Bulkhead and in Go",
        ours: ours(&bundle),
        theirs: benchmark("infer", peer::build()?, Vec::new()),
        peer: Peer::Infer,
    }];
    if let Some(native) = &arguments.bridged {
        let bundle = bulkhead.bundle("random", "providers/random")?;
        components.push((bundle.component.clone(), bundle.cache.clone()));
        pairs.push(Pair {
            title: "The random provider under Bulkhead and bridged from Terraform",
            ours: random("Bulkhead", bundle.executable.clone(), environment(&bundle)),
            theirs: random("bridged", absolute(native)?, Vec::new()),
            peer: Peer::Bridged,
        });
    }
    Ok(Artefacts { pairs, bulkhead: bulkhead.executable().to_owned(), components })
}

/// Builds the small provider alone.
///
/// # Errors
/// It doesn't build.
pub(crate) fn provider(arguments: &Arguments) -> Result<Contender> {
    Ok(ours(&small(&executable(arguments)?)?))
}

/// Builds what is attacked, and the executable if there is none.
///
/// # Errors
/// Something doesn't build.
pub(crate) fn hosting(arguments: &Arguments) -> Result<hostile::Hosting> {
    hostile::prepare(&executable(arguments)?)
}

fn executable(arguments: &Arguments) -> Result<Bulkhead> {
    match &arguments.bulkhead {
        Some(executable) => Bulkhead::at(executable),
        None => Bulkhead::build(),
    }
}

fn small(bulkhead: &Bulkhead) -> Result<Bundle> {
    bulkhead.bundle("benchmark", "benchmarks/guest")
}

fn ours(bundle: &Bundle) -> Contender {
    benchmark("Bulkhead", bundle.executable.clone(), environment(bundle))
}

fn environment(bundle: &Bundle) -> Vec<(&'static str, PathBuf)> {
    vec![("BULKHEAD_CACHE_DIR", bundle.cache.clone())]
}

fn benchmark(name: &'static str, executable: PathBuf, environment: Vec<(&'static str, PathBuf)>) -> Contender {
    Contender {
        name,
        executable,
        environment,
        random_string: "benchmark:index:RandomString",
        document: Some("benchmark:index:Document"),
        pick_word: Some("benchmark:index:pickWord"),
    }
}

fn random(name: &'static str, executable: PathBuf, environment: Vec<(&'static str, PathBuf)>) -> Contender {
    Contender {
        name,
        executable,
        environment,
        random_string: "random:index/randomString:RandomString",
        document: None,
        pick_word: None,
    }
}

fn absolute(path: &Path) -> Result<PathBuf> {
    fs::canonicalize(path).with_context(|| format!("find {}", path.display()))
}
