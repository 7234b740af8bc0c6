//! What does it cost to watch a site for a redesign, beside parsing its documents?
//!
//! `cargo bench -p driftline --bench stream_against_parse`. The floor is html5ever building nothing; a
//! stream compares each document with the 20 before it. The second table has shorter streams, for the way
//! of html-similarity: it parses both documents for every comparison, and aligns their tags.
//! `-- watch TIMES [FILE…]` only watches and `-- parse TIMES [FILE…]` only parses, for a profiler and for
//! `scripts/peers/template_race.py`.

#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "a bench prints, reads its arguments, and here also files"
)]

use std::hint::black_box;
use std::time::Duration;

use driftline::page::{Page, ReadOptions};
use driftline::redesign::stream::Stream;
use driftline::redesign::template::Template;
use driftline::redesign::{Detector, Parameters};
use driftline_testkit::data;
use driftline_testkit::floor::{parse_only, tags_only};
use driftline_testkit::pages::real_streams;
use driftline_testkit::timing::Race;

/// The documents of a site.
type Documents = Vec<Vec<u8>>;

/// The real streams.
fn streams() -> Vec<Documents> {
    real_streams(&data::largest()).into_iter().map(|stream| stream.documents).collect()
}

/// Watches a site from its first document to its last.
fn watch(documents: &Documents, detectors: &[Detector]) {
    let options = ReadOptions::default();
    let mut stream = Stream::new(Parameters::GOTTRON, detectors).expect("the paper's parameters make sense");
    for document in documents {
        black_box(stream.push(Template::read(&**document, &options, Template::SHINGLE_LENGTH)));
    }
}

/// The same similarities as html-similarity computes them: ratio of aligned tags, nothing kept.
fn align(documents: &Documents) {
    for (at, newer) in documents.iter().enumerate() {
        for older in &documents[at.saturating_sub(Parameters::GOTTRON.history)..at] {
            let (older, newer) = (tags_only(older), tags_only(newer));
            let operations = similar::capture_diff_slices(similar::Algorithm::Myers, &older, &newer);
            black_box(similar::diff_ratio(&operations, older.len(), newer.len()));
        }
    }
}

fn tell(title: &str, streams: &[Documents], rounds: usize, results: Vec<(String, Duration)>) {
    let documents = streams.iter().map(Vec::len).sum::<usize>();
    let megabytes = streams.iter().flatten().map(Vec::len).sum::<usize>() as f64 / 1e6;
    println!("\n{title}: {} streams, {documents} documents, {megabytes:.1} MB, best of {rounds} rounds", streams.len());
    let floor = results[0].1.as_secs_f64();
    for (name, best) in results {
        let seconds = best.as_secs_f64();
        println!(
            "  {name:<44} {:>8.0} documents/s {:>7.1} MB/s {:>8.2} x the floor",
            documents as f64 / seconds,
            megabytes / seconds,
            seconds / floor
        );
    }
}

fn race(streams: &[Documents], rounds: usize) {
    let (options, length) = (ReadOptions::default(), Template::SHINGLE_LENGTH);
    let documents = || streams.iter().flatten();
    let watched = |detectors: &[Detector]| streams.iter().for_each(|documents| watch(documents, detectors));
    let results = Race::new()
        .with("html5ever into nothing", || documents().for_each(|bytes| _ = black_box(parse_only(bytes))))
        .with("templates alone", || {
            documents().for_each(|bytes| _ = black_box(Template::read(&**bytes, &options, length)));
        })
        .with("templates of whole pages", || {
            documents().for_each(|bytes| _ = black_box(Template::of(&Page::read(&**bytes, &options), length)));
        })
        .with("stream, h = 20, driftline's detector", || watched(&[Detector::Driftline]))
        .with("stream, h = 20, all five detectors", || watched(Detector::ALL))
        .run(rounds);
    tell("whole streams", streams, rounds, results);
}

fn race_of_styles(streams: &[Documents]) {
    let short: Vec<Documents> = streams.iter().map(|documents| documents.iter().take(40).cloned().collect()).collect();
    let results = Race::new()
        .with("html5ever into nothing", || short.iter().flatten().for_each(|bytes| _ = black_box(parse_only(bytes))))
        .with("stream, h = 20, all five detectors", || short.iter().for_each(|stream| watch(stream, Detector::ALL)))
        .with("html-similarity's way, h = 20", || short.iter().for_each(align))
        .run(1);
    tell("the first 40 documents", &short, 1, results);
}

/// Does one thing only, with the files as one stream; without files, with all streams.
fn repeat(times: &str, files: &[String], work: impl Fn(&Documents)) {
    let read = |file: &String| std::fs::read(file).expect("the file can be read");
    let streams = if files.is_empty() { streams() } else { vec![files.iter().map(read).collect()] };
    for _ in 0..times.parse().unwrap_or(1) {
        streams.iter().for_each(&work);
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let parse = |documents: &Documents| documents.iter().for_each(|bytes| _ = black_box(parse_only(bytes)));
    match &arguments[..] {
        [command, times, files @ ..] if command == "watch" => {
            repeat(times, files, |documents| watch(documents, Detector::ALL));
        }
        [command, times, files @ ..] if command == "parse" => repeat(times, files, parse),
        _ => {
            let streams = streams();
            race(&streams, 5);
            race_of_styles(&streams);
        }
    }
}
