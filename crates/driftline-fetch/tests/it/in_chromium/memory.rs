//! A page that allocates without end ends its Chromium, and nothing else.

use std::fs;

use driftline::span::Span;
use driftline_fetch::{BrowserDefaults, FetchDefaults, FetchError, How, Wait};
use driftline_testkit::server::{Response, Server};

use super::chromium::{fetch, fetchers_with, how};

/// Allocates 20 MB forty times a second, and never comes to rest.
const GREEDY: &str = "<p>well</p><script>
    const all = [];
    setInterval(() => { all.push(new Uint8Array(2e7).fill(1)); fetch('/again'); }, 25);
</script>";

#[test]
fn a_page_that_allocates_without_end_ends_its_chromium_and_the_next_page_has_another() {
    let server = Server::start(|request| match request.path.as_str() {
        "/greedy" => Response::html(GREEDY),
        _ => Response::html("<p>well</p>"),
    });
    let browser = BrowserDefaults { memory: 900_000_000 };
    let Some(fetchers) = fetchers_with(&[&server], FetchDefaults { browser, ..FetchDefaults::default() }) else {
        return;
    };
    // It would be waited for until the end of its time.
    let wait = Wait { selector: Some("#never".to_owned()), ..Wait::default() };
    let patient = How { timeout: Some(Span::from_seconds(50)), wait, ..how() };
    let error = fetch(&fetchers, &server.url("/greedy"), &patient).unwrap_err();
    assert!(matches!(error, FetchError::Memory(_)), "{error}");
    assert!(error.to_string().contains("more than 900 MB") && error.to_string().contains("`[browser]`"), "{error}");
    assert!(error.is_transient() && !error.is_overload(), "the server is not to blame");
    assert_eq!(fetch(&fetchers, &server.url("/"), &how()).unwrap().status, 200, "another Chromium is started");
}

#[cfg(target_os = "linux")]
#[test]
fn the_kernel_ends_chromium_before_all_else() {
    let server = Server::start(|_| Response::html("<p>well</p>"));
    let Some(fetchers) = fetchers_with(&[&server], FetchDefaults::default()) else { return };
    fetch(&fetchers, &server.url("/"), &how()).unwrap();
    // Others of these tests have Chromiums of their own, which live as this one does.
    let scores: Vec<String> = chromiums().iter().filter_map(|id| score(id)).collect();
    assert!(scores.iter().filter(|score| score.as_str() == "1000").count() >= 3, "{scores:?}");
    assert_ne!(score("self").as_deref(), Some("1000"), "driftline itself is as it was");
}

/// The processes of Chromium that this process started.
#[cfg(target_os = "linux")]
fn chromiums() -> Vec<String> {
    let own = std::process::id().to_string();
    let parent = |id: &str| {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        Some(stat.rsplit_once(')')?.1.split_ascii_whitespace().nth(1)?.to_owned())
    };
    let is_ours = |id: &String| {
        let mut ancestors = std::iter::successors(parent(id), |id| parent(id));
        ancestors.any(|ancestor| ancestor == own)
    };
    let names = fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| entry.file_name().into_string().ok());
    names.filter(|name| name.bytes().all(|byte| byte.is_ascii_digit())).filter(is_ours).collect()
}

#[cfg(target_os = "linux")]
fn score(id: &str) -> Option<String> {
    fs::read_to_string(format!("/proc/{id}/oom_score_adj")).ok().map(|score| score.trim().to_owned())
}
