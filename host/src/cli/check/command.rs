//! The command.

use std::io;
use std::path::{Path, PathBuf};

use bulkhead_policy::{MOST_COMPONENT, Requests};
use tokio_util::sync::CancellationToken;

use super::given;
use super::report::{as_json, for_people};
use crate::cli::error::{CommandError, warn};
use crate::component::{Cache, Runtime};
use crate::conformance::{Conditions, Level, Options, examine};
use crate::plugin::{Departure, TrialFiles};
use crate::regular;

/// What is checked, and how.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Arguments {
    /// The component
    component: PathBuf,
    /// Write JSON
    #[arg(long)]
    json: bool,
    /// Create, update and delete resources and call functions, for real
    #[arg(long)]
    lifecycle: bool,
    /// A JSON object to configure the provider with, instead of generated values
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// A JSON object of inputs to try, by type or function token, instead of generated ones
    #[arg(long, value_name = "FILE")]
    inputs: Option<PathBuf>,
    /// A JSON object of inputs to update resources to, by type token, instead of one generated change
    #[arg(long, value_name = "FILE", requires = "lifecycle")]
    updates: Option<PathBuf>,
    /// An argument to parameterize the provider with; repeated for several
    #[arg(long, value_name = "ARGUMENT", allow_hyphen_values = true)]
    parameter: Vec<String>,
    /// What generated inputs are drawn from: equal seeds try equal inputs
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

/// Sets the token when the user asks the process to leave, and completes when that is asked again. Until then what was created is deleted.
fn asked_twice(interrupted: &CancellationToken) -> io::Result<impl Future<Output = ()>> {
    let mut departure = Departure::by_hand()?;
    Ok(async move {
        departure.asked().await;
        warn("interrupted: what was created is deleted first; once more ends at once, and leaves it there");
        interrupted.cancel();
        departure.asked().await;
    })
}

/// The findings, for people or as JSON, and whether any of them is an error.
///
/// # Errors
/// A file that can't be read, the operators' among them.
pub(in crate::cli) async fn check(arguments: &Arguments, cache: &Cache) -> Result<(Vec<u8>, bool), CommandError> {
    let path = &arguments.component;
    let failed = |what: String| CommandError::new(format!("check {}: {what}", path.display()));
    let component = regular::read(path, MOST_COMPONENT).map_err(|error| {
        let hint = match error.kind() {
            io::ErrorKind::FileTooLarge => "no provider is that large; name another file",
            _ => "name an existing .wasm file that you may read",
        };
        failed(format!("can't read {}: {error}", path.display())).due_to(&error, hint)
    })?;
    let configuration = arguments.config.as_deref().map(given::configuration).transpose()?;
    let inputs = arguments.inputs.as_deref().map(given::inputs).transpose()?.unwrap_or_default();
    let updates = arguments.updates.as_deref().map(given::inputs).transpose()?.unwrap_or_default();
    let runtime = Runtime::new().map_err(|error| failed(error.to_string()).perhaps(error.hint()))?;
    let interrupted = CancellationToken::new();
    let options = Options {
        lifecycle: arguments.lifecycle,
        seed: arguments.seed,
        configuration,
        inputs,
        updates,
        parameters: arguments.parameter.clone(),
        interrupted: interrupted.clone(),
    };
    let files = TrialFiles::of(Path::new("."), path).map_err(|error| failed(error.to_string()).hint(error.hint()))?;
    let decide = |provider: &str, digest: &str, requests: &Requests| Conditions {
        limits: files.limits(provider),
        permissions: files.permissions(provider, digest, requests),
        auditor: files.auditor(provider, digest),
    };
    let examined = examine(&component, &runtime, cache, &options, &decide);
    let verdict = if arguments.lifecycle {
        let asked_twice = asked_twice(&interrupted).map_err(|error| failed(format!("listen to signals: {error}")))?;
        tokio::select! {
            verdict = examined => verdict,
            () = asked_twice => return Err(failed("interrupted twice; what it has created may still be there".to_owned())),
        }
    } else {
        examined.await
    };
    if verdict.development {
        // On stderr, since stdout may be JSON.
        warn(&format!(
            "{} was tried with permissions that bulkhead.toml grants to digest = \"dev\": to whatever lies there",
            path.display()
        ));
    }
    let found = verdict.findings.iter().any(|finding| finding.level == Level::Error);
    let wrong = found || interrupted.is_cancelled();
    let text = if arguments.json {
        let mut text = as_json(&verdict).map_err(|error| failed(format!("write the findings as JSON: {error}")))?;
        text.push(b'\n');
        text
    } else {
        for_people(&verdict, arguments.lifecycle).into_bytes()
    };
    Ok((text, wrong))
}
