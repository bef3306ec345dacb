//! What the SDK fails at, and authors pass on: it says nothing of what was made before.

use bulkhead_sdk::http::Url;
use bulkhead_sdk::value::AssetSource;
use bulkhead_sdk::{Asset, Error, ErrorKind, assets, session};

#[test]
fn no_failure_of_the_sdk_says_that_nothing_is_left() {
    let unread = Asset { hash: None, source: AssetSource::Path("contents.txt".to_owned()) };
    let _ = session::add("count", i32::MAX);
    for error in [
        assets::read(&unread).unwrap_err(),
        session::add("count", 1).unwrap_err(),
        Error::from(Url::parse("nowhere").unwrap_err()),
    ] {
        assert!(matches!(error.kind(), ErrorKind::Other(_)), "{error:?}: {:?}", error.kind());
    }
}
