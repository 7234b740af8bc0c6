//! How much did a page change between two saved copies, in which ways, and which words?
//!
//! `cargo run -p driftline --example compare_two_saved_pages -- old.html new.html`; without files, the
//! two versions of `driftline demo` are compared.

#![expect(clippy::disallowed_macros, clippy::disallowed_methods, reason = "an example reads files and prints")]

use std::{env, fs, io};

use driftline::compare::Comparer;
use driftline::page::{Page, ReadOptions};

const DEMO: [&str; 2] = [
    concat!(env!("CARGO_MANIFEST_DIR"), "/../driftline-cli/demo/2016-10-07.html"),
    concat!(env!("CARGO_MANIFEST_DIR"), "/../driftline-cli/demo/2019-12-11.html"),
];

fn main() -> io::Result<()> {
    let files: Vec<String> = env::args().skip(1).collect();
    let [older, newer] = match files.as_slice() {
        [older, newer] => [older.as_str(), newer],
        _ => DEMO,
    };
    // Charset, kind of body and words are found out; a zone or a normaliser would go into these options.
    let options = ReadOptions::default();
    let older = Page::read(fs::read(older)?.as_slice(), &options);
    let newer = Page::read(fs::read(newer)?.as_slice(), &options);

    let change = Comparer::default().compare(&older, &newer);
    println!("degree {:.3}, {:?}", change.measurement.degree.ied.get(), change.measurement.operations);
    for edit in &change.edits {
        // An edit names words by their number; the page knows where they stand in its text.
        let shown = |page: &Page, words: &std::ops::Range<u32>| {
            let spans = &page.word_spans()[words.start as usize..words.end as usize];
            page.text()[spans[0].start as usize..spans[spans.len() - 1].end as usize].to_owned()
        };
        let before = edit.older.as_ref().map_or(String::new(), |words| shown(&older, words));
        let now = edit.newer.as_ref().map_or(String::new(), |words| shown(&newer, words));
        println!("{:<8} {before:?} -> {now:?}", edit.kind.participle());
    }
    Ok(())
}
