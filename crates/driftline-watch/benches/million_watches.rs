//! How much memory and time do a million watches take, before any of them is checked?
//!
//! `cargo bench -p driftline-watch --bench million_watches [COUNT]`. First the queue alone: every watch gets a time,
//! and is taken and put back once. Then a whole daemon: a data directory with a list of that many pages on a tenth as
//! many hosts, of which the catalog knows half, is started until all watches have their times, and stopped. The list
//! is read in a process of its own, so that its memory is what a daemon has, without what made the data.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use driftline::event::Event;
use driftline::span::Span;
use driftline::time::Time;
use driftline_archive::Archive;
use driftline_catalog::{Record, Watch, WatchState};
use driftline_fetch::{FetchDefaults, HttpFetcher};
use driftline_report::summary::{Markup, Message};
use driftline_watch::clock::{Clock, ManualClock};
use driftline_watch::daemon::{Daemon, Files, Options, Parts};
use driftline_watch::schedule::Schedule;
use driftline_watch::schedule::hosts::{Courtesy, Manners};
use driftline_watch::schedule::queue::Queue;
use driftline_watch::tell::{Compose, Own, Targets, Teller};
use driftline_watch::watches::Watches;
use serde_json::json;

const HOUR: Span = Span::from_seconds(3_600);
const START: Time = Time::from_microseconds(1_800_000_000_000_000);
/// So many records share a transaction.
const BATCH: usize = 5_000;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    if let [data, count] = arguments.as_slice() {
        return daemon(Path::new(data), count.parse().expect("a count"));
    }
    let count = arguments.first().map_or(1_000_000, |count| count.parse().expect("a count of watches"));
    queue(count);
    let data = tempfile::tempdir().expect("a folder that can be written");
    fill(data.path(), count);
    let own = std::env::current_exe().expect("a program");
    let status = Command::new(own).arg(data.path()).arg(count.to_string()).status().expect("a process");
    assert!(status.success(), "the daemon failed");
}

fn url(number: usize, count: usize) -> String {
    format!("https://host-{}.example.org/pages/{number}.html", number % (count / 10).max(1))
}

/// The queue alone.
fn queue(count: usize) {
    let before = resident();
    let began = Instant::now();
    let mut queue = Queue::new(Manners { delay: Span::from_milliseconds(0), per_host: 1 });
    let schedule = Schedule::every(HOUR);
    for slot in 0..count {
        queue.place(slot as u32, &url(slot, count));
        queue.set(slot as u32, schedule.due(&slot.to_string(), START, HOUR));
    }
    let (filled, bytes) = (began.elapsed(), resident().saturating_sub(before));
    println!("queue: {count} watches in {:.2} s, {} bytes each with their hosts", filled.as_secs_f64(), bytes / count);
    let began = Instant::now();
    let mut taken = 0_usize;
    while taken < count {
        let now = queue.next().expect("somebody is due");
        while let Some((slot, due)) = queue.take(now) {
            taken += 1;
            queue.done(slot, now, &Courtesy::default());
            queue.set(slot, schedule.due(&slot.to_string(), due, HOUR));
        }
    }
    println!("queue: {:.0} checks a second taken, ended and put back", taken as f64 / began.elapsed().as_secs_f64());
}

/// A list of pages, of which the catalog knows half.
fn fill(data: &Path, count: usize) {
    let began = Instant::now();
    let folder = data.join("watches");
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut list = String::new();
    (0..count).for_each(|number| writeln!(list, "{}", url(number, count)).expect("room"));
    std::fs::write(folder.join("pages.txt"), list).expect("room on the disk");
    let entry = "[[watch]]\nid = 'all'\nkind = 'list'\nurl = 'pages.txt'\nschedule = '1d'\n";
    std::fs::write(folder.join("watches.toml"), entry).expect("room on the disk");
    let archive = Archive::open_at(data).expect("an archive");
    let watches = Watches::read(data, &BTreeSet::new()).expect("watches");
    let known: Vec<Record> = watches.iter().skip(1).step_by(2).map(|watch| record(&watch.id, &watch.url)).collect();
    for batch in known.chunks(BATCH) {
        archive.catalog().record(batch).expect("a catalog");
    }
    println!("made: a list of {count} and {} states in {:.0} s", known.len(), began.elapsed().as_secs_f64());
}

fn record(id: &str, url: &str) -> Record {
    let watch = Watch {
        uuid: id.to_owned(),
        url: url.to_owned(),
        title: String::new(),
        tags: Vec::new(),
        settings: json!({}),
        created: START,
        ..Watch::default()
    };
    let next = Schedule::every(HOUR).due(id, START, HOUR);
    let state =
        WatchState { next: Some(next), checked: Some(START), body: json!({ "format": 1 }), ..WatchState::default() };
    Record { watch, state, change: None, events: Vec::new(), stream: None, members: None }
}

/// Writes no messages: there are no targets.
struct Nobody;

impl Compose for Nobody {
    fn compose(&self, _: &[Event], _: &Markup, _: &Own) -> Result<Message, String> {
        Ok(Message::default())
    }
}

/// A daemon that is stopped once all watches have their times.
fn daemon(data: &Path, count: usize) {
    let began = Instant::now();
    let clock: Arc<dyn Clock> = Arc::new(ManualClock::new(START));
    let daemon = Daemon::new(Parts {
        archive: Arc::new(Archive::open_at(data).expect("an archive")),
        fetch: Arc::new(HttpFetcher::new(&FetchDefaults::default()).expect("a client")),
        teller: Arc::new(Teller::new(Targets::default(), Arc::new(Nobody), data).expect("a teller")),
        clock,
        source: Box::new(Files::new(data.to_owned(), BTreeSet::new())),
        options: Options::default(),
    })
    .expect("a daemon");
    let handle = daemon.handle();
    let ready = || {
        let seconds = began.elapsed().as_secs_f64();
        println!("daemon: {count} watches have their times after {seconds:.1} s");
        handle.stop();
    };
    daemon.run(ready).expect("a daemon that begins");
    println!("daemon: {} MB resident, {} MB at most", resident() / 1_000_000, status("VmHWM:") / 1_000_000);
    daemon.close();
}

fn resident() -> usize {
    status("VmRSS:")
}

/// A line of what Linux says about this process, in bytes; 0 elsewhere.
fn status(name: &str) -> usize {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok()).unwrap_or_default() * 1024
}
