//! Is a Chromium that died replaced, and is none left behind? By itself, because it looks at all processes of its own.
#![cfg(target_os = "linux")]

use std::fs;
use std::process::Command;

use driftline_testkit::server::{Response, Server};
use driftline_watch::fetch::{Fetch as _, FetchDefaults, FetchError, Fetchers, How, Request, With};

/// The Chromiums that this process has started and that run.
fn own_chromiums() -> Vec<String> {
    let own = format!(" {} ", std::process::id());
    let ids = fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let is_own = |id: &String| {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        // The name in brackets, then the state and the parent.
        let behind = stat.rsplit_once(')').map_or("", |(_, behind)| behind);
        behind.get(2..).is_some_and(|parent| parent.starts_with(&own)) && !behind.starts_with(" Z")
    };
    ids.filter(|id| id.bytes().all(|byte| byte.is_ascii_digit()) && is_own(id)).collect()
}

#[test]
fn a_chromium_that_died_is_replaced_and_none_is_left_behind() {
    let server = Server::start(|_| Response::html("<p>well</p>"));
    let defaults = FetchDefaults { allow: vec![server.address().to_string()], ..FetchDefaults::default() };
    let fetchers = Fetchers::new(&defaults).unwrap();
    let how = How { with: With::Browser, ignore_robots: true, ..How::default() };
    let at = "2026-11-16".parse().unwrap();
    let url = server.url("/");
    let fetch = || fetchers.fetch(&Request { url: &url, how: &how, validators: None, at });
    assert!(own_chromiums().is_empty(), "none is started before it is needed");
    match fetch() {
        Err(FetchError::How(why)) => return println!("skipped: {why}"),
        fetched => assert_eq!(fetched.unwrap().status, 200),
    }
    let first = own_chromiums();
    assert_eq!(first.len(), 1);
    assert!(Command::new("kill").args(["-9", &first[0]]).status().unwrap().success());
    assert_eq!(fetch().unwrap().status, 200);
    let second = own_chromiums();
    assert!(second.len() == 1 && second != first, "{first:?} {second:?}");
    drop(fetchers);
    assert!(own_chromiums().is_empty());
}
