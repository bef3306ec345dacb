//! Assets and archives of a real program: with the hashes that the engine computes, relative to the program's directory.

use std::fs;

use serde_json::json;

use crate::project;

const CONTENTS: &str = "
resources:
  contents:
    type: reading:Contents
    properties:
      asset: {fn::stringAsset: a text}
      archive:
        fn::assetArchive:
          file.txt: {fn::fileAsset: ./files/file.txt}
          all: {fn::fileArchive: ./files}
outputs:
  found: ${contents.found}
";

#[test]
fn a_provider_reads_what_the_program_gives_it() {
    let project = project("reading");
    fs::create_dir_all(project.directory().join("files/deep")).unwrap();
    fs::write(project.directory().join("files/file.txt"), "from a file").unwrap();
    fs::write(project.directory().join("files/deep/other.txt"), "another").unwrap();
    project.program(CONTENTS);
    assert_eq!(project.up(&[]).succeeded().steps(), ["create contents"]);
    let found = ["a text", "all/deep/other.txt: another", "all/file.txt: from a file", "file.txt: from a file"];
    assert_eq!(project.outputs(), json!({"found": found}));
    assert!(project.up(&["--expect-no-changes"]).succeeded().steps().is_empty());

    fs::write(project.directory().join("files/deep/other.txt"), "changed").unwrap();
    let preview = project.preview(&[]).succeeded();
    assert_eq!(preview.steps(), ["update contents"], "a changed file is a changed input");
}

#[test]
fn an_asset_with_an_address_of_this_machine_is_read() {
    let project = project("reading");
    fs::write(project.directory().join("file.txt"), "from a file").unwrap();
    let uri = format!("file://{}", project.directory().join("file.txt").display());
    project.program(&format!(
        "
resources:
  contents:
    type: reading:Contents
    properties:
      asset: {{fn::remoteAsset: '{uri}'}}
outputs:
  found: ${{contents.found}}
"
    ));
    project.up(&[]).succeeded();
    assert_eq!(project.outputs(), json!({"found": ["from a file"]}));
}

#[test]
fn an_asset_that_a_check_makes_is_updated_when_it_changes() {
    let project = project("reading");
    let program = |text: &str, member: &str| {
        format!(
            "
resources:
  trimmed:
    type: reading:Trimmed
    properties:
      asset: {{fn::stringAsset: '{text}'}}
      archive: {{fn::assetArchive: {{a.txt: {{fn::stringAsset: '{member}'}}}}}}
"
        )
    };
    project.program(&program(" one ", " one "));
    assert_eq!(project.up(&[]).succeeded().steps(), ["create trimmed"]);
    project.program(&program("one", "one  "));
    assert!(project.up(&["--expect-no-changes"]).succeeded().steps().is_empty(), "the same without spaces");
    project.program(&program(" two ", "one"));
    assert_eq!(project.up(&[]).succeeded().steps(), ["update trimmed"]);
    project.program(&program("two", " two "));
    assert_eq!(project.up(&[]).succeeded().steps(), ["update trimmed"]);
}
