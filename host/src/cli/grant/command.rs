//! The command.

use std::fmt::Write as _;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;

use bulkhead_policy::Granted;

use super::file::{extended, replace};
use super::proposal::Proposal;
use crate::cli::component::load;
use crate::cli::error::CommandError;
use crate::component::Cache;
use crate::plugin::{project_file, read_operator_file};

/// What is granted.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Arguments {
    /// The component
    component: PathBuf,
    /// Grant without asking
    #[arg(long, short)]
    yes: bool,
    /// A directory of the project whose bulkhead.toml is written
    #[arg(long, value_name = "DIR", default_value = ".")]
    project: PathBuf,
    /// Grant to whatever is served or developed under this name, instead of to this very component
    #[arg(long)]
    dev: bool,
}

/// Shows what a component asks for, and grants it if somebody says so.
///
/// # Errors
/// A file that isn't a usable provider, a file that can't be extended, or nobody there to ask.
pub(in crate::cli) async fn grant(arguments: &Arguments, cache: &Cache) -> Result<Vec<u8>, CommandError> {
    let (loaded, description) = load("grant permissions to", &arguments.component, cache).await?;
    let package = &description.package;
    let digest = if arguments.dev { Granted::Development } else { Granted::Digest(loaded.digest().to_owned()) };
    let path = project_file(&arguments.project);
    let failed = |what: String| CommandError::new(format!("grant permissions in {}: {what}", path.display()));
    let known = read_operator_file(&path).map_err(|error| CommandError::new(error.to_string()))?.unwrap_or_default();
    let proposal = Proposal::of(package, &description.manifest.permissions, digest, &known);
    let version = package.version.as_ref().map(|version| format!(" {version}")).unwrap_or_default();
    let title = format!("{}{version}", package.name);
    if proposal.new.is_empty() && proposal.before.is_none() {
        return Ok(match description.manifest.permissions.is_empty() {
            true => format!("{title} asks for nothing, and runs without a grant\n"),
            false => format!("{title} has everything that it asks for in {}\n", path.display()),
        }
        .into_bytes());
    }
    let shown = shown(&title, &proposal);
    if !arguments.yes {
        agreed(&shown).map_err(failed)?;
    }
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(failed(format!("read it: {error}"))),
    };
    let text = extended(&text, &package.name, &title, &proposal).map_err(|error| {
        let hint = "write the grant by hand: docs/operator.md has the form of the file".to_owned();
        failed(error.to_string()).hint(hint)
    })?;
    replace(&path, &text).map_err(|error| failed(format!("write it: {error}")))?;
    let shown = if arguments.yes { shown } else { String::new() };
    Ok(format!("{shown}granted to {title} ({}) in {}\n", proposal.grant.digest, path.display()).into_bytes())
}

/// What there is to decide about.
fn shown(title: &str, proposal: &Proposal) -> String {
    let mut text = String::new();
    let mut list = |heading: String, lines: &[String]| {
        // Writing to a string can't fail.
        let _ = writeln!(text, "{heading}");
        for line in lines {
            // A reason is a stranger's text, on somebody's terminal.
            let plain: String = line.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
            let _ = writeln!(text, "  {plain}");
        }
    };
    match &proposal.before {
        Some((digest, lines)) if !lines.is_empty() => {
            list(format!("{title} asks for what {digest} was granted, and so would keep"), lines);
        }
        _ => {}
    }
    match (&proposal.before, proposal.new.is_empty()) {
        (Some(_), true) => list(format!("{title} asks for nothing new"), &[]),
        (Some(_), false) => list("and for more, which is new".to_owned(), &proposal.new),
        (None, _) => list(format!("{title} asks for"), &proposal.new),
    }
    if !proposal.never.is_empty() {
        list("and for what nobody can grant, because it is the engine's".to_owned(), &proposal.never);
    }
    let limits: Vec<String> = proposal.limits.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    if !limits.is_empty() {
        list("and for these limits, unless the file sets others".to_owned(), &limits);
    }
    text
}

/// Asks whoever sits at the terminal.
fn agreed(shown: &str) -> Result<(), String> {
    if !io::stdin().is_terminal() {
        return Err(
            "there is no terminal to ask at; read what it asks for with `bulkhead inspect`, then use --yes".to_owned()
        );
    }
    let mut stdout = io::stdout().lock();
    let _ = write!(stdout, "{shown}grant this? [y/N] ").and_then(|()| stdout.flush());
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer).map_err(|error| format!("read the answer: {error}"))?;
    match answer.trim() {
        "y" | "Y" | "yes" => Ok(()),
        _ => Err("nothing was granted".to_owned()),
    }
}
