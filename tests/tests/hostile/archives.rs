//! Archives that unpack to more than anybody has room for.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};

use bulkhead::component::{AssetLimits, Limits, embed};
use bulkhead_tests::serving::Serving;
use bulkhead_tests::{Plugin, Stdin};
use bulkhead_value::{Archive, ArchiveSource, Asset, Object, Value};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::peers::plugin_in;
use crate::{MANIFEST, SCHEMA, THING, bulkhead, hostile, object, undisturbed, well};

const MIB: usize = 1 << 20;

/// A packed archive at a path with one member of so many zeros.
fn zeros(path: &Path, name: &str, bytes: usize) -> Value {
    let mut packed = tar::Builder::new(GzEncoder::new(File::create(path).unwrap(), Compression::best()));
    let mut header = tar::Header::new_gnu();
    header.set_size(bytes as u64);
    packed.append_data(&mut header, name, std::io::Read::take(std::io::repeat(0), bytes as u64)).unwrap();
    packed.into_inner().unwrap().finish().unwrap();
    archive(path)
}

fn archive(path: &Path) -> Value {
    Value::from(Archive { hash: None, source: ArchiveSource::Path(path.display().to_string()) })
}

fn packed(archive: Value) -> Object {
    object([("pack", archive)])
}

#[tokio::test]
async fn of_what_was_given_there_is_what_is_in_it_and_nothing_else() {
    undisturbed(async {
        let disk = bulkhead_tests::temporary_directory();
        std::fs::write(disk.path().join("secret"), "secret").unwrap();
        let serving = hostile("asset-offsets", Limits::default()).await;
        let pack = zeros(&disk.path().join("pack.tgz"), "zeros", 100);
        for nowhere in ["NaN", "inf", "-inf", "-1", "0.5", "1e300"] {
            let inputs = object([("pack", pack.clone()), ("what", Value::from(nowhere))]);
            let status = serving.create(THING, inputs).await.expect_err(nowhere);
            assert!(status.message().contains("from an offset that isn't a whole number; this is a bug"), "{status:?}");
        }
        let created = serving.create(THING, packed(pack)).await.unwrap();
        assert_eq!(created.state["text"], Value::from("had 100"), "what is in it, once");
    })
    .await;
}

/// Else whoever reads of it looks for what is wrong with the archive.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_there_is_no_place_to_unpack_to_the_error_says_so() {
    let disk = bulkhead_tests::temporary_directory();
    let executable = disk.path().join("pulumi-resource-hostile");
    std::fs::hard_link(bulkhead().executable(), &executable).unwrap();
    let component = embed(&bulkhead_tests::hostile("archive-bomb"), SCHEMA.as_bytes(), MANIFEST.as_bytes()).unwrap();
    std::fs::write(disk.path().join("hostile.wasm"), component).unwrap();
    let mut command = Command::new(&executable);
    command.arg("127.0.0.1:1").env("TMPDIR", disk.path().join("nowhere")).stderr(Stdio::null());
    let plugin = Plugin::spawn(&mut command, Stdin::Pipe);
    let serving = Serving::by(&plugin).await.ready(well()).await;
    let pack = zeros(&disk.path().join("pack.tgz"), "zeros", 2 * MIB);
    let status = serving.create(THING, packed(pack)).await.unwrap_err();
    let why = "there is no place for it in the directory for temporary files, which `TMPDIR` names: No such file or directory";
    assert!(status.message().contains(why) && !status.message().contains("nowhere"), "{status:?}");
}

/// Each handle has a copy of its own of what was given as a text.
#[tokio::test]
async fn archives_that_are_kept_open_count_as_the_guests_memory() {
    undisturbed(async {
        // Enough for the guest and for some of them, and for fewer than may be open.
        let limits = Limits { memory_together: 64 << 20, ..Limits::default() };
        let serving = hostile("assets-kept", limits).await;
        let text = Value::from(Asset::text("x".repeat(MIB)));
        let status = serving.create(THING, packed(Value::from(Archive::members([("text", text)])))).await.unwrap_err();
        let why = "the provider has more assets and archives open than there is memory for";
        assert!(status.message().contains(why), "{status:?}");
    })
    .await;
}

/// All of it is hashed each time, by a thread that is none of the guest's.
#[tokio::test]
async fn an_archive_that_is_opened_without_end_is_read_so_often_and_no_more() {
    undisturbed(async {
        let disk = bulkhead_tests::temporary_directory();
        let path = disk.path().join("pack.tar");
        std::fs::write(&path, vec![0; MIB]).unwrap();
        let assets = AssetLimits { bytes: MIB as u64, opening: 16 * MIB as u64, ..AssetLimits::default() };
        let serving = hostile("archive-bomb", Limits { assets, ..Limits::default() }).await;
        let hash = Some("30e14955ebf1352266dc2ff8067e68104607e750abb9d3b36582b8af909fcb58".to_owned());
        let archive = Archive { hash, source: ArchiveSource::Path(path.display().to_string()) };
        let status = serving.create(THING, packed(Value::from(archive))).await.unwrap_err();
        assert!(status.message().contains("open each once"), "{status:?}");
    })
    .await;
}

/// What is counted once all of them are known is there by then: these are some hundreds of megabytes, and as many for each opening.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn names_of_members_count_while_they_are_read() {
    const MEMBERS: usize = 20_000;
    let disk = bulkhead_tests::temporary_directory();
    let wide = disk.path().join("wide");
    let mut deep = wide.clone();
    while deep.as_os_str().len() < 3_500 {
        deep.push("d".repeat(240));
    }
    std::fs::create_dir_all(&deep).unwrap();
    for number in 0..MEMBERS {
        std::fs::write(deep.join(format!("{number:0240}")), "").unwrap();
    }
    undisturbed(async {
        let component = bulkhead_tests::hostile("archives-wide");
        let component = embed(&component, SCHEMA.as_bytes(), MANIFEST.as_bytes()).unwrap();
        let plugin = plugin_in(disk.path(), &component, "[limits]\nmemory-together = \"48MiB\"\n");
        let serving = Serving::by(&plugin).await.ready(well()).await;
        let before = plugin.most_memory();
        let status = serving.create(THING, packed(archive(&wide))).await.unwrap_err();
        let why =
            "the provider has more assets and archives open than there is memory for, with the names of their members";
        assert_eq!(status.message().matches(why).count(), 3, "{status:?}");
        let taken = plugin.most_memory() - before;
        assert!(taken < 96 * MIB, "{taken}");
    })
    .await;
}

#[tokio::test]
async fn an_archive_that_unpacks_to_more_than_it_may_is_not_unpacked() {
    undisturbed(async {
        let disk = bulkhead_tests::temporary_directory();
        let limits = |assets| Limits { assets, ..Limits::default() };
        let serving = hostile("archive-bomb", limits(AssetLimits::default())).await;
        let bomb = zeros(&disk.path().join("bomb.tgz"), "zeros", 64 * MIB);
        let status = serving.create(THING, packed(bomb)).await.unwrap_err();
        assert!(status.message().contains("unpacks to more than 250 times its size"), "{status:?}");

        // What is inside of an archive is a file, whatever it is called.
        let (inner, nested) = (disk.path().join("inner.tgz"), disk.path().join("nested.tgz"));
        zeros(&inner, "zeros", 8 * MIB);
        let mut whole = tar::Builder::new(GzEncoder::new(File::create(&nested).unwrap(), Compression::best()));
        whole.append_path_with_name(&inner, "inner.tgz").unwrap();
        whole.into_inner().unwrap().finish().unwrap();
        let tight = AssetLimits { unpacked: MIB as u64, ..AssetLimits::default() };
        let serving = hostile("archive-bomb", limits(tight)).await;
        // It reads the same again and again: what counts is all that was unpacked for a call.
        let status = serving.create(THING, packed(archive(&nested))).await.unwrap_err();
        assert!(status.message().contains("TooLarge"), "{status:?}");
    })
    .await;
}
