//! Does the server answer what it should, to whom it should, and end in order?

mod postgres;

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, Mutex};

use driftline::event::FORMAT;
use driftline_archive::{Archive, Time};
use driftline_catalog::{NewEvent, Record, Watch, WatchState};
use driftline_serve::{Health, ServeError, Server};
use driftline_watch::settings::ServeSettings;
use serde_json::json;
use tempfile::TempDir;

/// A daemon that says what it is told to say.
#[derive(Default)]
struct Daemon(Mutex<Vec<String>>);

impl Health for Daemon {
    fn troubles(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }

    fn metrics(&self) -> String {
        "# TYPE driftline_checks_total counter\ndriftline_checks_total 7\n".to_owned()
    }
}

struct Running {
    server: Server,
    daemon: Arc<Daemon>,
    archive: Arc<Archive>,
    _data: TempDir,
}

impl Running {
    fn start() -> Self {
        Self::with(&ServeSettings { listen: ([127, 0, 0, 1], 0).into(), ..ServeSettings::default() })
    }

    fn with(settings: &ServeSettings) -> Self {
        let data = tempfile::tempdir().unwrap();
        let archive = Arc::new(Archive::open_at(data.path()).unwrap());
        let daemon = Arc::new(Daemon::default());
        let server = Server::start(settings, &archive, Arc::clone(&daemon) as Arc<dyn Health>).unwrap();
        Self { server, daemon, archive, _data: data }
    }

    /// Status, head and body of the answer to a request with these headers.
    fn ask(&self, line: &str, headers: &str) -> (u16, String, String) {
        ask(self.server.address(), &format!("{line} HTTP/1.1\r\nConnection: close\r\n{headers}\r\n"))
    }

    fn get(&self, path: &str) -> (u16, String, String) {
        self.ask(&format!("GET {path}"), "Host: localhost\r\n")
    }

    /// Puts an event about a page of a watch into the catalog.
    fn tell(&self, number: u32, watch: &str, site: &str, tag: &str, release: Option<&str>) {
        let at: Time = format!("2026-11-16T12:00:{number:02}Z").parse().unwrap();
        let (key, url) = (format!("{number:032x}"), format!("https://{site}/page"));
        let body = json!({
            "format": FORMAT, "key": key, "at": at, "kind": "changed", "watch": watch, "name": watch, "tags": [tag],
            "url": url, "site": site, "summary": format!("change {number}"), "importance": 0.5,
        });
        let event = NewEvent {
            key,
            at,
            kind: "changed".to_owned(),
            url: url.clone(),
            site: site.to_owned(),
            watch: Some(watch.to_owned()),
            tags: vec![tag.to_owned()],
            capture: None,
            older: None,
            reading: String::new(),
            importance: 0.5,
            release: release.map(|time| time.parse().unwrap()),
            body,
        };
        let row = Watch {
            uuid: watch.to_owned(),
            url,
            title: format!("The {watch} of the island"),
            tags: vec![tag.to_owned()],
            settings: json!({}),
            created: at,
            ..Watch::default()
        };
        let state = WatchState::default();
        let record = Record { watch: row, state, change: None, events: vec![event], stream: None, members: None };
        self.archive.catalog().record(&[record]).unwrap();
    }
}

fn ask(address: SocketAddr, question: &str) -> (u16, String, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(question.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, head.to_ascii_lowercase(), body.to_owned())
}

/// The value of a header.
fn header(head: &str, name: &str) -> String {
    let line = head.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")));
    line.unwrap_or_else(|| panic!("no {name} in {head}")).to_owned()
}

#[test]
fn a_well_daemon_is_ok_and_an_ill_one_says_why() {
    let running = Running::start();
    let (status, head, body) = running.get("/health");
    assert_eq!((status, body.as_str()), (200, "{\"status\":\"ok\"}\n"));
    assert_eq!(header(&head, "content-type"), "application/json");
    running.daemon.0.lock().unwrap().push("the disk is full".to_owned());
    let (status, _, body) = running.get("/health");
    assert_eq!((status, body.as_str()), (503, "{\"status\":\"degraded\",\"why\":[\"the disk is full\"]}\n"));
}

#[test]
fn metrics_are_those_of_the_daemon() {
    let (status, head, body) = Running::start().get("/metrics");
    assert_eq!((status, body.lines().last()), (200, Some("driftline_checks_total 7")));
    assert!(header(&head, "content-type").starts_with("text/plain; version=0.0.4"));
}

#[test]
fn the_feed_of_a_watch_is_found_by_its_name_as_by_its_id() {
    let running = Running::start();
    running.tell(1, "shop", "example.org", "prices", None);
    running.tell(2, "news", "example.net", "press", None);
    let by_id = running.get("/feeds/watch/shop.atom");
    let by_name = running.get("/feeds/watch/The%20shop%20of%20the%20island.atom");
    assert_eq!((by_name.0, by_name.2), (200, by_id.2), "one feed, with one address and one id");
    assert_eq!(running.get("/feeds/watch/the%20shop%20of%20the%20isle.atom").0, 404);
}

#[test]
fn a_feed_has_the_events_of_all_of_a_watch_of_a_tag_and_of_a_site() {
    let running = Running::start();
    running.tell(1, "shop", "example.org", "prices", None);
    running.tell(2, "news", "example.net", "press releases", None);
    running.tell(3, "held", "example.org", "prices", Some("2027-01-01"));
    let changes = |path: &str| {
        let (status, head, body) = running.get(path);
        assert_eq!((status, header(&head, "content-type").as_str()), (200, "application/atom+xml"), "{path}");
        assert!(body.contains(&format!("href=\"http://{}{path}\"", running.server.address())), "{body}");
        (1..=3).filter(|number| body.contains(&format!("<summary type=\"text\">change {number}<"))).collect::<Vec<_>>()
    };
    assert_eq!(changes("/feeds/all.atom"), [1, 2], "what is held is not told yet");
    assert_eq!(changes("/feeds/watch/shop.atom"), [1]);
    assert_eq!(changes("/feeds/tag/press%20releases.atom"), [2]);
    assert_eq!(changes("/feeds/site/example.net.atom"), [2]);
    assert_eq!(changes("/feeds/tag/other.atom"), [0; 0]);
    assert_eq!(running.get("/feeds/watch/nobody.atom").0, 404);
    let title = |path: &str| running.get(path).2.split("<title type=\"text\">").nth(1).map(str::to_owned).unwrap();
    assert!(title("/feeds/watch/shop.atom").starts_with("The shop of the island<"), "as people call it");
    assert!(title("/feeds/site/example.org.atom").starts_with("driftline: example.org<"));
    assert!(running.get("/feeds/all.atom").2.contains("urn:driftline:event:00000000000000000000000000000001"));
}

#[test]
fn a_reader_that_has_it_already_gets_nothing_again() {
    let running = Running::start();
    running.tell(1, "shop", "example.org", "prices", None);
    let (_, head, body) = running.get("/feeds/all.atom");
    let tag = header(&head, "etag");
    let asked = format!("Host: localhost\r\nIf-None-Match: {tag}\r\n");
    let (status, head, none) = running.ask("GET /feeds/all.atom", &asked);
    assert_eq!((status, none.as_str(), header(&head, "etag")), (304, "", tag.clone()));
    let (status, head, none) = running.ask("HEAD /feeds/all.atom", "Host: localhost\r\n");
    assert_eq!((status, none.as_str(), header(&head, "content-length")), (200, "", body.len().to_string()));
    running.tell(2, "shop", "example.org", "prices", None);
    let asked = format!("Host: localhost\r\nIf-None-Match: {tag}\r\n");
    assert_eq!(running.ask("GET /feeds/all.atom", &asked).0, 200);
}

#[test]
fn a_reader_that_asks_by_date_does_not_miss_what_is_released_late() {
    let running = Running::start();
    running.tell(2, "shop", "example.org", "prices", None);
    let (_, head, _) = running.get("/feeds/all.atom");
    assert!(!head.to_lowercase().contains("last-modified"), "{head}");
    // It was found before the other, and waited for others like it.
    running.tell(1, "shop", "example.org", "prices", None);
    let asked = "Host: localhost\r\nIf-Modified-Since: Mon, 16 Nov 2026 12:00:02 GMT\r\n";
    let (status, _, body) = running.ask("GET /feeds/all.atom", asked);
    assert_eq!((status, body.contains("<summary type=\"text\">change 1<")), (200, true), "{body}");
}

#[test]
fn only_our_own_names_are_answered_to() {
    let own = ServeSettings {
        listen: ([127, 0, 0, 1], 0).into(),
        url: Some("https://changes.example/driftline/".to_owned()),
        ..ServeSettings::default()
    };
    let running = Running::with(&own);
    for (host, status) in [
        ("Host: 127.0.0.1\r\n", 200),
        ("Host: changes.example\r\n", 200),
        ("Host: evil.example\r\n", 421),
        ("Host: localhost\r\nHost: evil.example\r\n", 421),
        ("Host: \r\n", 421),
    ] {
        assert_eq!(running.ask("GET /feeds/all.atom", host).0, status, "{host}");
    }
    assert_eq!(ask(running.server.address(), "GET /health HTTP/1.0\r\n\r\n").0, 421, "no host at all");
    let body = running.get("/feeds/all.atom").2;
    assert!(body.contains("href=\"https://changes.example/driftline/feeds/all.atom\""), "{body}");
}

#[test]
fn every_answer_forbids_to_guess_and_to_run_and_none_says_what_runs_here() {
    let running = Running::start();
    let paths =
        ["/health", "/metrics", "/feeds/all.atom", "/", "/feeds/watch/%2e%2e%2fetc.atom", "/feeds/x/y.atom", "/%ff"];
    for path in paths {
        let (_, head, body) = running.get(path);
        assert_eq!(header(&head, "x-content-type-options"), "nosniff", "{path}");
        assert!(header(&head, "content-security-policy").starts_with("default-src 'none'"), "{path}");
        assert!(!head.contains("server:") && !body.contains(env!("CARGO_PKG_VERSION")), "{path}: {head}");
    }
}

#[test]
fn what_is_not_there_and_what_may_not_be_done_is_said_plainly() {
    let running = Running::start();
    for path in ["/", "/feeds", "/feeds/all", "/feeds/tag/.atom", "/feeds/all.atom/", "/../health", "/static/x"] {
        let (status, _, body) = running.get(path);
        assert!(status == 404 && body.contains("hint: there are /health"), "{path}: {status} {body}");
    }
    for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
        let (status, head, _) = running.ask(&format!("{method} /feeds/all.atom"), "Host: localhost\r\n");
        assert_eq!((status, header(&head, "allow").as_str()), (405, "get,head"), "{method}");
    }
    assert_eq!(running.ask("GET /health", &format!("Host: localhost\r\nX: {}\r\n", "x".repeat(1 << 20))).0, 431);
}

#[test]
fn others_may_reach_it_only_if_the_operator_says_so() {
    let data = tempfile::tempdir().unwrap();
    let archive = Arc::new(Archive::open_at(data.path()).unwrap());
    let start = |public, url: Option<&str>| {
        let url = url.map(str::to_owned);
        let settings = ServeSettings { listen: ([0, 0, 0, 0], 0).into(), url, public, ..ServeSettings::default() };
        Server::start(&settings, &archive, Arc::new(Daemon::default()))
    };
    let error = start(false, None).unwrap_err();
    assert!(matches!(error, ServeError::Public(_)) && error.to_string().contains("public = true"), "{error}");
    assert!(matches!(start(true, Some("ftp://example.org")), Err(ServeError::Url(_))));
    start(true, None).unwrap().stop();
    let taken = Running::start();
    let same = ServeSettings { listen: taken.server.address(), ..ServeSettings::default() };
    let error = Server::start(&same, &archive, Arc::new(Daemon::default())).unwrap_err();
    assert!(matches!(error, ServeError::Listen { .. }), "{error}");
}

#[test]
fn a_server_that_stopped_answers_nobody_and_lets_go_of_the_archive() {
    let running = Running::start();
    running.get("/feeds/all.atom");
    let address = running.server.address();
    running.server.stop();
    assert!(TcpStream::connect(address).is_err());
    assert_eq!(Arc::strong_count(&running.archive), 1);
}
