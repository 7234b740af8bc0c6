//! Proxies are used, and are no way in.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

use driftline_fetch::{FetchDefaults, FetchError, How, HttpFetcher};
use driftline_testkit::server::{Response, Server};

use super::{Names, fetch, plainly, span, text, with};

/// A proxy over HTTP that answers by itself.
fn proxy() -> Server {
    Server::start(|request| Response::html(format!("by proxy: {}", request.path)))
}

fn through(url: &str, names: &Arc<Names>) -> HttpFetcher {
    with(FetchDefaults { proxy: Some(url.into()), ..FetchDefaults::default() }).with_lookup(names.clone())
}

#[test]
fn the_operators_proxy_may_be_anywhere() {
    let (proxy, names) = (proxy(), Names::new("page.example", &[&["1.1.1.1"]]));
    let url = format!("http://me:hush@{}", proxy.address());
    let fetched = fetch(&through(&url, &names), "http://page.example/a", &plainly()).unwrap();
    assert_eq!(text(&fetched.body), "by proxy: http://page.example/a");
    assert_eq!(proxy.requests()[0].header("proxy-authorization"), Some("Basic bWU6aHVzaA=="));
    assert!(!format!("{:?}", fetched.captures).contains("hush"));
}

#[test]
fn a_proxy_that_a_watch_names_is_guarded() {
    let (proxy, names) = (proxy(), Names::new("page.example", &[&["1.1.1.1"]]));
    let how = How { proxy: Some(proxy.url("").as_str().into()), ..plainly() };
    let strict = with(FetchDefaults::default()).with_lookup(names.clone());
    assert!(matches!(fetch(&strict, "http://page.example/", &how), Err(FetchError::Refused(_))));
    assert_eq!(proxy.connections(), 0);
    let allow = vec![proxy.address().to_string()];
    let open = with(FetchDefaults { allow, ..FetchDefaults::default() }).with_lookup(names);
    assert_eq!(fetch(&open, "http://page.example/", &how).unwrap().status, 200);
}

#[test]
fn a_watch_may_go_without_the_operators_proxy() {
    let (proxy, page) = (proxy(), Server::start(|_| Response::html("directly")));
    let defaults = FetchDefaults {
        proxy: Some(proxy.url("").as_str().into()),
        allow: vec!["127.0.0.1".to_owned()],
        ..FetchDefaults::default()
    };
    let how = How { proxy: Some("none".into()), ..plainly() };
    assert_eq!(text(&fetch(&with(defaults), &page.url("/"), &how).unwrap().body), "directly");
}

#[test]
fn a_proxy_is_not_asked_for_what_is_inside() {
    let (proxy, names) = (proxy(), Names::new("inside.example", &[&["10.0.0.1"]]));
    let fetcher = through(&proxy.url(""), &names);
    for url in ["http://inside.example/", "http://127.0.0.1/", "http://169.254.169.254/latest/", "https://[::1]/"] {
        assert!(matches!(fetch(&fetcher, url, &plainly()), Err(FetchError::Refused(_))), "{url}");
    }
    assert_eq!(proxy.connections(), 0);
}

#[test]
fn a_name_that_only_the_proxy_knows_is_not_asked_unless_the_operator_allows_it() {
    let (proxy, names) = (proxy(), Names::new("other.example", &[]));
    let strict = through(&proxy.url(""), &names);
    for url in ["http://intranet.example/", "http://hidden.onion/"] {
        let error = fetch(&strict, url, &plainly()).unwrap_err();
        assert!(error.to_string().contains("may be inside\nhint: the operator may allow it"), "{error}");
    }
    assert_eq!(proxy.connections(), 0);
    let (url, allow) = (proxy.url(""), vec!["intranet.example".to_owned()]);
    let open = FetchDefaults { proxy: Some(url.as_str().into()), allow, ..FetchDefaults::default() };
    let fetched = fetch(&with(open).with_lookup(names), "http://intranet.example/", &plainly()).unwrap();
    assert_eq!(text(&fetched.body), "by proxy: http://intranet.example/");
}

#[test]
fn a_hidden_service_is_left_to_a_proxy_that_speaks_socks() {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let remembers = Arc::clone(&asked);
    // SOCKS 5 (RFC 1928): a greeting, then a name and a port, then whatever the page says.
    let socks = Server::raw(move |mut stream| {
        let (mut greeting, mut head) = ([0; 3], [0; 5]);
        let _ = stream.read_exact(&mut greeting).and_then(|()| stream.write_all(&[5, 0]));
        if stream.read_exact(&mut head).is_err() {
            return;
        }
        let mut name = vec![0; usize::from(head[4]) + 2];
        let _ = stream.read_exact(&mut name);
        remembers.lock().unwrap().push((head[3], text(&name[..name.len() - 2])));
        let _ = stream.write_all(&[5, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
        let mut page = [0; 4_096];
        let _ = stream.read(&mut page);
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nonion");
    });
    let names = Names::new("other.example", &[]);
    let fetcher = through(&format!("socks5h://{}", socks.address()), &names);
    assert_eq!(text(&fetch(&fetcher, "http://hidden.onion/", &plainly()).unwrap().body), "onion");
    assert_eq!(*asked.lock().unwrap(), [(3, "hidden.onion".to_owned())], "a name, not an address");
}

#[test]
fn what_is_no_proxy_is_told() {
    let fetcher = with(FetchDefaults::default());
    for proxy in ["socks5://127.0.0.1:1", "file:///etc/passwd", "nonsense"] {
        let how = How { proxy: Some(proxy.into()), ..plainly() };
        assert!(matches!(fetch(&fetcher, "http://page.example/", &how), Err(FetchError::How(_))), "{proxy}");
    }
}

#[test]
fn a_dead_proxy_is_named_and_not_the_page() {
    // A port that nobody listens on any more.
    let dead = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let names = Names::new("page.example", &[&["1.1.1.1"]]);
    for scheme in ["http", "https", "socks5h"] {
        for page in ["http://page.example/a", "https://page.example/a"] {
            let error = fetch(&through(&format!("{scheme}://me:hush@{dead}"), &names), page, &plainly()).unwrap_err();
            let told = error.to_string();
            assert!(matches!(error, FetchError::Proxy(_)) && error.is_transient() && !error.is_overload(), "{told}");
            assert!(told.starts_with(&format!("cannot reach the proxy `{scheme}://{dead}`: ")), "{told}");
            assert!(!told.contains("page.example") && !told.contains("hush"), "{told}");
        }
    }
}

#[test]
fn a_proxy_that_never_answers_is_named_and_is_no_reason_to_leave_the_page_alone() {
    let mute = Server::raw(|mut stream| {
        let _ = stream.read_to_end(&mut Vec::new());
    });
    let names = Names::new("page.example", &[&["1.1.1.1"]]);
    let how = How { connect_timeout: Some(span("1s")), ..plainly() };
    let error = fetch(&through(&mute.url(""), &names), "https://page.example/a", &how).unwrap_err();
    let told = error.to_string();
    assert!(matches!(error, FetchError::Proxy(_)) && error.is_transient() && !error.is_overload(), "{told}");
    let proxy = format!("through the proxy `http://{}` within 1s", mute.address());
    assert!(told.starts_with("no connection to `https://page.example/a` ") && told.ends_with(&proxy), "{told}");
}

#[test]
fn a_proxy_that_nobody_knows_is_named_whoever_chose_it() {
    let names = Names::new("page.example", &[&["1.1.1.1"]]);
    let proxy = "http://me:hush@nobody.example:3128";
    let how = How { proxy: Some(proxy.into()), ..plainly() };
    let direct = with(FetchDefaults::default()).with_lookup(names.clone());
    for (fetcher, how) in [(through(proxy, &names), plainly()), (direct, how)] {
        let told = fetch(&fetcher, "http://page.example/", &how).unwrap_err().to_string();
        let expected = "cannot reach the proxy `http://nobody.example:3128`: cannot find `nobody.example`";
        assert!(told.starts_with(expected) && !told.contains("hush"), "{told}");
    }
}

#[test]
fn a_proxy_that_refuses_to_connect_is_named_with_its_reason() {
    let names = Names::new("page.example", &[&["1.1.1.1"]]);
    for (status, why) in [(407, "it wants a name and a password"), (403, "it refuses")] {
        let proxy = Server::start(move |_| Response::status(status));
        let error = fetch(&through(&proxy.url(""), &names), "https://page.example/", &plainly()).unwrap_err();
        let told = error.to_string();
        let expected = format!("the proxy `http://{}` does not connect to `https://page.example/", proxy.address());
        assert!(told.starts_with(&expected) && told.contains(why), "{told}");
        assert!(matches!(error, FetchError::Proxy(_)), "{told}");
    }
}
