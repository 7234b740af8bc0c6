//! How much changed between two saved copies of a page, where, and which words?
//!
//! `cargo run -p driftline --example what_changed -- old.html new.html`; without files, the two versions of
//! `driftline demo` are compared.

#![expect(clippy::disallowed_macros, clippy::disallowed_methods, reason = "an example reads files and prints")]

use driftline::{Comparer, Page, ReadOptions};

const DEMO: [&str; 2] = [
    concat!(env!("CARGO_MANIFEST_DIR"), "/../driftline-cli/demo/2016-10-07.html"),
    concat!(env!("CARGO_MANIFEST_DIR"), "/../driftline-cli/demo/2019-12-11.html"),
];

fn main() -> std::io::Result<()> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let [older, newer] = if let [older, newer] = files.as_slice() { [older.as_str(), newer] } else { DEMO };
    let options = ReadOptions::default();
    let older = Page::read(std::fs::read(older)?.as_slice(), &options);
    let newer = Page::read(std::fs::read(newer)?.as_slice(), &options);
    let change = Comparer::default().compare(&older, &newer);

    println!("degree {:.3}", change.degree());
    for region in change.regions_by_importance() {
        println!("importance {:.2}: {} {}", region.importance.score, region.kind().name(), region.shown().selector);
    }
    for edit in &change.edits {
        println!("{} {:?} -> {:?}", edit.kind().participle(), edit.older_text(&older), edit.newer_text(&newer));
    }
    Ok(())
}
