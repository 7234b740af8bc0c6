//! What robots.txt says is done.

use driftline::time::Time;
use driftline_fetch::{Fetch, FetchError, How, Request};
use driftline_testkit::server::{Response, Server};

use super::{at, fetch, fetcher, plainly};

fn paths(server: &Server) -> Vec<String> {
    server.take_requests().into_iter().map(|request| request.path).collect()
}

#[test]
fn what_robots_txt_forbids_is_not_asked_for() {
    let server = Server::start(|request| match request.path.as_str() {
        "/robots.txt" => {
            Response::text("User-agent: *\nDisallow: /\n\nUser-agent: Driftline\nDisallow: /in\nCrawl-delay: 7")
        }
        "/to-in" => Response::redirect("/in"),
        _ => Response::html("a"),
    });
    let fetcher = fetcher();
    let get = |path: &str| fetch(&fetcher, &server.url(path), &How::default());
    assert_eq!(get("/out").unwrap().status, 200);
    for path in ["/in", "/in/deep", "/to-in"] {
        let error = get(path).unwrap_err();
        assert!(matches!(error, FetchError::Robots(_)) && !error.is_transient(), "{error}");
    }
    assert_eq!(paths(&server), ["/robots.txt", "/out", "/to-in"], "read once, and the forbidden page never");
    assert_eq!(fetcher.delay("127.0.0.1").unwrap().to_string(), "7s");
    assert_eq!(fetch(&fetcher, &server.url("/in"), &plainly()).unwrap().status, 200, "the watch may say otherwise");
}

#[test]
fn robots_txt_is_read_again_after_a_day() {
    let server = Server::start(|_| Response::status(404));
    let (fetcher, how, url) = (fetcher(), How::default(), server.url("/"));
    for hours in [0, 23, 25] {
        let at = Time::from_microseconds(at().microseconds() + hours * 3_600_000_000);
        fetcher.fetch(&Request { url: &url, home: None, how: &how, validators: None, at }).unwrap();
    }
    assert_eq!(paths(&server), ["/robots.txt", "/", "/", "/robots.txt", "/"]);
}

#[test]
fn a_server_that_cannot_say_is_not_asked_for_now() {
    let server = Server::start(|_| Response::status(503).with("Retry-After", "600"));
    let error = fetch(&fetcher(), &server.url("/"), &How::default()).unwrap_err();
    assert!(matches!(error, FetchError::RobotsUnknown { .. }) && error.is_transient(), "{error}");
    assert_eq!(error.retry_after().unwrap().to_string(), "10m");
    assert_eq!(paths(&server), ["/robots.txt"]);
    let nobody = format!("http://{}/", driftline_testkit::server::nobody());
    assert!(fetch(&fetcher(), &nobody, &How::default()).unwrap_err().is_transient());
}

#[test]
fn redirects_of_robots_txt_are_followed_five_times() {
    let server = Server::start(|request| match request.path.as_str() {
        "/robots.txt" => Response::redirect("/5"),
        "/1" => Response::text("User-agent: *\nDisallow: /in"),
        "/out" | "/in" => Response::html("a"),
        path => Response::redirect(&format!("/{}", path[1..].parse::<u32>().unwrap() - 1)),
    });
    let fetcher = fetcher();
    assert_eq!(fetch(&fetcher, &server.url("/out"), &How::default()).unwrap().status, 200);
    assert!(matches!(fetch(&fetcher, &server.url("/in"), &How::default()), Err(FetchError::Robots(_))));
}

#[test]
fn secrets_of_a_watch_are_not_shown_to_robots_txt() {
    let server = Server::start(|_| Response::status(404));
    let headers = [("X-Key".to_owned(), "hush".into())].into();
    fetch(&fetcher(), &server.url("/"), &How { headers, ..How::default() }).unwrap();
    let requests = server.requests();
    assert_eq!((requests[0].header("x-key"), requests[1].header("x-key")), (None, Some("hush")));
}
