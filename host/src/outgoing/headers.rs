//! The headers of a request: the guest's, less what says where a message ends and whom it is for.
//!
//! A body that two servers measure differently hides a second request that nobody decided on.

use http::header::{
    CONNECTION, CONTENT_LENGTH, HOST, HeaderMap, HeaderName, HeaderValue, TE, TRANSFER_ENCODING, UPGRADE,
};

use super::error::OutgoingError;

/// Headers between neighbours on the wire, of which the host is one; so are all for proxies.
const HOSTS: [HeaderName; 6] = [
    CONNECTION,
    HeaderName::from_static("keep-alive"),
    HeaderName::from_static("http2-settings"),
    TE,
    TRANSFER_ENCODING,
    UPGRADE,
];

/// The headers to send to a destination.
///
/// # Errors
/// A header that is the host's, a `host` that isn't the destination, or a length with two readings.
pub(super) fn for_destination(given: HeaderMap, authority: &HeaderValue) -> Result<HeaderMap, OutgoingError> {
    let refused = |name: &HeaderName| OutgoingError::Header(name.as_str().to_owned());
    let is_hosts = |name: &&HeaderName| HOSTS.contains(*name) || name.as_str().starts_with("proxy-");
    if let Some(name) = given.keys().find(is_hosts) {
        return Err(refused(name));
    }
    if given.get_all(HOST).iter().any(|host| !host.as_bytes().eq_ignore_ascii_case(authority.as_bytes())) {
        return Err(refused(&HOST));
    }
    let mut lengths = given.get_all(CONTENT_LENGTH).iter();
    let digits = |length: &HeaderValue| !length.is_empty() && length.as_bytes().iter().all(u8::is_ascii_digit);
    if lengths.next().is_some_and(|length| !digits(length)) || lengths.next().is_some() {
        return Err(refused(&CONTENT_LENGTH));
    }
    let mut headers = HeaderMap::with_capacity(given.len() + 1);
    // First, as servers like it.
    headers.insert(HOST, authority.clone());
    let mut last = None;
    for (name, value) in given {
        // An iterator names a header once for all of its values.
        last = name.or(last);
        if let Some(name) = last.as_ref().filter(|name| **name != HOST) {
            headers.append(name, value);
        }
    }
    Ok(headers)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(given: &[(&'static str, &'static str)]) -> Result<Vec<(String, String)>, String> {
        let given =
            given.iter().map(|(name, value)| (name.parse::<HeaderName>().unwrap(), HeaderValue::from_static(value)));
        let mut headers = HeaderMap::new();
        given.for_each(|(name, value)| {
            headers.append(name, value);
        });
        let sent = for_destination(headers, &HeaderValue::from_static("granted.example:81"));
        let text = |(name, value): (&HeaderName, &HeaderValue)| (name.to_string(), value.to_str().unwrap().to_owned());
        sent.map(|headers| headers.iter().map(text).collect()).map_err(|error| error.to_string())
    }

    #[test]
    fn only_what_the_guest_sent_is_sent() {
        let host = ("host".to_owned(), "granted.example:81".to_owned());
        assert_eq!(sent(&[]), Ok(vec![host.clone()]));
        assert_eq!(sent(&[("Host", "Granted.Example:81")]), Ok(vec![host.clone()]));
        let given = [("x-key", "1"), ("accept", "a"), ("accept", "b"), ("content-length", "3")];
        let mut expected = vec![host];
        expected.extend(given.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_eq!(sent(&given), Ok(expected));
    }

    #[test]
    fn what_frames_or_routes_messages_is_the_hosts() {
        for (name, value) in [
            ("transfer-encoding", "chunked"),
            ("connection", "close"),
            ("upgrade", "websocket"),
            ("te", "trailers"),
            ("keep-alive", "timeout=5"),
            ("proxy-authorization", "Basic eA=="),
            ("proxy-authenticate", "Basic"),
            ("proxy-connection", "keep-alive"),
            ("proxy-status", "x"),
            ("http2-settings", ""),
            ("host", "evil.example"),
            ("host", "granted.example"),
            ("content-length", "+1"),
            ("content-length", "1, 1"),
            ("content-length", ""),
        ] {
            assert_eq!(sent(&[(name, value)]), Err(format!("the header `{name}` is the host's to send")), "{value}");
        }
        let twice = sent(&[("content-length", "1"), ("content-length", "1")]);
        assert_eq!(twice, Err("the header `content-length` is the host's to send".to_owned()));
        let twice = sent(&[("host", "granted.example:81"), ("host", "evil.example")]);
        assert_eq!(twice, Err("the header `host` is the host's to send".to_owned()));
    }
}
