//! Certificates are checked, always.

use driftline_fetch::{Fetch as _, FetchDefaults, HttpFetcher};
use driftline_testkit::server::Response;
use driftline_testkit::server::tls::{TlsServer, Trust};

use super::{Names, exchange, fetch, plainly, text, with};

/// A fetcher that trusts whoever vouches for this server.
fn trusting(server: &TlsServer) -> (HttpFetcher, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("ca.pem"), server.authority()).unwrap();
    let allow = vec!["localhost".to_owned()];
    let defaults = FetchDefaults { allow, ca: Some("ca.pem".into()), ..FetchDefaults::default() };
    let names = Names::new("localhost", &[&["127.0.0.1"]]);
    (with(defaults.in_folder(folder.path())).with_lookup(names), folder)
}

/// Why a page is not fetched from a server with such a certificate, whose authority is trusted.
pub(super) fn refusal(trust: Trust) -> String {
    let server = TlsServer::start(trust, |_| Response::html("secret"));
    let (fetcher, _folder) = trusting(&server);
    let error = fetch(&fetcher, &server.url("/"), &plainly()).unwrap_err();
    assert!(error.is_transient(), "{error}");
    error.to_string()
}

#[test]
fn a_page_comes_over_http_2() {
    let server = TlsServer::start(Trust::Good, |request| {
        Response::html(format!("<p>{}", request.path)).with("Set-Cookie", "a=1")
    });
    let (fetcher, _folder) = trusting(&server);
    let fetched = fetch(&fetcher, &server.url("/page"), &plainly()).unwrap();
    let kept = exchange(&fetched, 0);
    assert_eq!((text(&fetched.body), kept.protocols.as_slice()), ("<p>/page".into(), ["h2".to_owned()].as_slice()));
    let head = text(&kept.head);
    assert!(head.starts_with("HTTP/1.1 200 OK\r\n") && head.contains("x-protocol: HTTP/2.0\r\n"), "{head}");
    assert_eq!(fetcher.delay("localhost"), None);
}

#[test]
fn bad_certificates_are_refused() {
    for trust in [Trust::Expired, Trust::NotYet, Trust::OtherHost, Trust::SelfSigned] {
        let error = refusal(trust);
        assert!(error.contains("certificate"), "{trust:?}: {error}");
    }
}

#[test]
fn an_authority_that_nobody_named_is_not_trusted() {
    let server = TlsServer::start(Trust::Good, |_| Response::html("secret"));
    let defaults = FetchDefaults { allow: vec!["localhost".to_owned()], ..FetchDefaults::default() };
    let fetcher = with(defaults).with_lookup(Names::new("localhost", &[&["127.0.0.1"]]));
    let error = fetch(&fetcher, &server.url("/"), &plainly()).unwrap_err().to_string();
    assert!(error.contains("certificate"), "{error}");
}

#[test]
fn certificates_that_cannot_be_read_are_told_with_the_file() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("empty.pem"), "nothing").unwrap();
    for name in ["empty.pem", "missing.pem"] {
        let defaults = FetchDefaults { ca: Some(name.into()), ..FetchDefaults::default() }.in_folder(folder.path());
        let error = HttpFetcher::new(&defaults).unwrap_err().to_string();
        assert!(error.contains(name) && error.contains("PEM"), "{error}");
    }
}
