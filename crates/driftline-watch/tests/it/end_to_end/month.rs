//! A month of a large site with everything that monitors get wrong: clocks, counters, advertisements, experiments, random
//! identifiers, outages, a redesign and its end; and thirty real changes, ten of which change only a number.
//!
//! Watches have the usual settings, and a schedule. A plain run watches 60 pages every 12 hours, `DRIFTLINE_KILLS=all` 200
//! pages every 6 hours. `DRIFTLINE_PAGES` and `DRIFTLINE_HOURS` choose something else, `DRIFTLINE_SEED` another month.

use driftline::event::{Event, Kind};
use driftline::time::Time;
use driftline_demo::island::{Alert, Change, DAY, HOUR, Island, LENGTH, Month, OUTAGES, Score};
use driftline_report::message::{self, Templates};
use driftline_report::summary::Markup;
use driftline_watch::clock::{Clock as _, ManualClock};

use super::stage::{START, Stage};

/// The seed of the month, unless `DRIFTLINE_SEED` says another one.
const SEED: u64 = 7;
/// The most messages that report neither a planted change nor an outage or a design, however many pages there are. The goal is
/// five; the most that was measured is six, on 200 pages.
const MOST_OTHERS: usize = 6;

/// How much is watched.
struct Extent {
    pages: usize,
    hours: u64,
    seed: u64,
}

impl Extent {
    fn read() -> Self {
        let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
        let is_all = std::env::var("DRIFTLINE_KILLS").is_ok_and(|text| text == "all");
        let (pages, hours) = if is_all { (200, 6) } else { (60, 12) };
        Self {
            pages: usize::try_from(number("DRIFTLINE_PAGES").unwrap_or(pages)).unwrap(),
            hours: number("DRIFTLINE_HOURS").unwrap_or(hours),
            seed: number("DRIFTLINE_SEED").unwrap_or(SEED),
        }
    }
}

/// A message: what it says, and the kinds of its events.
struct Message {
    alert: Alert,
    kinds: Vec<Kind>,
}

impl Message {
    fn read(message: &serde_json::Value, origin: &str) -> Self {
        let events: Vec<Event> = serde_json::from_value(message["events"].clone()).unwrap();
        let path = |url: &str| url.strip_prefix(origin).unwrap_or(url).to_owned();
        let paths = events.iter().flat_map(|event| {
            let pages = event.pages.iter().map(|page| path(&page.url));
            std::iter::once(path(&event.url)).chain(pages)
        });
        let message = message::compose(&events, &Markup::PLAIN, &Templates::default());
        let alert = Alert {
            second: events.iter().map(|event| second(event.at)).min().unwrap_or_default(),
            paths: paths.collect(),
            text: format!("{}\n{}", message.subject, message.text),
        };
        Self { alert, kinds: events.iter().map(|event| event.kind).collect() }
    }

    fn is_of(&self, kinds: &[Kind]) -> bool {
        self.kinds.iter().all(|kind| kinds.contains(kind))
    }
}

/// Seconds since the start of the month.
fn second(time: Time) -> u64 {
    (time.microseconds() / 1_000_000 - START).unsigned_abs()
}

fn time(second: u64) -> Time {
    Time::from_microseconds((START + second.cast_signed()) * 1_000_000)
}

/// The island, watched.
fn stage(extent: &Extent) -> Stage<Island> {
    let clock = ManualClock::new(time(0));
    let hands = clock.clone();
    let island = Island::start(Month::new(extent.pages, extent.seed), move || second(hands.now())).unwrap();
    let watch = |path: &str| format!("[[watch]]\nurl = '{}'\n", island.url(path));
    let watches: String = island.month().paths().map(watch).collect();
    // An outage without answers takes real time: each request as long as this.
    let fetch = "fetch = { first-byte-timeout = '1s' }";
    let watches = format!("[defaults]\nschedule = '{}h'\n{fetch}\n{watches}", extent.hours);
    Stage::raise(island, &watches, clock, "")
}

/// Lets the month pass. All messages.
fn play(stage: &Stage<Island>) -> Vec<Message> {
    let mut moments: Vec<u64> = OUTAGES.iter().flat_map(|outage| [outage.from, outage.to]).collect();
    moments.extend((0..=LENGTH / DAY).map(|day| day * DAY));
    moments.sort_unstable();
    let origin = stage.site.url("");
    let mut messages = Vec::new();
    for moment in moments {
        stage.clock.go_to(time(moment));
        stage.site.go_to(moment).unwrap();
        messages.extend(stage.receiver.take_json().iter().map(|message| Message::read(message, &origin)));
    }
    messages
}

/// Changes, one per line.
fn list(name: &str, changes: &[&Change]) -> String {
    let line = |change: &&Change| format!("{name}: {} on {} (hour {})\n", change.what, change.path(), change.at / HOUR);
    changes.iter().map(line).collect()
}

#[test]
fn every_change_of_a_month_is_reported_at_the_first_check() {
    let extent = Extent::read();
    let stage = stage(&extent);
    let messages = play(&stage);
    let alerts: Vec<Alert> = messages.iter().map(|message| message.alert.clone()).collect();
    let score = Score::of(stage.site.month(), &alerts, &stage.site.first_served());
    let Extent { pages, hours, seed } = extent;
    println!("{pages} pages every {hours} h, {} requests, seed {seed}: {score}", stage.site.visits());
    print!("{}{}", list("later", &score.late), list("missed", &score.missed));
    let others: Vec<&Message> = messages.iter().filter(|message| score.other.contains(&message.alert)).collect();
    for Message { alert, kinds } in &others {
        let first = alert.text.lines().next().unwrap_or_default();
        println!("other: hour {}, {kinds:?}, {:?}: {first}", alert.second / HOUR, alert.paths.first());
    }
    let (outages, designs) = ([Kind::CheckFailing, Kind::CheckRecovered], [Kind::Redesigned, Kind::DesignRestored]);
    let count = |kinds: &[Kind]| others.iter().filter(|message| message.is_of(kinds)).count();
    let site = count(&outages) + count(&designs);
    println!(
        "others: {} about outages, {} about designs, {} more",
        count(&outages),
        count(&designs),
        others.len() - site
    );
    let lost: Vec<_> = score.late.iter().chain(&score.missed).map(|change| change.what).collect();
    assert_eq!(lost, Vec::<&str>::new());
    assert!(count(&outages) <= 2 * OUTAGES.len() && count(&designs) <= 2);
    assert!(others.len() - site <= MOST_OTHERS);
}
