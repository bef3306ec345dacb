//! One configuration's shared part, on its own.

use std::time::Duration;

use super::*;

fn small() -> Arc<Session> {
    Arc::new(Session::new(SessionLimits { bytes: 64, value: 16, keys: 3, locks: 2, name: 8 }))
}

fn set(session: &Session, key: &str, value: &[u8]) -> Result<(), Refusal> {
    let present = session.get(key);
    session.compare_and_swap(key.to_owned(), present.as_deref(), Some(value.to_vec()))
}

fn reason<T: std::fmt::Debug>(refused: Result<T, Refusal>) -> String {
    match refused.unwrap_err() {
        Refusal::TooLarge(reason) | Refusal::Full(reason) => reason,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_swap_needs_the_expected_value() {
    let session = small();
    let swap = |expected: Option<&[u8]>, value: Option<&[u8]>| {
        session.compare_and_swap("key".to_owned(), expected, value.map(<[u8]>::to_vec))
    };
    assert_eq!(swap(Some(b"one"), Some(b"two")), Err(Refusal::Conflict(None)));
    assert_eq!(swap(None, Some(b"one")), Ok(()));
    assert_eq!(swap(None, Some(b"two")), Err(Refusal::Conflict(Some(b"one".to_vec()))));
    assert_eq!(swap(Some(b"one"), Some(b"")), Ok(()));
    assert_eq!(session.get("key"), Some(Vec::new()), "an empty value is one");
    assert_eq!(swap(Some(b""), None), Ok(()));
    assert_eq!((session.get("key"), session.kept().bytes), (None, 0));
}

#[test]
fn everything_is_bounded_and_what_is_removed_makes_room() {
    let session = small();
    assert_eq!(reason(set(&session, "key", &[0; 17])), "a shared value would grow to 17 bytes, and the limit is 16");
    assert_eq!(reason(set(&session, "long name", b"")), "a shared name would grow to 9 bytes, and the limit is 8");
    for key in ["a", "b", "c"] {
        set(&session, key, &[0; 16]).unwrap();
    }
    let fourth = "what is shared would grow to 4 keys, and the limit is 3";
    assert_eq!(reason(set(&session, "d", b"")), fourth);
    assert_eq!(reason(session.add("d".to_owned(), 1)), fourth);
    session.compare_and_swap("a".to_owned(), Some(&[0; 16]), None).unwrap();
    assert_eq!(session.add("counter".to_owned(), 1), Ok(1));
    session.compare_and_swap("b".to_owned(), Some(&[0; 16]), None).unwrap();
    set(&session, "bigger", &[0; 16]).unwrap();
    assert_eq!(session.kept().bytes, 17 + 11 + 22);

    let tight = Session::new(SessionLimits { bytes: 10, ..SessionLimits::default() });
    assert_eq!(
        reason(set(&tight, "key", &[0; 8])),
        "what is shared would grow to 11 bytes, and the limit `session` is 10"
    );
    set(&tight, "key", &[0; 7]).unwrap();
    set(&tight, "key", &[1; 7]).unwrap();
    assert_eq!(
        reason(set(&tight, "key", &[1; 8])),
        "what is shared would grow to 11 bytes, and the limit `session` is 10"
    );
    assert_eq!(tight.get("key"), Some(vec![1; 7]), "a refusal changes nothing");
}

#[test]
fn counters_stay_numbers() {
    let session = small();
    assert_eq!(session.add("n".to_owned(), i32::MAX), Ok(i32::MAX));
    assert_eq!(reason(session.add("n".to_owned(), 1)), "a shared counter would leave the 32-bit numbers");
    assert_eq!(session.add("n".to_owned(), -1), Ok(i32::MAX - 1));
}

#[tokio::test]
async fn a_lock_goes_from_one_to_the_next_and_leaves_nothing() {
    let session = small();
    let first = session.lock("lock".to_owned()).await.unwrap();
    assert!(first.is_of(&session, "lock") && !first.is_of(&session, "other") && !first.is_of(&small(), "lock"));
    let waiting = tokio::spawn({
        let session = Arc::clone(&session);
        async move { session.lock("lock".to_owned()).await.unwrap() }
    });
    let given_up = session.lock("lock".to_owned());
    assert!(tokio::time::timeout(Duration::from_millis(20), given_up).await.is_err());
    assert!(!waiting.is_finished());
    drop(first);
    let second = waiting.await.unwrap();
    assert_eq!(session.kept().locks.len(), 1);
    drop(second);
    assert!(session.kept().locks.is_empty());
}

#[tokio::test]
async fn locks_in_use_are_bounded() {
    let session = small();
    let held = (session.lock("a".to_owned()).await.unwrap(), session.lock("b".to_owned()).await.unwrap());
    assert_eq!(
        reason(session.lock("c".to_owned()).await),
        "the locks in use would grow to 3 names, and the limit is 2"
    );
    drop(held);
    session.lock("c".to_owned()).await.unwrap();
}
