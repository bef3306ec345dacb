//! The first thing to try on a new machine: builds a real provider into a component and takes `examples/quickstart` through its
//! life under the real Pulumi CLI, in a directory that is deleted afterwards.

#![allow(clippy::print_stdout, reason = "showing what happens is what this is for")]

use std::ffi::OsString;
use std::fs;
use std::process::{Command, ExitCode};

use bulkhead::plugin::plugin_name;
use bulkhead_tests::{Bulkhead, Project, Pulumi, repository};

/// What the CLI is asked to do, one after the other.
const COMMANDS: [&[&str]; 6] = [
    &["stack", "init", "dev"],
    &["preview"],
    &["up", "--yes", "--skip-preview"],
    &["up", "--yes", "--skip-preview", "--expect-no-changes"],
    &["stack", "output"],
    &["destroy", "--yes", "--skip-preview"],
];

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    // With arguments, or as a plugin, this executable is `bulkhead`, so that no other has to be built.
    if arguments.len() > 1 || arguments.first().is_some_and(|name| plugin_name(name).is_some()) {
        return bulkhead::run(arguments);
    }
    match quickstart() {
        Ok(()) => {
            println!("\nEverything succeeded. The program is examples/quickstart, the provider providers/random.");
            ExitCode::SUCCESS
        }
        Err(error) => {
            println!("\n{error}");
            ExitCode::FAILURE
        }
    }
}

fn quickstart() -> Result<(), Box<dyn std::error::Error>> {
    let bulkhead = Bulkhead::new(std::env::current_exe()?);
    let pulumi = Pulumi::obtain(|message| println!("{message} ..."))?;
    let project = Project::empty(pulumi);
    fs::copy(repository().join("examples/quickstart/Pulumi.yaml"), project.directory().join("Pulumi.yaml"))?;

    let provider = repository().join("providers").join("random");
    let provider = provider.to_string_lossy();
    for arguments in [&["build", &*provider, "-o", "random.wasm"], &["bundle", "random.wasm", "-o", "plugins"]] {
        show("bulkhead", arguments, bulkhead.command(arguments).current_dir(project.directory()))?;
    }
    for arguments in COMMANDS {
        show("pulumi", arguments, project.command(arguments).arg("--non-interactive"))?;
    }
    Ok(())
}

/// Runs a command with everything that it prints.
fn show(name: &str, arguments: &[&str], command: &mut Command) -> Result<(), String> {
    let line = format!("{name} {}", arguments.join(" "));
    println!("\n$ {line}");
    let status = command.status().map_err(|error| format!("error: failed to start `{line}`: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("error: `{line}` ended with {status}")) }
}
