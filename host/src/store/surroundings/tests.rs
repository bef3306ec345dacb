use std::fs;

use bulkhead_policy::{Applicant, Configured, OperatorFile, Phase, Requests};
use tempfile::TempDir;

use super::*;
use crate::audit::{AuditFile, Auditor, Cause, Trail};
use crate::provider::Leaks;

/// Permissions that request and grant directories below one.
fn permissions(project: &Path, asked: &[(&str, &str)], granted: &str) -> Permissions {
    let filesystem: Vec<String> =
        asked.iter().map(|(path, access)| format!(r#"{{"path":{path:?},"access":"{access}","reason":"r"}}"#)).collect();
    let requests: Requests = serde_json::from_str(&format!(r#"{{"filesystem":[{}]}}"#, filesystem.join(","))).unwrap();
    let digest = "1".repeat(64);
    let file = format!("[[providers.p.grants]]\ndigest = \"sha256:{digest}\"\nfilesystem = [{granted}]");
    let file = OperatorFile::parse(&file).unwrap();
    let applicant = Applicant { provider: "p".into(), digest, ..Applicant::default() };
    Permissions::new(applicant, requests, file.grants("p"), Vec::new(), project)
}

/// A project with directories in it.
fn project(directories: &[&str]) -> TempDir {
    let project = tempfile::tempdir().unwrap();
    directories.iter().for_each(|directory| fs::create_dir_all(project.path().join(directory)).unwrap());
    project
}

fn denied(project: &Path, asked: &[(&str, &str)], granted: &str) -> Vec<String> {
    let surroundings = Surroundings::of(&permissions(project, asked, granted), &Variables::Own, None);
    surroundings.denials().iter().map(ToString::to_string).collect()
}

#[test]
fn a_granted_directory_is_there_and_no_other() {
    let project = project(&["certs"]);
    let found = Surroundings::of(
        &permissions(project.path(), &[("certs", "read"), ("out", "write")], r#""certs""#),
        &Variables::Own,
        None,
    );
    let names: Vec<&str> = found.directories.iter().map(|opened| opened.name.as_str()).collect();
    assert_eq!(names, ["certs"]);
    let denials: Vec<String> = found.denials().iter().map(ToString::to_string).collect();
    assert_eq!(denials, ["filesystem out (write) is denied: nothing grants it"]);
    let missing = denied(project.path(), &[("none", "read")], r#""none""#);
    assert!(missing[0].contains("none can't be used: No such file or directory"), "{missing:?}");
    fs::write(project.path().join("file"), "").unwrap();
    assert!(denied(project.path(), &[("file", "read")], r#""file""#)[0].contains("can't be used: not a directory"));
}

#[test]
fn what_belongs_to_others_is_granted_to_nobody() {
    let project = tempfile::tempdir().unwrap();
    let escape = project.path().join("escape");
    std::os::unix::fs::symlink("/proc/self", &escape).unwrap();
    for path in ["/", "/proc", "/proc/self", "/dev", "/sys/kernel", escape.to_str().unwrap()] {
        let denials = denied(project.path(), &[(path, "read")], &format!("{path:?}"));
        assert!(
            denials[0].ends_with("what the kernel shows of all processes, which no grant gives away"),
            "{path}: {denials:?}"
        );
    }
    let home = std::env::home_dir().unwrap();
    for place in [home.clone(), home.join("..")] {
        let place = place.to_str().unwrap();
        let denials = denied(project.path(), &[(place, "read")], &format!("{place:?}"));
        assert!(matches!(&denials[..], [one] if one.ends_with(", which no grant gives away")), "{denials:?}");
    }
}

/// No link leads there, and no path says so.
#[test]
fn what_belongs_to_others_is_granted_to_nobody_by_another_mount_of_it() {
    let home = std::env::home_dir().unwrap();
    let home = crate::real_path::real_path(&home.join(".pulumi"));
    let table = format!(
        "27 1 8:0 / / rw - ext4 /dev/a rw\n28 27 0:21 / /srv/jail/proc rw - proc proc rw\n\
         29 27 8:0 {} /srv/bound/engine rw - ext4 /dev/a rw\n",
        home.display()
    );
    let mounts = mounts::Mounts::parse(table.as_bytes());
    let project = tempfile::tempdir().unwrap();
    let permissions = permissions(project.path(), &[], "");
    let owner = |real: &str| protected::owner(&mounts, Path::new(real), Access::Read, &permissions, None);
    for (real, expected) in [
        ("/srv/jail", Some("what the kernel shows of all processes")),
        ("/srv/jail/proc/self", Some("what the kernel shows of all processes")),
        ("/srv/bound", Some("the engine's credentials")),
        ("/srv/bound/engine/plugins", Some("the engine's credentials")),
        ("/srv/jail/etc", None),
        ("/srv/bound/others", None),
    ] {
        assert_eq!(owner(real), expected, "{real}");
    }
}

/// Whatever names it: engines tell nobody where they keep it.
#[test]
fn nobody_gets_at_a_state_that_is_there() {
    let project = project(&["state/.pulumi/stacks/x", "out/.pulumi"]);
    for path in ["state", ".", "state/.pulumi", "state/.pulumi/stacks/x"] {
        // Nobody may write to the project itself anyway.
        for access in ["read", "write"].into_iter().filter(|access| path != "." || *access == "read") {
            let granted = format!(r#"{{ path = "{path}", access = "{access}" }}"#);
            let denials = denied(project.path(), &[(path, access)], &granted);
            assert!(
                matches!(&denials[..], [denial] if denial.ends_with("the engine's state, which no grant gives away")),
                "{path} ({access}): {denials:?}"
            );
        }
    }
    assert_eq!(denied(project.path(), &[("out", "read")], r#""out""#), [""; 0]);
}

#[test]
fn nobody_may_write_who_grants_what() {
    let project = tempfile::tempdir().unwrap();
    fs::write(project.path().join("bulkhead.toml"), "").unwrap();
    let granted = r#"{ path = ".", access = "write" }"#;
    assert_eq!(denied(project.path(), &[(".", "read")], granted), [""; 0]);
    let asked = permissions(project.path(), &[(".", "write")], granted);
    let denials = Surroundings::of(&asked, &Variables::Own, None).denials().to_vec();
    assert_eq!(Surroundings::ungivable(&asked, None), denials, "it is told before it is granted");
    let elsewhere = r#"{ path = ".", at = "./files-for-p", access = "write" }"#;
    let line = format!("filesystem = [{elsewhere}] to {}", project.path().join("bulkhead.toml").display());
    assert!(denials[0].hint().unwrap().ends_with(&line), "{denials:?}");
    fs::create_dir(project.path().join("files-for-p")).unwrap();
    assert_eq!(denied(project.path(), &[(".", "write")], elsewhere), [""; 0]);
    let denials = denied(project.path(), &[(".", "write")], granted);
    assert!(denials[0].ends_with("holds the project's own files, which no grant gives away"), "{denials:?}");
    let below = project.path().join("infrastructure");
    fs::create_dir(&below).unwrap();
    fs::write(below.join("bulkhead.toml"), "").unwrap();
    fs::remove_file(project.path().join("bulkhead.toml")).unwrap();
    let around = project.path().to_str().unwrap();
    let denials = denied(&below, &[(around, "write")], &format!(r#"{{ path = {around:?}, access = "write" }}"#));
    assert!(
        denials[0].ends_with("holds the project's own files, which no grant gives away"),
        "however deep: {denials:?}"
    );
}

/// As where files are laid out by a tool that links to its store: a component could put its own grants in the place of a link.
#[test]
fn nobody_may_write_where_links_lead_to_who_grants_what() {
    let (project, store) = (project(&["data", "out"]), tempfile::tempdir().unwrap());
    let at = |name: &str| project.path().join(name);
    for name in ["bulkhead.toml", "Pulumi.yaml"] {
        fs::write(store.path().join(name), "").unwrap();
        std::os::unix::fs::symlink(store.path().join(name), at("data").join(name)).unwrap();
        std::os::unix::fs::symlink(Path::new("data").join(name), at(name)).unwrap();
    }
    for place in [".", "data"] {
        for (access, denials) in [("read", 0), ("write", 1)] {
            let granted = format!(r#"{{ path = "{place}", access = "{access}" }}"#);
            let denied = denied(project.path(), &[(place, access)], &granted);
            assert_eq!(denied.len(), denials, "{place} ({access}): {denied:?}");
            let owned = |denial: &String| denial.ends_with("holds the project's own files, which no grant gives away");
            assert!(denied.iter().all(owned), "{denied:?}");
        }
    }
    assert_eq!(denied(project.path(), &[("out", "write")], r#"{ path = "out", access = "write" }"#), [""; 0]);
}

#[test]
fn nobody_gets_at_what_is_executed() {
    let project = tempfile::tempdir().unwrap();
    let cache = project.path().join("work/cache");
    fs::create_dir_all(&cache).unwrap();
    let asked = permissions(project.path(), &[("work", "read")], r#""work""#);
    assert!(Surroundings::of(&asked, &Variables::Own, None).denials().is_empty());
    let denials = Surroundings::of(&asked, &Variables::Own, Some(&cache)).denials().to_vec();
    assert!(denials[0].to_string().ends_with("holds Bulkhead's own files, which no grant gives away"), "{denials:?}");
    let running = std::env::current_exe().unwrap();
    let around = running.parent().unwrap().to_str().unwrap();
    let granted = format!(r#"{{ path = {around:?}, access = "write" }}"#);
    assert_eq!(denied(project.path(), &[(around, "write")], &granted).len(), 1);
    assert_eq!(denied(project.path(), &[(around, "read")], &granted), [""; 0]);
}

#[test]
fn nothing_lies_within_what_may_be_written() {
    let project = project(&["out/inner"]);
    let granted = r#"{ path = "out", access = "write" }, { path = "out/inner", access = "write" }"#;
    for asked in [[("out", "write"), ("out/inner", "read")], [("out/inner", "read"), ("out", "write")]] {
        let denials = denied(project.path(), &asked, granted);
        assert!(denials[0].contains("overlaps with"), "{denials:?}");
    }
    for beside in [[("out", "read"), ("out/inner", "read")], [("out", "read"), ("out/inner", "write")]] {
        assert_eq!(denied(project.path(), &beside, granted), [""; 0]);
    }
}

/// Whoever is told "granted" looks for the reason of a denial in the component.
#[test]
fn what_is_not_given_beside_others_is_told_before_it_is_granted() {
    let project = project(&["in", "out"]);
    let asked = [("in", "read"), ("out", "write"), ("gone", "read")];
    let granted = r#"{ path = "in", at = "./out" }, { path = "out", access = "write" }, "gone""#;
    let permissions = permissions(project.path(), &asked, granted);
    let told: Vec<String> = Surroundings::ungivable(&permissions, None).iter().map(ToString::to_string).collect();
    let out = project.path().canonicalize().unwrap().join("out");
    let overlaps = "overlaps with `in`, and the outer one may be written";
    assert_eq!(
        told,
        [format!("filesystem out (write) is denied: {} {overlaps}", out.display())],
        "what isn't there may be"
    );
    assert_eq!(denied(project.path(), &asked, granted)[..1], told[..], "as it is when it is used");
}

#[test]
fn an_instance_has_all_of_its_directories_or_is_none() {
    let project = project(&["certs"]);
    let found =
        Surroundings::of(&permissions(project.path(), &[("certs", "read")], r#""certs""#), &Variables::Own, None);
    assert!(found.supply(&mut wasmtime_wasi::WasiCtx::builder()).is_ok());
    fs::remove_dir(project.path().join("certs")).unwrap();
    let unopened = found.supply(&mut wasmtime_wasi::WasiCtx::builder()).unwrap_err().to_string();
    assert!(
        unopened.starts_with("the directory `certs` can't be opened: ") && unopened.contains("No such file"),
        "{unopened}"
    );
}

#[test]
fn nobody_gets_at_the_records_about_them() {
    let project = project(&["out/deep"]);
    std::os::unix::fs::symlink("out", project.path().join("other")).unwrap();
    for (records, granted) in
        [("out/deep/audit.jsonl", "out"), ("other/audit.jsonl", "out"), ("out/audit.jsonl", "other")]
    {
        for access in ["read", "write"] {
            let line = format!(r#"{{ path = "{granted}", access = "{access}" }}"#);
            let permissions = permissions(project.path(), &[(granted, access)], &line);
            assert!(Surroundings::of(&permissions, &Variables::Own, None).denials().is_empty());
            let recorded = permissions.recorded_in([project.path().join(records)]).bind(&|_| Configured::Absent);
            let denials = Surroundings::of(&recorded, &Variables::Own, None).denials().to_vec();
            let denial = denials[0].to_string();
            assert!(
                denial.ends_with("holds the records of what components do, which no grant gives away"),
                "{records}, which isn't there yet, for {granted}: {denial}"
            );
        }
    }
}

#[tokio::test]
async fn what_has_to_be_written_down_and_is_not_is_given_to_nobody() {
    let project = project(&["out"]);
    let permissions = permissions(project.path(), &[("out", "read")], r#""out""#);
    let surroundings = Surroundings::of(&permissions, &Variables::Own, None);
    let recorded = async |file: &str, required| {
        let file = AuditFile::new(&project.path().join(file), required);
        let rpc = Auditor::new(vec![file], None, "p", "d").rpc("Create", None, None).unwrap();
        rpc.answered(async {
            let trail = Trail::of(&Cause::present(), None, "p:index:T", &Phase::Create);
            let authority = Authority::new(Arc::new(permissions.clone()), Phase::Create, trail, Leaks::default());
            surroundings.record(&authority).map_err(|unrecorded| unrecorded.to_string())
        })
        .await
    };
    assert_eq!(recorded("a.jsonl", true).await, Ok(()));
    assert_eq!(recorded("missing/b.jsonl", false).await, Ok(()));
    let told = recorded("missing/c.jsonl", true).await.unwrap_err();
    assert!(told.starts_with("filesystem out (read) is denied: it has to be written down first"), "{told}");
}

/// Providers that are granted directories within each other could take from the machine what none of them was granted.
#[test]
fn a_link_where_another_component_may_write_leads_nowhere_else() {
    let project = project(&["out/real", "elsewhere"]);
    let at = |name: &str| project.path().join(name);
    for (target, link) in [("../elsewhere", "out/led"), ("real", "out/fine"), ("out/led", "chain"), ("out", "alias")] {
        std::os::unix::fs::symlink(target, at(link)).unwrap();
    }
    let found = |path: &str| {
        let permissions = permissions(project.path(), &[(path, "read")], &format!("{path:?}"));
        Surroundings::of(&permissions.beside([at("alias")]), &Variables::Own, None)
    };
    for path in ["out/led", "chain", "alias/led"] {
        let found = found(path);
        let [denial] = found.denials() else { panic!("{path}: {:?}", found.denials()) };
        let way = format!("the way to {} is a link in a directory that components may write", at(path).display());
        assert!(denial.to_string().contains(&way), "{denial}");
    }
    for path in ["out/real", "out/fine", "elsewhere", "out"] {
        assert!(found(path).denials().is_empty(), "{path}");
    }
    let guarded = found("out").guarded();
    assert!(matches!(guarded.followed(&at("out/led")), Err(AssetError::OutOfReach(_))), "of assets, too");
}

#[cfg(target_os = "linux")]
#[test]
fn a_link_that_takes_the_place_of_a_granted_directory_is_not_followed() {
    let project = project(&["out/mine", "elsewhere/mine"]);
    let at = |name: &str| project.path().join(name);
    let found =
        Surroundings::of(&permissions(project.path(), &[("out/mine", "read")], r#""out/mine""#), &Variables::Own, None);
    let supplied = || found.supply(&mut WasiCtxBuilder::new());
    assert!(supplied().is_ok());
    // The directory itself, and one above it.
    for (place, target) in [("out/mine", "../elsewhere"), ("out", "elsewhere")] {
        fs::rename(at(place), at("aside")).unwrap();
        std::os::unix::fs::symlink(target, at(place)).unwrap();
        let error = supplied().unwrap_err().to_string();
        assert!(error.starts_with("the directory `out/mine` can't be opened: "), "{error}");
        fs::remove_file(at(place)).unwrap();
        fs::rename(at("aside"), at(place)).unwrap();
        assert!(supplied().is_ok());
    }
}
