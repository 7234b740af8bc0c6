//! Slow and greedy clients against the others, over real sockets, with short limits.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use axum::extract::State;
use driftline_archive::Archive;
use driftline_watch::settings::ServeSettings;
use tempfile::TempDir;

use super::{Builder, Limits, Places, Server};
use crate::routes::{READERS, Shared, THREADS, Unread};
use crate::{Health, health};

/// A daemon that is well.
struct Well;

impl Health for Well {
    fn troubles(&self) -> Vec<String> {
        Vec::new()
    }

    fn metrics(&self) -> String {
        "driftline_checks_total 7\n".to_owned()
    }
}

struct Running {
    server: Server,
    _archive: Archive,
    _data: TempDir,
}

const LIMITS: Limits = Limits {
    places: 6,
    share: 4,
    reserved: 3,
    reserved_life: Duration::from_secs(20),
    idle: Duration::from_secs(20),
    head: Duration::from_secs(20),
    life: Duration::from_secs(20),
    catalog: Duration::from_secs(5),
};

fn start(limits: Limits, trusted: &[&str]) -> Running {
    let data = tempfile::tempdir().unwrap();
    let archive = Archive::open_at(data.path()).unwrap();
    let settings = ServeSettings {
        listen: ([127, 0, 0, 1], 0).into(),
        trusted_proxies: trusted.iter().map(|network| network.parse().unwrap()).collect(),
        ..ServeSettings::default()
    };
    let server = Server::start_within(&settings, &archive, Arc::new(Well), limits).unwrap();
    Running { server, _archive: archive, _data: data }
}

impl Running {
    fn connect(&self) -> TcpStream {
        TcpStream::connect(self.server.address()).unwrap()
    }

    /// A connection from another address of this machine.
    fn connect_from(&self, address: &str) -> TcpStream {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let to = self.server.address();
        let stream = runtime.block_on(async {
            let socket = tokio::net::TcpSocket::new_v4().unwrap();
            socket.bind(SocketAddr::new(address.parse().unwrap(), 0)).unwrap();
            socket.connect(to).await.unwrap().into_std().unwrap()
        });
        stream.set_nonblocking(false).unwrap();
        stream
    }

    fn get(&self, path: &str) -> u16 {
        get(self.connect(), path, "")
    }

    /// So many clients that begin a request and do not end it.
    fn slow(&self, count: usize) -> Vec<TcpStream> {
        let clients: Vec<TcpStream> = (0..count).map(|_| self.connect()).collect();
        clients.iter().for_each(|mut client| client.write_all(b"GET /heal").unwrap());
        clients
    }
}

/// The status of the answer; 0 if the connection was closed without one.
fn get(mut stream: TcpStream, path: &str, headers: &str) -> u16 {
    stream.set_read_timeout(Some(Duration::from_secs(15))).unwrap();
    let head = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}\r\n");
    let mut answer = Vec::new();
    if let Err(error) = stream.write_all(head.as_bytes()).and_then(|()| stream.read_to_end(&mut answer).map(|_| ())) {
        assert!(is_closed(error.kind()), "{error}");
    }
    let answer = String::from_utf8_lossy(&answer);
    answer.split(' ').nth(1).map_or(0, |status| status.parse().unwrap())
}

fn is_closed(error: ErrorKind) -> bool {
    matches!(error, ErrorKind::ConnectionReset | ErrorKind::BrokenPipe | ErrorKind::ConnectionAborted)
}

#[test]
fn a_byte_now_and_then_does_not_keep_a_request_open() {
    let running = start(Limits { head: Duration::from_millis(300), ..LIMITS }, &[]);
    let mut client = running.connect();
    client.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
    let (began, mut head) = (Instant::now(), b"GET /health HTTP/1.1\r\nX: ".iter().chain(std::iter::repeat(&b'x')));
    let ended = loop {
        if client.write_all(&[*head.next().unwrap()]).is_err_and(|error| is_closed(error.kind())) {
            break began.elapsed();
        }
        match client.read(&mut [0; 1]) {
            Ok(0) => break began.elapsed(),
            Err(error) if is_closed(error.kind()) => break began.elapsed(),
            _ => assert!(began.elapsed() < Duration::from_secs(10), "it is still open"),
        }
    };
    assert!(ended >= Duration::from_millis(250), "{ended:?}");
}

/// Writes something again and again until the connection is closed; what was read until then, and after how long.
fn until_closed(mut client: TcpStream, mut next: impl FnMut() -> Vec<u8>) -> (Vec<u8>, Duration) {
    client.set_read_timeout(Some(Duration::from_millis(30))).unwrap();
    let (began, mut read, mut buffer) = (Instant::now(), Vec::new(), [0; 4_096]);
    loop {
        if client.write_all(&next()).is_err_and(|error| is_closed(error.kind())) {
            return (read, began.elapsed());
        }
        match client.read(&mut buffer) {
            Ok(0) => return (read, began.elapsed()),
            Ok(length) => read.extend_from_slice(&buffer[..length]),
            Err(error) if is_closed(error.kind()) => return (read, began.elapsed()),
            Err(_) => {}
        }
        assert!(began.elapsed() < Duration::from_secs(10), "it is still open after {read:?}");
    }
}

/// A frame of HTTP/2 on the connection itself.
fn frame(kind: u8, flags: u8, payload: &[u8]) -> Vec<u8> {
    let length = u8::try_from(payload.len()).unwrap();
    [&[0, 0, length, kind, flags, 0, 0, 0, 0], payload].concat()
}

#[test]
fn pings_of_http_2_that_are_answered_do_not_keep_a_connection_without_a_request() {
    let limits = Limits { head: Duration::from_millis(300), life: Duration::from_mins(1), ..LIMITS };
    let running = start(limits, &[]);
    let mut client = running.connect();
    let preface = [b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".as_slice(), &frame(4, 0, &[])].concat();
    client.write_all(&preface).unwrap();
    let (read, _) = until_closed(client, || frame(6, 0, b"1 2 3 4 "));
    assert!(read.windows(17).any(|bytes| bytes == frame(6, 1, b"1 2 3 4 ")), "no ping was answered: {read:?}");
}

#[test]
fn who_waits_to_be_told_to_continue_has_no_more_time_than_others() {
    let limits = Limits { head: Duration::from_millis(300), life: Duration::from_mins(1), ..LIMITS };
    let running = start(limits, &[]);
    let mut client = running.connect();
    let head = b"POST /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\nExpect: 100-continue\r\n\r\n";
    client.write_all(head).unwrap();
    let (read, _) = until_closed(client, || b"x".to_vec());
    let read = String::from_utf8_lossy(&read);
    assert!(read.contains("405 Method Not Allowed"), "{read}");
}

#[test]
fn a_connection_that_is_kept_has_the_same_time_for_its_next_request() {
    let running = start(Limits { head: Duration::from_millis(300), ..LIMITS }, &[]);
    let mut client = running.connect();
    client.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    let mut buffer = [0; 4_096];
    for _ in 0..3 {
        client.write_all(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        assert!(client.read(&mut buffer).unwrap() > 0);
        // Longer than a request may take: nothing has begun.
        std::thread::sleep(Duration::from_millis(400));
    }
    client.write_all(b"GET /metrics").unwrap();
    assert_eq!(client.read(&mut buffer).unwrap_or_default(), 0, "it began and did not go on");
}

#[test]
fn slow_clients_keep_neither_health_nor_other_clients_from_an_answer() {
    let running = start(LIMITS, &[]);
    assert_eq!(running.get("/feeds/all.atom"), 200);
    // More than the share, the places and the reserved places together.
    let slow = running.slow(20);
    for _ in 0..20 {
        assert_eq!(running.get("/health"), 200);
    }
    assert_eq!(running.get("/feeds/all.atom"), 503, "this client has its share");
    assert_eq!(get(running.connect_from("127.0.0.2"), "/feeds/all.atom", ""), 200, "another has its own");
    drop(slow);
    let began = Instant::now();
    while running.get("/feeds/all.atom") != 200 {
        assert!(began.elapsed() < Duration::from_secs(10), "the places are not free again");
    }
}

#[test]
fn health_is_answered_when_all_places_are_taken_by_many_clients() {
    let running = start(Limits { share: 1, ..LIMITS }, &[]);
    let _slow: Vec<TcpStream> = (1..=6).map(|last| running.connect_from(&format!("127.0.1.{last}"))).collect();
    assert_eq!(get(running.connect_from("127.0.1.7"), "/health", ""), 200);
    assert_eq!(get(running.connect_from("127.0.1.7"), "/metrics", ""), 503);
}

#[test]
fn behind_a_trusted_proxy_the_client_is_whom_the_proxy_names() {
    // No client may have a request: so who is counted is seen by who is refused.
    let limits = Limits { share: 0, ..LIMITS };
    let running = start(limits, &["127.0.0.1"]);
    let forwarded = "X-Forwarded-For: 203.0.113.7, 192.0.2.1\r\n";
    assert_eq!(get(running.connect(), "/metrics", forwarded), 429);
    assert_eq!(get(running.connect(), "/health", forwarded), 200, "a probe has no share");
    assert_eq!(get(running.connect(), "/metrics", ""), 200, "the proxy's own");
    let running = start(Limits { share: 1, ..LIMITS }, &[]);
    assert_eq!(get(running.connect(), "/metrics", forwarded), 200, "nobody believes what any client writes");
    let running = start(Limits { share: 1, ..LIMITS }, &["127.0.0.1"]);
    for _ in 0..5 {
        assert_eq!(get(running.connect(), "/metrics", forwarded), 200, "one after the other");
    }
}

#[test]
fn feeds_that_take_all_their_threads_make_no_daemon_ill() {
    let data = tempfile::tempdir().unwrap();
    let archive = Archive::open_at(data.path()).unwrap();
    let (settings, places) = (ServeSettings::default(), Places::new(LIMITS, &[]));
    let limit = Duration::from_millis(500);
    let shared = Shared::new(&archive, Arc::new(Well), &settings, settings.listen, places, limit).unwrap();
    let runtime = Builder::new_multi_thread().worker_threads(1).max_blocking_threads(THREADS).enable_all().build();
    let (senders, receivers): (Vec<_>, Vec<_>) = (0..READERS).map(|_| mpsc::channel::<()>()).unzip();
    runtime.unwrap().block_on(async {
        let feeds = receivers.into_iter().map(|wait| {
            let shared = shared.clone();
            tokio::spawn(async move { shared.read(move |_| Ok(wait.recv().is_err())).await })
        });
        for feed in feeds.collect::<Vec<_>>() {
            assert!(matches!(feed.await.unwrap(), Err(Unread::Busy)), "its thread still waits");
        }
        assert!(matches!(shared.read(|_| Ok(())).await, Err(Unread::Busy)), "there is no thread for one more");
        assert_eq!(health::health(State(shared.clone())).await.status().as_u16(), 200);
        drop(senders);
    });
}
