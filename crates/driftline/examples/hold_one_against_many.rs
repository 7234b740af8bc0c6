//! Which of many newer versions is nearest to one older version?
//!
//! `cargo run -p driftline --example hold_one_against_many`. The older page is read in once
//! (`Comparer::hold`); each newer one then costs only itself, in memory that is reused.

#![expect(clippy::disallowed_macros, reason = "an example prints")]

use driftline::{Comparer, Page, ReadOptions};

fn main() {
    let options = ReadOptions::default();
    let page = |text: &str| Page::read(text, &options);
    let older = page("<h1>Harbour café</h1><p>We open from nine to five. Fish comes fresh from the boats.");
    let newer = [
        ("a word replaced", "<h1>Harbour café</h1><p>We open from nine to six. Fish comes fresh from the boats."),
        ("a block moved", "<p>We open from nine to five. Fish comes fresh from the boats.<h1>Harbour café</h1>"),
        ("only markup", "<h2>Harbour <b>café</b></h2><p>We open from nine to five. Fish comes fresh from the boats."),
        ("another page", "<p>404: there is nothing here."),
    ];

    let mut comparer = Comparer::default();
    let mut held = comparer.hold(&older);
    let mut changes = newer.map(|(name, text)| (name, held.compare(&page(text))));
    changes.sort_by(|(_, one), (_, other)| one.degree().get().total_cmp(&other.degree().get()));
    for (name, change) in changes {
        println!("{:.3}  {name}: {} regions", change.degree(), change.regions.len());
    }
}
