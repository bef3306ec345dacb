//! What is drift where what is on record lacks what has to be there, and where it would replace to take it back.

use super::{
    drift::{filled, given, properties, to_do, with},
    *,
};
use crate::{Methods, ResourceFacts};

/// A service that always has an address, and a label, which may be given. Another tier replaces it, and so does anything if it can't be updated.
fn service(update: bool) -> Package {
    let string = || json!({ "type": "string" });
    let (inputs, types) = properties();
    let inputs = with(inputs, json!({ "label": string(), "tier": string(), "note": string() }));
    let mut outputs = with(inputs.clone(), json!({ "address": string() }));
    outputs["tier"]["replaceOnChanges"] = true.into();
    let mut package = parsed(&json!({ "name": "t", "types": types, "resources": { "t:index:R": {
        "inputProperties": inputs, "properties": outputs, "required": ["address", "label"],
    } } }));
    package.resource_mut("t:index:R").unwrap().facts =
        ResourceFacts { methods: Methods { update, ..Methods::default() }, ..ResourceFacts::default() };
    package
}

/// All that has to be there, and more.
fn whole(more: Json) -> Json {
    with(json!({ "address": "x", "label": "auto" }), more)
}

fn refreshed(package: &Package, rows: impl IntoIterator<Item = (Json, Json, Json, Json, &'static str)>) {
    for (given, prior, new, expected, changes) in rows {
        let (program, new_state) = (object(given.clone()), object(new.clone()));
        let shown = shown_inputs(package, resource(package), &program, &object(prior.clone()), &new_state);
        assert_eq!(shown, object(expected), "{given} {prior} {new}");
        assert_eq!(to_do(package, &shown, &new_state, &program), changes, "{given} {prior} {new}");
    }
}

/// Or it stays for ever: once the record is as it is, nothing says it again.
#[test]
fn what_a_failed_update_reached_shows_also_where_it_has_to_be_there() {
    let package = service(true);
    for (reached, given, recorded, expected, changes) in [
        (&["label"][..], json!({}), whole(json!({ "label": "b" })), json!({ "label": "b" }), "-label"),
        (
            &["label", "tags"],
            json!({ "tags": { "a": "1" } }),
            whole(json!({ "label": "b", "tags": { "a": "1", "b": "2" } })),
            json!({ "label": "b", "tags": { "a": "1", "b": "2" } }),
            "-label -tags.b",
        ),
        // What the update left is a part itself.
        (&["note"], json!({}), json!({ "label": "auto", "note": "n" }), json!({ "note": "n" }), "-note"),
        (
            &["tags"],
            json!({ "tags": { "a": "1" } }),
            json!({ "tags": { "a": "1", "b": "2" } }),
            json!({ "tags": { "a": "1", "b": "2" } }),
            "-tags.b",
        ),
        // No update makes what replaces, so the service filled it in.
        (
            &["disk"],
            json!({}),
            whole(json!({ "disk": filled("a") })),
            json!({ "disk": { "device": "a", "iops": 1 } }),
            "-disk",
        ),
        (
            &["disks"],
            json!({ "disks": [] }),
            whole(json!({ "disks": [filled("a")] })),
            json!({ "disks": [{ "device": "a", "iops": 1 }] }),
            "-disks[0]",
        ),
        (
            &["attached"],
            json!({}),
            whole(json!({ "attached": { "x": filled("a") } })),
            json!({ "attached": { "x": { "device": "a", "iops": 1 } } }),
            "-attached",
        ),
        (&["tier"], json!({}), whole(json!({ "tier": "t" })), json!({}), ""),
        // The rest of that says nothing.
        (&["tags"], json!({}), json!({ "note": "n" }), json!({}), ""),
    ] {
        let (program, new) = (object(given), object(with(whole(json!({})), recorded.clone())));
        let reached = reached.iter().map(|name| (*name).to_owned()).collect();
        let shown = shown_after_reaching(&package, resource(&package), &program, &object(recorded), &new, &reached);
        assert_eq!(shown, object(expected), "{program:?} {new:?}");
        assert_eq!(to_do(&package, &shown, &new, &program), changes, "{program:?} {new:?}");
    }
}

/// No inputs say under which name an upgrade has it now: whichever it brought where the old one stood.
#[test]
fn what_a_failed_update_reached_goes_by_the_names_that_an_upgrade_brought() {
    let package = service(true);
    let of = |name: &str, value: &str| json!({ name: value });
    for (reached, before, now, expected) in [
        ("title", [of("title", "a"), of("title", "b")], [of("label", "a"), of("label", "b")], &["label", "title"][..]),
        // It added the property, or took it away.
        ("title", [json!({}), of("title", "b")], [json!({}), of("label", "b")], &["label", "title"]),
        ("title", [of("title", "a"), json!({})], [of("label", "a"), json!({})], &["label", "title"]),
        // What the upgrade brought beside it has another place, or no update could have reached it.
        (
            "title",
            [of("title", "a"), of("title", "b")],
            [of("label", "a"), with(of("label", "b"), of("note", "n"))],
            &["label", "title"],
        ),
        ("title", [of("title", "a"), of("title", "b")], [of("tier", "a"), of("tier", "b")], &["title"]),
        // It is called as it was.
        (
            "note",
            [of("note", "a"), of("note", "b")],
            [with(of("note", "a"), of("label", "l")), with(of("note", "b"), of("label", "l"))],
            &["note"],
        ),
    ] {
        let [before, now] = [before, now].map(|sides| sides.map(object));
        let sides = [&before, &now].map(|[inputs, state]| [inputs, state]);
        let names = reached_by_now(&package, resource(&package), &[reached.to_owned()].into(), sides[0], sides[1]);
        assert_eq!(names.iter().map(String::as_str).collect::<Vec<_>>(), expected, "{before:?} {now:?}");
    }
}

/// The provider may only have begun to tell it.
#[test]
fn what_would_replace_to_be_taken_back_is_no_drift() {
    let (one, two) = (json!({ "a": "1" }), json!({ "a": "1", "b": "2" }));
    let larger = with(given("a"), json!({ "size": 5 }));
    refreshed(
        &service(true),
        [
            (json!({}), whole(json!({})), whole(json!({ "tier": "t" })), json!({}), ""),
            (
                json!({ "rtags": one }),
                whole(json!({ "rtags": one })),
                whole(json!({ "rtags": two })),
                json!({ "rtags": one }),
                "",
            ),
            (
                json!({ "rtags": { "a": "A" } }),
                whole(json!({ "rtags": {} })),
                whole(json!({ "rtags": { "a": "a" } })),
                json!({ "rtags": { "a": "A" } }),
                "",
            ),
            // All else is.
            (json!({}), whole(json!({})), whole(json!({ "note": "n" })), json!({ "note": "n" }), "-note"),
            (
                json!({ "tags": one }),
                whole(json!({ "tags": one })),
                whole(json!({ "tags": two })),
                json!({ "tags": two }),
                "-tags.b",
            ),
            (
                json!({ "rtags": one }),
                whole(json!({ "rtags": one })),
                whole(json!({ "rtags": { "a": "2" } })),
                json!({ "rtags": { "a": "2" } }),
                "~~rtags.a",
            ),
            (
                json!({ "disks": [given("a")] }),
                whole(json!({ "disks": [given("a")] })),
                whole(json!({ "disks": [larger] })),
                json!({ "disks": [larger] }),
                "-disks[0].size",
            ),
        ],
    );
    // Without updates, whatever it is.
    refreshed(
        &service(false),
        [
            (json!({}), whole(json!({})), whole(json!({ "note": "n" })), json!({}), ""),
            (
                json!({ "disks": [given("a")] }),
                whole(json!({ "disks": [given("a")] })),
                whole(json!({ "disks": [larger] })),
                json!({ "disks": [given("a")] }),
                "",
            ),
            (
                json!({ "tags": one }),
                whole(json!({ "tags": one })),
                whole(json!({ "tags": two })),
                json!({ "tags": one }),
                "",
            ),
            // But not an element, which nobody fills in.
            (
                json!({ "disks": [given("a")] }),
                whole(json!({ "disks": [given("a")] })),
                whole(json!({ "disks": [given("a"), given("b")] })),
                json!({ "disks": [given("a"), given("b")] }),
                "--disks[1]",
            ),
            (json!({ "note": "n" }), whole(json!({ "note": "n" })), whole(json!({})), json!({}), "++note"),
        ],
    );
}

/// Nobody was there to change it: the create came to no end, and what was just made would be replaced.
#[test]
fn what_a_create_that_came_to_no_end_had_not_told_is_no_drift() {
    let (a, root) = (given("a"), filled("root"));
    let disks = |disks: Json| json!({ "disks": disks });
    let pin = json!({ "note": { "<secret>": "p" } });
    let clear = |disk: Json| with(disk, json!({ "note": "p" }));
    let sized = |disk: Json, size: u32| with(disk, json!({ "size": size }));
    let one = json!({ "a": "1" });
    refreshed(
        &service(true),
        [
            (disks(json!([a])), disks(json!([a])), whole(disks(json!([a, root]))), disks(json!([a])), ""),
            (disks(json!([a])), disks(json!([a])), whole(disks(json!([root, a]))), disks(json!([a])), ""),
            (disks(json!([])), disks(json!([])), whole(disks(json!([root]))), disks(json!([])), ""),
            (
                disks(json!([with(a.clone(), pin.clone())])),
                disks(json!([clear(a.clone())])),
                whole(disks(json!([root, clear(filled("a"))]))),
                disks(json!([with(a.clone(), pin)])),
                "",
            ),
            // What was given isn't on record.
            (json!({ "disk": a }), json!({}), whole(json!({ "disk": filled("a") })), json!({ "disk": a }), ""),
            (disks(json!([a])), json!({}), whole(disks(json!([filled("a")]))), disks(json!([a])), ""),
            (disks(json!([a])), json!({}), whole(disks(json!([root, filled("a")]))), disks(json!([a])), ""),
            (
                json!({ "attached": { "x": a } }),
                json!({ "attached": {} }),
                whole(json!({ "attached": { "x": filled("a") } })),
                json!({ "attached": { "x": a } }),
                "",
            ),
            (
                json!({ "rtags": one }),
                json!({}),
                whole(json!({ "rtags": { "a": "1", "sys": "x" } })),
                json!({ "rtags": one }),
                "",
            ),
            (json!({ "note": "n" }), json!({}), whole(json!({})), json!({ "note": "n" }), ""),
            // What was given is otherwise by now.
            (
                disks(json!([sized(a.clone(), 1)])),
                disks(json!([sized(a.clone(), 1)])),
                whole(disks(json!([sized(filled("a"), 2), root]))),
                disks(json!([sized(a.clone(), 2)])),
                "~disks[0].size",
            ),
            (
                disks(json!([sized(a.clone(), 1)])),
                json!({}),
                whole(disks(json!([sized(filled("a"), 2)]))),
                disks(json!([sized(a.clone(), 2)])),
                "~disks[0].size",
            ),
            (json!({ "note": "n" }), json!({}), whole(json!({ "note": "m" })), json!({ "note": "m" }), "~note"),
            // Of a list it may have the beginning.
            (disks(json!([a])), disks(json!([])), whole(disks(json!([filled("a")]))), disks(json!([a])), ""),
            (
                disks(json!([a, given("b")])),
                disks(json!([filled("a")])),
                whole(disks(json!([filled("a"), filled("b"), root]))),
                disks(json!([a, given("b")])),
                "",
            ),
        ],
    );
    // Nor is what replaces within what isn't on record, or in a list of which the record has less.
    let pinned = |snapshot: &str| json!({ "disk": with(given("a"), json!({ "snapshot": snapshot })) });
    let two = disks(json!([with(a.clone(), json!({ "snapshot": "s" })), given("b")]));
    refreshed(
        &service(true),
        [
            (pinned("S"), json!({}), whole(with(pinned("s"), json!({ "iops": 1 }))), pinned("S"), ""),
            (two.clone(), json!({}), whole(disks(json!([given("b")]))), two, ""),
            // Record and service say the same.
            (
                disks(json!([given("A")])),
                disks(json!([a, given("root")])),
                whole(disks(json!([a, given("root")]))),
                disks(json!([given("A")])),
                "",
            ),
        ],
    );
    let letters = |letters: Json| json!({ "anything": letters });
    refreshed(
        &service(false),
        [
            (letters(json!(["A"])), letters(json!([])), whole(letters(json!(["a"]))), letters(json!(["A"])), ""),
            (disks(json!([a, given("b")])), disks(json!([a])), disks(json!([a])), disks(json!([a, given("b")])), ""),
            // Where the record has nothing but what was given, a service says it in its own way, or not yet.
            (
                letters(json!(["B", "a"])),
                letters(json!(["B", "a"])),
                whole(letters(json!(["a", "b"]))),
                letters(json!(["B", "a"])),
                "",
            ),
            (
                json!({ "note": "N", "tags": { "a": "1", "b": "2" } }),
                json!({ "note": "N", "tags": { "a": "1", "b": "2" } }),
                whole(json!({ "tags": { "a": "1" } })),
                json!({ "note": "N", "tags": { "a": "1", "b": "2" } }),
                "",
            ),
            // Or else it has said so before.
            (
                json!({ "note": "N" }),
                json!({ "note": "N", "label": "auto" }),
                whole(json!({ "note": "n" })),
                json!({ "note": "n" }),
                "~~note",
            ),
        ],
    );
    // What can be updated shows.
    refreshed(
        &service(true),
        [(
            json!({ "note": "N" }),
            json!({ "note": "N" }),
            whole(json!({ "note": "n" })),
            json!({ "note": "n" }),
            "~note",
        )],
    );
    // One that came to an end has what others add.
    let b = given("b");
    refreshed(
        &service(true),
        [(
            disks(json!([a])),
            whole(disks(json!([filled("a")]))),
            whole(disks(json!([filled("a"), filled("b")]))),
            disks(json!([a, b])),
            "-disks[1]",
        )],
    );
}

#[test]
fn what_a_create_left_undone_shows_as_drift_and_is_set_by_the_next_update() {
    let package = service(true);
    let resource = resource(&package);
    let undone = |given: &Json, left: &Json| {
        let names = left_undone(&package, resource, &object(given.clone()), &object(left.clone()));
        names.into_iter().collect::<Vec<_>>()
    };
    for (given, left, expected) in [
        (json!({ "label": "l", "note": "n" }), whole(json!({ "label": "l" })), vec!["note"]),
        (json!({ "label": "l", "note": "n" }), whole(json!({ "note": "n" })), vec!["label"]),
        (json!({ "label": "l", "note": "n" }), whole(json!({ "label": "l", "note": "n" })), vec![]),
        // Nobody gave it, or it would replace what was just made.
        (json!({}), whole(json!({ "note": "n" })), vec![]),
        (json!({ "tier": "a" }), whole(json!({ "tier": "A" })), vec![]),
        // A part: what it has otherwise is compared anyway.
        (json!({ "label": "l", "note": "n", "tier": "a" }), json!({ "label": "L" }), vec!["note"]),
    ] {
        assert_eq!(undone(&given, &left), expected, "{given} {left}");
        let (given, left) = (object(given), object(left));
        let names = expected.iter().map(|name| (*name).to_owned()).collect();
        let shown = shown_after_reaching(&package, resource, &given, &left, &left, &names);
        for name in expected {
            assert_eq!(shown.get(name), left.get(name), "a refresh shows what is there");
        }
    }
    let fixed = service(false);
    let (given, left) = (object(json!({ "note": "n" })), object(whole(json!({}))));
    assert!(left_undone(&fixed, super::resource(&fixed), &given, &left).is_empty(), "it could only be replaced");
}

/// A service may have done it all the same, and tells it in its own way.
#[test]
fn what_a_part_lacks_is_shown_where_it_is_not_there_and_is_no_drift_else() {
    let package = service(true);
    let resource = resource(&package);
    let tags = json!({ "a": "1", "b": "2" });
    for (left, more, expected, changes) in [
        (json!({}), json!({ "note": "n", "tags": { "a": "1" } }), json!({}), ""),
        (json!({}), json!({ "note": "n", "tags": tags }), json!({}), ""),
        (json!({}), json!({ "note": "N", "tags": { "a": "1" } }), json!({ "note": "N" }), "~note"),
        (json!({}), json!({ "tags": { "a": "1" } }), json!({ "note": null }), "+note"),
        (json!({ "label": "l" }), json!({ "label": "l" }), json!({ "note": null, "tags": null }), "+note +tags"),
        // It replaces, and the part has it as it was given.
        (json!({ "tier": "T" }), json!({ "tier": "t", "note": "n" }), json!({ "tags": null }), "+tags"),
    ] {
        let program = object(json!({ "tier": "T", "note": "n", "tags": { "a": "1" } }));
        let new = whole(with(json!({ "tier": "T" }), more));
        let (left, new) = (object(left), object(new));
        let lacks = left_undone(&package, resource, &program, &left);
        let shown = shown_after_reaching(&package, resource, &program, &left, &new, &lacks);
        let mut wanted = program.clone();
        for (name, value) in object(expected) {
            if value.is_null() { drop(wanted.remove(&name)) } else { drop(wanted.insert(name, value)) }
        }
        assert_eq!(shown, wanted, "{left:?} {new:?}");
        assert_eq!(to_do(&package, &shown, &new, &program), changes, "{left:?} {new:?}");
    }
}
