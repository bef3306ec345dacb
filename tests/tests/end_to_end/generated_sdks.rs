//! SDKs that the CLI generates from what a provider says of itself, whichever way it is launched, and a program that uses them.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use bulkhead_tests::{Launch, Project, Sdk, sdk_generators};
use serde_json::{Value, json};

use crate::{bulkhead, guest};

/// A project on whose PATH everything is: bundles, the language host, the base provider, and what writes SDKs.
fn project() -> Project {
    let project = Project::new(&bulkhead(), &[&guest("notes"), &guest("extending")], Launch::SearchPath);
    for name in ["pulumi-language-wasm", "pulumi-resource-wasm"] {
        fs::copy(bulkhead().executable(), project.plugins().join(name)).unwrap();
    }
    sdk_generators(&project.plugins());
    let directory = project.temporary().join("notes");
    fs::create_dir(&directory).unwrap();
    fs::write(directory.join("PulumiPlugin.yaml"), "runtime: wasm\n").unwrap();
    fs::copy(guest("notes").component, directory.join("notes.wasm")).unwrap();
    fs::copy(guest("notes").component, project.directory().join("notes.wasm")).unwrap();
    project
}

/// Generates an SDK, into a directory of its own.
pub(crate) fn generated(project: &Project, name: &str, language: &str, source: &[&str]) -> BTreeMap<String, String> {
    let out = project.temporary().join(name);
    let options = ["--language", language, "--out", out.to_str().unwrap()];
    project.pulumi([&["package", "gen-sdk"][..], source, &options].concat()).succeeded();
    let mut files = BTreeMap::new();
    let directory = out.join(language);
    read(&directory, &directory, &mut files);
    files
}

fn read(root: &Path, directory: &Path, files: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read(root, &path, files);
        } else {
            let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
            files.insert(name, fs::read_to_string(&path).unwrap());
        }
    }
}

/// Generates a Python SDK and leaves it as installing it would: an SDK asks for its own version.
pub(crate) fn python_sdk(project: &Project, package: &str, version: &str, source: &[&str]) -> PathBuf {
    let sdk = format!("sdk-{package}");
    generated(project, &sdk, "python", source);
    let place = project.temporary().join(sdk).join("python");
    let metadata = place.join(format!("pulumi_{package}-{version}.dist-info"));
    fs::create_dir(&metadata).unwrap();
    let text = format!("Metadata-Version: 2.1\nName: pulumi_{package}\nVersion: {version}\n");
    fs::write(metadata.join("METADATA"), text).unwrap();
    place
}

/// Generates a Node.js SDK and compiles it. Gives the directory of modules that it lies in.
pub(crate) fn node_sdk(project: &Project, package: &str, version: &str, source: &[&str]) -> PathBuf {
    let sdk = format!("sdk-{package}");
    generated(project, &sdk, "nodejs", source);
    let place = project.temporary().join(sdk).join("nodejs");
    Sdk::compile(&place, version);
    let modules = project.temporary().join("modules");
    fs::create_dir_all(modules.join("@pulumi")).unwrap();
    symlink(place.join("bin"), modules.join("@pulumi").join(package)).unwrap();
    modules
}

/// The ways to launch a provider, as the sources of its schema.
const LAUNCHED: [(&str, &[&str]); 3] = [
    ("bundle", &["../bin/pulumi-resource-notes"]),
    ("directory", &["../tmp/notes"]),
    ("base", &["../bin/pulumi-resource-wasm", "./notes.wasm"]),
];

#[test]
fn sdks_are_generated_whichever_way_a_provider_is_launched() {
    let project = project();
    for (language, page, says) in [
        (
            "nodejs",
            "page.ts",
            [
                "export class Page extends pulumi.CustomResource",
                "public static readonly __pulumiType = 'notes:index:Page';",
                "declare public readonly heading: pulumi.Output<outputs.Heading>;",
                "declare public readonly remark: pulumi.Output<string | undefined>;",
                "additionalSecretOutputs: [\"remark\"]",
                "The notebook that the page is in. A page can't be moved.",
            ],
        ),
        (
            "python",
            "pulumi_notes/page.py",
            [
                "@pulumi.type_token(\"notes:index:Page\")",
                "class Page(pulumi.CustomResource):",
                "def heading(self) -> pulumi.Output['outputs.Heading']:",
                "def remark(self) -> pulumi.Output[Optional[_builtins.str]]:",
                "additional_secret_outputs=[\"remark\"]",
                "The notebook that the page is in. A page can't be moved.",
            ],
        ),
    ] {
        let sdks = LAUNCHED.map(|(way, source)| generated(&project, &format!("{way}-{language}"), language, source));
        for (sdk, (way, _)) in sdks.iter().zip(LAUNCHED) {
            let text = sdk.get(page).unwrap_or_else(|| panic!("{way}: {page} in {:?}", sdk.keys()));
            for says in says {
                assert!(text.contains(says), "{way}, {language}: `{says}` in\n{text}");
            }
        }
        let [bundle, directory, base] = sdks;
        assert_eq!(bundle, directory, "{language}");
        assert_eq!(bundle.keys().collect::<Vec<_>>(), base.keys().collect::<Vec<_>>(), "{language}");
        // Programs say which component it is.
        let (name, base_name) = (r#"baseProviderName: "wasm""#, r#"base_provider_name="wasm""#);
        let says =
            |sdk: &BTreeMap<String, String>| sdk.values().any(|text| text.contains(name) || text.contains(base_name));
        assert_eq!((says(&bundle), says(&base)), (false, true), "{language}");
    }
}

#[test]
fn a_python_program_lives_with_sdks_that_were_generated() {
    let mut project = project();
    let extending = "../bin/pulumi-resource-extending";
    let extended = [extending, "--extension", "extra 1.0.0 Hi"];
    let sdks: [(&str, &str, &[&str]); 3] =
        [("extending", "1.2.3", &[extending]), ("extra", "1.0.0", &extended), ("notes", "1.2.3", LAUNCHED[2].1)];
    let places = sdks.map(|(package, version, source)| python_sdk(&project, package, version, source));
    project.set("PYTHONPATH", std::env::join_paths(places).unwrap().to_str().unwrap());
    let said = Sdk::Python.run_program(&project, "generated");
    let step = |name: &str| -> &Value {
        let found = said.iter().find(|line| line["step"] == name);
        found.unwrap_or_else(|| panic!("the program should have come to `{name}`: {said:?}"))
    };
    // Three resources and the stack.
    assert_eq!(step("preview")["changes"], json!({ "create": 4 }));
    assert_eq!(step("up")["changes"], json!({ "create": 4 }));
    let outputs = &step("up")["outputs"];
    assert_eq!((&outputs["text"]["value"], &outputs["said"]["value"]), (&json!("Hi Ada"), &json!("Hi Ada")));
    assert_eq!((&outputs["silence"]["value"], &outputs["level"]["value"]), (&json!("Eve"), &json!(1)));
    assert_eq!(outputs["revision"], json!({ "value": 1, "secret": false }));
    assert_eq!(outputs["remark"], json!({ "value": "hunter2", "secret": true }));
    assert_eq!(step("again")["changes"], json!({ "same": 4 }));
    // The greeting has no update.
    assert_eq!(step("changed")["changes"], json!({ "replace": 1, "same": 3 }));
    assert_eq!(step("changed")["outputs"]["text"]["value"], "Hi Grace");
    assert_eq!(step("destroy")["changes"], json!({ "delete": 4 }));
}

/// TYP-01: what the schema says of tuples is what programs write. Of methods whose result is neither an object nor plain the generator
/// makes nothing, so that `told` isn't called.
#[test]
fn a_node_program_lives_with_tuples_plain_methods_and_functions() {
    let mut project = Project::new(&bulkhead(), &[&guest("shapes")], Launch::SearchPath);
    sdk_generators(&project.plugins());
    let modules = node_sdk(&project, "shapes", "1.2.3", &["../bin/pulumi-resource-shapes"]);
    let polygon = fs::read_to_string(project.temporary().join("sdk-shapes/nodejs/polygon.ts")).unwrap();
    for says in [
        "corners: pulumi.Input<pulumi.Input<pulumi.Input<number>[]>[]>;",
        "line: pulumi.Input<pulumi.Input<string | number>[]>;",
        "declare public /*out*/ readonly bounds: pulumi.Output<number[][]>;",
    ] {
        assert!(polygon.contains(says), "`{says}` in\n{polygon}");
    }
    project.set("NODE_PATH", modules.to_str().unwrap());
    let said = Sdk::Node.run_program(&project, "shapes");
    let steps = |name: &str| said.iter().filter(|line| line["step"] == name).collect::<Vec<_>>();
    let step = |name: &str| *steps(name).first().unwrap_or_else(|| panic!("there should be `{name}`: {said:?}"));
    // A polygon, a component with two, and the stack.
    assert_eq!(step("preview")["changes"], json!({ "create": 5 }));
    assert_eq!(step("up")["changes"], json!({ "create": 5 }));
    let outputs = &step("up")["outputs"];
    for (name, value) in [
        ("bounds", json!([[0, 0], [4, 3]])),
        ("summary", json!(["red", 3, true])),
        ("end", json!([4, 4])),
        ("corners", json!("3 corners of all")),
        ("measured", json!([[0, 0], [6, 8]])),
    ] {
        assert_eq!(outputs[name]["value"], value, "{name}");
    }
    let asked: Vec<_> = steps("asked").iter().map(|line| (line["preview"].clone(), line["asks"].clone())).collect();
    let asks = |preview: bool| (json!(preview), json!(format!("a preview: {preview}")));
    assert_eq!(asked[..2], [asks(true), asks(false)]);
    assert_eq!(step("again")["changes"], json!({ "same": 5 }));
    assert_eq!(step("destroy")["changes"], json!({ "delete": 5 }));
}

#[test]
fn the_cli_adds_an_extension_to_a_project() {
    let project = project();
    let added = project.pulumi(["package", "add", "../bin/pulumi-resource-extending", "--extension", "extra 1.0.0 Hi"]);
    assert!(added.succeeded().output().contains("Extended package extra"));
    let written = fs::read_to_string(project.directory().join("Pulumi.yaml")).unwrap();
    for line in ["  extra:\n", "    source: extending\n", "    version: 1.2.3\n", "      - Hi\n"] {
        assert!(written.contains(line), "{line} in {written}");
    }
    let lock = fs::read_to_string(project.directory().join("sdks/extra/extra-1.0.0.yaml"));
    let lock = lock.unwrap_or_else(|_| project.files());
    assert!(lock.contains("extension:\n    name: extra\n    version: 1.0.0\n    value: SGk="), "{lock}");

    let refused = project.pulumi(["package", "add", "../bin/pulumi-resource-notes", "--extension", "extra"]).failed();
    assert!(refused.output().contains("takes no parameters"), "{refused}");
    let wrong = project.pulumi(["package", "add", "../bin/pulumi-resource-extending", "--extension", "extra"]).failed();
    assert!(wrong.output().contains("write NAME VERSION WORD"), "{wrong}");
}
