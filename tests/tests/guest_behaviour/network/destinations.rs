//! Where requests may go: scheme, name, port, method.

use serde_json::json;

use super::servers::{Server, ok};
use super::{NETWORKED, allowed, body, failure, fetched, granted, number, under, wish, with};
use crate::object;
use bulkhead::component::{Limits, Sections, embed};
use bulkhead_tests::serving::{Serving, load};
use bulkhead_value::Object;

const DENIED: &str = "ErrorCode::HttpRequestDenied";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_reached_without_a_grant() {
    let server = Server::saying(ok("hello")).await;
    let serving = allowed(&[]).await;
    let message = body(&serving, wish(&server.authority())).await.unwrap_err();
    let (said, hint) = message.split_once("\nhint: ").unwrap();
    assert_eq!(said, DENIED);
    let denied = format!("network http://{} (GET) is denied: nothing grants it; ", server.authority());
    assert!(hint.starts_with(&denied), "{hint}");
    // It asks for any server, which this machine isn't, so that a command for all of that would grant nothing here.
    let line = format!("network = [\"http://{}\"]", server.authority());
    assert!(hint.contains(&format!(" --only '{line}'` (with `--dev` for later builds too), or add a block")), "{hint}");
    assert!(hint.ends_with(&format!(" and {line} to /bulkhead.toml")), "{hint}");
    assert!(server.is_untouched().await, "nobody connected");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_granted_is_reached() {
    let server = Server::saying(ok("hello")).await;
    for grant in ["http://127.0.0.1", "http://localhost"] {
        let serving = allowed(&[format!("{grant}:{}", server.port())]).await;
        let authority = format!("{}:{}", grant.trim_start_matches("http://"), server.port());
        let fetched = fetched(&serving, wish(&authority)).await.unwrap();
        assert_eq!(fetched["body"].as_str(), Some("hello"));
        assert_eq!(fetched["status"], number(200));
    }
}

/// The guest with a default, which may talk to what is configured.
async fn with_default(default: &str) -> Serving {
    let Sections { schema, manifest } = Sections::read(&NETWORKED).unwrap();
    let mut schema: serde_json::Value = serde_json::from_slice(&schema.unwrap()).unwrap();
    schema["config"] = json!({ "variables": { "endpoint": { "type": "string", "default": default } } });
    let built = embed(&NETWORKED, schema.to_string().as_bytes(), &manifest.unwrap()).unwrap();
    let loaded = load(&built, Limits::default()).unwrap();
    let serving = Serving::of(loaded.under(Limits::default(), granted(json!(["${config.endpoint}"]), &[]))).await;
    serving.handshake(<_>::default()).await;
    serving
}

/// As when another build destroys a stack than the one that deployed it: engines hand over what was checked then.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_an_earlier_build_filled_in_is_nobodys_word_to_a_later_one() {
    let server = Server::saying(ok("hello")).await;
    let vendors = format!("http://{}", server.authority());
    let checked = with_default(&vendors).await.check_config(Object::new()).await.unwrap().value;
    assert_eq!(checked["endpoint"].as_str(), Some(vendors.as_str()), "it is on record");
    let later = with_default("http://other.example").await;
    later.configure(checked).await.unwrap();
    assert_eq!(failure(&later, wish(&server.authority())).await, DENIED);
    assert!(server.is_untouched().await, "nobody connected");
    let checked = with_default("http://other.example").await.check_config(object([("endpoint", vendors)])).await;
    let given = with_default("http://another.example").await;
    given.configure(checked.unwrap().value).await.unwrap();
    assert_eq!(body(&given, wish(&server.authority())).await.as_deref(), Ok("hello"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_scheme_host_or_port_is_denied() {
    let (server, other) = (Server::saying(ok("hello")).await, Server::saying(ok("other")).await);
    let serving = allowed(&[format!("http://localhost:{}", server.port()), "http://granted.example".to_owned()]).await;
    let authority = format!("localhost:{}", server.port());
    assert_eq!(body(&serving, wish(&authority)).await.as_deref(), Ok("hello"));
    let others = [
        wish(&server.authority()),
        wish(&format!("[::1]:{}", server.port())),
        wish(&format!("a.localhost:{}", server.port())),
        wish(&format!("localhost:{}", other.port())),
        wish("localhost"),
        with(wish(&authority), "scheme", "https"),
        wish("sub.granted.example"),
        wish("granted.example.evil.example"),
        wish("granted.example:81"),
    ];
    for other in others {
        assert_eq!(failure(&serving, other.clone()).await, DENIED, "{other:?}");
    }
    assert_eq!(server.seen().len(), 1);
    assert!(other.is_untouched().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_method_is_denied() {
    let server = Server::saying(ok("hello")).await;
    let network = json!([{ "endpoint": format!("http://{}", server.authority()), "methods": ["GET", "HEAD"] }]);
    let serving = under(Limits::default(), granted(network, &[])).await;
    let by = |method: &str| with(wish(&server.authority()), "method", method);
    assert_eq!(body(&serving, by("GET")).await.as_deref(), Ok("hello"));
    assert_eq!(body(&serving, by("HEAD")).await.as_deref(), Ok(""));
    for method in ["POST", "DELETE", "PATCH", "QUERY"] {
        let message = body(&serving, by(method)).await.unwrap_err();
        let denied =
            format!("network http://{} ({method}) is denied: it is granted for other methods", server.authority());
        assert!(message.starts_with(DENIED) && message.contains(&denied), "{message}");
    }
    // Whether a server tells them apart by case is nobody's to know.
    for method in ["get", "Head", "post"] {
        assert_eq!(failure(&serving, by(method)).await, "ErrorCode::HttpRequestMethodInvalid", "{method}");
    }
    assert_eq!(server.asked(), ["GET / HTTP/1.1", "HEAD / HTTP/1.1"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tunnels_and_echoes_are_never_sent() {
    let server = Server::saying(ok("hello")).await;
    let serving = allowed(&[format!("http://{}", server.authority())]).await;
    for method in ["CONNECT", "TRACE"] {
        let failed = failure(&serving, with(wish(&server.authority()), "method", method)).await;
        assert_eq!(failed, "ErrorCode::HttpRequestMethodInvalid", "{method}");
    }
    assert!(server.is_untouched().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn other_spellings_of_a_granted_host_are_the_same_host() {
    let server = Server::answering(|request| ok(&request.to_ascii_lowercase())).await;
    let port = server.port();
    let serving = allowed(&[format!("http://localhost:{port}"), format!("http://127.0.0.1:{port}")]).await;
    for (spelt, host) in [
        ("LOCALHOST", "localhost"),
        ("localhost.", "localhost"),
        ("LocalHost.", "localhost"),
        ("127.1", "127.0.0.1"),
        ("0x7f.1", "127.0.0.1"),
        ("0x7f000001", "127.0.0.1"),
        ("2130706433", "127.0.0.1"),
        ("017700000001", "127.0.0.1"),
        ("[::ffff:127.0.0.1]", "127.0.0.1"),
        ("[::ffff:7f00:1]", "127.0.0.1"),
    ] {
        let received = body(&serving, wish(&format!("{spelt}:{port}"))).await;
        let received = received.unwrap_or_else(|error| panic!("{spelt}: {error}"));
        assert!(received.contains(&format!("\r\nhost: {host}:{port}\r\n")), "{spelt}: {received}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn other_spellings_of_a_host_that_is_not_granted_are_denied_too() {
    let server = Server::saying(ok("hello")).await;
    let serving = allowed(&["http://granted.example:*".to_owned()]).await;
    for spelt in [
        "127.0.0.1",
        "127.1",
        "0x7f.1",
        "2130706433",
        "017700000001",
        "[::ffff:127.0.0.1]",
        "[::1]",
        "localhost",
        "LOCALHOST.",
        "0.0.0.0",
        "0",
        "[::]",
        "[64:ff9b::7f00:1]",
        "169.254.169.254",
        "[::ffff:a9fe:a9fe]",
    ] {
        let failed = failure(&serving, wish(&format!("{spelt}:{}", server.port()))).await;
        assert_eq!(failed, DENIED, "{spelt}");
    }
    assert!(server.is_untouched().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_host_with_two_readings_is_no_host() {
    let server = Server::saying(ok("hello")).await;
    let port = server.port();
    let serving = allowed(&["http://granted.example:*".to_owned(), format!("http://127.0.0.1:{port}")]).await;
    for authority in [
        format!("granted.example@127.0.0.1:{port}"),
        format!("user:secret@127.0.0.1:{port}"),
        format!("127.0.0.1:{port}@granted.example"),
        format!("127.0.0.1%2f:{port}"),
        format!("%31%32%37.0.0.1:{port}"),
        format!("127.0.0.1%00.granted.example:{port}"),
        format!("[fe80::1%25lo]:{port}"),
        format!("granted.example\\@127.0.0.1:{port}"),
        format!("127.0.0.1:{port}:80"),
        format!("127.0.0.1:{port}/x"),
        format!("127.0.0.1:{port}#"),
        "127.0.0.1:0".to_owned(),
        "127.0.0.1:99999".to_owned(),
        "bücher.example".to_owned(),
        "granted.example:80\r\nhost: evil".to_owned(),
        String::new(),
    ] {
        let failed = failure(&serving, wish(&authority)).await;
        let refused = ["the authority is refused", "ErrorCode::HttpRequestUriInvalid"];
        assert!(refused.contains(&failed.as_str()), "{authority}: {failed}");
    }
    assert!(server.is_untouched().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_sdks_client_says_in_words_that_an_address_is_none() {
    let serving = allowed(&["http://granted.example".to_owned()]).await;
    let asked = object([("method", "POST"), ("url", "http://*/"), ("body", "made once")]);
    let failed = serving.invoke("networked:index:ask", asked).await.err().unwrap();
    let expected = "POST http://*: the request can't be sent: its address isn't one (never sent)";
    assert!(failed.message().contains(expected), "{failed:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn redirects_are_the_guests_to_follow_and_go_through_policy_again() {
    let target = Server::saying(ok("arrived")).await;
    let to = |authority: String| {
        format!("HTTP/1.1 302 Found\r\nlocation: http://{authority}/there\r\ncontent-length: 0\r\n\r\n")
    };
    let redirecting = Server::saying(to(target.authority())).await;
    let ask = |follow: bool| with(wish(&redirecting.authority()), "follow", follow);
    let serving = allowed(&[format!("http://{}", redirecting.authority())]).await;
    let fetched = fetched(&serving, ask(false)).await.unwrap();
    assert_eq!(fetched["status"], number(302), "the host follows none");
    assert_eq!(failure(&serving, ask(true)).await, DENIED);
    assert!(target.seen().is_empty());
    let both = [format!("http://{}", redirecting.authority()), format!("http://{}", target.authority())];
    assert_eq!(body(&allowed(&both).await, ask(true)).await.as_deref(), Ok("arrived"));
    assert_eq!(target.asked(), ["GET /there HTTP/1.1"]);
    assert_eq!(target.connections(), 1, "nor was it connected to before");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_path_is_a_path_and_nothing_else() {
    let server = Server::saying(ok("hello")).await;
    let serving = allowed(&[format!("http://{}", server.authority())]).await;
    let at = |path: &str| with(wish(&server.authority()), "path", path);
    for path in ["http://evil.example/", "//evil.example\r\n", "/a b", "/a\r\nx: y", "*", "/\u{fc}", "evil.example:443"]
    {
        let failed = failure(&serving, at(path)).await;
        let refused = ["the path is refused", "ErrorCode::HttpRequestUriInvalid"];
        assert!(refused.contains(&failed.as_str()), "{path:?}: {failed}");
    }
    assert!(server.seen().is_empty());
    for path in ["/", "/%2e%2e/x?y=%20", "//double", "?alone", ""] {
        assert!(body(&serving, at(path)).await.is_ok(), "{path:?}");
    }
    let asked = ["/", "/%2e%2e/x?y=%20", "//double", "/?alone", "/"].map(|path| format!("GET {path} HTTP/1.1"));
    assert_eq!(server.asked(), asked);
    assert_eq!(server.connections(), asked.len());
}
