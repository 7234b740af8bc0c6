//! How long does the novelty of a whole crawl take, and how much memory? One phase in each process.
//!
//! `scripts/bench/novelty` makes the crawls (`evograph`, see there), runs this for each phase and scipy beside it:
//!
//! ```text
//! novelty_at_scale build PREFIX FOLDER BUDGET    both graphs of the last crawl, within so many bytes
//! novelty_at_scale exactly PREFIX FOLDER ROUNDS  classes, fold, and so many rounds at δ = 0.1
//! novelty_at_scale until PREFIX FOLDER DELTA     the same until the scores settle
//! ```
//!
//! Each prints one line of JSON: seconds of each step, CPU seconds, the peak of resident memory (mapped files
//! included), and what was counted. What takes the time is to unpack the in-links of pages that were not seen before,
//! for the third rule and then for the fold: only their lists are read, so most of the graph never is. The rounds go
//! over the links among unidentified pages, 40,000 of 20 M, and take a tenth of the whole. `exactly` leaves `FOLDER/scores`, an `f64` for each unidentified page.

#[path = "novelty_at_scale/crawl.rs"]
mod crawl;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use driftline::novelty::{Delta, Rounds};
use driftline_graph::novelty::{Classes, MEMORY, Measure, Scores, TOLERANCE};
use driftline_graph::snapshot::{Direction, Links, links};
use serde_json::{Value, json};

use crawl::Crawl;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    // `cargo bench` adds an argument of its own, and `cargo test --benches` runs this with none that is meant for it.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let [phase, prefix, folder, number] = arguments.as_slice() else {
        println!("nothing to do; see scripts/bench/novelty");
        return Ok(());
    };
    let (prefix, folder) = (Path::new(prefix), Path::new(folder));
    let mut report = match phase.as_str() {
        "build" => build(prefix, folder, number.parse()?)?,
        "exactly" => exactly(prefix, folder, number.parse()?)?,
        "until" => until(prefix, folder, number.parse()?)?,
        _ => return Err(format!("there is no phase `{phase}`").into()),
    };
    report.insert("phase", json!(phase));
    report.insert("cpu_seconds", json!(cpu_seconds()?));
    report.insert("peak_mb", json!(peak()? / 1024.0));
    println!("{}", json!(report));
    Ok(())
}

type Report = BTreeMap<&'static str, Value>;

fn build(prefix: &Path, folder: &Path, budget: usize) -> Result<Report, Failure> {
    let begin = Instant::now();
    let mut crawl = Crawl::open(prefix)?;
    let built = links::build(folder, crawl.nodes(), crawl.links(prefix)?, budget)?;
    crawl.keep_seen(folder)?;
    Ok(Report::from([
        ("seconds", json!(begin.elapsed().as_secs_f64())),
        ("nodes", json!(crawl.nodes())),
        ("crawled", json!(crawl.crawled())),
        ("links", json!(built.links)),
        ("in_bits_per_link", json!(built.in_bits_per_link)),
        ("out_bits_per_link", json!(built.out_bits_per_link)),
    ]))
}

fn prepare(prefix: &Path, folder: &Path) -> Result<(Measure, Report), Failure> {
    let crawl = Crawl::open_seen(prefix, folder)?;
    let links = Links::open(folder, Direction::In)?;
    let begin = Instant::now();
    let classes = Classes::judge(&links, |node| crawl.facts(node));
    let judged = begin.elapsed().as_secs_f64();
    let counts = classes.counts();
    let begin = Instant::now();
    let measure = Measure::prepare(&links, classes, MEMORY)?;
    let report = Report::from([
        ("classify_seconds", json!(judged)),
        ("fold_seconds", json!(begin.elapsed().as_secs_f64())),
        ("old", json!(counts.old)),
        ("seen_twice", json!(counts.seen_twice)),
        ("unidentified", json!(counts.unidentified)),
        ("compact_bytes", json!(measure.size())),
    ]);
    Ok((measure, report))
}

fn exactly(prefix: &Path, folder: &Path, rounds: u32) -> Result<Report, Failure> {
    let (measure, mut report) = prepare(prefix, folder)?;
    let scores = solve(&measure, Delta::PAPER, Rounds::Exactly(rounds), &mut report)?;
    let bytes: Vec<u8> = scores.unidentified().flat_map(|(.., score)| score.to_le_bytes()).collect();
    std::fs::write(folder.join("scores"), bytes)?;
    Ok(report)
}

fn until(prefix: &Path, folder: &Path, delta: f64) -> Result<Report, Failure> {
    let (measure, mut report) = prepare(prefix, folder)?;
    let scores = solve(&measure, Delta::try_from(delta)?, Rounds::Until(TOLERANCE), &mut report)?;
    // How many rounds of Jacobi's bring no score farther away than this: 2,000 are tried.
    let apart = |rounds| -> Result<f64, Failure> {
        let other = measure.solve(Delta::try_from(delta)?, Rounds::Exactly(rounds))?;
        let apart = scores.unidentified().zip(other.unidentified()).map(|(one, two)| (one.2 - two.2).abs());
        Ok(apart.fold(0.0, f64::max))
    };
    report.insert("delta", json!(delta));
    for (name, rounds) in [("from_jacobi_20", 20), ("from_jacobi_200", 200), ("from_jacobi_2000", 2000)] {
        report.insert(name, json!(apart(rounds)?));
    }
    Ok(report)
}

fn solve(measure: &Measure, delta: Delta, rounds: Rounds, report: &mut Report) -> Result<Scores, Failure> {
    let begin = Instant::now();
    let scores = measure.solve(delta, rounds)?;
    report.insert("solve_seconds", json!(begin.elapsed().as_secs_f64()));
    report.insert("rounds", json!(scores.changes().len()));
    report.insert("positive", json!(scores.unidentified().filter(|(.., score)| *score > 0.0).count()));
    Ok(scores)
}

/// CPU seconds of all threads so far.
fn cpu_seconds() -> Result<f64, Failure> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let behind_name = stat.rsplit(')').next().unwrap_or_default();
    let fields: Vec<&str> = behind_name.split_whitespace().collect();
    let ticks = |place: usize| -> Result<f64, Failure> { Ok(fields.get(place).ok_or("a short line")?.parse()?) };
    // User and system time, in hundredths of a second.
    Ok((ticks(11)? + ticks(12)?) / 100.0)
}

/// The most memory that was resident, in KiB.
fn peak() -> Result<f64, Failure> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).ok_or("a kernel without VmHWM")?;
    Ok(line.trim().trim_end_matches(" kB").parse()?)
}
