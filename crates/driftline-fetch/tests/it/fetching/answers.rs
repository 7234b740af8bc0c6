//! What a good server answers.

use std::collections::BTreeMap;

use driftline_archive::capture::Credentials;
use driftline_fetch::{Auth, Fetch, FetchDefaults, How, Request};
use driftline_testkit::server::{Response, Server, bomb};

use super::{at, exchange, fetch, fetcher, plainly, text, with};

#[test]
fn a_page_comes_with_all_that_the_server_said() {
    let server = Server::start(|_| Response::html("<p>hello").with("X-Twice", "1").with("X-Twice", "2"));
    let fetched = fetch(&fetcher(), &server.url("/page?a=b#part"), &plainly()).unwrap();
    assert_eq!((fetched.status, fetched.body.as_slice()), (200, b"<p>hello".as_slice()));
    assert_eq!(fetched.content_type.as_deref(), Some("text/html; charset=utf-8"));
    assert_eq!(fetched.url, server.url("/page?a=b"), "without its fragment");
    assert_eq!((fetched.captures.len(), fetched.page, fetched.is_cut), (1, 0, false));
    assert_eq!((fetched.captures[0].url.as_str(), fetched.captures[0].at), (fetched.url.as_str(), at()));
    let kept = exchange(&fetched, 0);
    let head = text(&kept.head);
    assert!(head.starts_with("HTTP/1.1 200 OK\r\n") && head.ends_with("\r\n\r\n"), "{head}");
    assert!(head.contains("x-twice: 1\r\nx-twice: 2\r\n") && head.contains("content-length: 8\r\n"), "{head}");
    assert_eq!((kept.ip, kept.protocols.as_slice()), (Some([127, 0, 0, 1].into()), ["http/1.1".to_owned()].as_slice()));
    let request = text(kept.request.as_ref().unwrap());
    assert!(request.starts_with(&format!("GET /page?a=b HTTP/1.1\r\nhost: {}\r\n", server.address())), "{request}");
}

#[test]
fn a_server_learns_who_asks_and_what_can_be_read() {
    let server = Server::start(|_| Response::html("a"));
    let contact = Some("https://example.org/bot".to_owned());
    let own = with(FetchDefaults { contact, allow: vec!["127.0.0.1".to_owned()], ..FetchDefaults::default() });
    fetch(&own, &server.url("/"), &plainly()).unwrap();
    let asked = &server.requests()[0];
    let agent = format!("driftline/{} (+https://example.org/bot)", env!("CARGO_PKG_VERSION"));
    assert_eq!(asked.header("user-agent"), Some(agent.as_str()));
    assert_eq!(asked.header("accept-encoding"), Some("gzip, br, zstd"));
}

#[test]
fn a_coded_body_is_kept_as_it_was_sent_and_read_as_it_was_meant() {
    let server = Server::start(|request| {
        let (coding, body) = match request.path.as_str() {
            "/gzip" => ("gzip", bomb::gzip(10)),
            "/br" => ("br", bomb::brotli(1)),
            _ => ("zstd", bomb::zstd(1)),
        };
        Response::html(body).with("Content-Encoding", coding)
    });
    let fetcher = fetcher();
    for (path, packed, length) in
        [("/gzip", bomb::gzip(10), 1 + 2_580), ("/br", bomb::brotli(1), 16 << 20), ("/zstd", bomb::zstd(1), 128 << 10)]
    {
        let fetched = fetch(&fetcher, &server.url(path), &plainly()).unwrap();
        assert_eq!(exchange(&fetched, 0).body, packed, "{path}");
        assert_eq!((fetched.body.len(), fetched.is_cut), (length, false), "{path}");
        assert!(fetched.body.iter().all(|byte| *byte == b'a'), "{path}");
    }
}

#[test]
fn chunks_are_joined_and_no_reader_looks_for_them_again() {
    let answer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n1\r\na\n\r\n3\r\nbcd\r\n0\r\n\r\n";
    let server = driftline_testkit::server::hostile::bytes(answer);
    let fetched = fetch(&fetcher(), &server.url("/"), &plainly()).unwrap();
    assert_eq!((text(&fetched.body), text(&exchange(&fetched, 0).body)), ("1\r\na\nbcd".into(), "1\r\na\nbcd".into()));
    let head = text(&exchange(&fetched, 0).head);
    assert!(head.contains("\r\nx-archive-orig-transfer-encoding: chunked\r\n"), "{head}");
}

#[test]
fn every_hop_of_a_redirect_is_a_capture_and_cookies_go_along() {
    let server = Server::start(|request| match request.path.as_str() {
        "/a" => Response::redirect("/b").with("Set-Cookie", "way=b; Path=/"),
        "/b" => Response::redirect("c?x=1"),
        _ => Response::html(request.header("cookie").unwrap_or("none").to_owned()),
    });
    let fetched = fetch(&fetcher(), &server.url("/a"), &plainly()).unwrap();
    let urls: Vec<_> = fetched.captures.iter().map(|capture| capture.url.clone()).collect();
    assert_eq!(urls, [server.url("/a"), server.url("/b"), server.url("/c?x=1")]);
    assert_eq!((fetched.page, fetched.url.as_str(), fetched.status), (2, urls[2].as_str(), 200));
    assert_eq!(text(&fetched.body), "way=b");
    assert_eq!(fetched.captures[1].metadata, [("via".to_owned(), urls[0].clone())]);
    assert!(text(&exchange(&fetched, 0).head).contains("location: /b\r\n"));
}

#[test]
fn secrets_go_to_their_own_origin_and_never_to_the_archive() {
    let other = Server::start(|_| Response::html("there"));
    let there = other.url("/there");
    let server = Server::start(move |_| Response::redirect(&there).with("Set-Cookie", "mine=1"));
    let how = How {
        auth: Some(Auth::Bearer { token: "hush-token".into() }),
        headers: BTreeMap::from([
            ("X-Api-Key".to_owned(), "hush-key".into()),
            ("Referer".to_owned(), "https://intranet.example/hush".into()),
            ("DNT".to_owned(), "1".into()),
        ]),
        cookies: BTreeMap::from([("session".to_owned(), "hush-session".into())]),
        ..plainly()
    };
    let fetched = fetch(&fetcher(), &server.url("/"), &how).unwrap();
    let here = &server.requests()[0];
    assert_eq!(here.header("authorization"), Some("Bearer hush-token"));
    assert_eq!((here.header("x-api-key"), here.header("cookie")), (Some("hush-key"), Some("session=hush-session")));
    assert_eq!(here.header("referer"), Some("https://intranet.example/hush"));
    let there = &other.requests()[0];
    let away = ["authorization", "x-api-key", "referer"].map(|name| there.header(name));
    assert_eq!(away, [None; 3]);
    assert_eq!(there.header("cookie"), None, "another port of the host did not set it");
    assert_eq!(there.header("dnt"), Some("1"));
    let kept = format!("{:?}", fetched.captures.iter().map(|capture| format!("{capture:?}")).collect::<Vec<_>>());
    assert!(!kept.contains("hush") && !text(exchange(&fetched, 0).request.as_ref().unwrap()).contains("hush"));
    assert!(!format!("{how:?}").contains("hush"));
    // What is kept says of each hop that secrets were sent: what leads away from a login may hold some, too.
    assert_eq!([0, 1].map(|hop| exchange(&fetched, hop).credentials), [Credentials::Sent; 2]);
    let plain = fetch(&fetcher(), &other.url("/"), &plainly()).unwrap();
    assert_eq!(exchange(&plain, 0).credentials, Credentials::None);
}

#[test]
fn secrets_go_to_the_home_of_a_request_and_not_to_an_address_that_a_page_chose() {
    let (home, other) = (Server::start(|_| Response::html("here")), Server::start(|_| Response::html("there")));
    let how = How {
        auth: Some(Auth::Bearer { token: "hush-token".into() }),
        headers: BTreeMap::from([("X-Api-Key".to_owned(), "hush-key".into()), ("DNT".to_owned(), "1".into())]),
        cookies: BTreeMap::from([("session".to_owned(), "hush-session".into())]),
        ..plainly()
    };
    let page = home.url("/");
    for url in [other.url("/feed"), home.url("/feed")] {
        let request = Request { url: &url, home: Some(&page), how: &how, validators: None, at: at() };
        assert_eq!(fetcher().fetch(&request).unwrap().status, 200);
    }
    let (there, here) = (&other.requests()[0], &home.requests()[0]);
    let secrets = ["authorization", "x-api-key", "cookie"];
    assert!(secrets.iter().all(|name| there.header(name).is_none()), "{there:?}");
    assert_eq!(there.header("dnt"), Some("1"));
    assert!(secrets.iter().all(|name| here.header(name).is_some()), "{here:?}");
}

#[test]
fn an_address_with_a_password_is_refused_with_a_better_place_for_it() {
    let server = Server::start(|_| Response::html("a"));
    let url = format!("http://me:hush@{}/", server.address());
    let error = fetch(&fetcher(), &url, &plainly()).unwrap_err().to_string();
    assert!(error.contains("auth = ") && !error.contains("hush"), "{error}");
    assert_eq!(server.connections(), 0);
}

#[test]
fn an_unchanged_page_costs_a_304() {
    let server = Server::start(|request| {
        Response::html("<p>same")
            .with_etag("W/\"7\"")
            .with("Last-Modified", "Sat, 01 Aug 2026 10:00:00 GMT")
            .conditional(request)
    });
    let (fetcher, how, url) = (fetcher(), plainly(), server.url("/"));
    let first = fetch(&fetcher, &url, &how).unwrap();
    assert_eq!(first.validators.etag.as_deref(), Some("W/\"7\""));
    let again = Request { url: &url, home: None, how: &how, validators: Some(&first.validators), at: at() };
    let second = fetcher.fetch(&again).unwrap();
    assert!(second.is_not_modified() && second.body.is_empty());
    assert_eq!((second.captures.len(), &second.validators), (1, &first.validators));
    assert_eq!(server.requests()[1].header("if-modified-since"), Some("Sat, 01 Aug 2026 10:00:00 GMT"));
}

#[test]
fn validators_are_for_the_page_that_gave_them_and_not_for_the_way_to_it() {
    let server = Server::start(|request| match request.path.as_str() {
        "/old" => Response::redirect("/new").with_etag("\"1\""),
        _ => Response::html("<p>same").with_etag("\"1\"").conditional(request),
    });
    let (fetcher, how, url) = (fetcher(), plainly(), server.url("/old"));
    let first = fetch(&fetcher, &url, &how).unwrap();
    let again = Request { url: &url, home: None, how: &how, validators: Some(&first.validators), at: at() };
    assert!(fetcher.fetch(&again).unwrap().is_not_modified());
    let requests = server.requests();
    assert_eq!((requests[2].header("if-none-match"), requests[3].header("if-none-match")), (None, Some("\"1\"")));
}

#[test]
fn not_modified_that_nobody_asked_for_is_no_answer() {
    let server = Server::start(|_| Response::status(304));
    let error = fetch(&fetcher(), &server.url("/"), &plainly()).unwrap_err();
    assert!(!error.is_transient() && error.to_string().contains("not modified"), "{error}");
}

#[test]
fn a_server_that_wants_to_be_left_alone_is_heard() {
    let server = Server::start(|request| match request.path.as_str() {
        "/seconds" => Response::status(429).with("Retry-After", "90"),
        _ => Response::status(503).with("Retry-After", "Sat, 01 Aug 2026 12:05:00 GMT"),
    });
    let fetcher = fetcher();
    let after = |path: &str| fetch(&fetcher, &server.url(path), &plainly()).unwrap();
    assert_eq!((after("/seconds").status, after("/seconds").retry_after.unwrap().to_string()), (429, "1m30s".into()));
    assert_eq!((after("/date").status, after("/date").retry_after.unwrap().to_string()), (503, "5m".into()));
}

#[test]
fn a_page_that_is_not_there_is_an_answer_and_nothing_is_forgotten() {
    let server = Server::start(|_| Response::new(404, "gone").with_etag("\"error\""));
    let known = driftline_fetch::Validators { etag: Some("\"1\"".to_owned()), ..Default::default() };
    let (how, url) = (plainly(), server.url("/"));
    let fetched =
        fetcher().fetch(&Request { url: &url, home: None, how: &how, validators: Some(&known), at: at() }).unwrap();
    assert_eq!((fetched.status, fetched.body.as_slice(), &fetched.validators), (404, b"gone".as_slice(), &known));
}

#[test]
fn a_long_page_is_cut_and_says_so() {
    let server = Server::start(|_| Response::html("x".repeat(10_000)));
    let how = How { most_bytes: Some(4_000), ..plainly() };
    let fetched = fetch(&fetcher(), &server.url("/"), &how).unwrap();
    assert_eq!((fetched.body.len(), fetched.is_cut), (4_000, true));
    assert_eq!(exchange(&fetched, 0).body.len(), 4_000);
    assert_eq!(fetched.captures[0].metadata, [("truncated".to_owned(), "length".to_owned())]);
    let whole = fetch(&fetcher(), &server.url("/"), &How { most_bytes: Some(10_000), ..plainly() }).unwrap();
    assert!(!whole.is_cut && whole.captures[0].metadata.is_empty());
}

#[test]
fn checks_of_one_host_share_connections() {
    let server = Server::start(|_| Response::html("a"));
    let fetcher = fetcher();
    // A connection is free again a moment after its page is there.
    let is_shared = |count: usize| {
        fetch(&fetcher, &server.url("/"), &plainly()).unwrap();
        server.connections() < count
    };
    assert!((1..=1_000).any(is_shared));
}
