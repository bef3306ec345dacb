//! The command.

use std::fmt::Write as _;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};

use bulkhead_policy::{Applicant, Grant, Granted, OperatorFile, Permissions, Reviewed};

use super::file::{ExtendError, extended};
use super::place::{Alone, own};
use super::proposal::{Extent, Proposal};
use crate::cli::component::load;
use crate::cli::error::{CommandError, warn};
use crate::cli::whole::{remedy, replace};
use crate::component::{Cache, Limits, Loaded};
use crate::legible::on_one_line;
use crate::plugin::{
    OperatorError, absolute, is_in_project, limits, permissions_with, project_file, read_operator_file, review,
};

/// What is granted.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Arguments {
    /// The component
    component: PathBuf,
    /// Grant without asking
    #[arg(long, short)]
    yes: bool,
    /// A directory of the project whose bulkhead.toml is written; the present one by default
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,
    /// Grant as asked what an operator has granted in part
    #[arg(long)]
    widen: bool,
    /// Grant this and nothing else: a line of bulkhead.toml, as a denial has it
    #[arg(long, value_name = "LINE", conflicts_with = "widen")]
    only: Option<String>,
    /// Grant to whatever is served or developed under this name, instead of to this very component
    #[arg(long)]
    dev: bool,
}

/// Shows what a component asks for, and grants it if somebody says so.
///
/// # Errors
/// A file that isn't a usable provider, a file that can't be extended, or nobody there to ask.
pub(in crate::cli) async fn grant(arguments: &Arguments, cache: &Cache) -> Result<Vec<u8>, CommandError> {
    let directory = arguments.project.as_deref().unwrap_or(Path::new("."));
    // What can't be followed is told below, where it is known whether it keeps anybody from granting.
    let limits = |provider: &str| Ok(limits(directory, provider).unwrap_or_default());
    let (loaded, description) = load("grant permissions to", &arguments.component, limits, cache).await?;
    let package = &description.package;
    let digest = if arguments.dev { Granted::Development } else { Granted::Digest(loaded.digest().to_owned()) };
    if let Err(error) = is_there(directory) {
        let what = format!("grant permissions in {}: {error}", directory.display());
        return Err(CommandError::new(what).due_to(&error, "name a directory of the project with --project"));
    }
    if arguments.project.is_none() && !is_in_project(directory) {
        warn(
            "there is no Pulumi.yaml here or above, so what is granted here holds in this directory alone; name the project \
             with --project DIR",
        );
    }
    let path = project_file(directory);
    let failed = |what: String| CommandError::new(format!("grant permissions in {}: {what}", path.display()));
    let real = own(&path).map_err(|elsewhere| {
        let hint = "name the project whose file that is with --project, or put a file of its own in the link's place; nothing was changed";
        failed(format!("it is a link to {}, which lies outside of the project", elsewhere.display())).hint(hint)
    })?;
    // Who asks first may take any time until there is an answer, and looks again then.
    let mut alone = arguments.yes.then(|| Alone::with(&real));
    let known = read_operator_file(&path).map_err(|error| CommandError::new(error.to_string()).hint(error.hint()))?;
    let known = known.unwrap_or_default();
    let requests = &description.manifest.permissions;
    let extent = match &arguments.only {
        Some(line) => Extent::Only(Grant::parse(&digest, line).map_err(|error| {
            let hint = "write it as a denial has it, such as 'network = [\"https://api.example.com\"]'";
            CommandError::new(format!("grant only `{}`: {error}", on_one_line(line))).hint(hint)
        })?),
        None if arguments.widen => Extent::Widened,
        None => Extent::Lacking,
    };
    let proposal = Proposal::of(package, requests, &digest, &known, &extent);
    if let Some(unasked) = proposal.unasked.first() {
        let what = format!("grant {}: {} doesn't ask for it", on_one_line(unasked), package.name);
        return Err(CommandError::new(what).hint("see what it asks for with `bulkhead inspect`; nothing was changed"));
    }
    let version = package.version.as_ref().map(|version| format!(" {version}")).unwrap_or_default();
    let title = format!("{}{version}", package.name);
    let applicant = Applicant {
        provider: package.name.clone(),
        digest: loaded.digest().to_owned(),
        component: absolute(&arguments.component),
        development: arguments.dev,
    };
    if requests.is_empty() {
        return Ok(format!("{title} asks for nothing, and runs without a grant\n").into_bytes());
    }
    if proposal.is_empty() {
        warn_of_what_stays_denied(permissions_with(directory, known, applicant, requests), &loaded);
        return Ok(shown_as_is(&title, &proposal, &path, arguments.only.is_some()).into_bytes());
    }
    let unread = |error: io::Error| {
        let hint = "see that you may read it and that its disk is in order, then grant again; nothing was changed";
        failed(format!("read it: {error}")).due_to(&error, hint)
    };
    let before = written(&real).map_err(unread)?;
    let by_hand = |error: ExtendError| {
        failed(error.to_string()).hint("write the grant by hand: docs/operator.md has the form of the file")
    };
    let text = extended(&before, &package.name, &title, (&proposal.grants, &proposal.limits)).map_err(by_hand)?;
    let extended = OperatorFile::parse(&text).map_err(|error| by_hand(error.into()))?;
    warn_of_what_stays_denied(permissions_with(directory, extended, applicant, requests), &loaded);
    let shown = shown(&title, &proposal);
    if !arguments.yes {
        let Some(terminal) = terminal() else { return Err(unasked(&shown, &path)) };
        agreed(&shown, terminal).map_err(failed)?;
        alone = Some(Alone::with(&real));
    }
    if written(&real).map_err(unread)? != before {
        let hint = "grant again, and see what there is to grant by now; nothing was changed";
        return Err(failed("somebody else has changed it since it was read".to_owned()).hint(hint));
    }
    replace(&real, text.as_bytes()).map_err(|error| {
        let place = path.parent().unwrap_or(directory).display();
        let room =
            format!("see that you may write to {place} and that there is room, then grant again; nothing was changed");
        failed(format!("write it: {error}")).due_to(&error, remedy(&error).map_or(room, str::to_owned))
    })?;
    drop(alone);
    let shown = if arguments.yes { shown } else { String::new() };
    // Limits are those of whatever has the name.
    let which = if proposal.grants.is_empty() { String::new() } else { format!(" ({digest})") };
    Ok(format!("{shown}granted to {title}{which} in {}\n", path.display()).into_bytes())
}

/// Whether a directory is there. What can't be seen may be.
fn is_there(directory: &Path) -> io::Result<()> {
    match std::fs::metadata(directory) {
        Ok(found) if found.is_dir() => Ok(()),
        Err(error) if !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Err(error),
        _ => Err(io::Error::new(io::ErrorKind::NotFound, "there is no such directory")),
    }
}

/// What stands in the file, nothing if it isn't there.
fn written(path: &Path) -> io::Result<String> {
    match std::fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        read => read,
    }
}

/// Warns of what keeps from a component what is granted to it: files above the project's, and directories that hold what no grant
/// gives away. Files that can't be followed keep any provider from running.
fn warn_of_what_stays_denied(decided: Result<(Permissions, Limits), OperatorError>, loaded: &Loaded) {
    let (permissions, limits) = match decided {
        Ok(decided) => decided,
        Err(error) => {
            let hint = error.hint();
            return warn(&format!("no provider runs until this is mended: failed to {error}; hint: {hint}"));
        }
    };
    let withheld = loaded.withheld(&permissions);
    for Reviewed { request, above, .. } in review(&permissions, &withheld, &limits) {
        for above in above {
            warn(&format!("{above} doesn't allow all of this, whatever is granted: {}", on_one_line(&request)));
        }
    }
    for denial in withheld {
        let remedy = denial.hint().unwrap_or_default();
        warn(&on_one_line(&format!("this can't be granted as it lies: {denial}; {remedy}")));
    }
}

/// What a component has, where there is nothing to decide about, or nothing more of what somebody means to grant alone.
fn shown_as_is(title: &str, proposal: &Proposal, path: &Path, alone: bool) -> String {
    let Proposal { kept, narrower, lacking, never, short, .. } = proposal;
    let (mut text, path) = (String::new(), path.display());
    match (alone, narrower.is_empty()) {
        (true, _) => text = format!("{title} is granted that already in {path}\n"),
        (false, true) => text = format!("{title} has everything that it can be granted in {path}\n"),
        (false, false) => list(&mut text, &format!("{title} has in {path}"), kept),
    }
    list(&mut text, NARROWER, narrower);
    list(&mut text, "asked for, and not granted; without --only these would be granted, too", lacking);
    list(&mut text, NEVER, never);
    list(&mut text, SHORT, short);
    text
}

/// What is said of requests that are granted in part.
const NARROWER: &str = "kept, narrower than asked; --widen would grant these as asked";

/// What is said of requests that can't be granted.
const NEVER: &str = "asked for, and nobody can grant it, because it is the engine's, no variable's name, or an address that is always denied";

/// What is said of authorities that were named for what is developed.
const UNVOUCHED: &str = "not kept: authorities that `dev` was granted; name them with their endpoints in one --only if they are meant for this, too";

/// What is said of limits that somebody has set lower than a component asks for.
const SHORT: &str = "asked for, and less is set, which stays so until somebody sets it otherwise";

/// Writes lines below a heading, if there are any.
fn list(text: &mut String, heading: &str, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    // Writing to a string can't fail.
    let _ = writeln!(text, "{heading}");
    for line in lines {
        let _ = writeln!(text, "  {}", on_one_line(line));
    }
}

/// What there is to decide about.
fn shown(title: &str, proposal: &Proposal) -> String {
    let mut text = String::new();
    let Proposal { grants, kept, narrower, wider, new, before, inherited, unvouched, never, .. } = proposal;
    let Proposal { limits, short, configured, .. } = proposal;
    let had = match before {
        Some((digest, _)) => format!("{title} asks for what {digest} was granted, and so would keep"),
        None => format!("{title} has already"),
    };
    list(&mut text, &had, kept);
    list(&mut text, &format!("{title} asks for what others before it were granted, and so would keep"), inherited);
    list(&mut text, NARROWER, narrower);
    list(&mut text, "and asks for more, which would be wider than what was granted", wider);
    match (kept.is_empty() && inherited.is_empty(), new.is_empty(), wider.is_empty()) {
        (true, _, _) => list(&mut text, &format!("{title} asks for"), new),
        (false, true, true) if limits.is_empty() => text.push_str(&format!("{title} asks for nothing new\n")),
        (false, _, _) => list(&mut text, "and for more, which is new", new),
    }
    list(&mut text, "which means nothing until just that is configured", configured);
    list(&mut text, NEVER, never);
    let limits: Vec<String> = limits.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let asks = if text.is_empty() { format!("{title} asks for") } else { "and for".to_owned() };
    list(&mut text, &format!("{asks} these limits, which the file doesn't set"), &limits);
    list(&mut text, SHORT, short);
    list(&mut text, UNVOUCHED, unvouched);
    if let Some((_, gone)) = before {
        list(&mut text, "not kept, since it isn't asked for any more, or is to be granted anew each time", gone);
    }
    // Last, where whoever answers looks.
    if let Some(grant) = Grant::together(grants) {
        list(&mut text, &format!("widest of all {} that would be granted", grant.entries()), &grant.wide());
    }
    text
}

/// Shows what it is about to whoever isn't there to be asked, such as a pipeline that is to fail where there is something to decide.
fn unasked(shown: &str, path: &Path) -> CommandError {
    let mut stdout = io::stdout().lock();
    // With stdout closed, what it is about is still to be seen with `bulkhead inspect`.
    let _ = stdout.write_all(shown.as_bytes()).and_then(|()| stdout.flush());
    let what =
        format!("grant permissions in {}: there is no terminal to ask at, and nothing was granted", path.display());
    CommandError::new(what).hint("read what it asks for, then grant it with --yes")
}

/// Where somebody sits who can be asked. With stdout in a file they would read neither what it is about nor that they are asked.
fn terminal() -> Option<Box<dyn Write>> {
    match (io::stdin().is_terminal(), io::stdout().is_terminal(), io::stderr().is_terminal()) {
        (true, true, _) => Some(Box::new(io::stdout())),
        (true, false, true) => Some(Box::new(io::stderr())),
        _ => None,
    }
}

/// Asks whoever sits at the terminal.
fn agreed(shown: &str, mut terminal: impl Write) -> Result<(), String> {
    let asked = write!(terminal, "{shown}grant this? [y/N] ").and_then(|()| terminal.flush());
    asked.map_err(|error| format!("show what it is about: {error}"))?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer).map_err(|error| format!("read the answer: {error}"))?;
    match answer.trim() {
        "y" | "Y" | "yes" => Ok(()),
        _ => Err("nothing was granted".to_owned()),
    }
}
