//! Does the proxy reach what may be asked, and nothing else?

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;

use super::{Fate, Limits, Proxy, Upstream};
use crate::guard::{Guard, Lookup};

/// A server that answers every connection with the same bytes, and counts them.
async fn server(answer: &'static [u8]) -> (SocketAddr, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (address, count) = (listener.local_addr().unwrap(), Arc::new(AtomicUsize::new(0)));
    let counted = Arc::clone(&count);
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            counted.fetch_add(1, Ordering::SeqCst);
            let mut head = [0; 1024];
            let _ = client.read(&mut head).await;
            let _ = client.write_all(answer).await;
        }
    });
    (address, count)
}

fn limits() -> Limits {
    let second = Duration::from_secs(1);
    Limits { connect: second, idle: second, most_bytes: 100_000, never: Vec::new() }
}

/// What the proxy answers.
async fn ask(proxy: &Proxy, question: &str) -> String {
    let mut client = TcpStream::connect(proxy.address()).await.unwrap();
    client.write_all(question.as_bytes()).await.unwrap();
    let mut answer = String::new();
    let _ = client.read_to_string(&mut answer).await;
    answer
}

fn run<T>(work: impl Future<Output = T>) -> T {
    Runtime::new().unwrap().block_on(work)
}

/// Knows no name.
#[derive(Debug)]
struct Nobody;

impl Lookup for Nobody {
    fn lookup(&self, _: &str) -> std::io::Result<Vec<IpAddr>> {
        Ok(Vec::new())
    }
}

const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nKeep-Alive: 5\r\n\r\nhi";

#[test]
fn what_is_allowed_is_reached_and_the_connection_is_not_used_again() {
    run(async {
        let (address, count) = server(ANSWER).await;
        let proxy = Proxy::start(Guard::new(&["127.0.0.1"]).unwrap(), None, limits()).await.unwrap();
        let answer = ask(&proxy, &format!("GET http://{address}/ HTTP/1.1\r\nHost: {address}\r\n\r\n")).await;
        assert_eq!(answer, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi");
        let tunnel = ask(&proxy, &format!("CONNECT {address} HTTP/1.1\r\n\r\nhello")).await;
        assert!(tunnel.starts_with("HTTP/1.1 200 Connection established\r\n\r\nHTTP/1.1 200 OK"), "{tunnel}");
        assert_eq!(count.load(Ordering::SeqCst), 2);
        assert_eq!(proxy.fate("127.0.0.1", address.port()), Some(Fate::Reached(address.ip())));
    });
}

#[test]
fn what_is_inside_is_never_connected_to() {
    run(async {
        let (address, count) = server(ANSWER).await;
        let proxy = Proxy::start(Guard::new::<&str>(&[]).unwrap(), None, limits()).await.unwrap();
        let port = address.port();
        for host in ["127.0.0.1", "0x7f.1", "2130706433", "localhost", "[::ffff:127.0.0.1]", "a.localhost"] {
            let plain = ask(&proxy, &format!("GET http://{host}:{port}/ HTTP/1.1\r\nHost: a\r\n\r\n")).await;
            assert!(plain.starts_with("HTTP/1.1 403 "), "{host}: {plain}");
            let tunnel = ask(&proxy, &format!("CONNECT {host}:{port} HTTP/1.1\r\n\r\n")).await;
            assert!(tunnel.starts_with("HTTP/1.1 403 "), "{host}: {tunnel}");
        }
        assert_eq!(count.load(Ordering::SeqCst), 0);
        assert!(matches!(proxy.fate("127.0.0.1", port), Some(Fate::Refused(_))));
    });
}

#[test]
fn a_name_that_changes_its_mind_is_judged_at_each_connection() {
    /// Says what is public once, and then what is inside.
    #[derive(Debug, Default)]
    struct Rebinding(AtomicUsize);

    impl Lookup for Rebinding {
        fn lookup(&self, _host: &str) -> std::io::Result<Vec<IpAddr>> {
            let is_first = self.0.fetch_add(1, Ordering::SeqCst) == 0;
            Ok(vec![if is_first { [198, 51, 100, 7].into() } else { [127, 0, 0, 1].into() }])
        }
    }

    run(async {
        let (address, count) = server(ANSWER).await;
        let guard = Guard::new(&["198.51.100.7"]).unwrap().with_lookup(Arc::new(Rebinding::default()));
        let quick = Limits { connect: Duration::from_millis(100), ..limits() };
        let proxy = Proxy::start(guard, None, quick).await.unwrap();
        let question = format!("CONNECT rebind.example:{} HTTP/1.1\r\n\r\n", address.port());
        let first = ask(&proxy, &question).await;
        assert!(first.starts_with("HTTP/1.1 502 "), "nobody is there: {first}");
        let second = ask(&proxy, &question).await;
        assert!(second.starts_with("HTTP/1.1 403 "), "{second}");
        assert_eq!(count.load(Ordering::SeqCst), 0);
    });
}

#[test]
fn neither_its_own_port_nor_that_of_the_browsers_controls_is_asked() {
    run(async {
        let (address, count) = server(ANSWER).await;
        let never = Limits { never: vec![address.port()], ..limits() };
        let proxy = Proxy::start(Guard::new(&["127.0.0.1"]).unwrap(), None, never).await.unwrap();
        for port in [address.port(), proxy.address().port()] {
            let answer = ask(&proxy, &format!("CONNECT 127.0.0.1:{port} HTTP/1.1\r\n\r\n")).await;
            assert!(answer.starts_with("HTTP/1.1 403 "), "{answer}");
        }
        assert_eq!(count.load(Ordering::SeqCst), 0);
    });
}

/// More than a page may have.
static LONG: [u8; 300_000] = [b'x'; 300_000];

#[test]
fn a_page_has_only_so_many_bytes() {
    run(async {
        let (address, _) = server(&LONG).await;
        let proxy = Proxy::start(Guard::new(&["127.0.0.1"]).unwrap(), None, limits()).await.unwrap();
        let question = format!("CONNECT {address} HTTP/1.1\r\n\r\nhello");
        let answer = ask(&proxy, &question).await;
        assert!(answer.len() <= 140_000 && proxy.is_used_up(), "{}", answer.len());
        let next = ask(&proxy, &question).await;
        assert!(next.starts_with("HTTP/1.1 502 "), "{next}");
    });
}

#[test]
fn a_silent_browser_a_silent_server_and_nonsense_all_end() {
    run(async {
        let (address, _) = server(b"").await;
        let quick = Limits { idle: Duration::from_millis(100), ..limits() };
        let proxy = Proxy::start(Guard::new(&["127.0.0.1"]).unwrap(), None, quick).await.unwrap();
        assert!(ask(&proxy, "\0\u{1}\u{2}\r\n\r\n").await.starts_with("HTTP/1.1 400 "));
        assert!(ask(&proxy, &format!("GET http://{address}/{} HTTP/1.1\r\n", "x".repeat(70_000))).await.len() < 100);
        let mut silent = TcpStream::connect(proxy.address()).await.unwrap();
        silent.write_all(format!("CONNECT {address} HTTP/1.1\r\n\r\n").as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        let _ = silent.read_to_end(&mut answer).await;
        assert!(answer.starts_with(b"HTTP/1.1 200 Connection established"));
    });
}

#[test]
fn the_operators_proxy_is_asked_only_for_what_was_judged() {
    run(async {
        let (http, asked) = server(ANSWER).await;
        let start = async |at: String| {
            let upstream = Upstream::new(&at.parse().unwrap(), true).unwrap();
            Proxy::start(Guard::new(&["198.51.100.7"]).unwrap(), Some(upstream), limits()).await.unwrap()
        };
        let proxy = start(format!("http://me:a%40b@{http}")).await;
        let plain = ask(&proxy, "GET http://198.51.100.7/ HTTP/1.1\r\nHost: 198.51.100.7\r\n\r\n").await;
        assert!(plain.ends_with("hi"), "{plain}");
        let refused = ask(&proxy, "GET http://192.168.0.1/ HTTP/1.1\r\nHost: 192.168.0.1\r\n\r\n").await;
        assert!(refused.starts_with("HTTP/1.1 403 "), "{refused}");
        assert_eq!(asked.load(Ordering::SeqCst), 1);
        // No authentication, granted at 0.0.0.0:0.
        let (socks, _) = server(&[5, 0, 5, 0, 0, 1, 0, 0, 0, 0, 0, 0, b'h', b'i']).await;
        let through =
            ask(&start(format!("socks5h://{socks}")).await, "CONNECT 198.51.100.7:443 HTTP/1.1\r\n\r\n").await;
        assert_eq!(through, "HTTP/1.1 200 Connection established\r\n\r\nhi");
    });
}

#[test]
fn the_operators_proxy_is_not_asked_for_names_that_only_it_knows() {
    run(async {
        let (http, asked) = server(ANSWER).await;
        let start = async |allow: &[&str]| {
            let upstream = Upstream::new(&format!("http://{http}").parse().unwrap(), true).unwrap();
            Proxy::start(Guard::new(allow).unwrap().with_lookup(Arc::new(Nobody)), Some(upstream), limits()).await
        };
        let question = "GET http://intranet.example/ HTTP/1.1\r\nHost: intranet.example\r\n\r\n";
        let strict = ask(&start(&[]).await.unwrap(), question).await;
        assert!(strict.starts_with("HTTP/1.1 502 ") && asked.load(Ordering::SeqCst) == 0, "{strict}");
        let open = ask(&start(&["intranet.example"]).await.unwrap(), question).await;
        assert!(open.ends_with("hi") && asked.load(Ordering::SeqCst) == 1, "{open}");
    });
}

#[test]
fn a_dead_proxy_of_the_operator_is_named_and_not_the_page() {
    run(async {
        // A port that nobody listens on any more.
        let dead = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
        let upstream = Upstream::new(&format!("http://me:hush@{dead}").parse().unwrap(), true);
        let guard = Guard::new(&["198.51.100.7"]).unwrap();
        let proxy = Proxy::start(guard, upstream, limits()).await.unwrap();
        let answer = ask(&proxy, "CONNECT 198.51.100.7:443 HTTP/1.1\r\n\r\n").await;
        assert!(answer.starts_with("HTTP/1.1 502 "), "{answer}");
        let Some(Fate::Upstream(why)) = proxy.fate("198.51.100.7", 443) else { panic!("no fate of the proxy") };
        assert!(why.starts_with(&format!("cannot reach the proxy `http://{dead}`: ")), "{why}");
    });
}

#[test]
fn a_password_of_a_proxy_is_not_shown() {
    let upstream = |text: &str| Upstream::new(&text.parse().unwrap(), true);
    assert_eq!(format!("{:?}", upstream("socks5h://me:secret@proxy.example").unwrap()), "Socks proxy.example:1080");
    assert!(upstream("ftp://proxy.example").is_none());
}
