//! What a provider can do with what it was granted, and what it tries beside that.

use std::fs;
use std::io;
use std::path::Path;

use bulkhead_sdk::{Config, Enum, Error, Inputs, Result, State, function, provider};
use wasip2::filesystem::preopens::get_directories;
use wasip2::filesystem::types::{Descriptor, DescriptorFlags, ErrorCode, NewTimestamp, OpenFlags, PathFlags};

#[derive(Config)]
struct Settings {
    /// Comes from the environment if nobody gives it.
    #[bulkhead(env = ["GRANTED_TOKEN"], secret)]
    token: Option<String>,
}

/// Some texts.
#[derive(State)]
struct Texts {
    texts: Vec<String>,
}

/// The token that it was configured with, if any.
#[function(token = "granted:index:token")]
fn token(settings: &Settings) -> Result<Texts> {
    Ok(Texts { texts: settings.token.iter().cloned().collect() })
}

/// All variables that it sees, with their values.
#[function(token = "granted:index:variables")]
fn variables() -> Result<Texts> {
    Ok(Texts { texts: std::env::vars().map(|(name, value)| format!("{name}={value}")).collect() })
}

#[derive(Clone, Copy, Enum)]
enum Act {
    Read,
    Write,
    List,
    /// Makes another name of the file at the path.
    HardLink,
    Rename,
    Remove,
    MakeDirectory,
    RemoveDirectory,
    /// Makes a link at the path.
    SymbolicLink,
    /// Sets the times of what lies at the path, of what a link there leads to, or of what was opened there for reading.
    Date,
    DateFollowed,
    DateOpened,
    /// Changes what was opened at the path for reading: its length, its beginning, by a stream, by one at its end.
    CutOpened,
    WriteOpened,
    StreamOpened,
    AppendOpened,
    /// Looks at what lies at the path, at where a link there leads, and at what it is known by, and goes on whatever comes of it.
    LookAt,
    ReadLink,
    Hash,
    Kind,
    /// Makes a file, by a handle of each directory on the way to it.
    MakeStepByStep,
    /// Fails, and looks for nothing.
    Fail,
}

#[derive(Inputs)]
struct Attempt {
    act: Act,
    path: String,
    /// A text to write, or another path.
    other: Option<String>,
}

/// Tries something with a file.
#[function(token = "granted:index:attempt")]
fn attempt(attempt: Attempt) -> Result<Texts> {
    let other = attempt.other.unwrap_or_default();
    done(attempt.act, Path::new(&attempt.path), &other)
        .map(|texts| Texts { texts })
        .map_err(|error| Error::failed(format!("{}: {error}", attempt.path)))
}

fn done(act: Act, path: &Path, other: &str) -> io::Result<Vec<String>> {
    match act {
        Act::Read => Ok(vec![fs::read_to_string(path)?]),
        Act::Write => fs::write(path, other).map(|()| Vec::new()),
        Act::List => fs::read_dir(path)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect(),
        Act::HardLink => fs::hard_link(path, other).map(|()| Vec::new()),
        Act::Rename => fs::rename(path, other).map(|()| Vec::new()),
        Act::Remove => fs::remove_file(path).map(|()| Vec::new()),
        Act::MakeDirectory => fs::create_dir(path).map(|()| Vec::new()),
        Act::RemoveDirectory => fs::remove_dir(path).map(|()| Vec::new()),
        Act::SymbolicLink => changed(path, |directory, name| directory.symlink_at(other, name)),
        Act::Date => changed(path, |directory, name| {
            directory.set_times_at(PathFlags::empty(), name, NewTimestamp::Now, NewTimestamp::Now)
        }),
        Act::DateFollowed => changed(path, |directory, name| {
            directory.set_times_at(PathFlags::SYMLINK_FOLLOW, name, NewTimestamp::Now, NewTimestamp::Now)
        }),
        Act::DateOpened => {
            changed(path, |directory, name| opened(directory, name)?.set_times(NewTimestamp::Now, NewTimestamp::Now))
        }
        Act::CutOpened => changed(path, |directory, name| opened(directory, name)?.set_size(0)),
        Act::WriteOpened => changed(path, |directory, name| opened(directory, name)?.write(b"x", 0).map(drop)),
        Act::StreamOpened => changed(path, |directory, name| opened(directory, name)?.write_via_stream(0).map(drop)),
        Act::AppendOpened => changed(path, |directory, name| opened(directory, name)?.append_via_stream().map(drop)),
        Act::LookAt => looked(path, |directory, name| directory.stat_at(PathFlags::SYMLINK_FOLLOW, name).map(drop)),
        Act::ReadLink => looked(path, |directory, name| directory.readlink_at(name).map(drop)),
        Act::Hash => {
            looked(path, |directory, name| directory.metadata_hash_at(PathFlags::SYMLINK_FOLLOW, name).map(drop))
        }
        Act::Kind => {
            let kind = fs::metadata(path)?.file_type();
            Ok(vec![if kind.is_dir() { "directory" } else { "file" }.to_owned()])
        }
        Act::MakeStepByStep => make_step_by_step(path).map(|()| Vec::new()).map_err(said),
        Act::Fail => Err(io::Error::other("nothing was tried")),
    }
}

fn said(code: Option<ErrorCode>) -> io::Error {
    io::Error::other(code.map_or("there is no such directory", |code| code.name()))
}

/// What no standard library has: something done to a path within the directory that was granted.
fn changed(
    path: &Path,
    change: impl FnOnce(&Descriptor, &str) -> std::result::Result<(), ErrorCode>,
) -> io::Result<Vec<String>> {
    let (root, rest) = path.to_str().and_then(|path| path.split_once('/')).ok_or_else(|| said(None))?;
    let found = get_directories().into_iter().find(|(_, name)| name == root);
    let (directory, _) = found.ok_or_else(|| said(None))?;
    change(&directory, rest).map(|()| Vec::new()).map_err(|code| said(Some(code)))
}

fn opened(directory: &Descriptor, name: &str) -> std::result::Result<Descriptor, ErrorCode> {
    directory.open_at(PathFlags::empty(), name, OpenFlags::empty(), DescriptorFlags::READ)
}

/// How a look at something ended, which is no failure.
fn looked(
    path: &Path,
    look: impl FnOnce(&Descriptor, &str) -> std::result::Result<(), ErrorCode>,
) -> io::Result<Vec<String>> {
    Ok(vec![changed(path, look).map_or_else(|error| error.to_string(), |_| "seen".to_owned())])
}

fn make_step_by_step(path: &Path) -> std::result::Result<(), Option<ErrorCode>> {
    let steps: Vec<&str> = path.iter().filter_map(|step| step.to_str()).collect();
    let [root, between @ .., last] = steps.as_slice() else { return Err(None) };
    let (mut directory, _) = get_directories().into_iter().find(|(_, name)| name == root).ok_or(None)?;
    let follow = PathFlags::empty();
    for step in between {
        directory = directory.open_at(follow, step, OpenFlags::DIRECTORY, DescriptorFlags::READ)?;
    }
    directory.open_at(follow, last, OpenFlags::CREATE, DescriptorFlags::WRITE)?;
    Ok(())
}

provider! {
    name: "granted",
    description: "What a provider can do with what it was granted",
    license: "Apache-2.0",
    config: Settings,
    functions: [token, variables, attempt],
    permissions: {
        environment: [
            { name: "GRANTED_TOKEN", reason: "the default of `token`" },
            { name: "GRANTED_COLOUR", reason: "likes colours" },
            { name: "PULUMI_ACCESS_TOKEN", reason: "would like to be the engine" },
        ],
        filesystem: [
            { path: "certs", access: "read", reason: "client certificates" },
            { path: "out", access: "write", reason: "reports" },
        ],
    },
}
