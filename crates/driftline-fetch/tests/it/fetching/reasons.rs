//! The reason of a failed connection is a plain sentence, without words of the libraries. Real failures on loopback.

use std::io::{Read as _, Write as _};

use driftline_testkit::server::tls::Trust;
use driftline_testkit::server::{Server, hostile, nobody};

use super::tls::refusal;
use super::{fetch, fetcher, plainly};

/// What comes after "cannot ask `URL`: ".
fn reason(url: &str) -> String {
    let error = fetch(&fetcher(), url, &plainly()).unwrap_err().to_string();
    error.strip_prefix(&format!("cannot ask `{url}`: ")).unwrap_or_else(|| panic!("{error}")).to_owned()
}

#[test]
fn a_server_that_speaks_wrongly_is_described_in_plain_words() {
    let cut = "the server closed the connection before its answer was complete";
    let not_http = "the answer is not valid HTTP";
    let cases = [
        (hostile::closes_at_once(), cut),
        (hostile::short_body(), cut),
        (hostile::cut_chunks(), cut),
        (hostile::garbage(), not_http),
        (hostile::two_lengths(), not_http),
        (hostile::broken_chunks(), not_http),
        (hostile::bytes("HTTP/1.1 200 OK\r\nno colon\r\n\r\n"), not_http),
        (hostile::bytes("HTTP/1.1 9 OK\r\n\r\n"), not_http),
        (hostile::bytes("HTTP/7.7 200 OK\r\n\r\n"), not_http),
        (hostile::long_header(), "the head of the answer is too large"),
    ];
    for (number, (server, expected)) in cases.iter().enumerate() {
        assert_eq!(reason(&server.url("/")), *expected, "case {number}");
    }
}

#[test]
fn a_port_without_a_server_refuses_the_connection() {
    assert_eq!(reason(&format!("http://{}/", nobody())), "Connection refused");
}

#[test]
fn a_port_without_tls_is_named_as_such() {
    // The whole question is read before the answer, so that the connection is not reset.
    let plain = Server::raw(|mut stream| {
        let _ = stream.read(&mut [0; 4_096]);
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
    });
    let url = |server: &Server| server.url("/").replace("http:", "https:");
    assert_eq!(reason(&url(&plain)), "the server does not speak TLS on this port");
    let closing = Server::raw(|mut stream| {
        let _ = stream.read(&mut [0; 4_096]);
    });
    let expected = "the server closed the connection before the TLS handshake was complete";
    assert_eq!(reason(&url(&closing)), expected);
    // A fatal alert: handshake_failure.
    let refusing = Server::raw(|mut stream| {
        let _ = stream.read(&mut [0; 4_096]);
        let _ = stream.write_all(&[21, 3, 3, 0, 2, 2, 40]);
    });
    assert_eq!(reason(&url(&refusing)), "the server refuses the TLS connection");
}

#[test]
fn a_certificate_that_is_not_good_is_described_in_plain_words() {
    let cases = [
        (Trust::Expired, "has expired"),
        (Trust::NotYet, "is not valid yet"),
        (Trust::OtherHost, "is for another host"),
        (Trust::SelfSigned, "is from an unknown authority"),
    ];
    for (trust, expected) in cases {
        let error = refusal(trust);
        assert!(error.ends_with(&format!("/`: the certificate of the server {expected}")), "{trust:?}: {error}");
    }
}
