//! Whoever finds the port of a plugin, or listens where an engine should, and says what no engine does.

use std::time::Duration;

use bulkhead::component::Limits;
use bulkhead_proto::provider as pb;
use bulkhead_tests::composing::construction;
use bulkhead_tests::monitor::Monitor;
use bulkhead_tests::serving::Serving;
use bulkhead_tests::{Plugin, Stdin, temporary_directory};
use tokio::io::{self, AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::{PATIENCE, THING, assembled, bulkhead, hostile, undisturbed, well, what};

/// Far more than an answer waits for what was said.
const SOON: Duration = Duration::from_secs(4);
/// What every client of HTTP/2 says first: that it is one, and that it has no wishes.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

/// A plugin of a component that attacks nobody.
fn plugin(directory: &std::path::Path) -> Plugin {
    plugin_of(directory, &assembled::behaved())
}

/// A plugin of some component.
pub(crate) fn plugin_of(directory: &std::path::Path, component: &[u8]) -> Plugin {
    let executable = directory.join("pulumi-resource-hostile");
    std::fs::hard_link(bulkhead().executable(), &executable).unwrap();
    std::fs::write(directory.join("hostile.wasm"), component).unwrap();
    Plugin::start(&executable, Stdin::Pipe)
}

/// The same in a project, of which an operator has written this down.
pub(crate) fn plugin_in(project: &std::path::Path, component: &[u8], operator: &str) -> Plugin {
    let executable = project.join("pulumi-resource-hostile");
    std::fs::hard_link(bulkhead().executable(), &executable).unwrap();
    std::fs::write(project.join("hostile.wasm"), component).unwrap();
    std::fs::write(project.join("Pulumi.yaml"), "name: project\nruntime: yaml\n").unwrap();
    std::fs::write(project.join("bulkhead.toml"), operator).unwrap();
    Plugin::start_in(project, &executable, Stdin::Pipe)
}

async fn connection(plugin: &Plugin) -> TcpStream {
    TcpStream::connect(format!("127.0.0.1:{}", plugin.first_line().trim())).await.unwrap()
}

/// A frame of HTTP/2.
fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

/// With more, clients wait for their turn.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_knows_how_many_calls_a_connection_may_have() {
    let directory = temporary_directory();
    let plugin = plugin(directory.path());
    let mut raw = connection(&plugin).await;
    raw.write_all(PREFACE).await.unwrap();
    let mut head = [0; 9];
    raw.read_exact(&mut head).await.unwrap();
    assert_eq!(head[3], 4, "settings come first");
    let mut settings = vec![0; usize::from(head[2])];
    raw.read_exact(&mut settings).await.unwrap();
    let calls = settings.chunks(6).find(|setting| setting[..2] == [0, 3]);
    assert_eq!(calls.map(|setting| setting[2..].to_vec()), Some(10_000_u32.to_be_bytes().to_vec()));
}

/// A program that fails takes back all that it has just asked for, and others go on over the same connection.
#[tokio::test]
async fn calls_that_are_taken_back_together_leave_others_their_connection() {
    let directory = temporary_directory();
    let plugin = plugin(directory.path());
    let mut raw = connection(&plugin).await;
    let opened = |stream: u32| frame(1, 4, stream, &[0x83, 0x86, 0x84, 0x41, 1, b'x']);
    let taken_back = |call: u32| [opened(2 * call + 1), frame(3, 0, 2 * call + 1, &[0, 0, 0, 8])].concat();
    let calls = (0..5_000).map(taken_back).collect::<Vec<_>>().concat();
    raw.write_all(&[PREFACE, &calls, &frame(6, 0, 0, &[7; 8])].concat()).await.unwrap();
    loop {
        let mut head = [0; 9];
        tokio::time::timeout(PATIENCE, raw.read_exact(&mut head)).await.unwrap().unwrap();
        let mut payload = vec![0; u32::from_be_bytes([0, head[0], head[1], head[2]]) as usize];
        raw.read_exact(&mut payload).await.unwrap();
        assert_ne!(head[3], 7, "the connection ends: {}", String::from_utf8_lossy(&payload));
        if (head[3], head[4]) == (6, 1) {
            break;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_says_what_no_client_says_keeps_nobody_waiting() {
    let directory = temporary_directory();
    let plugin = plugin(directory.path());
    let mut client = plugin.client().await;
    let opened = |stream: u32| frame(1, 4, stream, &[0x83, 0x86, 0x84, 0x41, 1, b'x']);
    let rapid: Vec<u8> = (0..20_000_u32)
        .flat_map(|call| [opened(2 * call + 1), frame(3, 0, 2 * call + 1, &[0, 0, 0, 8])].concat())
        .collect();
    let endless: Vec<u8> = std::iter::once(frame(1, 0, 1, &[0x83]))
        .chain((0..2_000).map(|_| frame(9, 0, 1, &[b'x'; 1_000])))
        .collect::<Vec<_>>()
        .concat();
    let said = [
        ("nothing", Vec::new()),
        ("noise", vec![0xa5; 1 << 20]),
        ("HTTP/1.1", b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 99999999999\r\n\r\n".to_vec()),
        ("calls that are given up at once", [PREFACE, &rapid].concat()),
        ("headers without end", [PREFACE, &endless].concat()),
        ("pings", [PREFACE, &frame(6, 0, 0, &[0; 8]).repeat(20_000)].concat()),
        ("settings", [PREFACE, &frame(4, 0, 0, &[]).repeat(20_000)].concat()),
        ("windows", [PREFACE, &frame(8, 0, 0, &[0x7f, 0xff, 0xff, 0xff]).repeat(3)].concat()),
        ("a frame of 16 MiB", [PREFACE, &[0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 1]].concat()),
    ];
    let mut open = Vec::new();
    for (what, bytes) in said {
        let mut peer = connection(&plugin).await;
        // Whoever talks so is hung up on, sooner or later.
        let _ = tokio::time::timeout(Duration::from_secs(1), peer.write_all(&bytes)).await;
        open.push(peer);
        let info = tokio::time::timeout(PATIENCE, client.get_plugin_info(())).await;
        let info = info.expect(what).expect(what).into_inner();
        assert_eq!(info.version, "1.2.3", "{what}");
    }
}

/// Reads what a client of HTTP/2 says until it has made its first call.
async fn called(client: &mut TcpStream) -> io::Result<()> {
    client.read_exact(&mut [0; 24]).await?;
    loop {
        let mut head = [0; 9];
        client.read_exact(&mut head).await?;
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
        client.read_exact(&mut vec![0; length as usize]).await?;
        if head[3] == 1 {
            return Ok(());
        }
    }
}

/// Says the same to every client that calls, again and again if it is to have no end, and hangs up on none that doesn't.
pub(crate) async fn says(listener: TcpListener, bytes: Vec<u8>, endless: bool) {
    while let Ok((mut client, _)) = listener.accept().await {
        let bytes = bytes.clone();
        tokio::spawn(async move {
            called(&mut client).await?;
            client.write_all(&bytes).await?;
            if endless {
                loop {
                    client.write_all(&frame(0, 0, 1, &[0; 16_384])).await?;
                }
            }
            // Whoever is told nothing is hung up on.
            if !bytes.is_empty() {
                io::copy(&mut client, &mut io::sink()).await?;
            }
            io::Result::Ok(())
        });
    }
}

/// What no server of an engine says: what it is, the bytes, and whether a response begins that has no end.
pub(crate) fn noises() -> [(&'static str, Vec<u8>, bool); 9] {
    let settings = frame(4, 0, 0, &[]);
    let content = [&[0x88, 0x0f, 0x10, 16][..], b"application/grpc"].concat();
    let answer = |message: &[u8]| [settings.clone(), frame(1, 4, 1, &content), frame(0, 0, 1, message)].concat();
    let endless = [settings.clone(), frame(1, 0, 1, &content), frame(9, 0, 1, &[0; 16_000]).repeat(2_000)].concat();
    [
        ("nothing", Vec::new(), false),
        ("noise", vec![0xa5; 1 << 20], false),
        ("HTTP/1.1", b"HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n".to_vec(), false),
        ("that it leaves", [settings.clone(), frame(7, 0, 0, &[0; 8])].concat(), false),
        ("that the call is over", [settings.clone(), frame(3, 0, 1, &[0, 0, 0, 8])].concat(), false),
        ("headers without end", endless, false),
        ("a message larger than any", answer(&[0, 0xff, 0xff, 0xff, 0xff]), true),
        ("a message that is packed in no known way", answer(&[1, 0, 0, 0, 0]), true),
        ("the answer to another call", answer(&[0, 0, 0, 0, 3, 0x08, 0xff, 0xff]), true),
    ]
}

#[tokio::test]
async fn a_monitor_that_says_what_no_engine_says_fails_its_call_alone() {
    const GROUP: &str = "hostile:index:Group";
    undisturbed(async {
        let serving = hostile("register-leftovers", Limits::default()).await;
        let monitor = Monitor::start().await;
        for (told, bytes, endless) in noises() {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let mut request = construction(&monitor, GROUP, what("x"));
            request.monitor_endpoint = listener.local_addr().unwrap().to_string();
            let monitor = tokio::spawn(says(listener, bytes, endless));
            let outcome = tokio::time::timeout(PATIENCE, serving.construct(request)).await;
            let status = outcome.expect(told).expect_err(told);
            assert!(status.message().contains("ask what the engine can do: "), "{told}: {status:?}");
            assert!(status.message().len() < 1_000, "{told}: {status:?}");
            monitor.abort();
        }
        let constructed = serving.construct(construction(&monitor, GROUP, what("x"))).await.unwrap();
        assert_eq!(constructed.state["text"], "constructed".into());
    })
    .await;
}

/// Answers wait for a moment until what was said in their call is there.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_engine_whose_log_says_what_no_engine_says_is_answered_all_the_same() {
    let directory = temporary_directory();
    let mut plugin = plugin_of(directory.path(), &bulkhead_tests::hostile("urn-forged"));
    let serving = Serving::by(&plugin).await;
    for (told, bytes, endless) in noises() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let engine_address = listener.local_addr().unwrap().to_string();
        let log = tokio::spawn(says(listener, bytes, endless));
        serving.handshake(pb::ProviderHandshakeRequest { engine_address, ..<_>::default() }).await;
        serving.configure(well()).await.expect(told);
        let created = tokio::time::timeout(SOON, serving.create(THING, what("x"))).await;
        created.expect(told).expect(told);
        log.abort();
    }
    drop(serving);
    plugin.close_stdin();
    assert!(plugin.left_within(PATIENCE).is_some_and(|status| status.success()));
}
