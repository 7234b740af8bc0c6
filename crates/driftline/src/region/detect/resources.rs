//! Which links, images and other resources came or went?
//!
//! On a page of 8,000 words the loss of one link to a data set changes next to no words and may
//! matter more than everything else. Only changed regions are searched; a resource that still
//! stands elsewhere on the page is not lost.

use hashbrown::{HashMap, HashSet};

use super::draft::Draft;
use super::side::Side;
use crate::page::{NodeId, Page, Selectors, is_style_sheet};
use crate::region::finding::{ResourceChange, ResourceFate, ResourceKind};
use crate::sides::Sides;

/// The most that are told; a page that names more is as good as replaced.
const MOST: usize = 1_000;

/// The most characters of its text that are told.
const MOST_TEXT: usize = 200;

/// What a resource is known by: its kind and its address as written.
type Key<'a> = (ResourceKind, &'a str);

/// The resources that the regions lost and gained: the lost ones first, links before scripts, then in
/// document order.
pub(super) fn changes<'a>(
    sides: &Sides<Side<'_>>,
    drafts: impl Iterator<Item = &'a Draft>,
    selectors: &Sides<Selectors<'_>>,
) -> Vec<ResourceChange> {
    let (mut older, mut newer) = (Vec::new(), Vec::new());
    for draft in drafts {
        older.extend(draft.older.map(|node| (node, sides.older.node(node).last)));
        newer.extend(draft.newer.map(|node| (node, sides.newer.node(node).last)));
    }
    let (left, right) = (within(sides.older.page, older), within(sides.newer.page, newer));
    let lost = lone(&left, &right, sides.newer.page);
    let gained = lone(&right, &left, sides.older.page);
    let tell = |fate, page, selectors: &Selectors<'_>, found: Vec<(NodeId, Key<'_>)>| {
        let told = found.into_iter().map(|(node, (what, address))| ResourceChange {
            kind: fate,
            what,
            url: resolved(page, address),
            text: text(page, node),
            selector: selectors.selector(node),
            node,
        });
        told.collect::<Vec<_>>()
    };
    let mut changes = tell(ResourceFate::Lost, sides.older.page, &selectors.older, lost);
    changes.extend(tell(ResourceFate::Gained, sides.newer.page, &selectors.newer, gained));
    // What readers use before what programs use.
    changes.sort_by_key(|change| (change.kind, change.what));
    changes
}

/// The resources that elements in these ranges name, in document order.
fn within(page: &Page, mut ranges: Vec<(NodeId, NodeId)>) -> Vec<(NodeId, Key<'_>)> {
    ranges.sort_unstable();
    let (mut found, mut next) = (Vec::new(), 0);
    for (first, last) in ranges {
        for index in first.0.max(next)..=last.0 {
            found.extend(named_by(page, NodeId(index)).map(|key| (NodeId(index), key)));
        }
        next = next.max(last.0 + 1);
    }
    found
}

/// Those that are not among the others, nor anywhere else on the other page, each once.
fn lone<'a>(own: &[(NodeId, Key<'a>)], others: &[(NodeId, Key<'_>)], other_page: &Page) -> Vec<(NodeId, Key<'a>)> {
    let mut missing: HashMap<Key<'_>, bool> = own.iter().map(|(_, key)| (*key, true)).collect();
    for (_, key) in others {
        missing.remove(key);
    }
    if missing.is_empty() {
        return Vec::new();
    }
    for key in resources(other_page) {
        missing.remove(&key);
    }
    let mut told = HashSet::new();
    own.iter().filter(|(_, key)| missing.contains_key(key) && told.insert(*key)).take(MOST).copied().collect()
}

/// The resources that a page names, in document order: of which kind, and their addresses as written.
pub fn resources(page: &Page) -> impl Iterator<Item = (ResourceKind, &str)> {
    resource_nodes(page).map(|(_, what, address)| (what, address))
}

/// The resources that a page names, as [`resources`], each with its element.
pub fn resource_nodes(page: &Page) -> impl Iterator<Item = (NodeId, ResourceKind, &str)> {
    page.node_ids().filter_map(|node| named_by(page, node).map(|(what, address)| (node, what, address)))
}

/// The resource that an element names.
fn named_by(page: &Page, node: NodeId) -> Option<Key<'_>> {
    let attribute = |name| page.attribute(node, name).map(str::trim).filter(|address| !address.is_empty());
    let of = |what, name| attribute(name).map(|address| (what, address));
    match page.tag(node) {
        "a" | "area" => of(ResourceKind::Link, "href"),
        "img" | "image" => of(ResourceKind::Image, "src").or_else(|| of(ResourceKind::Image, "href")),
        "iframe" | "frame" => of(ResourceKind::Frame, "src"),
        "video" | "audio" | "source" | "track" | "embed" => of(ResourceKind::Media, "src"),
        "object" => of(ResourceKind::Media, "data"),
        "form" => of(ResourceKind::Form, "action"),
        "script" => of(ResourceKind::Script, "src"),
        "link" if attribute("rel").is_some_and(is_style_sheet) => of(ResourceKind::Style, "href"),
        _ => None,
    }
    // A place on the same page, or a script, is no resource.
    .filter(|(_, address)| {
        !address.starts_with('#') && !address.get(..11).is_some_and(|scheme| scheme.eq_ignore_ascii_case("javascript:"))
    })
}

/// What a reader sees, in short: the text of a link, the words instead of an image.
fn text(page: &Page, node: NodeId) -> String {
    let is_link = matches!(page.tag(node), "a" | "area");
    let own = if is_link { page.text_of(node).trim() } else { "" };
    let named = || ["alt", "title", "aria-label", "name"].iter().find_map(|name| page.attribute(node, name));
    let whole = if own.is_empty() { named().unwrap_or_default() } else { own };
    match whole.char_indices().nth(MOST_TEXT) {
        Some((end, _)) => format!("{}…", &whole[..end]),
        None => whole.to_owned(),
    }
}

/// The whole address, if the page says what it is relative to.
fn resolved(page: &Page, address: &str) -> String {
    page.resolve(address).unwrap_or_else(|| address.to_owned())
}
