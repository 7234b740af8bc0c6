//! `driftline watch check`, as cron runs it: what is found in a run is told in that run.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use driftline::time::Time;
use driftline_archive::Archive;
use driftline_archive::settings::{Secrets, Settings};
use driftline_fetch::HttpFetcher;
use driftline_testkit::receiver::Receiver;
use driftline_testkit::server::{Response, Server};
use driftline_watch::clock::{Bell, Clock as _, ManualClock};
use driftline_watch::daemon::{Daemon, Files, Options, Parts, Tally};
use driftline_watch::settings::WatchSettings;
use driftline_watch::tell::Teller;

use super::stage::Writer;

/// More than go to a target at once.
const PAGES: usize = 12;

/// What each page says first, and then: nothing that another one says.
const WORDS: [&str; 2 * PAGES] = [
    "amber", "basalt", "cedar", "dolphin", "ember", "falcon", "garnet", "heron", "indigo", "jasper", "kestrel",
    "lilac", "marble", "nettle", "otter", "pebble", "quartz", "raven", "saffron", "thistle", "umber", "violet",
    "walnut", "yarrow",
];

/// Pages that all change when the number does.
fn pages(version: &Arc<AtomicUsize>) -> Server {
    let version = Arc::clone(version);
    Server::start(move |request| {
        let number = request.path.strip_prefix("/page/").and_then(|number| number.parse::<usize>().ok());
        number.map_or(Response::status(404), |number| {
            let word = WORDS[number + PAGES * version.load(Ordering::SeqCst)];
            Response::html(format!("<h1>Page {number}</h1><p>Whoever asks here is told about {word}."))
        })
    })
}

/// Checks everything once. Time passes whenever somebody waits for it, an hour at most.
fn check(data: &Path, clock: &ManualClock) -> Tally {
    let settings = Settings::read(data, &Secrets::default()).unwrap();
    let watching = WatchSettings::read(&settings.watching, data).unwrap();
    let names = watching.target_names();
    let daemon = Daemon::new(Parts {
        archive: Arc::new(Archive::open(&settings.archive).unwrap()),
        fetch: Arc::new(HttpFetcher::new(&watching.fetch).unwrap()),
        options: Options::of(&watching.watch, &watching.fetch),
        teller: Arc::new(Teller::new(watching.targets, Arc::new(Writer), data).unwrap()),
        clock: Arc::new(clock.clone()),
        source: Box::new(Files::new(data.to_owned(), names)),
    });
    let daemon = daemon.unwrap();
    let (bell, is_over) = (Bell::default(), AtomicBool::new(false));
    let end = Time::from_microseconds(clock.now().microseconds() + 3_600_000_000);
    let tally = thread::scope(|scope| {
        scope.spawn(|| {
            clock.go_to(end);
            is_over.store(true, Ordering::SeqCst);
            bell.ring();
        });
        let tally = daemon.check(&|_| true, &mut |_| {}).unwrap();
        // The run is over; the rest of the hour passes without it.
        while !is_over.load(Ordering::SeqCst) {
            clock.wait(None, false, &bell);
        }
        tally
    });
    daemon.close();
    tally
}

#[test]
fn a_run_sends_all_its_messages_though_only_a_few_go_to_a_target_at_once() {
    let (version, receiver, data) = (Arc::default(), Receiver::start(), tempfile::tempdir().unwrap());
    let server = pages(&version);
    let settings = format!(
        "[fetch]\nallow = ['127.0.0.1']\n[targets.hook]\ntype = 'webhook'\nurl = '{}'\nmost-per-minute = 6\n",
        receiver.url()
    );
    std::fs::write(data.path().join("driftline.toml"), settings).unwrap();
    let watch = |number| format!("[[watch]]\nurl = '{}'\n", server.url(&format!("/page/{number}")));
    std::fs::create_dir(data.path().join("watches")).unwrap();
    std::fs::write(data.path().join("watches/all.toml"), (0..PAGES).map(watch).collect::<String>()).unwrap();
    let clock = ManualClock::new("2026-03-02T06:00:00Z".parse().unwrap());
    let first = check(data.path(), &clock);
    assert_eq!((first.checked, first.events.len(), first.told), (12, 0, 0));

    version.store(1, Ordering::SeqCst);
    let second = check(data.path(), &clock);
    assert_eq!((second.checked, second.events.len()), (12, 12), "{second:#?}");
    assert_eq!((second.told, second.untold), (12, 0));
    let messages = receiver.take_json();
    assert_eq!(messages.len(), 12);
    let about: BTreeSet<String> = messages.iter().map(|message| message["events"][0]["url"].to_string()).collect();
    assert_eq!(about.len(), 12);
    let sent: Vec<Time> = messages.iter().map(|message| message["sent"].as_str().unwrap().parse().unwrap()).collect();
    let seconds: Vec<u64> = sent.iter().map(|time| time.distance(sent[0]) / 1_000_000).collect();
    assert_eq!(seconds, [0, 0, 0, 0, 0, 10, 20, 30, 40, 50, 60, 70], "five at once, then one in ten seconds");
}
