//! Hashes of contents are those that engines compute, or the contents have changed.

use super::*;

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

/// As above, of members that nothing has to be opened for.
#[test]
fn archives_of_texts_have_the_hash_that_engines_compute_before_anybody_opens_them() {
    let plain = |text: &str| Value::from(Asset { hash: None, source: AssetSource::Text(text.to_owned()) });
    let inner = |members: [(&str, Value); 2]| {
        Value::from(Archive::members(members.map(|(name, member)| (name.to_owned(), member))))
    };
    let of = |members: Vec<(&str, Value)>| {
        let members: Object = members.into_iter().map(|(name, member)| (name.to_owned(), member)).collect();
        Room::default().hashed(Archive::members(members))
    };
    let deep = Archive::members([("é".repeat(70), Value::from(Archive::members([("x", plain(&"x".repeat(513)))])))]);
    let within = inner([("x", plain("inner x")), ("y", plain("inner y"))]);
    for (members, hash) in [
        (vec![], Archive::EMPTY_HASH),
        (vec![("n", Value::from(Archive::members(Object::new())))], Archive::EMPTY_HASH),
        (vec![("a", plain("hello"))], "aae7be6f39c5b5f8deaedeea71b980ae06b3f1c252913d37c766ba6d257eb82c"),
        (
            vec![("n", within), ("n/x", plain("outer")), ("z", plain("last")), ("a", plain("hello"))],
            "ab958e26dd1761a07304b9517a897de70f5c25366addcde8f0ae03c7b57acb95",
        ),
        (
            vec![("a", plain("")), ("d", Value::from(deep))],
            "c49441c2afbd8a0855aba016c395617e208b2333079c02c934a135fa19601775",
        ),
    ] {
        let archive = of(members);
        assert_eq!(archive.hash.as_deref(), Some(hash));
        open_archive(&archive, &Access::default()).unwrap();
    }

    let nested = |levels| (0..levels).fold(plain("x"), |value, _| Value::from(Archive::members([("n", value)])));
    assert!(of(vec![("a", nested(63))]).hash.is_some());
    for (members, why) in [
        (vec![("a", plain("hello")), ("f", Value::from(asset("hello.txt", None)))], "a file may be anything"),
        (vec![("d", Value::from(archive("dir", None)))], "and so may a directory"),
        (vec![("a", Value::from(Asset::elided("00")))], "nobody knows what was left out"),
        (vec![("./a", plain("hello"))], "it is hashed by another name"),
        (vec![("a", nested(64))], "nobody opens it either"),
    ] {
        assert_eq!(of(members).hash, None, "{why}");
    }
    let known = Archive { hash: Some("00".to_owned()), ..Archive::members(Object::new()) };
    assert_eq!(Room::default().hashed(known.clone()), known);
}

#[test]
fn names_are_hashed_up_to_a_limit() {
    let inner: Object = ["x", "y"].map(|name| (name.to_owned(), text(""))).into_iter().collect();
    let archive = || Archive::members([("n".repeat(98), Value::from(Archive::members(inner.clone())))]);
    let room = Room::of(6, 400);
    assert!(room.hashed(archive()).hash.is_some(), "98 and twice 100 bytes of names, of three members");
    assert_eq!(room.hashed(archive()).hash, None, "what was hashed before counts too");
    assert_eq!(Room::of(2, 400).hashed(archive()).hash, None);
    assert!(Room::of(3, 298).hashed(archive()).hash.is_some());
    assert_eq!(Room::of(3, 297).hashed(archive()).hash, None);
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
