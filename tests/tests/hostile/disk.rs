//! Guests that were granted a directory, and would use up what there is for everybody: the disk that it lies on, descriptors, memory.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

use bulkhead::component::{Limits, Manifest};
use bulkhead_policy::{Applicant, Grant, Isolation, Permissions};
use bulkhead_tests::serving::{Serving, load};
use bulkhead_tests::temporary_directory;
use bulkhead_value::{Archive, ArchiveSource, Value};
use serde_json::json;
use tonic::Code;

use crate::{TELL, THING, fixed, object, permitted, seen, undisturbed, well, what};

/// What a component may do that asks for a directory, and is granted this one.
fn granted(directory: &Path) -> Permissions {
    let manifest = json!({
        "manifestVersion": 1,
        "contract": "0.1.0",
        "permissions": { "filesystem": [{ "path": "out", "access": "write", "reason": "reports" }] },
    });
    let requests = Manifest::parse(manifest.to_string().as_bytes()).unwrap().permissions;
    let grant = json!({ "digest": "dev", "filesystem": [{ "path": "out", "at": directory, "access": "write" }] });
    let grant: Grant = serde_json::from_value(grant).unwrap();
    let applicant = Applicant {
        provider: "hostile".into(),
        digest: "d1".into(),
        component: "hostile.wasm".into(),
        development: true,
    };
    Permissions::new(applicant, requests, &[grant], Vec::new(), Path::new("/"))
}

#[tokio::test]
async fn entries_without_end_are_refused_however_little_is_in_them() {
    undisturbed(async {
        let directory = temporary_directory();
        let limits = Limits { written: 1 << 20, ..Limits::default() };
        let serving = within("file-flood", limits, directory.path()).await;
        let mut there = 0;
        for kind in ["files", "directories", "links", "names"] {
            let status = serving.invoke(TELL, what(kind)).await.unwrap_err();
            let expected = format!(
                "the end of the {kind} is ErrorCode::Quota\n\
                 hint: a call writes at most 1.0 MiB; if the provider should have more, raise the limit `written` in bulkhead.toml"
            );
            assert_eq!(seen(&status), (Code::Aborted, expected.as_str()));
            let before = there;
            there = fs::read_dir(directory.path()).unwrap().count();
            assert_eq!(there - before, 256, "{kind}: a block each");
        }
    })
    .await;
}

/// A guest that was granted a directory.
async fn with_a_directory(guest: &str, directory: &Path) -> Serving {
    within(guest, Limits::default(), directory).await
}

/// The same within limits.
async fn within(guest: &str, limits: Limits, directory: &Path) -> Serving {
    let loaded = load(&bulkhead_tests::hostile(guest), Limits::default()).unwrap();
    Serving::of(loaded.under(limits, granted(directory))).await.ready(well()).await
}

#[tokio::test]
async fn files_that_are_kept_open_are_refused_beyond_a_number() {
    undisturbed(async {
        let directory = temporary_directory();
        let serving = with_a_directory("open-flood", directory.path()).await;
        for kind in ["directories", "streams", "directories"] {
            let status = serving.invoke(TELL, what(kind)).await.unwrap_err();
            let expected = "256 are open, and then comes ErrorCode::Quota\n\
                            hint: a provider has at most 256 files and directories open at once";
            assert_eq!(seen(&status), (Code::Aborted, expected), "{kind}: those of calls before are closed again");
        }
    })
    .await;
}

#[tokio::test]
async fn of_what_is_written_at_once_a_part_is() {
    undisturbed(async {
        let directory = temporary_directory();
        let serving = with_a_directory("write-huge", directory.path()).await;
        let told = serving.invoke(TELL, what("7")).await.unwrap().value;
        assert_eq!(told["text"], Value::from("1048576 bytes are written"));
        assert_eq!(fs::metadata(directory.path().join("one")).unwrap().len(), 1_048_576 + 7);
        for beyond in [u64::MAX, 1 << 63, (1 << 63) - 1] {
            let status = serving.invoke(TELL, what(&beyond.to_string())).await.unwrap_err();
            assert_eq!(status.code(), Code::Aborted, "{status:?}");
            assert!(["invalid", "file-too-large"].contains(&status.message()), "{status:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn what_is_written_piece_by_piece_counts_however_often_it_is_the_same_place() {
    undisturbed(async {
        let directory = temporary_directory();
        let limits = Limits { written: (4 << 20) + 4_096, ..Limits::default() };
        let serving = within("write-huge", limits, directory.path()).await;
        for _ in 0..2 {
            let status = serving.invoke(TELL, what("again")).await.unwrap_err();
            let expected = "4194304 bytes, and then comes ErrorCode::Quota\n\
                            hint: a call writes at most 4.0 MiB; if the provider should have more, raise the limit `written` in \
                            bulkhead.toml";
            assert_eq!(seen(&status), (Code::Aborted, expected), "the next call has its own");
        }
    })
    .await;
}

#[tokio::test]
async fn a_byte_at_the_end_of_a_file_counts_as_its_block_wherever_the_end_is_put() {
    undisturbed(async {
        for (how, made, each) in [("appended", 2, 4_097), ("reopened", 1, 4_097)] {
            let directory = temporary_directory();
            // The file, the stream that stays, and what each byte takes.
            let limits = Limits { written: made * 4_096 + 10 * each, ..Limits::default() };
            let serving = within("write-huge", limits, directory.path()).await;
            let status = serving.invoke(TELL, what(how)).await.unwrap_err();
            let (code, message) = seen(&status);
            assert_eq!(code, Code::Aborted);
            assert!(message.starts_with("10 bytes, and then comes ErrorCode::Quota\n"), "{how}: {message}");
        }
    })
    .await;
}

#[tokio::test]
async fn streams_of_files_have_their_turns_and_lose_nothing() {
    undisturbed(async {
        let directory = temporary_directory();
        let serving = with_a_directory("streams-many", directory.path()).await;
        for _ in 0..2 {
            let told = serving.invoke(TELL, what("")).await.unwrap().value;
            let expected = "true wait, 200 are right, ends: true, failed and closed";
            assert_eq!(told["text"], Value::from(expected));
        }
        assert_eq!(fs::metadata(directory.path().join("one")).unwrap().len(), 2_000_000);
    })
    .await;
}

#[tokio::test]
async fn listings_and_what_is_read_ahead_or_to_be_written_are_bounded_together() {
    undisturbed(async {
        let directory = temporary_directory();
        fs::write(directory.path().join("one"), vec![b'x'; 64 << 10]).unwrap();
        for number in 0..2_000 {
            fs::write(directory.path().join(format!("{number:0200}")), "").unwrap();
        }
        let serving = with_a_directory("listings-kept", directory.path()).await;
        let streams = "streams of files";
        for (kind, of) in
            [("listings", "listings"), ("streams", streams), ("writes", streams), ("listings", "listings")]
        {
            let status = serving.invoke(TELL, what(kind)).await.unwrap_err();
            let message = format!("call the function: the provider needs more memory for {of} than its limit allows");
            let message = format!("{message}{}", fixed("64 MiB"));
            assert_eq!(seen(&status), (Code::ResourceExhausted, message.as_str()));
        }
    })
    .await;
}

#[tokio::test]
async fn a_link_in_what_may_be_written_has_nothing_else_read() {
    undisturbed(async {
        let project = temporary_directory();
        let (out, link) = (project.path().join("out"), project.path().join("out/planted.tgz"));
        fs::create_dir(&out).unwrap();
        // One that could be read, but for where it lies.
        fs::write(project.path().join("secret.tgz"), "").unwrap();
        let serving = with_a_directory("link-planted", &out).await;
        let archive = Archive { hash: None, source: ArchiveSource::Path(link.display().to_string()) };
        let inputs = object([("what", Value::from("../secret.tgz")), ("pack", Value::from(archive))]);
        let status = serving.create(THING, inputs).await.unwrap_err();
        let real = out.canonicalize().unwrap();
        let denied = format!(
            "`{}` is a link that leads out of {}, where the provider may have made it itself; put a copy of the file there, or \
             name the file that is meant",
            link.display(),
            real.display(),
        );
        assert!(status.message().contains("Denied") && status.message().contains(&denied), "{status:?}");
        let kept = format!("filesystem an asset (read) is denied: {denied}");
        assert!(status.message().contains(&kept), "whoever swallows it leaves a trace: {status:?}");
    })
    .await;
}

#[tokio::test]
async fn a_link_that_is_swapped_in_meanwhile_leads_nowhere() {
    undisturbed(async {
        let project = temporary_directory();
        let (out, secret) = (project.path().join("out"), project.path().join("secret"));
        fs::create_dir(&out).unwrap();
        fs::write(&secret, "secret").unwrap();
        let serving = with_a_directory("link-swapped", &out).await;
        let looking = || async { serving.invoke(TELL, what("look")).await.unwrap().value };
        let (swapped, first, second) = tokio::join!(serving.invoke(TELL, what("swap")), looking(), looking());
        assert_eq!(swapped.unwrap().value["text"], Value::from("some swapped"));
        for looked in [first, second] {
            assert_eq!(looked["text"], Value::from("0 reached, some inside"));
        }
        assert_eq!(fs::read_to_string(secret).unwrap(), "secret");
    })
    .await;
}

#[tokio::test]
async fn an_instance_that_lacks_a_directory_is_an_error_and_no_other_instance() {
    undisturbed(async {
        let directory = temporary_directory();
        let out = directory.path().join("out");
        fs::create_dir(&out).unwrap();
        let limits = Limits { isolation: Isolation::Call, ..Limits::default() };
        let serving = within("open-flood", limits, &out).await;
        fs::remove_dir(&out).unwrap();
        let status = serving.invoke(TELL, what("directories")).await.unwrap_err();
        let told = "the directory `out` can't be opened: ";
        assert!(status.message().contains(told) && status.message().contains("hint: make it again; "), "{status:?}");
        fs::create_dir(&out).unwrap();
        let status = serving.invoke(TELL, what("directories")).await.unwrap_err();
        assert!(status.message().contains("256 are open"), "{status:?}");
    })
    .await;
}

#[tokio::test]
async fn a_path_of_any_length_is_its_interfaces_error() {
    undisturbed(async {
        let directory = temporary_directory();
        let serving = with_a_directory("paths-huge", directory.path()).await;
        let told = serving.invoke(TELL, what("x")).await.unwrap();
        assert_eq!(told.value["text"], ["name-too-long"; 13].join(" ").into());
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
    })
    .await;
}

#[tokio::test]
async fn what_may_be_read_is_not_written_by_way_of_what_may() {
    undisturbed(async {
        let project = temporary_directory();
        let (read, write) = (project.path().join("in"), project.path().join("out"));
        fs::create_dir_all(read.join("inner")).unwrap();
        fs::create_dir(&write).unwrap();
        for file in ["file", "inner/deep"] {
            fs::write(read.join(file), "kept").unwrap();
        }
        let found = || {
            let modified = |path: &str| fs::metadata(read.join(path)).unwrap().modified().unwrap();
            let text = |path: &str| fs::read_to_string(read.join(path)).unwrap();
            let names = fs::read_dir(&read).unwrap().chain(fs::read_dir(read.join("inner")).unwrap());
            ([text("file"), text("inner/deep")], ["file", "inner", "inner/deep", "."].map(modified), names.count())
        };
        let before = found();
        let permissions = permitted(
            &json!({ "filesystem": [
                { "path": "in", "access": "read", "reason": "reads" },
                { "path": "out", "access": "write", "reason": "writes" },
            ] }),
            json!({ "digest": "dev", "filesystem": [
                { "path": "in", "at": read, "access": "read" },
                { "path": "out", "at": write, "access": "write" },
            ] }),
        );
        let loaded = load(&bulkhead_tests::hostile("preopens-confused"), Limits::default()).unwrap();
        let serving = Serving::of(loaded.under(Limits::default(), permissions)).await.ready(well()).await;
        assert_eq!(serving.invoke(TELL, what("x")).await.unwrap().value["text"], "".into());
        assert_eq!(found(), before);
    })
    .await;
}

#[tokio::test]
async fn what_is_no_file_is_not_opened_and_odd_files_are_as_any() {
    undisturbed(async {
        let directory = temporary_directory();
        let at = |name: &str| directory.path().join(name);
        bulkhead_tests::run(Command::new("mkfifo").arg(at("pipe"))).succeeded();
        let _socket = UnixListener::bind(at("socket")).unwrap();
        for (target, link) in [("pipe", "to-pipe"), ("/dev/zero", "to-zero"), ("to-self", "to-self")] {
            symlink(target, at(link)).unwrap();
        }
        fs::write(at(&"n".repeat(255)), "x").unwrap();
        fs::write(directory.path().join(OsStr::from_bytes(b"\xff")), "x").unwrap();
        fs::File::create(at("sparse")).unwrap().set_len(1 << 40).unwrap();
        let (epoch, seconds) = (SystemTime::UNIX_EPOCH, Duration::from_secs);
        for (name, time) in [("before", epoch - seconds(1_000_000_000)), ("far", epoch + seconds(10_000_000_000))] {
            fs::write(at(name), "x").unwrap();
            fs::File::options().write(true).open(at(name)).unwrap().set_modified(time).unwrap();
        }
        let serving = with_a_directory("files-odd", directory.path()).await;
        let told = serving.invoke(TELL, what("x")).await.unwrap().value;
        let expected = [
            "before there: 1 read, 1 read",
            "far there: 1 read, 1 read",
            "nnnnnnnnnn there: 1 read, 1 read",
            "pipe there: not-permitted, not-permitted",
            "socket there: not-permitted, not-permitted",
            "sparse there: 1 read, 1 read",
            "to-pipe there: not-permitted, loop",
            "to-self there: loop, loop",
            "to-zero there: not-permitted, loop",
            "linked-0 there: not-permitted, not-permitted",
            "moved-0 there: not-permitted, not-permitted",
            "linked-1 there: not-permitted, not-permitted",
            "moved-1 there: not-permitted, not-permitted",
            "1 without a name",
            "times of far: set",
            "times of moved-0: not-permitted",
            "times of moved-1: not-permitted",
            "times of to-self: loop",
            "times of to-zero: not-permitted",
            "times of .: set",
        ];
        assert_eq!(told["text"], Value::from(expected.join("\n")));
    })
    .await;
}
