//! Does `serve` begin, answer, and end in good order; and does `watch check` do it once?

use std::io::{BufRead, BufReader};
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU16, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use assert_cmd::cargo::cargo_bin;
use driftline_testkit::server::{Response, Server};
use serde_json::Value;

use crate::support::get;

/// A data directory that watches a page whose number changes, on a server that answers with a status that can be set.
struct Stage {
    data: tempfile::TempDir,
    number: Arc<AtomicU64>,
    status: Arc<AtomicU16>,
    server: Server,
}

impl Stage {
    fn new() -> Self {
        let (number, status) = (Arc::new(AtomicU64::new(1)), Arc::new(AtomicU16::new(200)));
        let (shown, answered) = (Arc::clone(&number), Arc::clone(&status));
        let server = Server::start(move |request| match request.path.as_str() {
            "/robots.txt" => Response::new(404, ""),
            "/refuses" => Response::new(400, ""),
            _ if answered.load(Ordering::SeqCst) != 200 => Response::new(answered.load(Ordering::SeqCst), ""),
            _ => Response::html(format!("<title>Prices</title><p>A ticket is {} euros", shown.load(Ordering::SeqCst))),
        });
        let data = tempfile::tempdir().unwrap();
        std::fs::write(data.path().join("driftline.toml"), "[fetch]\nallow = ['127.0.0.1']\ndelay = '0s'\n").unwrap();
        std::fs::create_dir(data.path().join("watches")).unwrap();
        let watch = format!("[[watch]]\nid = 'prices'\nurl = '{}'\ntags = ['news']\n", server.url("/prices"));
        std::fs::write(data.path().join("watches/watches.toml"), watch).unwrap();
        Self { data, number, status, server }
    }

    fn check(&self, arguments: &[&str]) -> (String, String, i32) {
        let output = driftline(self.data.path()).args(["watch", "check"]).args(arguments).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (text(output.stdout), text(output.stderr), output.status.code().unwrap())
    }
}

fn driftline(data: &Path) -> Command {
    let mut command = Command::new(cargo_bin("driftline"));
    command.env_remove("DRIFTLINE_CATALOG").env_remove("RUST_LOG").env_remove("NOTIFY_SOCKET");
    command.env("DRIFTLINE_DATA", data);
    command
}

/// A daemon; it is killed if the test fails before it ends.
struct Daemon {
    child: Child,
    log: std::io::Lines<BufReader<std::process::ChildStderr>>,
}

impl Daemon {
    fn start(stage: &Stage, socket: &Path) -> Self {
        let mut command = driftline(stage.data.path());
        command.args(["serve", "--headless", "--listen", "127.0.0.1:0", "--log", "json"]);
        let mut child = command.env("NOTIFY_SOCKET", socket).stderr(Stdio::piped()).spawn().unwrap();
        let log = BufReader::new(child.stderr.take().unwrap()).lines();
        Self { child, log }
    }

    /// The next line of the log with this message.
    fn line(&mut self, message: &str) -> Value {
        let mut lines = self.log.by_ref().map(|line| serde_json::from_str::<Value>(&line.unwrap()).unwrap());
        lines.find(|line| line["message"] == message).unwrap()
    }

    fn signal(&self, signal: &str) {
        let status = Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap();
        assert!(status.success());
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        // It has ended, if all went well.
        let _ = self.child.kill();
    }
}

/// On Linux: the processes that have a text in their arguments.
fn processes_with(text: &str) -> Vec<String> {
    let ids = std::fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let arguments = |id: &String| std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
    ids.filter(|id| String::from_utf8_lossy(&arguments(id)).contains(text)).collect()
}

#[test]
fn serve_has_no_web_pages_yet_and_says_so() {
    let output = driftline(Path::new("/nowhere")).arg("serve").output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(told.contains("hint: `driftline serve --headless`"), "{told}");
}

#[test]
fn a_watch_is_named_by_what_events_call_it() {
    let stage = Stage::new();
    let (_, told, code) = stage.check(&["Prices"]);
    assert!(code == 2 && told.contains("there is no watch `Prices`"), "nobody knows the title of the page yet: {told}");
    stage.check(&["--all"]);
    stage.number.store(2, Ordering::SeqCst);
    let (out, told, code) = stage.check(&["Prices"]);
    assert_eq!((out.lines().count(), code), (1, 1), "{told}");
    let edit = driftline(stage.data.path()).args(["watch", "edit", "Prices", "--tag", "x"]).output().unwrap();
    assert_eq!(edit.status.code(), Some(0));
    let events = driftline(stage.data.path()).args(["events", "--watch", "Prices"]).output().unwrap();
    assert_eq!((events.status.code(), String::from_utf8_lossy(&events.stdout).lines().count()), (Some(1), 1));
}

#[test]
fn a_daemon_says_when_it_is_ready_answers_and_ends_in_order() {
    let stage = Stage::new();
    let socket = stage.data.path().join("notify");
    let manager = UnixDatagram::bind(&socket).unwrap();
    manager.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    let mut daemon = Daemon::start(&stage, &socket);
    let address = daemon.line("ready")["address"].as_str().unwrap().to_owned();
    let mut told = [0; 100];
    let length = manager.recv(&mut told).unwrap();
    assert_eq!(&told[..length], b"READY=1\n");
    let health = get(&address, "/health");
    assert!(health.starts_with("HTTP/1.1 200") && health.contains("\"ok\""), "{health}");
    assert!(get(&address, "/metrics").contains("driftline_watches 1"));
    let (_, told, code) = stage.check(&["--all"]);
    let holder = format!("`driftline serve (process {})`", daemon.child.id());
    assert!(code == 2 && told.contains(&holder), "{told}");
    daemon.signal("-HUP");
    daemon.line("the files of watches were read");
    daemon.signal("-TERM");
    daemon.line("stopped");
    assert_eq!(daemon.child.wait().unwrap().code(), Some(0));
    let segments = std::fs::read_dir(stage.data.path().join("warc")).unwrap().flatten();
    let names: Vec<_> = segments.map(|file| file.file_name().into_string().unwrap()).collect();
    assert!(
        names.iter().all(|name| Path::new(name).extension().is_none_or(|extension| extension != "open")),
        "{names:?}"
    );
}

#[test]
fn what_an_interrupted_edit_left_with_its_password_is_gone_once_a_daemon_or_a_check_begins() {
    let stage = Stage::new();
    let edited = driftline(stage.data.path()).args(["watch", "edit", "prices", "--basic", "me:hush"]).output().unwrap();
    assert!(edited.status.success(), "{}", String::from_utf8_lossy(&edited.stderr));
    let watches = stage.data.path().join("watches");
    let left = || {
        let path = watches.join(".watchesAb12Cd.partial");
        std::fs::write(&path, "[[watch]]\nauth = { basic = 'me:left-over' }\n").unwrap();
        path
    };
    let own = watches.join(".own.partial");
    std::fs::write(&own, "somebody's own").unwrap();

    let partial = left();
    let socket = stage.data.path().join("notify");
    let _manager = UnixDatagram::bind(&socket).unwrap();
    let mut daemon = Daemon::start(&stage, &socket);
    daemon.line("ready");
    assert!(!partial.exists(), "the daemon leaves it");
    daemon.signal("-TERM");
    daemon.line("stopped");
    assert_eq!(daemon.child.wait().unwrap().code(), Some(0));

    let partial = left();
    let (_, told, code) = stage.check(&["--all"]);
    assert_eq!(code, 0, "{told}");
    assert!(!partial.exists() && own.exists(), "only what is driftline's is removed");
}

#[test]
fn a_check_says_what_changed_as_diff_does() {
    let stage = Stage::new();
    assert_eq!(stage.check(&["--all", "--quiet"]), (String::new(), String::new(), 0), "the first is no change");
    assert_eq!(stage.check(&["prices"]), (String::new(), String::new(), 0));
    stage.number.store(2, Ordering::SeqCst);
    let (told, _, code) = stage.check(&["--tag", "news"]);
    assert!(code == 1 && told.contains("changed") && told.contains("Prices") && told.lines().count() == 1, "{told}");
    stage.number.store(3, Ordering::SeqCst);
    let (told, _, code) = stage.check(&["--json", "--all"]);
    let event: Value = serde_json::from_str(&told).unwrap();
    assert_eq!((code, event["kind"].as_str(), event["watch"].as_str()), (1, Some("changed"), Some("prices")));
    stage.status.store(500, Ordering::SeqCst);
    let (told, why, code) = stage.check(&["--all"]);
    assert!(code == 2 && told.is_empty() && why.contains("cannot check") && why.contains("500"), "{why}");
}

#[test]
fn a_first_check_says_what_it_kept() {
    let stage = Stage::new();
    let url = stage.server.url("/prices");
    let watch =
        |id: &str, zone: &str| format!("[[watch]]\nid = '{id}'\nname = '{id}'\nurl = '{url}'\nzone = [{zone}]\n");
    let watches = watch("all", "") + &watch("part", "'p'") + &watch("typo", "'#nosuch'");
    std::fs::write(stage.data.path().join("watches/watches.toml"), watches).unwrap();
    let (out, said, code) = stage.check(&["all"]);
    assert_eq!((out.as_str(), said.as_str(), code), ("", "all: kept for the first time, 5 words\n", 0));
    assert_eq!(stage.check(&["all"]).1, "", "once");
    assert_eq!(stage.check(&["part"]).1, "part: kept for the first time, 5 words; the zone `p` has 5\n");
    let (out, said, code) = stage.check(&["typo"]);
    assert_eq!(said, "typo: kept for the first time, 5 words; the zone `#nosuch` matches nothing\n");
    assert!(code == 1 && out.contains("the zone `#nosuch` matches nothing on this page; check the selector"), "{out}");
}

#[test]
fn what_is_to_be_checked_has_to_be_said() {
    let stage = Stage::new();
    let (_, told, code) = stage.check(&[]);
    assert!(code == 2 && told.contains("<ID"), "{told}");
    let (_, told, code) = stage.check(&["nothing-like-it"]);
    assert!(code == 2 && told.contains("nothing-like-it"), "{told}");
    let (_, told, code) = stage.check(&["--tag", "news", "--tag", "nope"]);
    assert!(code == 2 && told.contains("no watch has the tag `news`, `nope`"), "{told}");
}

#[test]
fn a_page_that_is_not_there_is_told_before_it_lasts() {
    let stage = Stage::new();
    stage.check(&["--all"]);
    stage.status.store(404, Ordering::SeqCst);
    let (told, why, code) = stage.check(&["--all"]);
    assert_eq!((told.as_str(), code), ("", 0), "{why}");
    assert!(
        why.starts_with("warning: the page of `") && why.contains("` is not there: the server answers 404 since"),
        "{why}"
    );
    assert!(why.contains("hint: that is an event once 3 checks over 1d have found no page"), "{why}");
}

#[test]
fn a_page_that_is_gone_for_ever_is_not_told_as_404() {
    let stage = Stage::new();
    stage.status.store(410, Ordering::SeqCst);
    let (_, why, _) = stage.check(&["--all"]);
    assert!(why.contains("` is not there: the server answers 410 since"), "{why}");
}

#[test]
fn a_check_of_an_address_inside_says_how_it_may_be_allowed() {
    let stage = Stage::new();
    std::fs::write(stage.data.path().join("driftline.toml"), "").unwrap();
    let (told, why, code) = stage.check(&["--all"]);
    assert!(code == 2 && why.contains("is not fetched") && why.contains("under `[fetch]` in driftline.toml"), "{why}");
    assert!(told.lines().count() == 1 && !told.contains("hint"), "the event has one line: {told}");
}

#[test]
fn a_message_that_was_given_up_is_not_said_to_go_again_by_itself() {
    let stage = Stage::new();
    let settings = format!(
        "[fetch]\nallow = ['127.0.0.1']\ndelay = '0s'\n[targets.me]\ntype = 'webhook'\nurl = '{}'\n",
        stage.server.url("/refuses")
    );
    std::fs::write(stage.data.path().join("driftline.toml"), settings).unwrap();
    stage.check(&["--all"]);
    stage.number.store(2, Ordering::SeqCst);
    let (_, why, code) = stage.check(&["--all"]);
    assert!(code == 2 && why.contains("1 message did not arrive"), "{why}");
    assert!(why.contains("they were given up: after `driftline events retry --dead`"), "{why}");
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "there is no /proc")]
fn a_check_that_is_stopped_leaves_no_chromium_behind() {
    let (asked, hears) = std::sync::mpsc::channel();
    let (answer, waits) = std::sync::mpsc::channel::<()>();
    let (asked, waits) = (Mutex::new(asked), Mutex::new(waits));
    let server = Server::start(move |request| {
        if request.path.as_str() == "/robots.txt" {
            Response::new(404, "")
        } else {
            asked.lock().unwrap().send(()).unwrap();
            // Until the test lets go of the other end.
            let _ = waits.lock().unwrap().recv();
            Response::html("<p>late")
        }
    });
    let (data, temporary) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(data.path().join("driftline.toml"), "[fetch]\nallow = ['127.0.0.1']\ndelay = '0s'\n").unwrap();
    let url = server.url("/slow");
    let added = driftline(data.path())
        .args(["watch", "add", "--no-fetch", "--fetch", "browser", "--id", "slow", &url])
        .output();
    assert!(added.unwrap().status.success());
    let mut command = driftline(data.path());
    command.args(["watch", "check", "slow"]).env("TMPDIR", temporary.path()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    if hears.recv_timeout(Duration::from_mins(1)).is_err() {
        let told = String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap();
        return driftline_testkit::chromium::skip(&told);
    }
    let profile = format!("--user-data-dir={}", temporary.path().display());
    assert!(!processes_with(&profile).is_empty());
    let id = child.id().to_string();
    // The first says stop, the second says at once.
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let code = child.wait_with_output().unwrap().status.code();
    drop(answer);
    assert!(code.is_some_and(|code| code >= 2), "{code:?}");
    assert_eq!(processes_with(&profile), Vec::<String>::new());
    let left: Vec<_> = std::fs::read_dir(temporary.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(left.is_empty(), "the profile is removed: {left:?}");
}
