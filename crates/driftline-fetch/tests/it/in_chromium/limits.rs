//! Does a page in a browser cost no more than it may, whatever a watch says and however busy Chromium is?

use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

use driftline::span::Span;
use driftline_fetch::{FetchDefaults, FetchError, How};
use driftline_testkit::server::{Response, Server};

use super::chromium::{fetch, fetchers, fetchers_with, how};

#[test]
fn limits_of_a_watch_that_are_out_of_reason_are_cut_as_over_http() {
    let server = Server::start(|_| Response::html("<p>well</p>"));
    let Some(fetchers) = fetchers(&[&server]) else { return };
    let longest = Span::from_milliseconds(u64::MAX);
    let boundless = How {
        connect_timeout: Some(longest),
        first_byte_timeout: Some(longest),
        timeout: Some(longest),
        most_bytes: Some(u64::MAX),
        ..how()
    };
    // Chromium takes no number of bytes that is larger than it can count.
    let fetched = fetch(&fetchers, &server.url("/"), &boundless).unwrap();
    assert!(fetched.status == 200 && !fetched.is_cut);
}

#[test]
fn a_page_that_gets_no_tab_is_given_up_after_a_while_and_its_server_not_blamed() {
    let (asked, is_asked) = mpsc::channel();
    let (go, goes) = mpsc::channel::<()>();
    let (asked, goes) = (Mutex::new(asked), Arc::new(Mutex::new(goes)));
    let server = Server::start(move |request| {
        if request.path == "/slow" {
            asked.lock().unwrap().send(()).unwrap();
            // Until the test says so, or is over.
            let _ = goes.lock().unwrap().recv();
        }
        Response::html("<p>well</p>")
    });
    let Some(fetchers) = fetchers_with(&[&server], FetchDefaults { tabs: 1, ..FetchDefaults::default() }) else {
        return;
    };
    thread::scope(|scope| {
        let slow = scope.spawn(|| fetch(&fetchers, &server.url("/slow"), &how()));
        is_asked.recv().unwrap();
        let began = Instant::now();
        let hurried = How { timeout: Some(Span::from_milliseconds(50)), ..how() };
        let error = fetch(&fetchers, &server.url("/quick"), &hurried).unwrap_err();
        assert!(matches!(error, FetchError::Busy(_)), "{error}");
        assert!(error.is_transient() && !error.is_overload(), "the server is not to blame");
        let told = error.to_string();
        assert!(told.contains("no tab was free") && told.contains("/quick` within 500ms"), "{told}");
        assert!(began.elapsed().as_secs() < 10, "{:?}", began.elapsed());
        go.send(()).unwrap();
        assert_eq!(slow.join().unwrap().unwrap().status, 200, "it is not disturbed");
    });
    assert!(server.requests().iter().all(|request| request.path != "/quick"), "{:?}", server.requests());
    assert_eq!(fetch(&fetchers, &server.url("/quick"), &how()).unwrap().status, 200, "the tab is free again");
}
