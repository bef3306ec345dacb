//! How large the files are that one has to fetch and keep.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::artefacts::Artefacts;
use crate::contender::Peer;
use crate::report::{Findings, Table, Verdict, figure};

/// A megabyte, as the target means it.
const MB: f64 = 1e6;

/// Measures files.
///
/// # Errors
/// A file that isn't there.
pub(super) fn measure(artefacts: &Artefacts) -> Result<Findings> {
    let mut findings = Findings::default();
    let mut table = Table::new(["file", "MB"]);
    for (pair, (component, cache)) in artefacts.pairs.iter().zip(&artefacts.components) {
        let name = component.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let (ours, theirs) = (megabytes(component)?, megabytes(&pair.theirs.executable)?);
        table.row([format!("`{name}`: component, for every platform"), figure(ours)]);
        table.row([format!("`{name}`: its code, compiled and cached on this machine"), figure(directory(cache)?)]);
        table.row([format!("`{name}`: native executable ({}), for this platform", pair.theirs.name), figure(theirs)]);
        if pair.peer == Peer::Infer {
            findings.verdict(Verdict::new("MB of the component", 1.0, [ours]));
        }
    }
    table.row(["`bulkhead`, which every bundle has a copy of".to_owned(), figure(megabytes(&artefacts.bulkhead)?)]);
    let text = "A component is what an author publishes. A bundle, for engines that know nothing of Bulkhead, adds the executable.";
    findings.section("Files", text, table);
    Ok(findings)
}

fn megabytes(file: &Path) -> Result<f64> {
    let metadata = fs::metadata(file).with_context(|| format!("look at {}", file.display()))?;
    Ok(metadata.len() as f64 / MB)
}

fn directory(path: &Path) -> Result<f64> {
    let mut sum = 0.0;
    for entry in fs::read_dir(path).with_context(|| format!("look at {}", path.display()))? {
        let path = entry?.path();
        sum += if path.is_dir() { directory(&path)? } else { megabytes(&path)? };
    }
    Ok(sum)
}
