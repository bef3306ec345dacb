//! Archives in each format give the same members, and a hostile one gives none.

use std::io::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};

use super::*;

/// A tar file.
fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = ::tar::Builder::new(Vec::new());
    for (name, contents) in members {
        let mut header = ::tar::Header::new_gnu();
        header.set_size(contents.len() as u64);
        header.set_mode(0o644);
        // Also what no well-behaved program would write.
        if name.len() < 100 {
            header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
            header.set_cksum();
            builder.append(&header, *contents).unwrap();
        } else {
            builder.append_data(&mut header, name, *contents).unwrap();
        }
    }
    builder.into_inner().unwrap()
}

/// The same as programs write it that follow POSIX: what is before a member says its name.
fn pax(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = ::tar::Builder::new(Vec::new());
    for (name, contents) in members {
        let attributes = [("mtime", &b"1.5"[..]), ("path", name.as_bytes())];
        builder.append_pax_extensions(attributes).unwrap();
        let mut header = ::tar::Header::new_ustar();
        header.set_path("shortened").unwrap();
        header.set_size(contents.len() as u64);
        header.set_cksum();
        builder.append(&header, *contents).unwrap();
    }
    builder.into_inner().unwrap()
}

/// A zip file whose members aren't packed.
fn stored(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = rawzip::ZipArchiveWriter::new(Vec::new());
    for (name, contents) in members {
        let (mut entry, config) = writer.new_file(*name).start().unwrap();
        let mut storing = config.wrap(&mut entry);
        storing.write_all(contents).unwrap();
        let (_, descriptor) = storing.finish().unwrap();
        entry.finish(descriptor).unwrap();
    }
    writer.finish().unwrap()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = rawzip::ZipArchiveWriter::new(Vec::new());
    for (name, contents) in members {
        // Also what no well-behaved program would write.
        let path = rawzip::path::EntryPath::verbatim(name.as_bytes());
        let builder = writer.new_file(path).compression_method(rawzip::CompressionMethod::DEFLATE);
        let (mut entry, config) = builder.start().unwrap();
        let mut packing = config.wrap(DeflateEncoder::new(&mut entry, Compression::default()));
        packing.write_all(contents).unwrap();
        let (encoder, descriptor) = packing.finish().unwrap();
        encoder.finish().unwrap();
        entry.finish(descriptor).unwrap();
    }
    writer.new_dir("empty/").create().unwrap();
    writer.finish().unwrap()
}

#[test]
fn every_format_gives_the_same_members() {
    let long = format!("b/{}", "l".repeat(150));
    let files: [(&str, &[u8]); 3] = [("./a.txt", b"one"), (&long, b"two"), ("c//d", &[b'x'; 3_000_000])];
    let (_directory, access) = disk(&[
        ("plain.tar", &tar(&files)),
        ("posix.tar", &pax(&files)),
        ("stored.zip", &stored(&files)),
        ("short.tgz", &gzip(&tar(&files))),
        ("long.tar.gz", &gzip(&tar(&files))),
        ("packed.zip", &zip(&files)),
        ("java.jar", &zip(&files)),
        ("other.rar", &zip(&files)),
    ]);
    for name in ["plain.tar", "posix.tar", "stored.zip", "short.tgz", "long.tar.gz", "packed.zip", "java.jar"] {
        let bytes = fs::read(access.directory.as_ref().unwrap().join(name)).unwrap();
        let found = members(&archive(name, Some(&Asset::hash_of(&bytes))), &access);
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a.txt", long.as_str(), "c/d"], "{name}");
        assert_eq!((found[0].1.as_str(), found[1].1.as_str(), found[2].1.len()), ("one", "two", 3_000_000), "{name}");
        let other = open_archive(&archive(name, Some(Asset::EMPTY_HASH)), &access).unwrap_err();
        assert_eq!(other, AssetError::Changed, "{name}");
    }
    assert!(malformed(&archive("other.rar", None), &access).ends_with("ends in .tar, .tgz, .tar.gz, .zip or .jar"));
}

#[test]
fn damaged_files_are_told() {
    let files: [(&str, &[u8]); 1] = [("a", &[b'x'; 5_000])];
    let cut = |bytes: Vec<u8>| bytes[..bytes.len() / 2].to_vec();
    let mut flipped = zip(&[("a", b"contents")]);
    let at = flipped.windows(2).position(|two| two == b"a\xcb" || two == b"aK").map_or(32, |at| at + 2);
    flipped[at] ^= 0x40;
    let (_directory, access) = disk(&[
        ("cut.tar", &cut(tar(&files))),
        ("cut.tgz", &cut(gzip(&tar(&[("a", &std::array::from_fn::<u8, 5_000, _>(|at| (at * at % 251) as u8))])))),
        ("cut.zip", &cut(zip(&files))),
        ("noise.tar", &[b'x'; 2_000]),
        ("flipped.zip", &flipped),
    ]);
    for (name, begins) in [
        ("cut.tar", "the tar file ends within a member"),
        ("cut.tgz", "the gzipped tar file is damaged: "),
        ("cut.zip", "the zip file is damaged: "),
        ("noise.tar", "the tar file is damaged: "),
    ] {
        let reason = malformed(&archive(name, None), &access);
        assert!(reason.starts_with(begins), "{name}: {reason}");
    }
    let reader = open_archive(&archive("flipped.zip", None), &access).unwrap();
    let AssetError::Malformed(reason) = reader.member("a").unwrap()(&access).unwrap_err() else { panic!() };
    assert!(reason.starts_with("the member `a` of the zip file is damaged: "), "{reason}");
}

#[test]
fn names_that_lead_elsewhere_are_refused_in_every_format() {
    for name in ["../out", "/etc/passwd", "a/../../out", "a\\b"] {
        let files: [(&str, &[u8]); 1] = [(name, b"")];
        let (_directory, access) =
            disk(&[("a.tar", &tar(&files)), ("a.tgz", &gzip(&tar(&files))), ("a.zip", &zip(&files))]);
        for path in ["a.tar", "a.tgz", "a.zip"] {
            let reason = malformed(&archive(path, None), &access);
            assert!(reason.starts_with("the archive has a member called `"), "{name} in {path}: {reason}");
        }
    }
    let twice: [(&str, &[u8]); 2] = [("a", b"1"), ("./a", b"2")];
    let (_directory, access) = disk(&[("a.tar", &tar(&twice)), ("a.zip", &zip(&twice))]);
    for path in ["a.tar", "a.zip"] {
        assert_eq!(malformed(&archive(path, None), &access), "the archive has two members called `a`");
    }
}

#[test]
fn links_and_devices_in_tar_files_are_refused() {
    for kind in [::tar::EntryType::Symlink, ::tar::EntryType::Link, ::tar::EntryType::Char, ::tar::EntryType::Fifo] {
        let mut header = ::tar::Header::new_gnu();
        header.set_entry_type(kind);
        header.set_size(0);
        let mut builder = ::tar::Builder::new(Vec::new());
        builder.append_link(&mut header, "a", "/etc/passwd").unwrap();
        let (_directory, access) = disk(&[("a.tar", &builder.into_inner().unwrap())]);
        assert_eq!(
            malformed(&archive("a.tar", None), &access),
            "the tar file has `a`, which is neither file nor directory",
            "{kind:?}"
        );
    }
}

#[test]
fn bombs_are_cut_off() {
    let zeros = vec![0; 40 << 20];
    let files: [(&str, &[u8]); 1] = [("zeros", &zeros)];
    let (_directory, mut access) = disk(&[("bomb.tgz", &gzip(&tar(&files))), ("bomb.zip", &zip(&files))]);
    let too_large = |path: &str, access: &Access| {
        let opened = open_archive(&archive(path, None), access);
        let error = opened.and_then(|reader| reader.member("zeros").unwrap()(access)).unwrap_err();
        match error {
            AssetError::TooLarge(reason) | AssetError::Limited(_, reason) => reason,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(too_large("bomb.tgz", &access), "the gzipped tar file unpacks to more than 250 times its size");
    assert_eq!(
        too_large("bomb.zip", &access),
        "the member `zeros` of the zip file unpacks to more than 250 times its size"
    );
    access.limits.ratio = 2_000;
    access.limits.unpacked = 30 << 20;
    access.unpacked = Arc::default();
    let begins = "what is unpacked and fetched in this call has ";
    assert!(too_large("bomb.tgz", &access).starts_with(begins));
    access.unpacked = Arc::default();
    assert!(too_large("bomb.zip", &access).starts_with(begins));
    access.limits.bytes = 30 << 20;
    let reason = "the member `zeros` of the zip file has 41943040 bytes, and the limit `asset` is 31457280";
    assert_eq!(too_large("bomb.zip", &access), reason);
}

#[test]
fn archives_have_so_many_members_and_no_more() {
    let names: Vec<String> = (0..20).map(|number| number.to_string()).collect();
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b""[..])).collect();
    let (_directory, mut access) = disk(&[("many.tar", &tar(&files)), ("many.zip", &zip(&files))]);
    access.limits.members = 10;
    for (path, what) in [("many.tar", "the tar file"), ("many.zip", "the zip file")] {
        let error = open_archive(&archive(path, None), &access).unwrap_err();
        assert_eq!(error, AssetError::TooLarge(format!("{what} has more than 10 members")));
    }
}

/// They are refused one by one, and never gathered.
#[test]
fn a_name_that_is_too_long_is_told_before_the_next_one_is_read() {
    let long = "n".repeat(5_000);
    let files: [(&str, &[u8]); 2] = [(&long, b""), ("b", b"")];
    let (_directory, mut access) = disk(&[("long.tar", &tar(&files)), ("long.zip", &zip(&files))]);
    access.limits.members = 1;
    for path in ["long.tar", "long.zip"] {
        assert!(malformed(&archive(path, None), &access).ends_with(", and the name is too long"), "{path}");
    }
}

/// Somebody who has so many bytes, and how many are lent.
#[derive(Debug)]
struct Lending(usize, AtomicUsize);

impl Lender for Lending {
    fn lends(&self, bytes: usize) -> bool {
        self.1.fetch_add(bytes, Ordering::Relaxed) + bytes <= self.0
    }
}

#[test]
fn what_is_open_weighs_what_it_keeps_of_memory() {
    let (_directory, mut access) = disk(&[("a.tar", &tar(&[("in", &[b'x'; 9_000])])), ("file", &[b'x'; 9_000])]);
    let mut weight = |archive: &Archive| {
        let lending = Arc::new(Lending(usize::MAX, AtomicUsize::default()));
        access.lender = Some(Arc::clone(&lending) as _);
        open_archive(archive, &access).unwrap();
        lending.1.load(Ordering::Relaxed)
    };
    let held = literal([("one", text("t".repeat(9_000)))], "");
    assert!((9_003..10_000).contains(&weight(&Archive { hash: None, ..held })));
    assert!((2..1_000).contains(&weight(&archive("a.tar", None))), "the file is on disk");
    let Value::Asset(said) = text("t".repeat(9_000)) else { panic!("no asset") };
    assert_eq!(open_asset(&said, &access).unwrap().weight(), 9_000);
    assert_eq!(open_asset(&asset("file", None), &access).unwrap().weight(), 0);
}

/// What is counted at the end only is there by then: an archive may have two hundred megabytes of names, and archives in it as much for each.
#[test]
fn names_that_there_is_no_memory_for_are_not_kept() {
    let long = |number: usize| format!("{}/{number}", "n".repeat(200));
    let names: Vec<_> = (0..100).map(long).collect();
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b""[..])).collect();
    let within: Vec<_> = names.iter().map(|name| format!("dir/{name}")).collect();
    let packed = [("a.tar", tar(&files)), ("a.zip", zip(&files))];
    let (directory, mut access) = disk(&packed.each_ref().map(|(name, packed)| (*name, packed.as_slice())));
    for name in within {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }
    let few = archive("few", None);
    fs::create_dir(directory.path().join("few")).unwrap();
    fs::write(directory.path().join("few/file"), "").unwrap();
    let beneath = Archive::members([("x".repeat(10_000), Value::from(archive("dir", None)))]);
    for (archive, most) in [
        (&archive("a.tar", None), 40_000),
        (&archive("a.zip", None), 40_000),
        (&archive("dir", None), 40_000),
        (&beneath, 200_000),
    ] {
        let lending = Arc::new(Lending(most, AtomicUsize::default()));
        access.lender = Some(Arc::clone(&lending) as _);
        let Err(AssetError::TooLarge(reason)) = open_archive(archive, &access) else { panic!("{archive:?}") };
        assert!(reason.ends_with("than there is memory for, with the names of their members"), "{reason}");
        let lent = lending.1.load(Ordering::Relaxed);
        assert!(lent < most + 20_000, "nothing is read once it is refused, and {lent} bytes were");
    }
    assert!(open_archive(&few, &access).is_err(), "there is nothing left");
    access.lender = Some(Arc::new(Lending(40_000, AtomicUsize::default())));
    assert_eq!(open_archive(&few, &access).unwrap().names(), ["file"]);
}

#[test]
fn a_name_in_a_tar_file_takes_no_memory_that_it_asks_for() {
    let mut header = ::tar::Header::new_gnu();
    header.set_entry_type(::tar::EntryType::GNULongName);
    header.set_size(1 << 30);
    header.set_cksum();
    let (directory, access) = disk(&[("a.tar", header.as_bytes())]);
    fs::OpenOptions::new().write(true).open(directory.path().join("a.tar")).unwrap().set_len(2 << 30).unwrap();
    assert_eq!(
        malformed(&archive("a.tar", None), &access),
        "the tar file has a name or attributes of more than 65536 bytes"
    );
}

#[test]
fn archives_in_archives_have_a_bottom() {
    let nested = |depth| {
        (0..depth).fold(Archive::members(Object::new()), |inner, _| Archive::members([("a", Value::from(inner))]))
    };
    assert!(open_archive(&nested(64), &Access::default()).unwrap().names().is_empty());
    assert_eq!(malformed(&nested(65), &Access::default()), "archives lie more than 64 deep in archives");
}

#[test]
fn work_that_nobody_waits_for_ends() {
    let (directory, access) = disk(&[]);
    let path = directory.path().join("large");
    fs::File::create(&path).unwrap().set_len(3 << 30).unwrap();
    access.stop.cancel();
    let begun = std::time::Instant::now();
    let error = open_asset(&asset("large", Some(Asset::EMPTY_HASH)), &access).unwrap_err();
    assert_eq!(error, AssetError::Stopped);
    assert!(begun.elapsed() < std::time::Duration::from_secs(1));
    assert!(Path::new(&path).exists());
}
