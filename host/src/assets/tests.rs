//! Contents on a real disk: against the hashes that engines compute, and against what a file may do to who reads it.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use bulkhead_value::{Archive, ArchiveSource, Asset, AssetSource, Object, Value};
use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};
use tempfile::TempDir;

use super::*;

/// A directory with files, and access to it.
fn disk(files: &[(&str, &[u8])]) -> (TempDir, Access) {
    let directory = tempfile::tempdir().unwrap();
    for (name, contents) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
    }
    let access = Access { directory: Some(Arc::from(directory.path())), ..Access::default() };
    (directory, access)
}

fn asset(path: &str, hash: Option<&str>) -> Asset {
    Asset { hash: hash.map(str::to_owned), source: AssetSource::Path(path.to_owned()) }
}

fn archive(path: &str, hash: Option<&str>) -> Archive {
    Archive { hash: hash.map(str::to_owned), source: ArchiveSource::Path(path.to_owned()) }
}

fn literal<const N: usize>(members: [(&str, Value); N], hash: &str) -> Archive {
    let members: Object = members.into_iter().map(|(name, member)| (name.to_owned(), member)).collect();
    Archive { hash: Some(hash.to_owned()), source: ArchiveSource::Members(members) }
}

fn text(text: impl Into<String>) -> Value {
    Value::from(Asset::text(text))
}

fn whole(blob: &Blob, access: &Access) -> String {
    String::from_utf8(blob.read(0, u64::MAX, access).unwrap()).unwrap()
}

/// The members of an archive with their contents.
fn members(archive: &Archive, access: &Access) -> Vec<(String, String)> {
    let reader = open_archive(archive, access).unwrap();
    let contents = |name: &String| whole(&reader.member(name).unwrap()(access).unwrap(), access);
    reader.names().into_iter().map(|name| (name.clone(), contents(&name))).collect()
}

fn malformed(archive: &Archive, access: &Access) -> String {
    match open_archive(archive, access).unwrap_err() {
        AssetError::Malformed(reason) => reason,
        other => panic!("{other:?}"),
    }
}

/// What the engine's own code (v3.259.0) computes for the same files.
#[test]
fn directories_have_the_hash_that_engines_compute() {
    let (d, e, f, g, h) = ("d".repeat(60), "e".repeat(60), "f".repeat(120), "g".repeat(120), "h".repeat(120));
    let (directory, access) = disk(&[
        ("dir/a/x.txt", b"one"),
        ("dir/a.txt", b"two"),
        ("dir/inner/b.bin", b"three"),
        ("dir/.pulumi/state", b"never"),
        (&format!("long/{d}/{e}/f.txt"), b"long"),
        (&format!("longest/{f}.txt"), b"longest"),
        ("accents/é/ü.txt", b"accent"),
        (&format!("accents/{}.txt", "ü".repeat(70)), b"x"),
        (&format!("deep/{g}/{h}/i"), b"deep"),
    ]);
    fs::create_dir(directory.path().join("empty")).unwrap();
    for (name, hash) in [
        ("dir", "9c457ff47144f2620a25b8fac075cda1b05052108715e67d4a880cd1cd84219a"),
        ("empty", Archive::EMPTY_HASH),
        ("long", "175a683b178ce2fb49800eade8bd0155ff03d20e27024a4591b26904b527a07b"),
        ("longest", "e69abdbe36d4cc520a97f1618002db27a11653a2424d0d53093bc3667012ba54"),
        ("accents", "95fde3aa72a1f2a8cf6e2f5493a85ba9b7ffde599d72a7e402435194f80e6182"),
        ("deep", "830e9c9441ec81477861f532a47bc85a503fc167bd4b069448a895bfbc1f3132"),
    ] {
        open_archive(&archive(name, Some(hash)), &access).unwrap_or_else(|error| panic!("{name}: {error}"));
        let other = open_archive(&archive(name, Some(Asset::EMPTY_HASH)), &access).unwrap_err();
        assert_eq!(other, AssetError::Changed, "{name}");
    }
    let expected = [("a.txt", "two"), ("a/x.txt", "one"), ("inner/b.bin", "three")];
    let expected = expected.map(|(name, contents)| (name.to_owned(), contents.to_owned()));
    assert_eq!(members(&archive("dir", None), &access), expected, "without the engine's own files");
}

/// As above.
#[test]
fn literal_archives_have_the_hash_that_engines_compute() {
    let (_directory, access) =
        disk(&[("hello.txt", b"hello"), ("dir/a/x.txt", b"one"), ("dir/a.txt", b"two"), ("dir/inner/b.bin", b"three")]);
    let inner = Archive::members(Object::from([("x".to_owned(), text("inner x")), ("y".to_owned(), text("inner y"))]));
    let flat = [("b", text("two")), ("a", text("one")), ("c/d", Value::from(asset("hello.txt", None)))];
    let nested = literal(
        [
            ("n", Value::from(inner)),
            ("n/x", text("outer")),
            ("m", Value::from(archive("dir", None))),
            ("z", text("last")),
        ],
        "3aa1829bc8ef9f3c1e596f2a38648691d8d59c6b9841afeebfce7c3b18c12951",
    );
    let sized = [511, 512, 513].map(|size| (size, text("x".repeat(size))));
    let sized = sized.map(|(size, text)| (size.to_string(), text));
    let odd = format!("{}/{}", "a".repeat(99), "é".repeat(30));
    let checked = [
        literal([], Archive::EMPTY_HASH),
        literal(flat, "2be0df8186addad1231802609af1f84ba803b19001630c9f5c7d819e30533dec"),
        nested.clone(),
        literal(
            sized.each_ref().map(|(name, text)| (name.as_str(), text.clone())),
            "8ac28b0b263493adac60e9c64b86c9692dad02f590c7b66e469005a66447a79d",
        ),
        literal([(&odd, text("x"))], "4f7443acb3efe6b34af314d1d3cf07b8207307f386d6bb4aa9cb1113b6e9b0c7"),
    ];
    for archive in checked {
        open_archive(&archive, &access).unwrap_or_else(|error| panic!("{archive:?}: {error}"));
    }
    let names = open_archive(&nested, &access).unwrap().names();
    assert_eq!(names, ["m/a.txt", "m/a/x.txt", "m/inner/b.bin", "n/x", "n/y", "z"]);
    let first = members(&nested, &access);
    assert_eq!(first[3], ("n/x".to_owned(), "inner x".to_owned()), "the first of a name counts");
}

/// As above: where names stop fitting into the fields of a tar file.
#[test]
fn long_names_are_hashed_as_engines_do() {
    for (length, whole, split) in [
        (
            99,
            "8ba8aa7954c92df09da5e727dd14689835511963388dd00b4c8fc8dc1e5194ad",
            "15715a8c96023986b02bccf0783ad7313182f5dfda2d8b2fb2bb3548530ba8d3",
        ),
        (
            100,
            "c947a00bf2f5ef902e20488de87314fdf83c9d55d2675ee74f0efe30a842adb8",
            "38afa278c9413e4fbb3ea727bc881eeb028aed5e29da79c5256822e6b30398ff",
        ),
        (
            101,
            "2fea9249863ed8bb63ec05b478f2a6c421b582614939fd40bce717c84e009da1",
            "dc01308f1869a5a3c62b6464f3e9a9b449165b661cfe11d50077045190809ed8",
        ),
        (
            156,
            "9f8859d1a9f004e963d9c241570729fe52a0ddf2341ae09add1ad0c9154b2023",
            "f7ca2e2a535acfe66dfe39554df63722904e4ddbe0f5eec95cd5a067442e0c95",
        ),
        (
            157,
            "b80f585a940916cf6d856b567a1c1309081d5077bdd76b1421b5e26c84a81dea",
            "86724a2375d2af48f91e8b595ef3dcd8a8cdb7ddb2643a8c779f45e0ea3610bf",
        ),
        (
            158,
            "8efbd4034682a0ae01da75f7dec5f167e7ebffb65ba5f22effdaa91ff2c41f0b",
            "997114ac6f96961d9dbc7d423979ded891d0d9d82ef687bfabe20deae0793e0b",
        ),
        (
            255,
            "4c5f027c4c4fdf0ab3bf9dcc9d33ac0539efbf4cc79d37f71f360f905f5abe9f",
            "5df3c12f0e25f11f1178bba1e65d3dfaaf3b67c6125ad88963fd464fdf002f33",
        ),
        (
            256,
            "d5f88da63a1155d93d2da0cbf5c76a20a06f6d5eecf195f134e09c2ff129f65f",
            "a9679508720c4279f7c4dbdda7f37fa6e09abfae3dbc261815473e21ccdb502d",
        ),
        (
            257,
            "bfaef348d97f4d110fb23e400d2fd6affe090cef68231254618f8cc5985faa00",
            "d22e8b2a98759c3cb5a2229659c9a5541e22758d2649894eafe65046e5177333",
        ),
        (
            300,
            "ebf949ee689e417f3895e95b3564a796e15e4066cf54b5f39f66cd65cc669c49",
            "eddff23c4fe44a017e238c7ca0329923c8a709d73221bab57bd1057ddc9155b1",
        ),
    ] {
        let halves = format!("{}/{}", "p".repeat(length / 2), "q".repeat(length - length / 2 - 1));
        for (name, hash) in [("n".repeat(length), whole), (halves, split)] {
            let archive = literal([(&name, text("x"))], hash);
            open_archive(&archive, &Access::default()).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }
}

#[test]
fn assets_have_their_recorded_hash_or_have_changed() {
    const HELLO: &str = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
    /// Of the same text and a line feed.
    const LINE: &str = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03";
    let (directory, access) = disk(&[("hello", b"hello"), ("line", b"hello\n"), ("empty", b"")]);
    let uri = format!("file://{}", directory.path().join("hello").display());
    for (asset, contents) in [
        (asset("hello", Some(HELLO)), "hello"),
        (asset("line", Some(LINE)), "hello\n"),
        (asset("empty", Some(Asset::EMPTY_HASH)), ""),
        (asset(directory.path().join("hello").to_str().unwrap(), Some(HELLO)), "hello"),
        (Asset { hash: Some(HELLO.to_owned()), source: AssetSource::Uri(uri) }, "hello"),
        (Asset::text("hello"), "hello"),
        (asset("hello", None), "hello"),
    ] {
        let blob = open_asset(&asset, &access).unwrap();
        assert_eq!((whole(&blob, &access).as_str(), blob.size()), (contents, contents.len() as u64));
    }
    assert_eq!(open_asset(&asset("hello", Some(LINE)), &access).unwrap_err(), AssetError::Changed);
    let lie = Asset { hash: Some(LINE.to_owned()), ..Asset::text("hello") };
    assert_eq!(open_asset(&lie, &access).unwrap_err(), AssetError::Changed);
    assert_eq!(open_asset(&Asset::elided(HELLO), &access).unwrap_err(), AssetError::Elided);
    assert_eq!(open_archive(&Archive::elided(HELLO), &access).unwrap_err(), AssetError::Elided);
}

#[test]
fn a_file_that_changes_while_it_is_open_is_noticed() {
    let (directory, access) = disk(&[("file", b"before"), ("dir/member", b"before")]);
    let blob = open_asset(&asset("file", None), &access).unwrap();
    let reader = open_archive(&archive("dir", None), &access).unwrap();
    assert_eq!(blob.read(0, 3, &access).unwrap(), b"bef");
    fs::write(directory.path().join("file"), "afterwards").unwrap();
    fs::write(directory.path().join("dir/member"), "afterwards").unwrap();
    assert_eq!(blob.read(3, 3, &access).unwrap_err(), AssetError::Changed);
    assert_eq!(reader.member("member").unwrap()(&access).unwrap_err(), AssetError::Changed);
}

#[test]
fn reads_are_bounded_and_end_with_the_contents() {
    let (_directory, mut access) = disk(&[("file", &[7; 100])]);
    access.limits.read = 60;
    let blob = open_asset(&asset("file", None), &access).unwrap();
    for (offset, length, expected) in [(0, 60, 60), (90, 60, 10), (100, 1, 0), (u64::MAX, 1, 0), (0, 0, 0)] {
        assert_eq!(blob.read(offset, length, &access).unwrap().len(), expected, "{offset} {length}");
    }
    let reason = "61 bytes were asked for at once, and the limit is 60; read in pieces";
    assert_eq!(blob.read(0, 61, &access).unwrap_err(), AssetError::TooLarge(reason.to_owned()));
    access.limits.bytes = 99;
    let reason = "the asset has 100 bytes, and the limit `asset` is 99";
    assert_eq!(open_asset(&asset("file", None), &access).unwrap_err(), AssetError::TooLarge(reason.to_owned()));
}

#[test]
fn what_is_no_file_is_not_read() {
    let (directory, access) = disk(&[("dir/file", b"")]);
    let place = |name: &str| directory.path().join(name).display().to_string();
    let unavailable = |path: &str| match open_asset(&asset(path, None), &access).unwrap_err() {
        AssetError::Unavailable(reason) => reason,
        other => panic!("{other:?}"),
    };
    assert_eq!(unavailable("dir"), format!("`{}` is a directory; use an archive for it", place("dir")));
    assert_eq!(
        unavailable("none"),
        format!("`{}` can't be read: No such file or directory (os error 2)", place("none"))
    );
    assert_eq!(
        malformed(&archive("dir/file", None), &access),
        format!("`{}` is neither a directory nor ends in .tar, .tgz, .tar.gz, .zip or .jar", place("dir/file"))
    );
    let nowhere = Access::default();
    assert_eq!(
        open_asset(&asset("file", None), &nowhere).unwrap_err(),
        AssetError::Unavailable(
            "`file` is a relative path, and the directory that it starts from isn't known; use an absolute one"
                .to_owned()
        )
    );
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_refused_without_waiting() {
    let (directory, access) = disk(&[("dir/file", b"")]);
    let pipe = directory.path().join("dir/pipe");
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RUSR).unwrap();
    for path in [pipe.to_str().unwrap(), "/dev/zero", "/dev/tty"] {
        let AssetError::Unavailable(reason) = open_asset(&asset(path, None), &access).unwrap_err() else {
            panic!("{path}");
        };
        assert!(reason == format!("`{path}` isn't a regular file") || path == "/dev/tty", "{reason}");
    }
    assert_eq!(malformed(&archive("dir", None), &access), "`pipe` is neither a file nor a directory");
}

#[cfg(unix)]
#[test]
fn links_lead_nowhere_out_of_a_directory() {
    use std::os::unix::fs::symlink;

    let (directory, access) = disk(&[("dir/file", b"inside"), ("secret", b"outside"), ("dir/sub/other", b"other")]);
    let at = |name: &str| directory.path().join(name);
    symlink("file", at("dir/within")).unwrap();
    symlink("sub", at("dir/linked")).unwrap();
    let names: Vec<String> = members(&archive("dir", None), &access).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["file", "sub/other", "within"], "a linked file is its contents, a linked directory nothing");
    for target in [at("secret").to_str().unwrap(), "../secret", "sub/../../secret"] {
        symlink(target, at("dir/out")).unwrap();
        assert_eq!(
            open_archive(&archive("dir", None), &access).unwrap_err(),
            AssetError::Denied(
                "`out` is a link that leads out of the directory of its archive; put a copy of the file there"
                    .to_owned()
            )
        );
        fs::remove_file(at("dir/out")).unwrap();
    }
    let reader = open_archive(&archive("dir", None), &access).unwrap();
    fs::remove_file(at("dir/file")).unwrap();
    symlink(at("secret"), at("dir/file")).unwrap();
    assert!(reader.member("file").unwrap()(&access).is_err(), "a link that took the place of a file isn't followed");
}

#[test]
fn a_directory_has_so_many_members_and_no_more() {
    let (_directory, mut access) = disk(&[("dir/a", b""), ("dir/b/c", b"")]);
    access.limits.members = 3;
    assert_eq!(open_archive(&archive("dir", None), &access).unwrap().names(), ["a", "b/c"]);
    access.limits.members = 2;
    let reason = "the directory of an archive has more than 2 members";
    let error = open_archive(&archive("dir", None), &access).unwrap_err();
    assert_eq!(error, AssetError::TooLarge(reason.to_owned()));
}

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
        ("short.tgz", &gzip(&tar(&files))),
        ("long.tar.gz", &gzip(&tar(&files))),
        ("packed.zip", &zip(&files)),
        ("java.jar", &zip(&files)),
        ("other.rar", &zip(&files)),
    ]);
    for name in ["plain.tar", "short.tgz", "long.tar.gz", "packed.zip", "java.jar"] {
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
            AssetError::TooLarge(reason) => reason,
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
    let begins = "what is unpacked in this call has ";
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
