//! The cost of saying where a page changed, compared with parsing both versions.
//!
//! `cargo bench -p driftline-evaluation --bench regions_against_parse`; `-- 1000` for one size, `-- articles` for
//! pages of long texts instead of tables. Three questions: 5 % of the words edited (the usual case),
//! 20 words edited (does the cost grow with the page only as parsing does?), and nothing left alike
//! (the worst case). The floor is html5ever building nothing.

#![expect(clippy::disallowed_macros, clippy::disallowed_methods, reason = "a bench prints and reads its arguments")]

use std::hint::black_box;

use driftline::compare::Comparer;
use driftline::page::{Page, ReadOptions};
use driftline_evaluation::regions::synthesis::{Layout, MadePage};
use driftline_testkit::floor::parse_only;
use driftline_testkit::timing::Race;
use fastrand::Rng;

const ELEMENTS: [usize; 7] = [100, 281, 500, 1_000, 3_000, 10_000, 30_000];

/// Makes the newer page.
type Edit = fn(&MadePage, &mut Rng) -> MadePage;

const EDITS: [(&str, Edit); 4] = [
    ("5 % of the words edited", |older, rng| edited(older, |page| page.edit_words(0.05, rng))),
    ("20 words edited", |older, rng| edited(older, |page| page.edit_some_words(20, rng))),
    ("every word and every attribute changed", |older, rng| edited(older, |page| page.rewrite(rng))),
    ("another page of as many elements", |older, rng| {
        let layout = if older.layout() == Layout::Tables { Layout::Articles } else { Layout::Tables };
        MadePage::new(layout, older.elements(), rng)
    }),
];

fn edited(older: &MadePage, edit: impl FnOnce(&mut MadePage)) -> MadePage {
    let mut newer = older.clone();
    edit(&mut newer);
    newer
}

/// Best times in seconds.
struct Times {
    floor: f64,
    parse: f64,
    compare: f64,
    both: f64,
}

fn race(older: &str, newer: &str, rounds: usize) -> Times {
    let options = ReadOptions::default();
    let read = || (Page::read(older, &options), Page::read(newer, &options));
    let (older_page, newer_page) = read();
    let (mut alone, mut after_parse) = (Comparer::default(), Comparer::default());
    let results = Race::new()
        .with("floor", || _ = black_box(parse_only(older.as_bytes()) + parse_only(newer.as_bytes())))
        .with("parse", || drop(black_box(read())))
        .with("compare", || drop(black_box(alone.compare(&older_page, &newer_page))))
        .with("both", || {
            let (older, newer) = read();
            black_box(after_parse.compare(&older, &newer));
        })
        .run(rounds);
    let [floor, parse, compare, both] = [0, 1, 2, 3].map(|at: usize| results[at].1.as_secs_f64());
    Times { floor, parse, compare, both }
}

/// `e` of the power law `time = c · elements^e` that fits best, by least squares of the logarithms.
fn growth_exponent(points: &[(usize, f64)]) -> f64 {
    let logs: Vec<_> = points.iter().map(|&(elements, seconds)| ((elements as f64).ln(), seconds.ln())).collect();
    let mean = |part: fn(&(f64, f64)) -> f64| logs.iter().map(part).sum::<f64>() / logs.len() as f64;
    let (x, y) = (mean(|log| log.0), mean(|log| log.1));
    let covariance: f64 = logs.iter().map(|log| (log.0 - x) * (log.1 - y)).sum();
    covariance / logs.iter().map(|log| (log.0 - x).powi(2)).sum::<f64>()
}

fn table(title: &str, edit: Edit, layout: Layout, sizes: &[usize]) {
    println!("\n{title}, {layout:?}; ms, best round");
    println!(
        "{:>9} {:>8} {:>9} {:>9} {:>9} {:>9} {:>15} {:>11} {:>11}",
        "elements", "KB", "floor", "parse", "compare", "both", "compare/parse", "both/parse", "both/floor"
    );
    let mut growth = [Vec::new(), Vec::new()];
    for &elements in sizes {
        let mut rng = Rng::with_seed(elements as u64);
        let older = MadePage::new(layout, elements, &mut rng);
        let newer = edit(&older, &mut rng).html();
        let older = older.html();
        let rounds = (60_000 / elements).clamp(5, 60);
        let Times { floor, parse, compare, both } = race(&older, &newer, rounds);
        println!(
            "{elements:>9} {:>8.1} {:>9.3} {:>9.3} {:>9.3} {:>9.3} {:>15.2} {:>11.2} {:>11.2}",
            (older.len() + newer.len()) as f64 / 1e3,
            floor * 1e3,
            parse * 1e3,
            compare * 1e3,
            both * 1e3,
            compare / parse,
            both / parse,
            both / floor
        );
        growth[0].push((elements, parse));
        growth[1].push((elements, compare));
    }
    if sizes.len() > 1 {
        let [parse, compare] = growth.map(|points| growth_exponent(&points));
        println!("  growth with the elements: parse ^{parse:.2}, compare ^{compare:.2}");
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let only: Option<usize> = arguments.iter().find_map(|argument| argument.parse().ok());
    let sizes: Vec<_> = ELEMENTS.into_iter().filter(|&size| only.is_none_or(|only| only == size)).collect();
    let layout = if arguments.iter().any(|name| name == "articles") { Layout::Articles } else { Layout::Tables };
    for (title, edit) in EDITS {
        table(title, edit, layout, &sizes);
    }
}
