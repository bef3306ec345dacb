//! The first minutes of an author: a provider from nothing, with the commands that each step says.

use std::fs;
use std::process::Command;

use bulkhead_tests::{cargo, hide_settings, repository, run, temporary_directory};

use crate::bulkhead;

#[test]
fn a_new_provider_builds_and_nothing_is_found_wrong_with_it() {
    let directory = temporary_directory();
    let sdk = repository().join("guest-sdk");
    let arguments = ["new".as_ref(), "shop-floor".as_ref(), "--sdk".as_ref(), sdk.as_os_str()];
    let made = run(bulkhead().command(arguments).current_dir(directory.path())).succeeded();
    let next: Vec<&str> = made.stdout.lines().skip(1).map(|line| line.trim_start_matches("next:").trim()).collect();
    assert_eq!(next, ["bulkhead build shop-floor", "bulkhead check shop-floor.wasm"], "{made}");
    // Where guests are built, so that what they have in common is compiled once.
    let target = directory.path().ancestors().nth(2).unwrap().join("guests");
    for (line, said) in next.iter().zip(["shop-floor 0.1.0: shop-floor.wasm (", "shop-floor 0.1.0: nothing found\n"]) {
        let mut command = bulkhead().command(line.split(' ').skip(1));
        command.current_dir(directory.path()).env("CARGO_TARGET_DIR", &target);
        let finished = run(&mut command).succeeded();
        assert!(finished.stdout.starts_with(said), "{finished}");
    }
    let mut tests = cargo();
    tests.arg("test").current_dir(directory.path().join("shop-floor")).env("CARGO_TARGET_DIR", &target);
    let tested = run(&mut tests).succeeded();
    assert!(tested.stdout.contains("test result: ok"), "{tested}");
}

#[test]
fn what_cannot_be_made_says_what_to_do_and_leaves_everything_as_it_is() {
    let directory = temporary_directory();
    let failed = |name: &str, sdk: &str| {
        let failed = run(bulkhead().command(["new", name, "--sdk", sdk]).current_dir(directory.path())).failed();
        assert_eq!((failed.code, failed.stdout.as_str()), (Some(1), ""), "{failed}");
        failed.stderr
    };
    fs::create_dir_all(directory.path().join("sdk")).unwrap();
    let elsewhere = "hint: name the directory `guest-sdk` of a checkout of Bulkhead: `--sdk DIR`\n";
    assert_eq!(
        failed("shop", "nowhere"),
        format!("error: failed to make the provider shop: there is no SDK in nowhere\n{elsewhere}")
    );
    fs::write(directory.path().join("sdk/Cargo.toml"), "[package]\nname = \"other\"\n").unwrap();
    assert_eq!(
        failed("shop", "sdk"),
        format!("error: failed to make the provider shop: there is no SDK in sdk\n{elsewhere}")
    );
    fs::write(directory.path().join("sdk/Cargo.toml"), "[package]\nname = \"bulkhead-sdk\"\n").unwrap();
    for name in ["", "2shop", "shop/floor", "../shop", "sh op", "é"] {
        assert_eq!(
            failed(name, "sdk"),
            format!(
                "error: failed to make the provider {name}: that is no package name\nhint: use letters, digits, `-` and `_`, a letter first\n"
            )
        );
    }
    assert_eq!(
        failed("wasm", "sdk"),
        "error: failed to make the provider wasm: that is the base provider's name\nhint: give it another name\n"
    );
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1, "nothing is written by a command that fails");

    run(bulkhead().command(["new", "shop", "--sdk", "sdk"]).current_dir(directory.path())).succeeded();
    let manifest = directory.path().join("shop/Cargo.toml");
    let written = fs::read_to_string(&manifest).unwrap();
    assert!(written.contains("bulkhead-sdk = { path = \"../sdk\" }"), "it is seen from the provider: {written}");
    fs::write(&manifest, "mine").unwrap();
    assert_eq!(
        failed("shop", "sdk"),
        "error: failed to make the provider shop: its directory is there already\nhint: give it another name\n"
    );
    assert_eq!(fs::read_to_string(&manifest).unwrap(), "mine");
    let unsaid = run(bulkhead().command(["new", "shop"]).current_dir(directory.path())).failed();
    assert_eq!(unsaid.code, Some(64), "{unsaid}");
    assert!(unsaid.stderr.contains("--sdk <DIR>"), "{unsaid}");
}

/// Whoever made room then was told that the name is taken.
#[test]
fn what_there_is_no_room_for_leaves_nothing_in_its_place() {
    let directory = temporary_directory();
    let mut command = Command::new("sh");
    // Files of a few blocks only: the first has room.
    command.args(["-c", "trap '' XFSZ; ulimit -f 8 && exec \"$0\" \"$@\""]).arg(bulkhead().executable());
    command.args(["new", "shop", "--sdk"]).arg(repository().join("guest-sdk")).current_dir(directory.path());
    let failed = run(hide_settings(&mut command)).failed();
    assert!(failed.stderr.starts_with("error: failed to make the provider shop: File too large"), "{failed}");
    assert!(failed.stderr.ends_with("hint: go to a directory that you may write to and that has room\n"), "{failed}");
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
}
