//! Does the first minute go as the README says? Its three commands, in one empty data directory, against a server on
//! loopback; and does the daemon's log look as the guide shows it?

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;
use driftline_testkit::receiver::Receiver;
use driftline_testkit::server::{Response, Server};

use crate::support::get;

/// A text of the repository.
fn read(file: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file)).unwrap()
}

/// The lines of the first block of code behind a heading.
fn block(text: &str, heading: &str) -> Vec<String> {
    let text = text.split_once(heading).unwrap_or_else(|| panic!("there is no heading `{heading}`")).1;
    let text = text.split_once("```").unwrap().1.split_once('\n').unwrap().1.split_once("\n```").unwrap().0;
    text.lines().map(str::to_owned).collect()
}

/// The message of a line of the log and its fields: the name of each, and whether its value is in quotes.
fn shape(line: &str) -> Option<(String, Vec<String>)> {
    let mut rest = line.split_once("  INFO ")?.1;
    let mut fields = Vec::new();
    let at = rest.find('=').map_or(rest.len(), |at| rest[..at].rfind(' ').unwrap_or_default());
    let message = rest[..at].to_owned();
    rest = rest[at..].trim_start();
    while let Some((name, value)) = rest.split_once('=') {
        let quoted = value.strip_prefix('"');
        fields.push(if quoted.is_some() { format!("{name}=\"…\"") } else { format!("{name}=…") });
        let behind = quoted.map_or_else(|| value.split_once(' '), |value| value.split_once('"'));
        rest = behind.map_or("", |(_, behind)| behind.trim_start());
    }
    Some((message, fields))
}

struct Daemon(Child);

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn driftline(data: &Path, command: &str) -> Command {
    let mut words = command.split_whitespace();
    assert_eq!(words.next(), Some("driftline"));
    let mut driftline = Command::new(cargo_bin("driftline"));
    driftline.args(words).env_remove("DRIFTLINE_CATALOG").env_remove("RUST_LOG").env_remove("NOTIFY_SOCKET");
    driftline.env("DRIFTLINE_DATA", data).env("NO_COLOR", "1");
    driftline
}

/// Whether the only watch has a version.
fn is_kept(data: &Path) -> bool {
    let listed = driftline(data, "driftline watch list --json").output().unwrap();
    !serde_json::from_slice::<serde_json::Value>(&listed.stdout).unwrap()["version"].is_null()
}

#[test]
fn the_three_commands_of_the_readme_watch_a_page_from_nothing() {
    let price = Arc::new(AtomicU64::new(24));
    let shown = Arc::clone(&price);
    let server = Server::start(move |request| match request.path.as_str() {
        "/robots.txt" => Response::new(404, ""),
        _ => Response::html(format!("<title>Shop</title><p>A lamp costs {} EUR.", shown.load(Ordering::SeqCst))),
    });
    let receiver = Receiver::start();
    let data = tempfile::tempdir().unwrap();
    let settings = format!(
        "[fetch]\nallow = ['127.0.0.1']\ndelay = '0s'\n[targets.me]\ntype = 'webhook'\nurl = '{}'\n\
         [watch]\nleast-interval = '1s'\nmost-interval = '1s'\nbudget = 100000\nhold = '0s'\n",
        receiver.url()
    );
    std::fs::write(data.path().join("driftline.toml"), settings).unwrap();
    let commands: Vec<String> = block(&read("README.md"), "## Sixty seconds")
        .iter()
        .map(|line| {
            line.split(" #").next().unwrap_or_default().trim().replace("https://example.org/", &server.url("/"))
        })
        .collect();
    let [add, serve, events] = commands.as_slice() else { panic!("three commands: {commands:?}") };

    let added = driftline(data.path(), add).output().unwrap();
    assert!(added.status.success(), "{}", String::from_utf8_lossy(&added.stderr));
    let mut serve = driftline(data.path(), serve);
    let child = serve.args(["--listen", "127.0.0.1:0"]).stderr(Stdio::piped()).spawn().unwrap();
    let mut daemon = Daemon(child);
    let (log, said) = std::sync::mpsc::channel();
    let stderr = BufReader::new(daemon.0.stderr.take().unwrap());
    std::thread::spawn(move || stderr.lines().map_while(Result::ok).try_for_each(|line| log.send(line)));
    let mut lines: Vec<String> = Vec::new();
    let mut until = |message: &str| {
        while let Ok(line) = said.recv_timeout(Duration::from_mins(1)) {
            lines.push(line.clone());
            if shape(&line).is_some_and(|(found, _)| found == message) {
                return line;
            }
        }
        panic!("the daemon did not say `{message}`: {lines:#?}");
    };
    let ready = until("ready");
    let address = ready.split_once("address=").unwrap().1.split(' ').next().unwrap().to_owned();
    let deadline = Instant::now() + Duration::from_mins(1);
    while !is_kept(data.path()) {
        assert!(Instant::now() < deadline, "the page was not checked");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(get(&address, "/feeds/watch/Example.atom").starts_with("HTTP/1.1 200"));
    price.store(21, Ordering::SeqCst);
    until("told");
    assert!(get(&address, "/feeds/all.atom").contains("A lamp costs 24 → 21 EUR"));
    Command::new("kill").args(["-TERM", &daemon.0.id().to_string()]).status().unwrap();
    assert_eq!(daemon.0.wait().unwrap().code(), Some(0));
    assert_eq!(receiver.take_json().len(), 1);

    let listed = driftline(data.path(), events).output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    assert!(listed.lines().count() == 1 && listed.contains("Example") && listed.contains("24 → 21 EUR"), "{listed}");
    looks_as_the_guide_shows(&lines);
}

/// The log has each line of the guide, with its fields.
fn looks_as_the_guide_shows(lines: &[String]) {
    let real: Vec<_> = lines.iter().filter_map(|line| shape(line)).collect();
    let guide = block(&read("docs/guides/daemon.md"), "# Run it");
    let shown: Vec<_> = guide.iter().filter_map(|line| shape(line)).collect();
    assert_eq!(shown.len(), 4, "{guide:#?}");
    for line in &shown {
        assert!(real.contains(line), "the guide shows {line:?}; the daemon writes {real:#?}");
    }
}
