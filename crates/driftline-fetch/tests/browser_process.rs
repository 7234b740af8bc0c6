//! Is a Chromium that died replaced, and is none left behind? By itself, because it looks at all processes of its own.
#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Command, Stdio};
use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use driftline_fetch::{Fetch as _, FetchDefaults, FetchError, Fetched, Fetchers, How, Request, Wait, With};
use driftline_testkit::chromium;
use driftline_testkit::server::{Response, Server};

/// The process of a test that is killed has the address of a page here.
const PAGE: &str = "DRIFTLINE_TEST_PAGE";

/// The processes that these have started, directly or not, and that run.
fn started_by(process: &str) -> BTreeSet<String> {
    let ids = fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let ids = ids.filter(|id| id.bytes().all(|byte| byte.is_ascii_digit()));
    let all: Vec<(String, String)> = ids.filter_map(|id| Some((parent(&id)?, id))).collect();
    let mut found = BTreeSet::new();
    let mut looked = vec![process.to_owned()];
    while let Some(next) = looked.pop() {
        for (_, child) in all.iter().filter(|(parent, _)| *parent == next) {
            if found.insert(child.clone()) {
                looked.push(child.clone());
            }
        }
    }
    found
}

/// Who started a process; none if it has ended.
fn parent(process: &str) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name in brackets, then the state and the parent.
    let mut behind = stat.rsplit_once(") ")?.1.split(' ');
    let state = behind.next()?;
    behind.next().filter(|_| !["Z", "X"].contains(&state)).map(str::to_owned)
}

/// The Chromiums that a process has started itself and that run.
fn chromiums_of(process: &str) -> Vec<String> {
    let is_chromium = |id: &String| {
        let line = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains("--user-data-dir=") && parent(id).as_deref() == Some(process)
    };
    started_by(process).into_iter().filter(is_chromium).collect()
}

fn own_chromiums() -> Vec<String> {
    chromiums_of(&std::process::id().to_string())
}

fn fetchers(address: &str) -> Fetchers {
    Fetchers::new(&FetchDefaults { allow: vec![address.to_owned()], ..FetchDefaults::default() }).unwrap()
}

fn fetch(fetchers: &Fetchers, url: &str) -> Result<Fetched, FetchError> {
    fetch_with(fetchers, url, Wait::default())
}

fn fetch_with(fetchers: &Fetchers, url: &str, wait: Wait) -> Result<Fetched, FetchError> {
    let how = How { with: With::Browser, ignore_robots: true, wait, ..How::default() };
    fetchers.fetch(&Request { url, home: None, how: &how, validators: None, at: "2026-11-16".parse().unwrap() })
}

#[test]
fn a_chromium_that_died_is_replaced_and_none_is_left_behind() {
    let (asked, is_asked) = mpsc::channel();
    let (_go, goes) = mpsc::channel::<()>();
    let (asked, goes) = (Mutex::new(asked), Mutex::new(goes));
    let server = Server::start(move |request| {
        if request.path == "/slow" {
            asked.lock().unwrap().send(()).unwrap();
            // Until the test is over.
            let _ = goes.lock().unwrap().recv();
        }
        match request.path.as_str() {
            "/waits" => Response::html("<script>onload = () => fetch('/slow')</script>"),
            _ => Response::html("<p>well</p>"),
        }
    });
    let (fetchers, url) = (fetchers(&server.address().to_string()), server.url("/"));
    assert!(own_chromiums().is_empty(), "none is started before it is needed");
    // A worker that ends takes no Chromium with it that others need.
    match thread::scope(|scope| scope.spawn(|| fetch(&fetchers, &url)).join().unwrap()) {
        Err(FetchError::How(why)) => return chromium::skip(&why),
        fetched => assert_eq!(fetched.unwrap().status, 200),
    }
    let first = own_chromiums();
    assert_eq!(first.len(), 1);
    assert_eq!(fetch(&fetchers, &url).unwrap().status, 200);
    assert_eq!(own_chromiums(), first, "one serves all");
    assert!(Command::new("kill").args(["-9", &first[0]]).status().unwrap().success());
    assert_eq!(fetch(&fetchers, &url).unwrap().status, 200);
    let second = own_chromiums();
    assert!(second.len() == 1 && second != first, "{first:?} {second:?}");
    // A page that is open when Chromium dies fails for that reason, and not because its time is over: neither one that
    // is being loaded, nor one that waits for an element.
    let missing = Wait { selector: Some(".missing".to_owned()), ..Wait::default() };
    for (path, wait) in [("/slow", Wait::default()), ("/waits", missing)] {
        assert_eq!(fetch(&fetchers, &url).unwrap().status, 200);
        let running = own_chromiums();
        let error = thread::scope(|scope| {
            let open = scope.spawn(|| fetch_with(&fetchers, &server.url(path), wait));
            is_asked.recv().unwrap();
            assert!(Command::new("kill").args(["-9", &running[0]]).status().unwrap().success());
            open.join().unwrap().unwrap_err()
        });
        assert!(matches!(error, FetchError::Connection(_)) && error.is_transient(), "{path}: {error}");
    }
    drop(fetchers);
    assert!(own_chromiums().is_empty());
}

/// What the process does that is killed: it opens a page, says so, and waits for its end.
fn open_and_wait(url: &str) {
    let address = url.trim_start_matches("http://").trim_end_matches('/');
    let fetchers = fetchers(address);
    match fetch(&fetchers, url) {
        Err(FetchError::How(why)) => return println!("skipped: {why}"),
        fetched => assert_eq!(fetched.unwrap().status, 200),
    }
    println!("\nopen");
    let _ = std::io::stdin().read(&mut [0]);
}

#[test]
fn a_process_that_is_killed_leaves_no_chromium_running() {
    if let Ok(url) = env::var(PAGE) {
        return open_and_wait(&url);
    }
    let (server, folder) = (Server::start(|_| Response::html("<p>well</p>")), tempfile::tempdir().unwrap());
    let mut process = Command::new(env::current_exe().unwrap())
        .args(["a_process_that_is_killed_leaves_no_chromium_running", "--exact", "--nocapture"])
        .env(PAGE, server.url("/"))
        // Who is killed cannot throw its profile away.
        .env("TMPDIR", folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(process.stdout.take().unwrap()).lines().map(Result::unwrap);
    let said = lines.take_while(|line| line != "open").collect::<Vec<_>>().join("\n");
    if let Some((_, why)) = said.split_once("skipped: ") {
        process.wait().unwrap();
        return chromium::skip(why);
    }
    let id = process.id().to_string();
    let chromiums = chromiums_of(&id);
    assert_eq!(chromiums.len(), 1, "{said}");
    let all = started_by(&id);
    assert!(all.len() > 1, "Chromium has processes of its own: {all:?}");
    // By SIGKILL, which nobody can do anything about.
    process.kill().unwrap();
    process.wait().unwrap();
    let end = Instant::now() + Duration::from_secs(20);
    let left = || all.iter().filter(|id| parent(id).is_some()).collect::<Vec<_>>();
    while !left().is_empty() && Instant::now() < end {
        thread::sleep(Duration::from_millis(20));
    }
    assert!(left().is_empty(), "{:?} of {all:?}, which {chromiums:?} began", left());
}
