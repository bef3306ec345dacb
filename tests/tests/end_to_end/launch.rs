//! The ways in which engines find a provider. All take the same bundle.

use std::fs::{self, File};
use std::path::Path;

use bulkhead::component::digest;
use bulkhead_tests::{Launch, Plugin, Project, Stdin, running};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use crate::{bulkhead, guest};

const PAGE: &str = "
resources:
  page:
    type: notes:Page
    properties: {notebook: plans, heading: {text: first, level: 1}}
";

fn lives(project: &Project) {
    project.program(PAGE);
    assert_eq!(project.up(&[]).succeeded().steps(), ["create page"]);
    assert_eq!(project.refresh(&[]).succeeded().steps(), [""; 0]);
    assert_eq!(project.destroy(&[]).succeeded().steps(), ["delete page"]);
}

#[test]
fn a_directory_named_by_the_program() {
    lives(&Project::new(&bulkhead(), &[&guest("notes")], Launch::Plugins));
}

#[test]
fn a_directory_on_the_search_path() {
    lives(&Project::new(&bulkhead(), &[&guest("notes")], Launch::SearchPath));
}

#[test]
fn an_installed_archive() {
    let guest = guest("notes");
    let project = Project::new(&bulkhead(), &[&guest], Launch::Elsewhere);
    let archive = project.temporary().join("notes.tar.gz");
    pack(&project.plugins(), &archive);
    // What is installed must not depend on where it came from.
    std::fs::remove_dir_all(project.plugins()).unwrap();
    let archive = archive.to_str().unwrap();
    project.pulumi(["plugin", "install", "resource", "notes", &guest.version, "--file", archive]).succeeded();
    let listed = project.pulumi(["plugin", "ls", "--json"]).succeeded();
    let plugins: Value = serde_json::from_str(&listed.stdout).unwrap();
    assert_eq!((&plugins[0]["name"], &plugins[0]["version"]), (&"notes".into(), &guest.version.as_str().into()));
    lives(&project);
}

#[test]
fn a_running_plugin_is_attached_to_again_and_again() {
    let mut project = Project::new(&bulkhead(), &[&guest("notes")], Launch::Plugins);
    let plugin = Plugin::start(&project.plugins().join("pulumi-resource-notes"), Stdin::Null);
    project.set("PULUMI_DEBUG_PROVIDERS", format!("notes:{}", plugin.first_line().trim()));
    lives(&project);
    // Each run starts over: what the last one configured is forgotten.
    project.pulumi(["config", "set", "notes:author", "Ada"]).succeeded();
    project.program(PAGE);
    project.up(&[]).succeeded();
    assert_eq!(project.state().output("page", "author"), "Ada");
    assert_eq!(running(&project.plugins()).len(), 1, "the CLI starts no plugin of its own");
}

#[test]
fn an_engine_that_logs_starts_it_with_flags() {
    let project = Project::new(&bulkhead(), &[&guest("notes")], Launch::Plugins);
    project.program(PAGE);
    let logged = project.up(&["--logtostderr", "--logflow", "-v=3"]).succeeded();
    assert_eq!(logged.steps(), ["create page"]);
}

/// Packs a directory's files, as `tar czf notes.tar.gz -C bin .` does.
fn pack(directory: &Path, archive: &Path) {
    let mut packing = tar::Builder::new(GzEncoder::new(File::create(archive).unwrap(), Compression::none()));
    // The CLI doesn't read the archives of files with holes, which executables may have.
    packing.sparse(false);
    packing.append_dir_all(".", directory).unwrap();
    packing.into_inner().unwrap().finish().unwrap();
}

#[test]
fn the_schema_is_read_from_the_executable() {
    let guest = guest("notes");
    let project = Project::new(&bulkhead(), &[&guest], Launch::Plugins);
    let shown = project.pulumi(["package", "get-schema", "../bin/pulumi-resource-notes"]).succeeded();
    let engines: Value = serde_json::from_str(&shown.stdout).unwrap();
    let own = bulkhead().run(["schema".as_ref(), guest.component.as_os_str()]).succeeded();
    let own: Value = serde_json::from_str(&own.stdout).unwrap();
    assert_eq!(engines["version"], guest.version.as_str());
    for part in ["name", "version", "description", "license", "config", "provider", "types", "resources", "functions"] {
        assert_eq!(engines[part], own[part], "{part}");
    }
}

/// A program may give each of its providers the variables of another name. In a plugin directory they are all served by one process.
#[test]
fn each_provider_has_the_variables_that_the_program_maps_for_it() {
    let resources = "
variables:
  seen: {'fn::invoke': {function: 'granted:variables', arguments: {}, options: {provider: '${first}'}}}
  too: {'fn::invoke': {function: 'granted:variables', arguments: {}, options: {provider: '${second}'}}}
resources:
  first: {type: 'pulumi:providers:granted', options: {envVarMappings: {FIRST: GRANTED_COLOUR}}}
  second: {type: 'pulumi:providers:granted', options: {envVarMappings: {SECOND: GRANTED_COLOUR}}}
outputs: {seen: '${seen.texts}', too: '${too.texts}'}
";
    let guest = guest("granted");
    for bundled in [true, false] {
        let mut project = Project::new(&bulkhead(), &[], Launch::SearchPath);
        let mut named = "";
        if bundled {
            guest.bundle(&bulkhead(), &project.plugins());
        } else {
            fs::copy(bulkhead().executable(), project.plugins().join("pulumi-language-wasm")).unwrap();
            fs::write(project.temporary().join("PulumiPlugin.yaml"), "runtime: wasm\n").unwrap();
            fs::copy(&guest.component, project.temporary().join("granted.wasm")).unwrap();
            named = "plugins:\n  providers:\n    - {name: granted, path: ../tmp}\n";
        }
        let digest = digest(&fs::read(&guest.component).unwrap());
        let grant =
            format!("[[providers.granted.grants]]\ndigest = \"sha256:{digest}\"\nenvironment = [\"GRANTED_COLOUR\"]\n");
        fs::write(project.directory().join("bulkhead.toml"), grant).unwrap();
        project.program(&format!("{named}{resources}"));
        for (variable, value) in [("FIRST", "blue"), ("SECOND", "red"), ("GRANTED_COLOUR", "grey")] {
            project.set(variable, value);
        }
        project.up(&[]).succeeded();
        let expected = json!({"seen": ["GRANTED_COLOUR=blue"], "too": ["GRANTED_COLOUR=red"]});
        assert_eq!(project.outputs(), expected, "bundled: {bundled}");
        // Whoever deletes has them from the state.
        project.destroy(&[]).succeeded();
    }
}
