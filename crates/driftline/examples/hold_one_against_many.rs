//! Which of many newer versions is nearest to one older version?
//!
//! `cargo run -p driftline --example hold_one_against_many`. The older page is taken in once
//! (`Comparer::hold`); each newer one then costs only itself, in memory that is used again and again.

#![expect(clippy::disallowed_macros, reason = "an example prints")]

use driftline::compare::Comparer;
use driftline::page::{Page, ReadOptions};

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
    comparer.hold(&older);
    let mut found: Vec<_> =
        newer.map(|(name, text)| (comparer.measure_held(&page(text)).degree.ied.get(), name)).into();
    found.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    for (degree, name) in found {
        println!("{degree:.3}  {name}");
    }
}
