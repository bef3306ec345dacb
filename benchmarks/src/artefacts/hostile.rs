//! A provider that attacks in some of its calls, and a language host to serve several of it in one process.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use bulkhead_value::{Archive, ArchiveSource, Value};
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use super::bulkhead::Bulkhead;
use super::directory::{own, repository};

/// The guest: an example of `tests/guests/hostile`.
const GUEST: &str = "some-calls";
/// What is soon exceeded, so that an attack is over soon after it was stopped; and memory that eight can have at once.
const OPERATOR: &str = "[limits]\ncompute = \"200ms\"\nwall = \"500ms\"\nmemory = \"512MiB\"\n";

/// What an archive unpacks to, bytes.
const UNPACKED: u64 = 50 << 20;
/// The directory that is granted.
const FILES: &str = "files";
/// One in it, and how many files there are.
const MANY: (&str, usize) = ("many", 100_000);

/// What is attacked.
#[derive(Debug)]
pub(crate) struct Hosting {
    /// The language host.
    pub(crate) executable: PathBuf,
    /// Where compiled code is kept.
    pub(crate) cache: PathBuf,
    /// The directory of the project that the providers serve, which is theirs, too.
    pub(crate) project: PathBuf,
    /// That of one whose providers may write to a directory.
    pub(crate) granted: PathBuf,
}

/// Builds the guest, and puts it where a language host finds it.
pub(super) fn prepare(bulkhead: &Bulkhead) -> Result<Hosting> {
    let (directory, cache) = (own("attacked")?, own("cache/attacked")?);
    let component = fs::read(built()?).context("read the guest")?;
    let grant = format!(
        "{OPERATOR}[[providers.hostile.grants]]\ndigest = \"sha256:{:x}\"\nfilesystem = [{{ path = \"{FILES}\", access = \"write\" }}]\n",
        Sha256::digest(&component)
    );
    let project = make(directory.join("project"), &component, OPERATOR)?;
    let granted = make(directory.join("granted"), &component, &grant)?;
    fill(&granted.join(FILES).join(MANY.0)).context("make many files")?;
    let executable = directory.join("pulumi-language-wasm");
    fs::copy(bulkhead.executable(), &executable).context("copy the executable")?;
    Ok(Hosting { executable, cache, project, granted })
}

/// An archive that unpacks to 50 MiB, which is made if it isn't there.
///
/// # Errors
/// It can't be made.
pub(crate) fn zeros() -> Result<Value> {
    let path = own("attacked")?.join("zeros.tgz");
    if !path.exists() {
        let mut packed = tar::Builder::new(GzEncoder::new(fs::File::create(&path)?, Compression::best()));
        let mut header = tar::Header::new_gnu();
        header.set_size(UNPACKED);
        packed.append_data(&mut header, "zeros", io::repeat(0).take(UNPACKED))?;
        packed.into_inner()?.finish()?;
    }
    let source = ArchiveSource::Path(path.to_string_lossy().into_owned());
    Ok(Value::from(Archive { hash: None, source }))
}

/// Makes a project with the guest, under what an operator says.
fn make(project: PathBuf, component: &[u8], operator: &str) -> Result<PathBuf> {
    fs::create_dir_all(project.join(FILES)).context("make a project")?;
    let files: [(&str, &[u8]); 4] = [
        ("hostile.wasm", component),
        ("Pulumi.yaml", b"name: attacked\nruntime: yaml\n"),
        ("PulumiPlugin.yaml", b"runtime: wasm\n"),
        ("bulkhead.toml", operator.as_bytes()),
    ];
    for (name, contents) in files {
        fs::write(project.join(name), contents).with_context(|| format!("write {name}"))?;
    }
    Ok(project)
}

/// Fills a directory that isn't there.
fn fill(directory: &Path) -> io::Result<()> {
    if directory.exists() {
        return Ok(());
    }
    let unfinished = directory.with_extension("unfinished");
    fs::create_dir_all(&unfinished)?;
    for number in 0..MANY.1 {
        fs::write(unfinished.join(number.to_string()), [])?;
    }
    fs::rename(unfinished, directory)
}

/// The component of the guest.
fn built() -> Result<PathBuf> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--example", GUEST, "--locked", "--target", "wasm32-wasip2"]);
    cargo.args(["--message-format", "json-render-diagnostics"]);
    cargo.current_dir(repository().join("tests/guests/hostile")).stdin(Stdio::null()).stderr(Stdio::inherit());
    let output = cargo.output().context("start cargo")?;
    ensure!(output.status.success(), "build {GUEST}: cargo ended with {}", output.status);
    let text = String::from_utf8_lossy(&output.stdout);
    let messages = text.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let files = messages.filter_map(|message| Some(message.get("filenames")?.as_array()?.clone()));
    let named = |file: &PathBuf| {
        let stem = |path: &Path| path.file_stem().is_some_and(|stem| stem.to_string_lossy().replace('_', "-") == GUEST);
        stem(file) && file.extension().is_some_and(|kind| kind == "wasm")
    };
    let mut components = files.flatten().filter_map(|file| file.as_str().map(PathBuf::from)).filter(named);
    components.next_back().with_context(|| format!("build {GUEST}: cargo named no component"))
}
