//! What a file, or what is in the place of one, may do to who reads it.

use super::*;

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
    assert_eq!(open_asset(&asset("file", None), &access).unwrap_err(), AssetError::Limited("asset", reason.to_owned()));
}

#[test]
fn no_archive_has_what_engines_keep_secret() {
    let (directory, mut access) = disk(&[("dir/passphrase", b"secret"), ("dir/file", b""), ("other/file", b"")]);
    let secret = directory.path().canonicalize().unwrap().join("dir/passphrase");
    access.guarded = Arc::new(Guarded { writable: Vec::new(), secret: vec![secret.clone()] });
    let named = archive("dir", Some("0".repeat(64).as_str()));
    for refused in [archive("dir", None), named] {
        let reason =
            format!("`{}` is a file with the engine's own secrets, which no provider is given", secret.display());
        assert_eq!(open_archive(&refused, &access).err(), Some(AssetError::OutOfReach(reason)));
    }
    assert!(open_archive(&archive("other", None), &access).is_ok());
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
            AssetError::OutOfReach(
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

/// Each opening hashes all of it, on a thread that no limit of the guest's ends.
#[test]
fn what_is_opened_again_and_again_is_read_so_often_and_no_more() {
    let (_directory, mut access) = disk(&[("dir/a", &[0; 1_000])]);
    (access.limits.bytes, access.limits.opening) = (0x1_000, 100_000);
    let hash = "541b3e9daa09b20bf85fa273e5cbd3e80185aa4ec298e765db87742b70138a53";
    let mut opened = |open: &dyn Fn(&Access) -> Result<(), AssetError>| {
        access.opening = Arc::default();
        let error = (0..1_000).find_map(|times| open(&access).err().map(|error| (times, error)));
        let (times, error) = error.expect("there is no end");
        let why =
            "the provider has had more than 100000 bytes read in this call to open assets and archives; open each once";
        assert_eq!(error, AssetError::TooLarge(why.to_owned()));
        times
    };
    assert_eq!(opened(&|access| open_asset(&asset("dir/a", Some(hash)), access).map(drop)), 100);
    assert_eq!(opened(&|access| open_asset(&Asset::text("x".repeat(500)), access).map(drop)), 100);
    // What is looked at counts as well.
    assert_eq!(opened(&|access| open_archive(&archive("dir", None), access).map(drop)), 24);
    // What one may have can be had, whatever that is.
    access.limits.bytes = 10_000;
    access.opening = Arc::default();
    assert!((0..150).all(|_| open_asset(&asset("dir/a", Some(hash)), &access).is_ok()));
}
