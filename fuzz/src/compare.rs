//! Any bytes become two pages, the pages are compared, and the change is shown in every view.
//!
//! The first bytes choose how the rest is read; the rest is parted in two at the first `0xff`.

use std::collections::HashMap;
use std::hint::black_box;

use driftline::change::Sides;
use driftline::compare::Comparer;
use driftline::degree::Metric;
use driftline::page::zone::{Selector, Zones};
use driftline::page::{BodyKind, Limits, Normaliser, Page, ReadOptions, Source, WordRule};
use driftline_report::view::{self, Comparison, Original, TextOptions};

use crate::halves;

fn options(choice: u8) -> ReadOptions {
    let kinds = [None, Some(BodyKind::Html), Some(BodyKind::Xml), Some(BodyKind::Json), Some(BodyKind::Text)];
    let zones = if choice & 64 == 0 {
        Zones::default()
    } else {
        let selector = |text| vec![Selector::parse(text).expect("a selector")];
        Zones { include: selector("p, div > b"), ignore: selector("i, :nth-child(3n)") }
    };
    ReadOptions {
        kind: kinds[usize::from(choice) % kinds.len()],
        charset: None,
        words: if choice & 8 == 0 { WordRule::Unicode } else { WordRule::Whitespace },
        normalisers: Normaliser::ALL.iter().copied().filter(|_| choice & 16 != 0).collect(),
        limits: if choice & 32 == 0 { Limits::DEFAULT } else { Limits { bytes: 200, nodes: 20, depth: 5 } },
        zones,
    }
}

/// One run.
pub fn run(bytes: &[u8]) {
    let Some((&choice, rest)) = bytes.split_first() else {
        return;
    };
    let (older, newer) = halves(rest);
    let options = options(choice);
    let pages = Sides { older: Page::read(older, &options), newer: Page::read(newer, &options) };
    let mut comparer = Comparer::default();
    let change = comparer.compare(&pages.older, &pages.newer);
    let back = comparer.compare(&pages.newer, &pages.older);
    assert_eq!(change.measurement.degree, back.measurement.degree);
    assert_eq!(change.measurement.operations, back.measurement.operations.mirrored());
    for &metric in Metric::ALL {
        assert!((0.0..=1.0).contains(&change.measurement.degree.by(metric).get()));
    }
    let has_content = change.regions.iter().any(|region| region.changed.content);
    assert_eq!(has_content, change.measurement.operations.total() > 0, "degree and regions agree");
    assert_eq!(change.regions.is_empty(), back.regions.is_empty());
    assert!(comparer.compare(&pages.older, &pages.older).is_empty());
    let names = Sides { older: "old", newer: "new" };
    let comparison = Comparison { names, pages: Sides { older: &pages.older, newer: &pages.newer }, change: &change };
    let text = view::text(&comparison, &TextOptions::default());
    assert!(!text.contains('\u{1b}'), "nothing of a page reaches the terminal raw");
    black_box(view::side_by_side(&comparison, &TextOptions::default()));
    black_box(view::unified(&comparison, 3));
    black_box(view::json(&comparison));
    let text = view::regions(&comparison, usize::MAX, &TextOptions::default());
    assert!(!text.contains('\u{1b}'), "nor does a selector or a link");
    black_box(view::html_text(&comparison));
    let sheets = HashMap::new();
    let original = |bytes| Original { source: Source::from(bytes), options: &options, sheets: &sheets };
    black_box(view::html(&comparison, Sides { older: original(older), newer: original(newer) }));
}
