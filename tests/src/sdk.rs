//! Programs written with the published Pulumi SDKs, and what they need installed.
//!
//! A program and the exact versions of all it needs lie in `tests/sdk`. They are installed from the language's package
//! registry, once, into the target directory. Programs are run by the Automation API in their own process, so the CLI needs
//! no host for their language.

use std::ffi::OsStr;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::guest::repository;
use crate::process::run;
use crate::project::Project;
use crate::target;

/// A published SDK.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sdk {
    /// `@pulumi/pulumi` from npm.
    Node,
    /// `pulumi` from PyPI.
    Python,
}

impl Sdk {
    /// Runs the SDK's program `main` in a project, and gives the lines of JSON that it prints. Installs what it needs; what keeps it
    /// from that fails the test.
    #[track_caller]
    pub fn run(self, project: &Project) -> Vec<Value> {
        self.run_program(project, "main")
    }

    /// Runs a program of the SDK by its name, as [`run`](Self::run) does.
    #[track_caller]
    pub fn run_program(self, project: &Project, name: &str) -> Vec<Value> {
        let packages = self.installed();
        let mut program = match self {
            Self::Node => {
                let mut node = Command::new(on_path("node", "Node.js 20 or later from https://nodejs.org"));
                node.arg(self.sources().join(format!("{name}.js")));
                node
            }
            Self::Python => {
                let mut python = Command::new(packages.join("bin").join("python"));
                python.arg(self.sources().join(format!("{name}.py")));
                python
            }
        };
        project.prepare(&mut program);
        let modules =
            project.variable("NODE_PATH").map(PathBuf::from).into_iter().chain([packages.join("node_modules")]);
        let modules = std::env::join_paths(modules).expect("directories should have no colons in their names");
        program.env("NODE_PATH", modules).env("PYTHONDONTWRITEBYTECODE", "1");
        let finished = run(&mut program).succeeded();
        let line =
            |line: &str| serde_json::from_str(line).unwrap_or_else(|_| panic!("`{line}` should be JSON: {finished}"));
        finished.stdout.lines().map(line).collect()
    }

    /// Compiles an SDK that the CLI generated for Node.js, and gives it its version, as whoever publishes it does. What is published
    /// lies in `bin`.
    #[track_caller]
    pub fn compile(generated: &Path, version: &str) {
        let packages = Self::Node.installed().join("node_modules");
        symlink(&packages, generated.join("node_modules")).expect("a temporary directory should be writable");
        let mut compiler = Command::new(on_path("node", "Node.js 20 or later from https://nodejs.org"));
        compiler.arg(packages.join("typescript").join("bin").join("tsc")).current_dir(generated);
        run(&mut compiler).succeeded();
        let described = fs::read_to_string(generated.join("package.json")).expect("an SDK should describe itself");
        fs::write(generated.join("bin").join("package.json"), described.replace("${VERSION}", version))
            .expect("a temporary directory should be writable");
    }

    fn sources(self) -> PathBuf {
        let name = match self {
            Self::Node => "node",
            Self::Python => "python",
        };
        repository().join("tests").join("sdk").join(name)
    }

    /// The directory of the packages.
    fn installed(self) -> PathBuf {
        let (interpreter, pinned) = match self {
            Self::Node => (on_path("node", "Node.js 20 or later from https://nodejs.org"), "package-lock.json"),
            Self::Python => (on_path("python3", "Python 3.10 or later from https://www.python.org"), "constraints.txt"),
        };
        let pins = fs::read(self.sources().join(pinned)).expect("the exact versions should lie beside the program");
        let mut hasher = DefaultHasher::new();
        (version(&interpreter), pins).hash(&mut hasher);
        let parent = target::directory().join("sdk");
        let directory = parent.join(format!("{self:?}-{:016x}", hasher.finish()).to_lowercase());
        target::exclusively(&format!("sdk-{self:?}.lock").to_lowercase(), || {
            if !directory.is_dir() {
                let unfinished = parent.join(format!("unfinished-{self:?}").to_lowercase());
                let _ = fs::remove_dir_all(&unfinished);
                fs::create_dir_all(&unfinished).expect("the target directory should be writable");
                self.install(&interpreter, &unfinished);
                fs::rename(&unfinished, &directory).expect("the target directory should be writable");
            }
        });
        directory
    }

    #[track_caller]
    fn install(self, interpreter: &Path, directory: &Path) {
        let sources = self.sources();
        match self {
            Self::Node => {
                for file in ["package.json", "package-lock.json"] {
                    fs::copy(sources.join(file), directory.join(file))
                        .expect("the target directory should be writable");
                }
                let mut npm = Command::new(on_path("npm", "npm, which comes with Node.js"));
                npm.current_dir(directory).args(["ci", "--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund"]);
                run(&mut npm).succeeded();
            }
            Self::Python => {
                run(Command::new(interpreter).args(["-m", "venv"]).arg(directory)).succeeded();
                let mut pip = Command::new(directory.join("bin").join("python"));
                pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:"]);
                pip.arg("-r").arg(sources.join("requirements.txt")).arg("-c").arg(sources.join("constraints.txt"));
                run(&mut pip).succeeded();
            }
        }
    }
}

/// An executable on the PATH. Panics with what to install if there is none.
#[track_caller]
fn on_path(name: &str, hint: &str) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places = std::env::split_paths(&path).map(|directory| directory.join(name));
    places.find(|place| place.is_file()).unwrap_or_else(|| panic!("there is no `{name}` on the PATH; install {hint}"))
}

fn version(interpreter: &Path) -> String {
    let output = Command::new(interpreter).arg(OsStr::new("--version")).stdin(Stdio::null()).output();
    String::from_utf8_lossy(&output.expect("an interpreter should say its version").stdout).into_owned()
}
