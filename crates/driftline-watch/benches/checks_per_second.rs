//! How many checks a second, and where does the time go?
//!
//! `cargo bench -p driftline-watch --bench checks_per_second -- [PAGES] [ROUND]`. This program starts itself as a page server, so
//! that the server's time is not counted, and checks all pages in rounds: for the first time, changed, unchanged, and
//! unchanged where the server says so (304). Each round is a plain loop over [`check_once`] in a few threads, as the
//! daemon's workers do it. Beside that, its parts alone: fetches, and records of unchanged checks. With the name of a round
//! (`changed`, `unchanged`, `304`, `fetches`, `records`) only that one is made, behind the first: for a profiler. `THREADS`
//! in the environment says how many check at a time, if not 64 as in the daemon.
//!
//! `… -- --serve PAGES` only serves: it prints the beginning of the pages' addresses, and obeys lines of its input
//! (`change`, `etags on`, `etags off`, `counts`) until that ends. `scripts/bench/watch` uses it to compare whole programs.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use driftline::span::Span;
use driftline::time::Time;
use driftline_archive::Archive;
use driftline_catalog::{Record, WatchState};
use driftline_fetch::{FetchDefaults, How, HttpFetcher, Request};
use driftline_testkit::fast_pages::FastPages;
use driftline_watch::check::{Context, Doubt, Patience, Pause, check_once};
use driftline_watch::clock::{Clock, SystemClock};
use driftline_watch::ledger::Recorder;
use driftline_watch::schedule::plan::{Pacing, Plan};
use driftline_watch::site::Sites;
use driftline_watch::watches::{Settings, Watch};

const ROUNDS: usize = 3;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let number = |text: Option<&String>| text.map_or(1_000, |text| text.parse().expect("a number of pages"));
    if arguments.first().is_some_and(|first| first == "--serve") {
        serve(number(arguments.get(1)));
    } else {
        measure(number(arguments.first()), arguments.get(1).map(String::as_str));
    }
}

/// The page server, alone in its process.
fn serve(pages: usize) {
    let server = FastPages::start(pages, 1);
    let base = server.url(0);
    say(base.trim_end_matches('0'));
    for line in std::io::stdin().lines().map_while(Result::ok) {
        match line.as_str() {
            "change" => server.change(),
            "etags on" => server.set_etags(true),
            "etags off" => server.set_etags(false),
            "counts" => {}
            other => panic!("`{other}` is no order"),
        }
        let (hits, same) = if line == "counts" { server.take_counts() } else { (0, 0) };
        say(&format!("{hits} {same}"));
    }
}

fn say(line: &str) {
    let mut output = std::io::stdout().lock();
    writeln!(output, "{line}").and_then(|()| output.flush()).expect("somebody listens");
}

/// The page server, seen from outside.
struct Pages {
    process: Child,
    orders: ChildStdin,
    answers: BufReader<ChildStdout>,
    base: String,
}

impl Pages {
    fn start(pages: usize) -> Self {
        let own = std::env::current_exe().expect("a program knows where it is");
        let mut command = Command::new(own);
        command.args(["--serve", &pages.to_string()]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().expect("this program starts");
        let orders = process.stdin.take().expect("it is piped");
        let mut answers = BufReader::new(process.stdout.take().expect("it is piped"));
        let mut base = String::new();
        answers.read_line(&mut base).expect("it says where it is");
        Self { process, orders, answers, base: base.trim().to_owned() }
    }

    fn tell(&mut self, order: &str) {
        writeln!(self.orders, "{order}").expect("it listens");
        self.answers.read_line(&mut String::new()).expect("it answers");
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn measure(count: usize, only: Option<&str>) {
    let is_wanted = |round: &str| only.is_none_or(|only| only == round);
    let mut pages = Pages::start(count);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let context = context(folder.path());
    let how = How { ignore_robots: true, ..How::default() };
    let settings = Arc::new(Settings { fetch: how.clone(), hold: Some(Span::default()), ..Settings::default() });
    let watch = |number: usize| Watch {
        id: format!("page-{number}").into(),
        url: format!("{}{number}", pages.base).into(),
        name: None,
        settings: Arc::clone(&settings),
    };
    let watches: Vec<Watch> = (0..count).map(watch).collect();
    println!(
        "{count} pages of a thousand words, {} threads; a second, CPU ms each, best of {ROUNDS} rounds",
        threads()
    );
    let check = |watch: &Watch| drop(check_once(watch, &context, SystemClock.now()).expect("a check"));
    report("first check", rounds(1, &watches, || {}, check));
    if is_wanted("changed") {
        report("changed", rounds(ROUNDS, &watches, || pages.tell("change"), check));
    }
    if is_wanted("unchanged") {
        report("unchanged", rounds(ROUNDS, &watches, || {}, check));
    }
    if is_wanted("304") {
        pages.tell("etags on");
        rounds(1, &watches, || {}, check);
        report("unchanged, 304", rounds(ROUNDS, &watches, || {}, check));
        pages.tell("etags off");
    }
    if is_wanted("fetches") {
        let fetch = |watch: &Watch| {
            let request = Request { url: &watch.url, home: None, how: &how, validators: None, at: SystemClock.now() };
            drop(context.fetch.fetch(&request).expect("a page"));
        };
        report("fetches alone", rounds(ROUNDS, &watches, || {}, fetch));
    }
    if is_wanted("records") {
        let record = |watch: &Watch| context.recorder.record(unchanged(&context.archive, watch)).expect("a record");
        report("records alone", rounds(ROUNDS, &watches, || {}, record));
    }
    println!("resident memory at its peak: {} MB", peak_memory());
}

fn context(folder: &std::path::Path) -> Context {
    let archive = Arc::new(Archive::open_at(folder).expect("an archive"));
    let defaults = FetchDefaults { allow: vec!["127.0.0.1".to_owned()], ..FetchDefaults::default() };
    Context {
        recorder: Recorder::start(Arc::clone(&archive)).expect("a thread"),
        archive,
        fetch: Arc::new(HttpFetcher::new(&defaults).expect("pages can be fetched")),
        plan: Arc::new(Plan::new(Pacing::default())),
        sites: Arc::new(Sites::default()),
        hold: Span::default(),
        has_company: Arc::new(|_| false),
        patience: Patience::default(),
        doubt: Doubt::until(SystemClock.now()),
        memory: Arc::default(),
        pause: Pause { delay: Span::default(), wait: Arc::new(|_| true) },
    }
}

/// What an unchanged check leaves behind: the row of the watch as it is, and a state.
fn unchanged(archive: &Archive, watch: &Watch) -> Record {
    let row = archive.catalog().watch(&watch.id).expect("a catalog").expect("it was checked");
    let state = WatchState {
        next: None,
        checked: Some(Time::from_microseconds(1)),
        body: serde_json::json!({}),
        ..WatchState::default()
    };
    Record { watch: row, state, change: None, events: Vec::new(), stream: None, members: None }
}

/// So many check at a time.
fn threads() -> usize {
    std::env::var("THREADS").map_or(64, |text| text.parse().expect("a number of threads"))
}

/// The best round: how many a second, and CPU milliseconds each.
fn rounds(count: usize, watches: &[Watch], mut before: impl FnMut(), work: impl Fn(&Watch) + Sync) -> (f64, f64) {
    let mut best = (0.0_f64, f64::MAX);
    for _ in 0..count {
        before();
        let (start, cpu, next) = (Instant::now(), cpu_seconds(), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..threads() {
                scope.spawn(|| {
                    while let Some(watch) = watches.get(next.fetch_add(1, Ordering::Relaxed)) {
                        work(watch);
                    }
                });
            }
        });
        let all = watches.len() as f64;
        best = (best.0.max(all / start.elapsed().as_secs_f64()), best.1.min(1e3 * (cpu_seconds() - cpu) / all));
    }
    best
}

fn report(name: &str, (rate, cpu): (f64, f64)) {
    println!("{name:<20} {rate:>10.0} {cpu:>8.3}");
}

/// CPU seconds of this process, by the kernel's count of hundredths.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<f64> =
        stat.rsplit(')').next().unwrap_or("").split_whitespace().map(|field| field.parse().unwrap_or(0.0)).collect();
    (fields.get(11).unwrap_or(&0.0) + fields.get(12).unwrap_or(&0.0)) / 100.0
}

/// In MB.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.and_then(|text| text.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or(0) / 1_000
}
