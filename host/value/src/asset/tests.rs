use super::{Asset, AssetSource};

#[test]
fn the_hash_is_that_of_the_bytes() {
    // The specification prints the second hash for the first text: it is that of a line that ends.
    for (text, hash) in [
        ("hello", "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"),
        ("hello\n", "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"),
        ("", Asset::EMPTY_HASH),
    ] {
        let asset = Asset::text(text);
        assert_eq!(asset.hash.as_deref(), Some(hash));
        assert_eq!(asset.source, AssetSource::Text(text.into()));
    }
}

#[test]
fn the_hash_of_an_empty_archive_is_that_of_a_tar_without_members() {
    assert_eq!(Asset::hash_of(&[0; 1_024]), crate::Archive::EMPTY_HASH);
}

#[test]
fn leaving_out_the_contents_keeps_the_hash() {
    let text = Asset { hash: None, source: AssetSource::Text("hello".into()) };
    let elided = text.without_contents();
    assert_eq!(elided, Asset::elided(Asset::hash_of(b"hello")));
    assert!(elided.same_contents(&text));
    assert!(!elided.same_contents(&Asset::text("")));
}
