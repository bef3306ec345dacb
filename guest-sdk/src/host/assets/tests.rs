use super::*;
use crate::fields;
use crate::value::AssetSource;

fn text(text: &str) -> Value {
    Value::Asset(Asset::from(text.to_owned()))
}

fn archive(members: Fields) -> Archive {
    Archive { hash: None, source: ArchiveSource::Members(members) }
}

#[test]
fn members_are_found_by_their_path() {
    let inner = Value::Archive(archive(fields! { "b.txt": text("inner") }));
    let reader = open_archive(&archive(fields! { "z.txt": text("outer"), "a": inner.secret() })).unwrap();
    assert_eq!(reader.names().unwrap(), ["a/b.txt", "z.txt"]);
    assert_eq!(reader.open("a/b.txt").unwrap().read_whole().unwrap(), b"inner");
    insta::assert_snapshot!(reader.open("b.txt").unwrap_err(), @"the archive has no member `b.txt`");
}

#[test]
fn contents_larger_than_a_chunk_are_read_whole() {
    let long = "0123456789".repeat(20_000);
    let asset = Asset::from(long.clone());
    assert_eq!(open(&asset).unwrap().size(), Some(200_000));
    assert_eq!(read(&asset).unwrap(), long.as_bytes());
    let mut streamed = String::new();
    open(&asset).unwrap().read_to_string(&mut streamed).unwrap();
    assert_eq!(streamed, long);
}

#[test]
fn what_cant_be_read_says_why() {
    let elided = Asset { hash: Some("00".to_owned()), source: AssetSource::Elided };
    insta::assert_snapshot!(read(&elided).unwrap_err(), @"only the hash of the asset is known, not its contents");
    let wrong = archive(fields! { "a": "text" });
    insta::assert_snapshot!(open_archive(&wrong).unwrap_err(), @"the member `a` of an archive is a string");
}
