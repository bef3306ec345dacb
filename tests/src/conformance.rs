//! Upstream's conformance tests for providers, with components in the place of upstream's own providers.
//!
//! The tests, their programs and their engine come from upstream's Go modules (`tests/conformance/suite`); so do the schemas, since the
//! tests hold for these and no others. They are embedded here into one component, which does what each provider does.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use bulkhead::component::{Manifest, digest, embed};
use bulkhead_policy::{Grant, Granted};
use serde_json::{Value, json};

use crate::bulkhead::{Bulkhead, cache};
use crate::guest::Guest;
use crate::settings::hide_settings;
use crate::target::temporary_directory;
use crate::upstream;

/// A manifest that says nothing.
const MANIFEST: &str = r#"{"manifestVersion":1,"contract":"0.1.0"}"#;

/// The judge.
pub struct Conformance {
    executable: PathBuf,
}

/// Facts about packages that their schemas have no word for: by package, the manifest.
pub type Manifests = BTreeMap<&'static str, String>;

impl Conformance {
    /// Builds the judge from upstream's modules: a few seconds where the Pulumi CLI has been built from them, minutes elsewhere.
    ///
    /// # Panics
    /// No Go, or no modules.
    #[track_caller]
    pub fn build() -> Self {
        Self { executable: upstream::program(".", "suite") }
    }

    /// Makes a plugin of every package that a test uses, in `directory`, out of one guest; tests of packages in `without` are skipped.
    ///
    /// # Panics
    /// No room, or no judge.
    #[track_caller]
    pub fn plugins(
        &self,
        bulkhead: &Bulkhead,
        guest: &Guest,
        without: &[&str],
        manifests: &Manifests,
        directory: &Path,
    ) {
        let schemas = temporary_directory();
        let said = Command::new(&self.executable).arg("schemas").arg(schemas.path()).status();
        assert!(said.is_ok_and(|status| status.success()), "the judge should know the schemas");
        let component = fs::read(&guest.component).expect("a guest should be readable once it is built");
        for entry in fs::read_dir(schemas.path()).expect("the schemas should be there") {
            let path = entry.expect("the schemas should be there").path();
            let package = path.file_stem().expect("a schema has a name").to_string_lossy().into_owned();
            let (name, _) = package.split_once('@').expect("a schema is named after its package and version");
            if without.contains(&name) {
                continue;
            }
            let schema = fs::read(&path).expect("a schema should be readable");
            let manifest = asking(name, &schema, manifests.get(name).map_or(MANIFEST, String::as_str));
            let component = embed(&component, &schema, manifest.as_bytes()).expect("a guest should be a component");
            let bundle = directory.join(&package);
            fs::create_dir_all(&bundle).expect("the target directory should be writable");
            let granted = granted(name, &component, &manifest);
            fs::write(bundle.join("bulkhead.toml"), granted).expect("the target directory should be writable");
            fs::write(bundle.join(format!("{name}.wasm")), component).expect("the target directory should be writable");
            let executable = bundle.join(format!("pulumi-resource-{name}"));
            // What `bulkhead bundle` does, less the hundred processes.
            fs::hard_link(bulkhead.executable(), executable).expect("the target directory should allow links");
        }
    }

    /// Runs the tests, and returns the list of how each ended.
    ///
    /// # Panics
    /// The judge fell over.
    #[track_caller]
    pub fn judge(&self, plugins: &Path) -> String {
        let work = temporary_directory();
        let list = work.path().join("results.txt");
        let jobs = thread::available_parallelism().map_or(2, usize::from) * 2;
        let mut judge = Command::new(&self.executable);
        judge.args(["run", "-jobs", &jobs.to_string(), "-verbose", "-list"]).arg(&list).arg(plugins);
        hide_settings(&mut judge);
        judge.env("BULKHEAD_CACHE_DIR", cache()).env("TMPDIR", work.path()).stdin(Stdio::null()).stdout(Stdio::null());
        let status = judge.status().expect("the judge should start");
        assert!(status.success(), "the judge should come to an end: it ended with {status}");
        fs::read_to_string(list).expect("the judge should write its list")
    }
}

/// The manifest of a package that may say where its plugin is to be had, if its schema does.
fn asking(name: &str, schema: &[u8], manifest: &str) -> String {
    let schema: Value = serde_json::from_slice(schema).expect("a schema should be JSON");
    let mut manifest: Value = serde_json::from_str(manifest).expect("a manifest should be JSON");
    if let Some(from) = schema.get("pluginDownloadURL") {
        let request = json!({"package": name, "from": from, "reason": "it is had from there"});
        manifest["permissions"]["packages"] = json!([request]);
    }
    manifest.to_string()
}

/// An operator's file that grants a component the packages that it asks for.
fn granted(name: &str, component: &[u8], manifest: &str) -> String {
    let requests = Manifest::parse(manifest.as_bytes()).expect("a manifest should be one").permissions;
    let grant = Grant::of(&requests, Granted::Digest(digest(component)));
    let packages: Vec<String> = grant.packages.iter().map(ToString::to_string).collect();
    format!("[[providers.{name}.grants]]\ndigest = \"{}\"\npackages = [{}]\n", grant.digest, packages.join(", "))
}
