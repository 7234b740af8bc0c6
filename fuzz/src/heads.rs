//! Any bytes as the head of an answer or of a request, and any text as a `Host`, a forwarded client, a cookie.

use std::net::IpAddr;

use driftline::time::Time;
use driftline_archive::http::{Head, Response, is_html};
use driftline_fetch::cookies::Jar;
use driftline_fetch::guard::proxy::head::{Form, answer, parse};
use driftline_fetch::retry;
use driftline_serve::client::Client;
use driftline_serve::gate::is_ours;
use driftline_watch::settings::Network;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use url::{Host, Url};

/// The most of a body.
const LIMIT: usize = 1 << 16;
/// The name that the server has by its settings.
const OWN: &str = "changes.example";
/// A `Cookie` that is longer is refused.
const COOKIES: usize = 8 << 10;

/// One run.
pub fn run(bytes: &[u8]) {
    response(bytes);
    request(bytes);
    if let Ok(head) = Head::parse(bytes) {
        fields(&head.0);
    }
    for line in bytes.split(|&byte| byte == b'\n').take(50) {
        // A value of a header, as a server gets it.
        if let Some(host) = HeaderValue::from_bytes(line).ok().as_ref().and_then(|value| value.to_str().ok()) {
            names(host);
        }
    }
}

/// An answer, as it is in an archive.
fn response(bytes: &[u8]) {
    let Ok(response) = Response::parse(bytes, LIMIT) else { return };
    assert!(response.body.len() <= LIMIT && (100..1000).contains(&response.head.status));
    let head = &response.head;
    assert!(!head.line.contains('\n'));
    let mut written = format!("HTTP/1.1 {}\r\n", head.status);
    for (name, value) in head.headers.iter() {
        assert!(!name.is_empty() && !name.contains(['\r', '\n', ':']), "{name:?}");
        written += &format!("{name}: {value}\r\n");
    }
    let (again, body) = Head::parse(written.as_bytes()).expect("an answer");
    assert_eq!((&again.headers, body), (&head.headers, &[][..]), "what was read is read again");
    let _ = head.content_type().map(is_html);
}

/// A request of the browser to the proxy: what is passed on is one request to the host that was judged.
fn request(bytes: &[u8]) {
    let Ok(asked) = parse(bytes, Vec::new()) else { return };
    assert!(!asked.host.is_empty() && Host::parse(&asked.host).is_ok() || asked.host.parse::<IpAddr>().is_ok());
    let Form::Plain { direct, absolute } = asked.form else { return };
    let ends = direct.windows(4).filter(|end| end == b"\r\n\r\n").count();
    assert!(ends == 1 && direct.ends_with(b"\r\n\r\n"), "one head");
    let lines = direct.split(|&byte| byte == b'\n').map(<[u8]>::to_ascii_lowercase);
    let connections: Vec<_> = lines.filter(|line| line.starts_with(b"connection:")).collect();
    assert_eq!(connections, [b"connection: close\r"], "the connection ends after it");
    assert!(!direct.to_ascii_lowercase().windows(20).any(|name| name == b"\nproxy-authorization"));
    let again = parse(&[&absolute[..], b"\r\n"].concat(), Vec::new()).expect("another proxy reads it");
    assert_eq!((again.host, again.port), (asked.host, asked.port));
}

/// The head of an answer on its way through the proxy, and its fields in the fetcher and in the server.
fn fields(head: &Head) {
    let mut headers = HeaderMap::new();
    for (name, value) in head.headers.iter().take(100) {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            headers.append(name, value);
        }
    }
    let at = Time::from_microseconds(1_700_000_000_000_000);
    assert!(retry::after(&headers, at).is_none_or(|span| span.milliseconds() <= 86_400_000), "a day at most");
    let [home, elsewhere] =
        ["https://a.example.co.uk/in/", "https://b.co.uk/in/"].map(|url| url.parse().expect("a URL"));
    let mut jar = Jar::default();
    jar.keep(&headers, &home);
    assert!(jar.header(&home, false).is_none_or(|value| value.len() <= COOKIES));
    assert_eq!(jar.header(&elsewhere, true), None, "another site gets none");
    let trusted: [Network; 2] = ["127.0.0.1", "10.0.0.0/8"].map(|network| network.parse().expect("a network"));
    for address in ["127.0.0.1", "10.1.2.3"].map(|address| address.parse().expect("an address")) {
        assert_ne!(Client::forwarded(&headers, &trusted), Some(Client::of(address)), "a proxy is no client");
    }
    let written = head.headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect::<String>();
    let passed = format!("HTTP/1.1 {} \r\n{written}\r\n", head.status);
    if let Ok((passed, _)) = answer(passed.as_bytes()) {
        assert!(passed.windows(4).filter(|end| end == b"\r\n\r\n").count() == 1 && passed.ends_with(b"\r\n\r\n"));
    }
}

/// A name that is ours leads to this machine or is an address in digits, however a browser reads it.
fn names(host: &str) {
    for own in [None, Some(OWN)] {
        if !is_ours(host, own) {
            continue;
        }
        let url = Url::parse(&format!("http://{host}/")).expect("a browser can ask for it");
        let is_digits = matches!(url.host(), Some(Host::Ipv4(_) | Host::Ipv6(_)));
        let name = url.host_str().unwrap_or_default().trim_end_matches('.');
        assert!(is_digits || name == "localhost" || Some(name) == own, "{host}: {name}");
    }
}
