//! Servers that mean no good, or cannot do better: none of them hangs us, fills the memory, or passes for a page.

use std::io::Write as _;

use driftline_fetch::{FetchDefaults, FetchError, How};
use driftline_testkit::server::{Server, hostile};

use super::{Names, fetch, fetcher, plainly, span, with};

/// How servers are asked that will not answer in time.
fn impatiently() -> How {
    How { first_byte_timeout: Some(span("150ms")), connect_timeout: Some(span("150ms")), ..plainly() }
}

fn error_of(server: &Server, how: &How) -> FetchError {
    fetch(&fetcher(), &server.url("/"), how).unwrap_err()
}

#[test]
fn a_server_that_never_says_a_word_is_given_up() {
    assert!(matches!(error_of(&hostile::silent(), &impatiently()), FetchError::Timeout(_)));
}

#[test]
fn slow_loris_with_a_head_is_given_up() {
    assert!(matches!(error_of(&hostile::half_a_head(), &impatiently()), FetchError::Timeout(_)));
}

#[test]
fn slow_loris_with_a_body_is_given_up() {
    let how = How { timeout: Some(span("400ms")), ..plainly() };
    let error = error_of(&hostile::half_a_body(), &how);
    assert!(matches!(error, FetchError::Timeout(_)) && error.to_string().contains("400ms"), "{error}");
}

#[test]
fn a_body_without_an_end_is_cut() {
    for server in [hostile::endless_body(), hostile::endless_chunks()] {
        let how = How { most_bytes: Some(100_000), ..plainly() };
        let fetched = fetch(&fetcher(), &server.url("/"), &how).unwrap();
        assert_eq!((fetched.body.len(), fetched.is_cut), (100_000, true));
    }
}

#[test]
fn redirects_without_an_end_are_given_up_after_twenty() {
    let server = hostile::endless_redirects();
    let error = error_of(&server, &plainly());
    assert!(matches!(error, FetchError::Answer(_)) && !error.is_transient(), "{error}");
    assert_eq!(server.requests().len(), 21);
    assert!(matches!(error_of(&hostile::redirect_to_itself(), &plainly()), FetchError::Answer(_)));
}

#[test]
fn bombs_do_not_go_off() {
    let (server, fetcher) = (hostile::bombs(), fetcher());
    for path in ["/gzip", "/br", "/zstd"] {
        let how = How { most_bytes: Some(8_000_000), ..plainly() };
        let fetched = fetch(&fetcher, &server.url(path), &how).unwrap();
        assert_eq!((fetched.body.len(), fetched.is_cut), (8_000_000, true), "{path}");
    }
}

#[test]
fn a_body_of_the_wrong_length_is_no_page() {
    let error = error_of(&hostile::short_body(), &plainly());
    assert!(matches!(error, FetchError::Connection(_)) && error.is_transient(), "{error}");
    assert!(matches!(error_of(&hostile::two_lengths(), &plainly()), FetchError::Connection(_)));
}

#[test]
fn broken_chunks_are_no_page() {
    for server in [hostile::broken_chunks(), hostile::cut_chunks()] {
        let error = error_of(&server, &plainly());
        assert!(matches!(error, FetchError::Connection(_)), "{error}");
    }
}

#[test]
fn a_flood_of_headers_is_given_up() {
    for server in [hostile::endless_head(), hostile::long_header()] {
        let error = error_of(&server, &plainly());
        assert!(matches!(error, FetchError::Connection(_)), "{error}");
    }
}

#[test]
fn what_is_no_http_is_no_page() {
    for server in [hostile::garbage(), hostile::closes_at_once()] {
        let error = error_of(&server, &plainly());
        assert!(matches!(error, FetchError::Connection(_)) && error.to_string().contains("cannot ask"), "{error}");
        assert!(!error.to_string().contains("error sending request"), "words of a library: {error}");
    }
}

#[test]
fn tls_with_a_server_that_has_none_fails() {
    let server = Server::raw(|mut stream| {
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
    });
    let error = fetch(&fetcher(), &server.url("/").replace("http:", "https:"), &plainly()).unwrap_err();
    assert!(matches!(error, FetchError::Connection(_)), "{error}");
}

#[test]
fn a_name_that_changes_its_answer_is_asked_once_and_held_to_it() {
    let secret = Server::start(|_| driftline_testkit::server::Response::html("secret"));
    let url = format!("http://rebind.example:{}/", secret.address().port());
    // Where the guard looks first nobody listens; where it would look next is what it must not see.
    let names = Names::new("rebind.example", &[&["127.0.0.2"], &["127.0.0.1"]]);
    let defaults = FetchDefaults { allow: vec!["127.0.0.2".to_owned()], ..FetchDefaults::default() };
    let fetcher = with(defaults).with_lookup(names.clone());
    let first = fetch(&fetcher, &url, &plainly()).unwrap_err();
    assert!(matches!(first, FetchError::Connection(_)) && names.asked() == 1, "{first}");
    let second = fetch(&fetcher, &url, &plainly()).unwrap_err();
    assert!(matches!(second, FetchError::Refused(_)) && names.asked() == 2, "{second}");
    assert_eq!(secret.connections(), 0);
}

#[test]
fn a_name_with_one_foot_inside_is_refused() {
    let names = Names::new("both.example", &[&["1.1.1.1", "10.0.0.1"]]);
    let fetcher = with(FetchDefaults::default()).with_lookup(names);
    let error = fetch(&fetcher, "http://both.example/", &plainly()).unwrap_err().to_string();
    assert!(error.contains("10.0.0.1 is a private address"), "{error}");
}

#[test]
fn a_name_that_nobody_knows_may_be_known_later() {
    let fetcher = with(FetchDefaults::default()).with_lookup(Names::new("other.example", &[]));
    let error = fetch(&fetcher, "http://unknown.example/", &plainly()).unwrap_err();
    assert!(error.is_transient() && error.to_string().contains("`unknown.example`"), "{error}");
}
