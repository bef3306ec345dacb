//! A real PowerDNS server, from Debian's packages.
//!
//! The packages are downloaded and unpacked once for all test processes, into the target directory: nothing is installed and nobody
//! needs to be root. A test that needs the server and can't get it fails, and says what is missing.

use std::fs;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::process::Process;
use crate::target;

/// The server, its backend, and what makes a database from the backend's schema.
const PACKAGES: [&str; 3] = ["pdns-server", "pdns-backend-sqlite3", "sqlite3"];
/// What to run, and what it loads, below the place that the packages are unpacked to.
const SERVER: &str = "usr/sbin/pdns_server";
const SHELL: &str = "usr/bin/sqlite3";
const SCHEMA: &str = "usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql";
/// How deep dependencies are followed for libraries that the system lacks.
const LEVELS: usize = 4;
/// How long the server may take to start.
const PATIENCE: Duration = Duration::from_secs(30);

/// Why there is no server.
#[derive(Clone, Debug, thiserror::Error)]
pub enum PowerDnsError {
    /// A tool isn't there.
    #[error(
        "failed to get PowerDNS: start {0}: {1}\n\
         hint: the real server comes from Debian's packages, so these tests need a Debian or Ubuntu with its package lists"
    )]
    NoTool(&'static str, String),
    /// A package can't be had.
    #[error("failed to get PowerDNS: download {0}: {1}\nhint: `apt-get update` as root, and a network, may help")]
    Download(String, String),
    /// Libraries are missing, whatever was downloaded.
    #[error("failed to get PowerDNS: it needs {0}, which none of the packages it depends on has")]
    Libraries(String),
    /// What was downloaded isn't what it should be.
    #[error("failed to get PowerDNS: unpack it: {0}")]
    Unpack(String),
}

/// A running server with an empty database. Killed when it is dropped.
pub struct PowerDns {
    files: PathBuf,
    directory: TempDir,
    address: SocketAddr,
    /// The key of its API, by which it is told from others.
    key: String,
    process: Option<Process>,
}

impl PowerDns {
    /// Starts a server.
    #[track_caller]
    pub fn start() -> Self {
        let files = obtain().unwrap_or_else(|error| panic!("{error}"));
        // Not in the target directory: the path of a socket must be short.
        let directory = TempDir::new().expect("there should be room for temporary files");
        let database = directory.path().join("pdns.sqlite3");
        let schema = fs::File::open(files.join(SCHEMA)).expect("the backend should have a schema");
        let mut shell = files_command(&files, SHELL);
        let made = shell.arg(&database).stdin(schema).status().expect("the shell of SQLite should start");
        assert!(made.success(), "the schema of the backend should make a database");
        let key = format!("correct-horse{}", directory.path().file_name().unwrap_or_default().display());
        let mut server = Self { files, directory, address: free_address(), key, process: None };
        // Somebody may have taken the port in the moment since it was free.
        for _ in 0..5 {
            if server.is_launched() {
                return server;
            }
            server.address = free_address();
        }
        panic!("PowerDNS should start; what it said is above");
    }

    /// Stops the server; its database stays.
    pub fn stop(&mut self) {
        self.process = None;
    }

    /// Starts the server again, where it was.
    #[track_caller]
    pub fn go_on(&mut self) {
        let started = (0..5).any(|_| self.is_launched());
        assert!(started, "PowerDNS should start; what it said is above");
    }

    /// Launches the server, with another port for the questions each time. Says what went wrong, if it doesn't answer.
    fn is_launched(&mut self) -> bool {
        let mut process = self.launch(free_address().port());
        if self.answers(&mut process) {
            self.process = Some(process);
            return true;
        }
        eprintln_said(&process);
        false
    }

    /// Where its API is.
    pub fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The address of its API.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The key of its API.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Asks its API, as anybody with the key may: the status, and the answer if it is JSON.
    #[track_caller]
    pub fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> (u16, Value) {
        let asked = ask(self.address, &self.key, method, &format!("/api/v1/servers/localhost{path}"), body);
        asked.unwrap_or_else(|error| panic!("PowerDNS should answer `{method} {path}`: {error}"))
    }

    fn launch(&self, port: u16) -> Process {
        let directory = self.directory.path().display();
        let modules = find_directory(&self.files, "pdns").expect("the backend should have a directory of modules");
        let settings = format!(
            "launch=gsqlite3\nmodule-dir={}\ngsqlite3-database={directory}/pdns.sqlite3\ngsqlite3-dnssec=yes\n\
             socket-dir={directory}\nlocal-address=127.0.0.1\nlocal-port={port}\nsecurity-poll-suffix=\n\
             webserver=yes\nwebserver-address=127.0.0.1\nwebserver-port={}\napi=yes\napi-key={}\n\
             daemon=no\nguardian=no\ndisable-syslog=yes\nquery-cache-ttl=0\nnegquery-cache-ttl=0\n",
            modules.display(),
            self.address.port(),
            self.key,
        );
        fs::write(self.directory.path().join("pdns.conf"), settings).expect("a temporary directory should be writable");
        let mut command = files_command(&self.files, SERVER);
        Process::start(command.arg(format!("--config-dir={directory}")))
    }

    /// Waits until the server answers, or has ended.
    fn answers(&self, process: &mut Process) -> bool {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline && !process.has_ended() {
            if ask(self.address, &self.key, "GET", "/api/v1/servers/localhost", None)
                .is_ok_and(|(status, _)| status == 200)
            {
                return true;
            }
            thread::sleep(Duration::from_millis(20));
        }
        false
    }
}

#[allow(clippy::print_stderr, reason = "shown by the test runner when the test fails")]
fn eprintln_said(process: &Process) {
    eprintln!("{}", process.said());
}

/// An address of this machine on which nobody listens.
fn free_address() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there should be a free port");
    listener.local_addr().expect("a listener should have an address")
}

/// A request over a connection of its own.
fn ask(address: SocketAddr, key: &str, method: &str, path: &str, body: Option<&Value>) -> io::Result<(u16, Value)> {
    let body = body.map(Value::to_string).unwrap_or_default();
    let mut connection = TcpStream::connect(address)?;
    connection.set_read_timeout(Some(PATIENCE))?;
    write!(
        connection,
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nX-API-Key: {key}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )?;
    let mut answer = String::new();
    connection.read_to_string(&mut answer)?;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    let status = status.ok_or_else(|| io::Error::other("the answer isn't HTTP"))?;
    Ok((status, serde_json::from_str(body).unwrap_or_default()))
}

/// A command of the packages, which finds the libraries that came with them.
fn files_command(files: &Path, executable: &str) -> Command {
    let mut command = Command::new(files.join(executable));
    command.env("LD_LIBRARY_PATH", libraries(files)).current_dir("/");
    command
}

/// The directories of libraries, as the linker takes them.
fn libraries(files: &Path) -> String {
    let parents = ["usr/lib", "lib"].map(|parent| files.join(parent));
    let below = parents.iter().flat_map(|parent| fs::read_dir(parent).into_iter().flatten().flatten());
    let below = below.map(|entry| entry.path()).filter(|path| path.is_dir());
    let all: Vec<String> = below.chain(parents.clone()).map(|path| path.display().to_string()).collect();
    all.join(":")
}

/// The directory of a name below that of the libraries, which is called after the machine's architecture.
fn find_directory(files: &Path, name: &str) -> Option<PathBuf> {
    let below = fs::read_dir(files.join("usr/lib")).into_iter().flatten().flatten();
    below.map(|entry| entry.path().join(name)).find(|path| path.is_dir())
}

/// The unpacked packages.
fn obtain() -> Result<PathBuf, PowerDnsError> {
    let parent = target::directory().join("powerdns");
    let files = parent.join("files");
    target::exclusively("powerdns.lock", || {
        if files.join("complete").is_file() {
            return Ok(files);
        }
        let unpack = |error: io::Error| PowerDnsError::Unpack(error.to_string());
        // What an interrupted download left behind.
        if parent.exists() {
            fs::remove_dir_all(&parent).map_err(unpack)?;
        }
        fs::create_dir_all(&files).map_err(unpack)?;
        let mut level: Vec<String> = PACKAGES.map(str::to_owned).into();
        for package in &level {
            download(package, &parent, &files)?;
        }
        let mut had = level.clone();
        for _ in 0..LEVELS {
            if missing(&files)?.is_empty() {
                break;
            }
            level = dependencies(&level)?.into_iter().filter(|package| !had.contains(package)).collect();
            for package in &level {
                // Of alternatives that aren't there, others are.
                let _ = download(package, &parent, &files);
            }
            had.extend(level.clone());
        }
        let missing = missing(&files)?;
        if !missing.is_empty() {
            return Err(PowerDnsError::Libraries(missing.join(", ")));
        }
        fs::write(files.join("complete"), "").map_err(unpack)?;
        Ok(files)
    })
}

/// Downloads a package and unpacks it.
fn download(package: &str, parent: &Path, files: &Path) -> Result<(), PowerDnsError> {
    let archives = parent.join("archives").join(package);
    fs::create_dir_all(&archives).map_err(|error| PowerDnsError::Unpack(error.to_string()))?;
    let fetch = || tool("apt-get", &["-q", "download", package], &archives);
    if let Err(first) = fetch()? {
        // Old lists name packages that aren't there any more.
        let updated = tool("apt-get", &["-q", "update"], &archives)?;
        let again = updated.and_then(|_| fetch().unwrap_or_else(|error| Err(error.to_string())));
        again.map_err(|_| PowerDnsError::Download(package.to_owned(), first))?;
    }
    let entries = fs::read_dir(&archives).map_err(|error| PowerDnsError::Unpack(error.to_string()))?;
    for entry in entries.flatten() {
        let (archive, to) = (entry.path().display().to_string(), files.display().to_string());
        tool("dpkg", &["-x", &archive, &to], parent)?.map_err(PowerDnsError::Unpack)?;
    }
    Ok(())
}

/// Libraries of which the packages depend.
fn dependencies(packages: &[String]) -> Result<Vec<String>, PowerDnsError> {
    let mut arguments =
        vec!["depends", "--no-recommends", "--no-suggests", "--no-conflicts", "--no-breaks", "--no-replaces"];
    arguments.extend(packages.iter().map(String::as_str));
    let listed = tool("apt-cache", &arguments, Path::new("/"))?.unwrap_or_default();
    let names = listed.lines().filter_map(|line| line.trim().trim_start_matches('|').strip_prefix("Depends: "));
    // The C library isn't one that a program could bring along.
    let wanted = names.filter(|name| name.starts_with("lib") && *name != "libc6");
    let mut names: Vec<String> = wanted.map(str::to_owned).collect();
    names.sort();
    names.dedup();
    Ok(names)
}

/// Libraries that neither the system nor the packages have.
fn missing(files: &Path) -> Result<Vec<String>, PowerDnsError> {
    let backend = find_directory(files, "pdns").map(|modules| modules.join("libgsqlite3backend.so"));
    let programs = [Some(files.join(SERVER)), Some(files.join(SHELL)), backend];
    let mut missing = Vec::new();
    for program in programs.into_iter().flatten() {
        let mut command = Command::new("ldd");
        command.arg(program).env("LD_LIBRARY_PATH", libraries(files)).stdin(Stdio::null());
        let output = command.output().map_err(|error| PowerDnsError::NoTool("ldd", error.to_string()))?;
        let listed = String::from_utf8_lossy(&output.stdout).into_owned();
        missing.extend(listed.lines().filter_map(|line| Some(line.trim().strip_suffix(" => not found")?.to_owned())));
    }
    missing.sort();
    missing.dedup();
    Ok(missing)
}

/// Runs a tool: what it printed, or what it complained about.
fn tool(name: &'static str, arguments: &[&str], directory: &Path) -> Result<Result<String, String>, PowerDnsError> {
    let mut command = Command::new(name);
    command.args(arguments).current_dir(directory).env("LC_ALL", "C").stdin(Stdio::null());
    let output = command.output().map_err(|error| PowerDnsError::NoTool(name, error.to_string()))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    Ok(if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) })
}
