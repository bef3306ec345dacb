//! Secrets stay secret: on the screen, in the state, and on their way through a sandbox.

use bulkhead_tests::{Launch, Project};

use crate::{bulkhead, project, random};

#[test]
fn a_generated_password_is_nowhere_in_clear() {
    let project = Project::new(&bulkhead(), &[&random()], Launch::Plugins);
    project.program(
        "
resources:
  password: {type: random:RandomPassword, properties: {length: 40}}
  copy: {type: random:RandomPet, properties: {length: 1, keepers: {of: '${password.result}'}}}
outputs:
  password: ${password.result}
  sentence: 'it is ${password.result}'
  hash: ${password.bcryptHash}
",
    );
    let mut printed = project.preview(&["--diff", "--show-reads"]).succeeded().output();
    printed += &project.up(&["--diff"]).succeeded().output();
    printed += &project.up(&["--diff", "--show-sames"]).succeeded().output();
    printed += &project.refresh(&["--diff"]).succeeded().output();
    printed += &project.pulumi(["stack"]).succeeded().output();
    printed += &project.pulumi(["stack", "output", "--json"]).succeeded().output();
    printed += &project.pulumi(["stack", "export"]).succeeded().output();
    let written = project.files();
    let shown = project.pulumi(["stack", "output", "--json", "--show-secrets"]).succeeded();
    printed += &project.destroy(&["--diff"]).succeeded().output();

    let outputs: serde_json::Value = serde_json::from_str(&shown.stdout).unwrap();
    let (password, hash) = (outputs["password"].as_str().unwrap(), outputs["hash"].as_str().unwrap());
    assert_eq!(password.chars().count(), 40);
    assert!(hash.starts_with("$2a$"));
    assert_eq!(outputs["sentence"], format!("it is {password}"));
    for secret in [password, hash] {
        assert!(!printed.contains(secret), "a secret was shown in {printed}");
        assert!(!written.contains(secret), "a secret was written in clear");
    }
    assert!(printed.contains("[secret]") && written.contains("ciphertext"));
}

#[test]
fn a_secret_input_stays_secret_though_its_provider_copies_it() {
    let project = project("notes");
    let canary = "canary-of-the-end-to-end-tests";
    project.pulumi(["config", "set", "--secret", "notes:passphrase", canary]).succeeded();
    project.program(&format!(
        "
resources:
  page:
    type: notes:Page
    properties:
      notebook: locked
      heading: {{text: first, level: 1}}
      remark: {canary}
      body: {{'fn::secret': {canary}-2}}
outputs:
  remark: ${{page.remark}}
  body: ${{page.body}}
"
    ));
    let mut printed = project.preview(&["--diff"]).succeeded().output();
    printed += &project.up(&["--diff"]).succeeded().output();
    printed += &project.refresh(&["--diff"]).succeeded().output();
    let state = project.state().to_string();
    assert!(!printed.contains(canary), "a secret was shown in {printed}");
    assert!(!state.contains(canary), "a secret was written in {state}");
    let shown = project.pulumi(["stack", "output", "--json", "--show-secrets"]).succeeded();
    let outputs: serde_json::Value = serde_json::from_str(&shown.stdout).unwrap();
    assert_eq!(outputs, serde_json::json!({"remark": canary, "body": format!("{canary}-2")}));
}

/// Engines don't say which of a configuration is secret, and show the value of what is named to be wrong.
#[test]
fn what_a_program_configures_wrongly_is_not_shown() {
    let project = project("overriding");
    project.program(
        "
resources:
  mine: {type: 'pulumi:providers:overriding', properties: {endpoint: {'fn::secret': forbidden}}}
",
    );
    let refused = project.up(&[]).failed();
    insta::assert_snapshot!(
        refused.messages("error").join("\n"),
        @"mine: pulumi:providers:overriding resource 'mine' has a problem: endpoint: is forbidden"
    );
}
