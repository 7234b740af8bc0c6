//! Which elements and words of a page are marked, and how?

use std::collections::HashMap;
use std::ops::Range;

use driftline::change::{Change, Sides};
use driftline::degree::edit::{Edit, EditKind};
use driftline::page::markup::{Attributes, MarkedWords, Marking};
use driftline::page::{NodeId, Page};
use driftline::region::{Place, Region, RegionKind};

use super::{clean, css};

/// One of the two versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Older,
    Newer,
}

impl Side {
    pub(super) fn place(self, region: &Region) -> Option<&Place> {
        match self {
            Self::Older => region.older(),
            Self::Newer => region.newer(),
        }
    }

    pub(super) fn of<T>(self, sides: Sides<T>) -> T {
        match self {
            Self::Older => sides.older,
            Self::Newer => sides.newer,
        }
    }

    /// The name of its frame, and of its class.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Older => "older",
            Self::Newer => "newer",
        }
    }

    fn words(self, edit: &Edit) -> Option<Range<u32>> {
        match self {
            Self::Older => edit.older(),
            Self::Newer => edit.newer(),
        }
    }
}

/// How severe, from 1 to 5.
fn grade(severity: f64) -> u8 {
    match severity {
        severity if severity <= 0.1 => 1,
        severity if severity <= 0.25 => 2,
        severity if severity <= 0.5 => 3,
        severity if severity <= 0.8 => 4,
        _ => 5,
    }
}

/// Where a link to an element leads: its own name, or one made up for it.
pub(super) fn anchor(page: &Page, node: NodeId) -> String {
    own_id(page, node).map_or_else(|| format!("driftline-node-{}", node.index()), ToOwned::to_owned)
}

/// The id that the page gave an element; one that looks like ours is not written.
fn own_id(page: &Page, node: NodeId) -> Option<&str> {
    page.attribute(node, "id").filter(|id| !id.is_empty() && !id.starts_with("driftline-"))
}

/// The marks of one version.
pub(super) fn marking(change: &Change, page: &Page, side: Side) -> Marking {
    let elements = elements(change, side).into_iter().map(|(node, marks)| (node, marks.attributes(page, node)));
    Marking {
        elements: elements.collect(),
        words: words(change, side),
        renamed: clean::RENAMED.to_vec(),
        rules: Some(css::clean),
    }
}

/// What an element is marked with.
struct Marks {
    numbers: String,
    kind: RegionKind,
    severity: f64,
}

impl Marks {
    fn attributes(self, page: &Page, node: NodeId) -> Attributes {
        let mut attributes = vec![
            ("data-driftline".to_owned(), self.numbers),
            ("data-driftline-kind".to_owned(), self.kind.name().to_owned()),
            ("data-driftline-grade".to_owned(), grade(self.severity).to_string()),
        ];
        if own_id(page, node).is_none() {
            attributes.push(("id".to_owned(), anchor(page, node)));
        }
        attributes
    }
}

/// The marked elements; one that several regions stand at has the mark of the most severe.
fn elements(change: &Change, side: Side) -> HashMap<NodeId, Marks> {
    let mut elements: HashMap<NodeId, Marks> = HashMap::new();
    for (number, region) in (1..).zip(&change.regions) {
        let Some(node) = side.place(region).and_then(|place| place.node) else { continue };
        let marks = elements.entry(node).or_insert_with(|| Marks {
            numbers: String::new(),
            kind: region.kind(),
            severity: region.severity,
        });
        if region.severity > marks.severity {
            (marks.kind, marks.severity) = (region.kind(), region.severity);
        }
        if !marks.numbers.is_empty() {
            marks.numbers.push(' ');
        }
        marks.numbers.push_str(&i32::to_string(&number));
    }
    elements
}

/// The marked words. In a region all of which came or went, its own mark says enough.
fn words(change: &Change, side: Side) -> Vec<MarkedWords> {
    let whole = whole_regions(change, side);
    let is_told = |words: &Range<u32>| {
        let at = whole.partition_point(|region| region.end <= words.start);
        whole.get(at).is_some_and(|region| region.start <= words.start && words.end <= region.end)
    };
    let tag = match side {
        Side::Older => "del",
        Side::Newer => "ins",
    };
    let mark = |kind: EditKind| vec![("data-driftline-edit".to_owned(), kind.name().to_owned())];
    let runs = change.edits.iter().filter_map(|edit| Some((side.words(edit)?, edit.kind())));
    let runs = runs.filter(|(words, _)| !is_told(words));
    let mut runs: Vec<_> = runs.map(|(words, kind)| MarkedWords { words, tag, attributes: mark(kind) }).collect();
    runs.sort_by_key(|run| run.words.start);
    runs
}

/// The words of the outermost regions all of which came or went, in order.
fn whole_regions(change: &Change, side: Side) -> Vec<Range<u32>> {
    let is_whole = |kind| matches!(kind, RegionKind::Added | RegionKind::Removed | RegionKind::Copied);
    let whole = change.regions.iter().filter(|region| is_whole(region.kind())).filter_map(|region| side.place(region));
    let mut whole: Vec<_> = whole.map(|place| place.words.start..place.words.end).collect();
    whole.sort_by_key(|words| (words.start, std::cmp::Reverse(words.end)));
    let mut end = 0;
    whole.retain(|words| {
        let is_outer = words.end > end;
        end = end.max(words.end);
        is_outer
    });
    whole
}
