//! How long does it take to find a capture among a million? Under 1 ms at the median is the goal.
//!
//! `cargo bench -p driftline-catalog --bench look_up [-- CAPTURES]`. Beside the catalog's answers stands a floor: one
//! row by its number, through the same driver. Printed are median and 99th percentile, for SQLite and for a
//! PostgreSQL of its own, and the size on disk for each capture.

use std::hint::black_box;
use std::time::{Duration, Instant};

use driftline_catalog::address::When;
use driftline_catalog::{Address, Batch, CaptureKind, Catalog, NewCapture, Place, Time, surt};
use fastrand::Rng;

const CAPTURES_OF_A_URL: u64 = 10;
const DAYS: i64 = 10;
const ROUNDS: usize = 5_000;
/// A day in microseconds: so far apart are the captures of an address.
const DAY: i64 = 86_400_000_000;
/// The beginning of 2020.
const BEGIN: i64 = 1_577_836_800_000_000;

fn main() {
    let count = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(1_000_000_u64);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("catalog.db");
    measure("SQLite", &file.clone().into(), count);
    let bytes = std::fs::metadata(&file).map_or(0, |metadata| metadata.len());
    println!("{:>12} {:.0} bytes on disk for each capture", "SQLite", bytes as f64 / count as f64);
    let server = Place::parse(&driftline_testkit::postgres::database()).expect("the address of a database");
    measure("PostgreSQL", &server, count);
}

fn measure(name: &str, place: &Place, count: u64) {
    let catalog = Catalog::open(place.clone()).expect("a new catalog");
    let start = Instant::now();
    fill(&catalog, count);
    println!("{name:>12} {:.0} captures a second added, by 1,000", count as f64 / start.elapsed().as_secs_f64());
    drop(catalog);
    let catalog = Catalog::open_to_read(place.clone()).expect("the same catalog");
    let mut random = Rng::with_seed(7);
    let urls = count / CAPTURES_OF_A_URL;
    let at = |random: &mut Rng| Time::from_microseconds(BEGIN + random.i64(0..DAYS * DAY));
    report(name, "floor: a row by its number", || {
        let id = random.i64(1..=signed(count));
        let start = Instant::now();
        black_box(catalog.capture(id).expect("an answer"));
        start.elapsed()
    });
    report(name, "find: URL@TIME", || {
        let address = Address { url: url(random.u64(0..urls)), when: When::Nearest(at(&mut random)) };
        let start = Instant::now();
        black_box(catalog.find(&address).expect("an answer").expect("a capture"));
        start.elapsed()
    });
    report(name, "list: captures_of(URL)", || {
        let url = url(random.u64(0..urls));
        let start = Instant::now();
        assert_eq!(black_box(catalog.captures_of(&url).expect("an answer")).len() as u64, CAPTURES_OF_A_URL);
        start.elapsed()
    });
    report(name, "versions_of(URL)", || {
        let url = url(random.u64(0..urls));
        let start = Instant::now();
        black_box(catalog.versions_of(&url).expect("an answer"));
        start.elapsed()
    });
}

fn report(name: &str, what: &str, mut once: impl FnMut() -> Duration) {
    for _ in 0..ROUNDS / 10 {
        once();
    }
    let mut times: Vec<Duration> = (0..ROUNDS).map(|_| once()).collect();
    times.sort_unstable();
    let micros = |share: usize| times[ROUNDS * share / 100].as_secs_f64() * 1e6;
    println!("{name:>12} {what:<28} median {:>7.0} µs   99 % {:>7.0} µs", micros(50), micros(99));
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).expect("a number of captures")
}

fn url(number: u64) -> String {
    format!("https://site-{}.example/section-{}/page-{number}.html", number % 997, number % 13)
}

/// Rounds of all addresses, one capture each, as repeated crawls bring them home.
fn fill(catalog: &Catalog, count: u64) {
    let urls = count / CAPTURES_OF_A_URL;
    for begin in (0..count).step_by(1_000) {
        let capture = |number: u64| capture(number % urls, number / urls, (number - begin) * 5_000);
        let captures = (begin..count.min(begin + 1_000)).map(capture).collect();
        let (segment, segment_end) = (format!("driftline-{begin:08}.warc.gz"), 5_000_000);
        catalog.add(&[Batch { segment, segment_end, captures, imported: None }]).expect("captures are added");
    }
}

fn capture(number: u64, round: u64, offset: u64) -> NewCapture {
    let url = url(number);
    NewCapture {
        key: surt::key(&url),
        at: Time::from_microseconds(BEGIN + signed(round) * DAY + signed(number)),
        kind: CaptureKind::Response,
        status: Some(200),
        mime: Some("text/html".to_owned()),
        // Every second capture brings something new.
        digest: Some(format!("sha1:{:032}", number * 100 + round / 2)),
        payload_length: Some(20_000),
        redirect: None,
        record_id: Some(format!("urn:uuid:00000000-0000-4000-8000-{:012}", number * 100 + round)),
        refers_to: None,
        origin: None,
        body_digest: None,
        offset,
        length: 5_000,
        url,
    }
}
