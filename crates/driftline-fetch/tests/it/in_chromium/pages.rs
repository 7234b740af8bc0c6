//! Does a real Chromium bring what scripts make, with a picture of it, within limits?

use driftline::span::Span;
use driftline_archive::Archive;
use driftline_archive::capture::Content;
use driftline_catalog::Address;
use driftline_fetch::{Auth, FetchError, How, Wait};
use driftline_testkit::server::{Response, Server, hostile};

use super::chromium::{at, fetch, fetchers, how};

const SCRIPTED: &str = "<!doctype html><title>t</title><p id=old>before</p><script>\
    fetch('/data').then(answer => answer.text()).then(text => {\
    document.body.insertAdjacentHTML('beforeend', '<p id=new>' + text + '</p>'); })</script>";

fn scripted() -> Server {
    Server::start(|request| match request.path.as_str() {
        "/" => Response::redirect("/page?a=1"),
        "/page?a=1" => Response::html(SCRIPTED).with("Set-Cookie", "a=1").with("Set-Cookie", "b=2"),
        "/data" => Response::text("made by a script"),
        _ => Response::status(404),
    })
}

#[test]
fn a_page_made_by_a_script_is_kept_as_it_came_as_it_stands_and_as_it_looks() {
    let server = scripted();
    let Some(fetchers) = fetchers(&[&server]) else { return };
    let fetched = fetch(&fetchers, &server.url("/"), &how()).unwrap();
    let page = server.url("/page?a=1");
    assert_eq!((fetched.status, fetched.url.as_str(), fetched.page), (200, page.as_str(), 2));
    let body = String::from_utf8(fetched.body.clone()).unwrap();
    assert!(body.starts_with("<!DOCTYPE html>") && body.contains("<p id=\"new\">made by a script</p>"), "{body}");
    let urls: Vec<_> = fetched.captures.iter().map(|capture| capture.url.clone()).collect();
    assert_eq!(urls, [server.url("/"), page.clone(), format!("urn:dom:{page}"), format!("urn:view:{page}")]);
    let Content::Http(exchange) = &fetched.captures[1].content else { panic!("no exchange") };
    let head = String::from_utf8(exchange.head.clone()).unwrap();
    assert!(head.starts_with("HTTP/1.1 200 OK\r\n") && head.matches("set-cookie: ").count() == 2, "{head}");
    assert_eq!((exchange.body.as_slice(), exchange.ip), (SCRIPTED.as_bytes(), Some([127, 0, 0, 1].into())));
    let request = String::from_utf8(exchange.request.clone().unwrap()).unwrap();
    assert!(request.starts_with("GET /page?a=1 HTTP/1.1\r\n") && request.contains("driftline/"), "{request}");

    let data = tempfile::tempdir().unwrap();
    let archive = Archive::open_at(data.path()).unwrap();
    archive.append_all(&fetched.captures).unwrap();
    let kept = |url: String| {
        let found = archive.find(&Address::parse(&format!("{url}@latest")).unwrap()).unwrap().unwrap();
        archive.read(&found, 10_000_000).unwrap().body().to_vec()
    };
    assert_eq!(kept(format!("urn:dom:{page}")), fetched.body);
    let picture = kept(format!("urn:view:{page}"));
    assert!(picture.starts_with(b"\x89PNG\r\n") && picture.len() > 1_000, "{}", picture.len());
    assert_eq!(kept(page), SCRIPTED.as_bytes(), "the page as it came is another capture");
}

#[test]
fn what_a_watch_sends_goes_to_its_own_origin_and_the_profile_is_new_each_time() {
    let other = Server::start(|_| Response::status(204));
    let image = other.url("/image");
    let server = Server::start(move |request| match request.path.as_str() {
        "/own" => Response::status(204),
        _ => Response::html(format!("<img src='{image}'><img src='/own'>")).with("Set-Cookie", "seen=1"),
    });
    let Some(fetchers) = fetchers(&[&server, &other]) else { return };
    let how = How {
        headers: [("X-Key".to_owned(), "hush".into()), ("User-Agent".to_owned(), "Mine/1".into())].into(),
        cookies: [("id".to_owned(), "7".into())].into(),
        auth: Some(Auth::Bearer { token: "hush".into() }),
        ..how()
    };
    for _ in 0..2 {
        fetch(&fetchers, &server.url("/in/page"), &how).unwrap();
        let asked = server.take_requests();
        let (page, own) = (asked.first().unwrap(), asked.iter().find(|request| request.path == "/own").unwrap());
        for request in [page, own] {
            assert_eq!((request.header("x-key"), request.header("user-agent")), (Some("hush"), Some("Mine/1")));
            assert_eq!(request.header("authorization"), Some("Bearer hush"));
        }
        assert_eq!(page.header("cookie"), Some("id=7"), "no cookie is left of the time before");
        assert_eq!(own.header("cookie"), Some("id=7"), "that of the watch goes to all of its origin");
    }
    let asked = other.requests();
    assert_eq!(asked.len(), 2);
    let away = |name| asked.iter().all(|request| request.header(name).is_none());
    assert!(away("x-key") && away("authorization") && away("cookie"), "{asked:?}");
}

#[test]
fn robots_txt_counts_for_a_browser_too() {
    let server = Server::start(|request| match request.path.as_str() {
        "/robots.txt" => Response::text("User-agent: driftline\nDisallow: /in"),
        "/" => Response::redirect("/in"),
        _ => Response::html("<p>in"),
    });
    let Some(fetchers) = fetchers(&[&server]) else { return };
    let polite = How { ignore_robots: false, ..how() };
    let error = fetch(&fetchers, &server.url("/"), &polite).unwrap_err();
    assert!(matches!(error, FetchError::Robots(_)), "{error}");
    assert!(server.requests().iter().all(|request| request.path != "/in"), "{:?}", server.requests());
}

#[test]
fn a_page_is_taken_when_what_the_watch_waits_for_is_there() {
    let late = "<p>early</p><script>setTimeout(() => document.body.insertAdjacentHTML('beforeend', \
                '<p class=late>late</p>'), 700)</script>";
    let server = Server::start(move |_| Response::html(late));
    let Some(fetchers) = fetchers(&[&server]) else { return };
    let wait = |selector: &str, timeout: &str| How {
        wait: Wait { selector: Some(selector.to_owned()), ..Wait::default() },
        timeout: Some(timeout.parse().unwrap()),
        ..how()
    };
    let fetched = fetch(&fetchers, &server.url("/"), &wait("p.late", "60s")).unwrap();
    assert!(String::from_utf8(fetched.body).unwrap().contains("<p class=\"late\">late</p>"));
    let never = fetch(&fetchers, &server.url("/"), &wait("p.never", "4s")).unwrap_err();
    assert!(matches!(never, FetchError::Timeout(_)) && never.to_string().contains("p.never"), "{never}");
    let wrong = fetch(&fetchers, &server.url("/"), &wait("p[", "60s")).unwrap_err();
    assert!(matches!(wrong, FetchError::How(_)) && !wrong.is_transient(), "{wrong}");
    let extra = How { wait: Wait { extra: Some(Span::from_seconds(2)), ..Wait::default() }, ..how() };
    let fetched = fetch(&fetchers, &server.url("/"), &extra).unwrap();
    assert!(String::from_utf8(fetched.body).unwrap().contains("late"));
}

#[test]
fn a_page_that_never_ends_asks_the_user_or_is_too_long_is_taken_as_far_as_it_goes() {
    let server = Server::start(|request| match request.path.as_str() {
        "/endless" => {
            let script = "setInterval(() => fetch('/more?' + Math.random()), 50)";
            Response::html(format!("<p>there</p><script>alert(1); confirm(2); prompt(3); {script}</script>"))
        }
        "/long" => Response::html(format!("<p>{}</p>", "long ".repeat(100_000))),
        _ => Response::status(204),
    });
    let Some(fetchers) = fetchers(&[&server]) else { return };
    let quick = How { timeout: Some(Span::from_seconds(10)), ..how() };
    let fetched = fetch(&fetchers, &server.url("/endless"), &quick).unwrap();
    assert!(String::from_utf8(fetched.body).unwrap().contains("there"));
    let short = How { most_bytes: Some(100_000), ..how() };
    let fetched = fetch(&fetchers, &server.url("/long"), &short).unwrap();
    assert!(fetched.is_cut && fetched.body.len() <= 100_000, "{}", fetched.body.len());
}

#[test]
fn a_page_that_hangs_is_given_up_and_the_next_one_comes() {
    let server = Server::start(|request| match request.path.as_str() {
        "/hangs" => Response::html("<p>x<script>for (;;);</script>"),
        "/file" => Response::new(200, "x").with("Content-Disposition", "attachment; filename=x.bin"),
        _ => Response::html("<p>well</p>"),
    });
    let Some(fetchers) = fetchers(&[&server]) else { return };
    let quick = How { timeout: Some("3s".parse().unwrap()), ..how() };
    let hung = fetch(&fetchers, &server.url("/hangs"), &quick).unwrap_err();
    assert!(matches!(hung, FetchError::Timeout(_)), "{hung}");
    let wait = Wait { selector: Some("p".to_owned()), ..Wait::default() };
    for how in [how(), How { wait, ..how() }] {
        let file = fetch(&fetchers, &server.url("/file"), &how).unwrap_err();
        assert!(matches!(file, FetchError::Answer(_)), "a download is no page: {file}");
    }
    assert_eq!(fetch(&fetchers, &server.url("/"), &how()).unwrap().status, 200);
    assert_eq!(fetch(&fetchers, &server.url("/"), &how()).unwrap().captures[0].at, at());
}

#[test]
fn a_server_that_fails_is_described_in_plain_words() {
    let (garbage, closing) = (hostile::garbage(), hostile::closes_at_once());
    let Some(fetchers) = fetchers(&[&garbage, &closing]) else { return };
    for server in [&garbage, &closing] {
        let url = server.url("/");
        let error = fetch(&fetchers, &url, &how()).unwrap_err().to_string();
        let reason = "the server closed the connection before its answer was complete";
        assert_eq!(error, format!("cannot ask `{url}`: {reason}"));
    }
}
