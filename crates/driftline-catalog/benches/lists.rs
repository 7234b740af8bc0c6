//! How long a page of a list takes with 100,000 watches, 1,000,000 captures and 300,000 events: 95 of 100 pages within 10 ms on
//! SQLite and 25 ms on PostgreSQL are the goals.
//!
//! `cargo bench -p driftline-catalog --bench lists [-- SHARE]`; a share of 10 has a tenth of everything. Each row asks for pages
//! of 50, first ones and later ones, with values that are common and rare. Printed are median and 95th percentile, in
//! milliseconds, and how many pages were asked for.

use std::time::Instant;

use driftline_catalog::{
    Batch, CaptureKind, Catalog, Cursor, EventFilter, NewCapture, NewEvent, Place, Record, Time, Watch, WatchFilter,
    WatchSort, WatchState, WatchStatus, surt,
};
use fastrand::Rng;
use serde_json::json;
use sqlx::Connection;

const WATCHES: u64 = 100_000;
const CAPTURES: u64 = 1_000_000;
const EVENTS: u64 = 300_000;
const ON_A_PAGE: u32 = 50;
const ROUNDS: usize = 400;
/// The beginning of 2024, and a minute, in microseconds.
const BEGIN: i64 = 1_704_067_200_000_000;
const MINUTE: i64 = 60_000_000;
/// Words of titles, the common ones first.
const WORDS: [&str; 12] =
    ["news", "price", "hours", "library", "council", "minutes", "harbour", "tariff", "recall", "tender", "zoo", "quay"];
const KINDS: [&str; 5] = ["changed", "item-added", "page-gone", "check-failing", "redesigned"];

/// How many there are of everything.
struct Size {
    watches: u64,
    captures: u64,
    events: u64,
}

fn main() {
    let share = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(1_u64);
    let size = Size { watches: WATCHES / share, captures: CAPTURES / share, events: EVENTS / share };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("catalog.db");
    run("SQLite", &file.clone().into(), &format!("sqlite://{}", file.display()), &size);
    let server = driftline_testkit::postgres::database();
    run("PostgreSQL", &Place::parse(&server).expect("the address of a database"), &server, &size);
}

fn run(name: &str, place: &Place, url: &str, size: &Size) {
    let catalog = Catalog::open(place.clone()).expect("a new catalog");
    let start = Instant::now();
    fill(&catalog, size);
    analyse(url);
    println!(
        "{name}: {} watches, {} captures, {} events in {} s",
        size.watches,
        size.captures,
        size.events,
        start.elapsed().as_secs()
    );
    measure(&catalog, size);
}

/// What a server does by itself after a while.
fn analyse(url: &str) {
    sqlx::any::install_default_drivers();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let mut connection = sqlx::AnyConnection::connect(url).await.expect("the database");
        if url.starts_with("postgres") {
            sqlx::raw_sql("VACUUM ANALYZE").execute(&mut connection).await.expect("statistics");
        }
    });
}

/// Few values are common and many are rare.
#[expect(clippy::cast_sign_loss, reason = "a share is from 0 to 1")]
fn skewed(random: &mut Rng, most: u64) -> u64 {
    let share = random.f64();
    ((share * share * share) * most as f64) as u64
}

fn url(number: u64, size: &Size) -> String {
    // A tenth of the watches are of one site.
    let site = if number.is_multiple_of(10) { 0 } else { number % (size.watches / 50).max(1) };
    format!("https://site-{site}.example/page/{number}")
}

fn uuid(number: u64) -> String {
    format!("{number:08x}-bench")
}

fn at(minutes: u64) -> Time {
    Time::from_microseconds(BEGIN + minutes.cast_signed() * MINUTE)
}

fn fill(catalog: &Catalog, size: &Size) {
    let mut random = Rng::with_seed(7);
    let watches: Vec<Watch> = (0..size.watches).map(|number| watch(&mut random, number, size)).collect();
    catalog.sync_watches(watches.iter().cloned(), at(0)).expect("watches");
    for (number, some) in watches.chunks(1_000).enumerate() {
        let records: Vec<Record> = some.iter().map(|watch| record(&mut random, watch)).collect();
        catalog.record(&records).unwrap_or_else(|error| panic!("records {number}: {error}"));
    }
    for first in (0..size.captures).step_by(1_000) {
        let captures = (first..first + 1_000).map(|number| capture(number, size)).collect();
        let batch = Batch { segment: format!("{first}.warc.gz"), segment_end: 1 << 30, captures, imported: None };
        catalog.add(&[batch]).expect("captures");
    }
    for first in (0..size.events).step_by(1_000) {
        let mut events: Vec<NewEvent> =
            (first..first + 1_000).map(|number| event(&mut random, number, &watches)).collect();
        let watch = watches[0].clone();
        let events = std::mem::take(&mut events);
        let state = WatchState { checked: Some(at(1)), body: json!({}), ..WatchState::default() };
        let record = Record { watch, state, change: None, events, stream: None, members: None };
        catalog.record(&[record]).expect("events");
    }
    let read: Vec<i64> = (1..size.events.cast_signed()).filter(|id| id % 20 != 0).collect();
    read.chunks(10_000).for_each(|ids| catalog.mark_read(ids, Some(at(1))).expect("marks"));
}

fn watch(random: &mut Rng, number: u64, size: &Size) -> Watch {
    let mut word = || WORDS[skewed(random, WORDS.len() as u64) as usize];
    let title = format!("{} {} {number}", word(), word());
    let url = url(number, size);
    Watch {
        uuid: uuid(number),
        site: url.split('/').nth(2).unwrap_or_default().to_owned(),
        url,
        title,
        tags: vec![format!("tag-{}", skewed(random, 200)), format!("own-{}", number % 5_000)],
        settings: json!({ "kind": "page" }),
        created: at(0),
        kind: if number.is_multiple_of(20) { "feed" } else { "page" }.to_owned(),
        list: None,
        is_paused: number % 100 == 1,
    }
}

fn record(random: &mut Rng, watch: &Watch) -> Record {
    let failing = (random.u8(..) < 5).then(|| at(random.u64(..100_000)));
    let state = WatchState {
        next: Some(at(200_000)),
        checked: Some(at(199_000)),
        version_at: Some(at(random.u64(..199_000))),
        failing_since: failing,
        absent_since: (random.u8(..) < 2).then(|| at(7)),
        body: json!({ "format": 2, "title": watch.title }),
    };
    Record { watch: watch.clone(), state, change: None, events: Vec::new(), stream: None, members: None }
}

fn capture(number: u64, size: &Size) -> NewCapture {
    let url = url(number % size.watches, size);
    NewCapture {
        key: surt::key(&url),
        url,
        at: at(number),
        kind: CaptureKind::Response,
        status: Some(200),
        mime: Some("text/html".to_owned()),
        digest: Some(format!("sha1:{}", number / 3)),
        payload_length: Some(10_000),
        redirect: None,
        record_id: Some(format!("urn:uuid:{number}")),
        refers_to: None,
        origin: None,
        body_digest: None,
        offset: number % 1_000 * 3_000,
        length: 3_000,
    }
}

fn event(random: &mut Rng, number: u64, watches: &[Watch]) -> NewEvent {
    let watch = &watches[skewed(random, watches.len() as u64) as usize];
    let importance = random.f64().powi(3);
    NewEvent {
        key: format!("{number:032x}"),
        at: at(number),
        kind: KINDS[skewed(random, KINDS.len() as u64) as usize].to_owned(),
        url: watch.url.clone(),
        site: watch.site.clone(),
        watch: Some(watch.uuid.clone()),
        tags: watch.tags.clone(),
        capture: None,
        older: None,
        reading: String::new(),
        importance,
        release: None,
        body: json!({ "summary": format!("{} → {number} EUR", number / 2), "importance": importance, "why": "x".repeat(500) }),
    }
}

/// Values of which some are common and some are rare.
fn measure(catalog: &Catalog, size: &Size) {
    let mut random = Rng::with_seed(11);
    let filter = WatchFilter::default;
    let states =
        [WatchStatus::Working, WatchStatus::Failing, WatchStatus::Absent, WatchStatus::Paused, WatchStatus::New];
    watches(catalog, "watches by last change", |_| filter());
    watches(catalog, "watches by tag", |random| WatchFilter { tag: Some(tag(random)), ..filter() });
    watches(catalog, "watches by site", |random| WatchFilter { site: Some(site(random, size)), ..filter() });
    watches(catalog, "watches by state", |random| WatchFilter { status: Some(states[random.usize(..5)]), ..filter() });
    watches(catalog, "watches by kind", |random| WatchFilter {
        kind: Some(["page", "feed"][random.usize(..2)].to_owned()),
        ..filter()
    });
    watches(catalog, "watches by text", |random| {
        let text = match random.u8(..3) {
            0 => WORDS[random.usize(..12)].to_owned(),
            1 => format!("{} {}", WORDS[random.usize(..12)], WORDS[random.usize(..12)]),
            _ => random.u64(..size.watches).to_string(),
        };
        WatchFilter { text: Some(text), ..filter() }
    });
    let all = EventFilter::default;
    events(catalog, "events", |_| all());
    events(catalog, "events by watch", |random| EventFilter {
        watch: Some(uuid(skewed(random, size.watches))),
        ..all()
    });
    events(catalog, "events by tag", |random| EventFilter { tag: Some(tag(random)), ..all() });
    events(catalog, "events by site", |random| EventFilter { site: Some(site(random, size)), ..all() });
    events(catalog, "events by kind", |random| EventFilter {
        kinds: vec![KINDS[random.usize(..KINDS.len())].to_owned()],
        ..all()
    });
    events(catalog, "events by importance", |random| EventFilter {
        importance: Some(0.5 + random.f64() * 0.45),
        ..all()
    });
    events(catalog, "events unread", |_| EventFilter { unread: true, ..all() });
    report(
        "versions by address",
        (0..ROUNDS).map(|_| {
            let url = url(random.u64(..size.watches), size);
            timed(|| catalog.versions_page(&url, None, ON_A_PAGE).expect("versions").items.len())
        }),
    );
}

fn tag(random: &mut Rng) -> String {
    if random.bool() { format!("tag-{}", random.u8(..200)) } else { format!("own-{}", random.u16(..5_000)) }
}

fn site(random: &mut Rng, size: &Size) -> String {
    let number = if random.u8(..) < 30 { 0 } else { random.u64(..(size.watches / 50).max(1)) };
    format!("site-{number}.example")
}

fn watches(catalog: &Catalog, name: &str, filter: impl Fn(&mut Rng) -> WatchFilter) {
    let mut random = Rng::with_seed(13);
    let mut after: Option<Cursor> = None;
    report(
        name,
        (0..ROUNDS).map(|round| {
            // Two pages of each list, by turns by name and by last change.
            let sort = if round % 4 < 2 { WatchSort::LastChange } else { WatchSort::Name };
            let mut next = None;
            let (filter, from) = (filter(&mut random), after.take());
            let done = timed(|| {
                let page = catalog.watches_page(&filter, sort, from.as_ref(), ON_A_PAGE).expect("watches");
                next = page.next;
                page.items.len()
            });
            after = next.filter(|_| round % 2 == 0);
            done
        }),
    );
}

fn events(catalog: &Catalog, name: &str, filter: impl Fn(&mut Rng) -> EventFilter) {
    let mut random = Rng::with_seed(13);
    let mut after: Option<Cursor> = None;
    report(
        name,
        (0..ROUNDS).map(|round| {
            let filter = EventFilter { limit: ON_A_PAGE, after: after.take(), ..filter(&mut random) };
            let mut next = None;
            let done = timed(|| {
                let page = catalog.events(&filter).expect("events");
                next = page.next;
                page.items.len()
            });
            after = next.filter(|_| round % 2 == 0);
            done
        }),
    );
}

fn timed(work: impl FnOnce() -> usize) -> (f64, usize) {
    let start = Instant::now();
    let rows = work();
    (start.elapsed().as_secs_f64() * 1e3, rows)
}

fn report(name: &str, taken: impl Iterator<Item = (f64, usize)>) {
    let (mut taken, rows): (Vec<f64>, Vec<usize>) = taken.unzip();
    taken.sort_by(f64::total_cmp);
    let at = |percent: usize| taken[(taken.len() - 1) * percent / 100];
    let full = rows.iter().filter(|rows| **rows == ON_A_PAGE as usize).count();
    println!("  {name:<24} {:>7.2} {:>7.2} ms, {} pages, {full} of them full", at(50), at(95), taken.len());
}
