//! What small hostile inputs cost: bytes in, work, peak memory, each with a limit.
//!
//! Work is counted, not timed: the steps that the library counts (those that its limits count) and the allocations, so
//! that a loaded machine fails nothing. `cargo test -p driftline-watch --test cost -- --nocapture` prints the table,
//! with seconds for people.

mod bombs;
mod checks;
mod zip;

use std::path::Path;

use bombs::Versions;
use checks::Check;
use driftline::Limit;
use driftline::change::Sides;
use driftline::compare::Comparer;
use driftline::feed::{self, Feed};
use driftline::page::zone::{Selector, Zones};
use driftline::page::{Page, ReadOptions, Source};
use driftline_archive::http::Response;
use driftline_archive::import::Kept;
use driftline_archive::import::changedetection::Backup;
use driftline_archive::wacz::Wacz;
use driftline_graph::tables::{Table, TableError};
use driftline_report::view::{self, Comparison};
use driftline_testkit::allocations::{Counting, count, peak};
use driftline_watch::watches::import::{Format, Imported};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What an answer is, and what it cost.
#[derive(Debug, Default)]
struct Answer {
    /// The steps that the library counted.
    steps: u64,
    /// What cut it short, or why there is none.
    named: Vec<String>,
}

/// The most that a row may cost.
struct Most {
    steps: u64,
    allocations: u64,
    megabytes: u64,
}

struct Row {
    name: &'static str,
    bytes: usize,
    answer: Box<dyn FnOnce() -> Answer>,
    most: Most,
    /// Part of what cut the answer short; empty if nothing may.
    named: &'static str,
}

fn row(
    name: &'static str,
    bytes: usize,
    answer: impl FnOnce() -> Answer + 'static,
    (steps, allocations, megabytes): (u64, u64, u64),
    named: &'static str,
) -> Row {
    Row { name, bytes, answer: Box::new(answer), most: Most { steps, allocations, megabytes }, named }
}

/// A check of a page: both versions are read and compared, and the change is written as JSON.
fn page(name: &'static str, versions: Versions, kind: &'static str, most: (u64, u64, u64), named: &'static str) -> Row {
    zone(name, versions, kind, "", most, named)
}

/// The same of a part of the page.
fn zone(
    name: &'static str,
    versions: Versions,
    kind: &'static str,
    selector: &'static str,
    most: (u64, u64, u64),
    named: &'static str,
) -> Row {
    let include = Some(selector).filter(|text| !text.is_empty()).map(|text| Selector::parse(text).unwrap());
    let read_options = ReadOptions {
        zones: Zones { include: include.into_iter().collect(), ignore: vec![] },
        ..ReadOptions::default()
    };
    let bytes = versions[0].len();
    row(name, bytes, move || check(&versions, kind, &read_options), most, named)
}

fn check(versions: &Versions, kind: &str, read_options: &ReadOptions) -> Answer {
    let [older, newer] = versions.each_ref().map(|bytes| {
        let source = Source { content_type: Some(kind), ..Source::from(bytes.as_slice()) };
        Page::read(source, read_options)
    });
    let mut comparer = Comparer::default();
    let change = comparer.compare(&older, &newer);
    let pages = Sides { older: &older, newer: &newer };
    let comparison = Comparison { names: Sides { older: "old", newer: "new" }, pages, change: &change };
    serde_json::to_writer_pretty(std::io::sink(), &view::json(&comparison)).unwrap();
    Answer { steps: older.work() + newer.work() + comparer.work(), named: named(&change.measurement.limits) }
}

fn named(limits: &[Limit]) -> Vec<String> {
    limits.iter().map(|limit| limit.name().to_owned()).collect()
}

fn check_feed(versions: &Versions) -> Answer {
    let read_options = ReadOptions::default();
    let [older, newer] = versions.each_ref().map(|bytes| Feed::read(bytes.as_slice(), &read_options));
    assert!(!older.items.is_empty());
    let mut comparer = Comparer::default();
    let change = feed::compare::compare(&older, &newer, &read_options, &mut comparer);
    Answer { steps: comparer.work(), named: named(&change.limits) }
}

/// Reads a page from the answer of a server.
fn read_answer(bytes: &[u8]) -> Answer {
    let response = Response::parse(bytes, 64 << 20).unwrap();
    let source = Source { content_type: Some(HTML), ..Source::from(response.body.as_slice()) };
    let page = Page::read(source, &ReadOptions::default());
    Answer { steps: page.work(), named: response.is_cut.then(|| "cut".to_owned()).into_iter().collect() }
}

fn open_wacz(bytes: &[u8]) -> Answer {
    let refused = Wacz::read(std::io::Cursor::new(bytes), Path::new("bomb.wacz")).unwrap_err();
    Answer { steps: 0, named: vec![refused.to_string()] }
}

fn read_backup(bytes: Vec<u8>) -> Answer {
    let mut answer = Answer::default();
    let backup = Backup::from_zip(Path::new("bomb.zip"), Box::new(std::io::Cursor::new(bytes))).unwrap();
    let read = backup.read(&mut |kept| {
        answer.steps += 1;
        if let Kept::Skipped(skip) = kept {
            answer.named.push(skip.detail);
        }
        Ok(())
    });
    read.unwrap();
    answer
}

fn read_jobs(bytes: &[u8], watches: usize) -> Answer {
    match Imported::parse(bytes, Format::Urlwatch) {
        Ok(imported) => {
            assert_eq!(imported.watches.len(), watches);
            Answer { steps: watches as u64, named: Vec::new() }
        }
        Err(refused) => Answer { steps: 0, named: vec![refused.to_string()] },
    }
}

fn read_table(bytes: &[u8]) -> Answer {
    let mut answer = Answer::default();
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    let table = Table::open(file.path(), None).unwrap();
    let read = table.read::<TableError>(&|_| (), |_| {
        answer.steps += 1;
        Ok(())
    });
    answer.named.push(read.unwrap_err().to_string());
    answer
}

/// A whole check of the newer version, after one of the older version.
fn whole(
    name: &'static str,
    versions: Versions,
    kind: &'static str,
    most: (u64, u64, u64),
    named: &'static str,
) -> Row {
    let [older, newer] = versions;
    answers(name, (older, vec![newer]), kind, most, named)
}

/// The same of a server that answers each request otherwise.
fn answers(
    name: &'static str,
    (older, newer): (Vec<u8>, Vec<Vec<u8>>),
    kind: &'static str,
    most: (u64, u64, u64),
    named: &'static str,
) -> Row {
    let bytes = older.len();
    let check = Check::new(older, newer, kind);
    row(name, bytes, move || check.run(), most, named)
}

/// A first check, after a text of the page was imported.
fn first(name: &'static str, versions: Versions, most: (u64, u64, u64)) -> Row {
    let bytes = versions[0].len() + versions[1].len();
    let check = Check::after_text(versions, HTML);
    row(name, bytes, move || check.run(), most, "")
}

const HTML: &str = "text/html; charset=utf-8";
const XML: &str = "application/xml";
const RSS: &str = "application/rss+xml";
const JSON: &str = "application/json";

/// Pages, and parts of them.
fn pages() -> Vec<Row> {
    let classes: String = (0..1_500).map(|number| format!(".c{number},")).collect();
    let classes: &str = Box::leak(format!(":is({})", classes.trim_end_matches(',')).into_boxed_str());
    let universal: &str = Box::leak(format!(":is({}b)", ":not(*),".repeat(1_200)).into_boxed_str());
    vec![
        page("JSON 127 deep", bombs::deep_json(), JSON, (1_300_000_000, 10_500_000, 290), "paths"),
        page("JSON of small objects", bombs::json_of_objects(), JSON, (1_100_000_000, 3_600_000, 130), ""),
        page("NUL", bombs::nuls(), HTML, (1_000, 1_000, 60), ""),
        page("NUL in title, attribute, drawing", bombs::nuls_in_places(), HTML, (5_000_000, 2_000, 160), ""),
        page("<<<", bombs::brackets(), HTML, (36_000_000, 14_000_000, 90), "tokens"),
        page("1,024 attributes", bombs::attributes(), HTML, (7_000_000, 20_000, 15), ""),
        page("end tags of nothing", bombs::end_tags(), HTML, (34_000_000, 8_000, 6), ""),
        page("nested elements", bombs::nested_elements(), HTML, (34_000_000, 10_000, 8), "depth"),
        page("misnested elements", bombs::misnested_elements(), HTML, (700_000, 2_000, 45), ""),
        page("text in tables", bombs::foster_parents(), HTML, (800_000, 400_000, 40), ""),
        page("words of one letter", bombs::short_words(), HTML, (3_200_000_000, 8_000_000, 200), "alignment"),
        page("entities of entities", bombs::laughs(), XML, (1_000, 2_000, 2), ""),
        zone(":has(~ b)", bombs::siblings(), HTML, ":has(~ b)", (102_000_000, 2_000, 15), "selectors"),
        zone(":has(+ b)", bombs::siblings(), HTML, ":has(+ b)", (2_500_000, 2_000, 15), "zone"),
        zone("i ~ i ~ b", bombs::siblings(), HTML, "i ~ i ~ b", (300_000, 2_000, 15), "zone"),
        zone("1,500 classes", bombs::siblings(), HTML, classes, (102_000_000, 2_000, 15), "selectors"),
        zone("1,200 times :not(*)", bombs::siblings(), HTML, universal, (102_000_000, 2_000, 15), "selectors"),
    ]
}

/// The most that a check of a page of 500,000 words with nothing in common may cost: two comparisons.
const LETTERS: (u64, u64, u64) = (6_500_000_000, 1_600_000, 210);

/// Whole checks.
fn checks() -> Vec<Row> {
    vec![
        whole("check: JSON 127 deep", bombs::deep_json(), JSON, (2_600_000_000, 1_400_000, 300), "paths"),
        whole("check: words of one letter", bombs::short_words(), HTML, LETTERS, "refetches"),
        answers("check: other words each time", bombs::other_words(), HTML, LETTERS, "refetches"),
        whole("check: another design", bombs::rebuilt_words(500_000), HTML, LETTERS, "leftover"),
        whole("check: shorter", bombs::rebuilt_words(130_000), HTML, (1_700_000_000, 1_200_000, 125), ""),
        whole("check: items alike", bombs::alike_items(), RSS, (330_000_000, 4_000_000, 150), "resemblance"),
        first("check: a text between two words", bombs::words_between(), (2_500_000, 4_000_000, 130)),
    ]
}

/// Everything else.
fn others() -> Vec<Row> {
    let (feed, answer, wacz) = (bombs::alike_items(), bombs::packed_twice(), bombs::overlapping_wacz());
    let (backup, jobs, yaml) = (bombs::endless_history(), bombs::same_jobs(), bombs::nested_yaml());
    let (parquet, tsv) = (bombs::parquet_of_one_row(), bombs::packed_rows());
    vec![
        row("items alike", feed[0].len(), move || check_feed(&feed), (270_000_000, 2_600_000, 100), "resemblance"),
        row("NUL packed twice", answer.len(), move || read_answer(&answer), (1_000, 500, 90), "cut"),
        row("WACZ of one stream", wacz.len(), move || open_wacz(&wacz), (0, 10_000, 3), "overlap"),
        row(
            "history of one line",
            backup.len(),
            move || read_backup(backup),
            (20_100, 450_000, 120),
            "more than 20016 lines",
        ),
        row("one job 16,000 times", jobs.len(), move || read_jobs(&jobs, 16_000), (16_000, 720_000, 25), ""),
        row("Parquet of one row", parquet.len(), move || read_table(&parquet), (0, 5_000, 1), "rows, too much"),
        row("gzip of one row", tsv.len(), move || read_table(&tsv), (1_160_000, 1_200_000, 2), "rows, too much"),
        row("YAML in YAML", yaml.len(), move || read_jobs(&yaml, 0), (0, 100, 2), "too many brackets"),
    ]
}

/// The time that this thread computed, for people; zero where the system does not tell.
fn cpu_seconds() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    told.split(' ')
        .next()
        .and_then(|nanoseconds| nanoseconds.parse().ok())
        .map_or(0.0, |nanoseconds: f64| nanoseconds / 1e9)
}

#[test]
fn no_small_input_costs_more_than_its_limits() {
    let mut failures = Vec::new();
    println!("| input | bytes | steps | allocations | peak, MB | seconds | named |\n|---|---|---|---|---|---|---|");
    for Row { name, bytes, answer, most, named } in pages().into_iter().chain(checks()).chain(others()) {
        let (mut got, mut allocations) = (Answer::default(), 0);
        let start = cpu_seconds();
        let peak = peak(|| allocations = count(|| got = answer()));
        let seconds = cpu_seconds() - start;
        let (steps, megabytes) = (got.steps, peak.div_ceil(1_000_000));
        let said = got.named.join(", ");
        println!("| {name} | {bytes} | {steps} | {allocations} | {megabytes} | {seconds:.1} | {said:.60} |");
        let is_named = if named.is_empty() { said.is_empty() } else { said.contains(named) };
        let is_within = steps <= most.steps && allocations <= most.allocations && megabytes <= most.megabytes;
        if !is_named || !is_within {
            failures.push(name);
        }
    }
    assert!(failures.is_empty(), "over a limit, or not named: {failures:?}");
}
