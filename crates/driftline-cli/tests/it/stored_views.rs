//! A stored change and its two captures are enough for every view: nothing is compared again.

use std::collections::HashMap;
use std::path::Path;

use driftline::change::{Change, Sides};
use driftline::compare::Comparer;
use driftline::page::zone::Zones;
use driftline::page::{Limits, Normaliser, Page, ReadOptions, Source};
use driftline_archive::archive::Found;
use driftline_archive::{Archive, derive};
use driftline_report::summary::sentence;
use driftline_report::view::{self, Comparison, Original, TextOptions};
use driftline_testkit::data::{shared, subset};

use crate::real_archive::{RealArchive, url};

/// Every view of a change of two pages.
fn views(change: &Change, pages: Sides<&Page>, sources: Sides<Source<'_>>) -> Vec<String> {
    let comparison = Comparison { names: Sides { older: "old", newer: "new" }, pages, change };
    let sheets = HashMap::new();
    let original = |source, options| Original { source, options, sheets: &sheets };
    let originals = Sides {
        older: original(sources.older, &change.read.older.options),
        newer: original(sources.newer, &change.read.newer.options),
    };
    let (brief, full) = (TextOptions::default(), TextOptions { context: None, colour: true, ..TextOptions::default() });
    vec![
        view::heading(&comparison),
        sentence::page(change),
        sentence::limits(&change.measurement.limits).join("\n"),
        view::text(&comparison, &brief),
        view::text(&comparison, &full),
        view::side_by_side(&comparison, &brief),
        view::unified(&comparison, 3),
        view::regions(&comparison, usize::MAX, &brief),
        view::metrics(change, true),
        serde_json::to_string(&view::json(&comparison)).unwrap(),
        view::html_text(&comparison),
        view::html(&comparison, originals),
    ]
}

/// A capture as it is read back from the archive.
struct Capture {
    body: Vec<u8>,
    content_type: Option<String>,
    url: String,
}

impl Capture {
    /// The two captures of a pair.
    fn both(archive: &Archive, number: usize) -> Sides<Self> {
        let url = url(number);
        let read = |capture| match archive.read(capture, Limits::DEFAULT.bytes).unwrap() {
            Found::Http(response) => Self {
                content_type: response.head.content_type().map(str::to_owned),
                body: response.body,
                url: url.clone(),
            },
            Found::Resource { .. } => panic!("a response was archived"),
        };
        let captures = archive.captures_of(&url).unwrap();
        Sides { older: read(captures.first().unwrap()), newer: read(captures.last().unwrap()) }
    }

    fn source(&self) -> Source<'_> {
        Source { bytes: &self.body, content_type: self.content_type.as_deref(), url: Some(&self.url) }
    }
}

/// Every view of a change as it is stored, with its captures as they are archived.
fn stored_views(change: &Change, captures: &Sides<Capture>) -> Vec<String> {
    let row = derive::row(Sides { older: 1, newer: 2 }, Some(change));
    let stored = derive::change(&row).unwrap().unwrap();
    let sources = Sides { older: captures.older.source(), newer: captures.newer.source() };
    let older = Page::read(sources.older, &stored.read.older.options);
    let newer = Page::read(sources.newer, &stored.read.newer.options);
    views(&stored, Sides { older: &older, newer: &newer }, sources)
}

fn assert_same_views(data: &Path, options: &ReadOptions) {
    let real = RealArchive::of(data);
    let archive = Archive::open_at(real.path()).unwrap();
    for (number, pair) in real.pairs.iter().enumerate() {
        let Sides { older, newer } = real.pages(number, options);
        let change = Comparer::default().compare(&older, &newer);
        let fresh = views(&change, Sides { older: &older, newer: &newer }, real.sources(number, &url(number)));
        assert_eq!(stored_views(&change, &Capture::both(&archive, number)), fresh, "{}", pair.name);
    }
}

/// Read in a part of the page, without another one, with some noise.
fn zoned() -> ReadOptions {
    let parse = |selector: &str| selector.parse().unwrap();
    ReadOptions {
        zones: Zones { include: vec![parse("body")], ignore: vec![parse("nav, footer")] },
        normalisers: [Normaliser::Dates, Normaliser::Case].into_iter().collect(),
        ..ReadOptions::default()
    }
}

#[test]
fn every_view_of_a_stored_change_and_its_captures_is_that_of_the_fresh_one() {
    assert_same_views(&subset(), &ReadOptions::default());
    assert_same_views(&subset(), &zoned());
}

#[test]
#[ignore = "needs the shared data"]
fn every_view_of_a_stored_change_and_its_captures_is_that_of_the_fresh_one_on_the_shared_data() {
    assert_same_views(&shared(), &ReadOptions::default());
    assert_same_views(&shared(), &zoned());
}
