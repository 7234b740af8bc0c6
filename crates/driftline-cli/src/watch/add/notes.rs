//! Notes about what an address answers, for the person who adds it.

use driftline_report::summary::numbers::counted;
use driftline_watch::watches::{Content, Kind};

use crate::tell;

/// A watch that was added.
pub(super) struct Added<'a> {
    pub(super) id: &'a str,
    pub(super) url: &'a str,
    pub(super) kind: Kind,
    /// Whether someone said which kind it is.
    pub(super) is_kind_said: bool,
    /// Whether the feeds that it announces are compared.
    pub(super) has_feeds: bool,
}

/// Says what an address is, where that is not what most are or not what was said.
pub(super) fn tell(added: &Added<'_>, content: &Content) {
    let Added { id, url, kind, is_kind_said, .. } = added;
    if *is_kind_said && *kind != content.kind() {
        if *kind != Kind::Page {
            let (meant, fits) = (kind.name(), content.kind().name());
            tell::warning(format_args!("`{url}` is added as a {meant}, but what it answers now is a {fits}"));
        }
        return;
    }
    match content {
        _ if *is_kind_said && *kind != Kind::Page => {}
        Content::Feed(items) => as_page(url, &format!("a feed with {}: watched item by item", counted(*items, "item"))),
        Content::Sitemap { pages, lists: 0 } => {
            as_page(url, &format!("a sitemap with {}: each is watched", counted(*pages, "page")));
        }
        Content::Sitemap { lists, .. } => {
            as_page(url, &format!("an index of {}: each page in them is watched", counted(*lists, "sitemap")));
        }
        Content::Opml(feeds) => {
            as_page(url, &format!("an OPML list with {}: each is watched", counted(*feeds, "feed")));
        }
        Content::Json { path } if path.is_empty() => {}
        Content::Json { path } => tell::note(format_args!("`{url}` is JSON: compared by its paths, such as `{path}`")),
        Content::Scripts { words } => tell::warning(format_args!(
            "`{url}` has only {} without its scripts\nhint: `driftline watch edit {id} --fetch browser` has Chromium run them",
            counted(*words, "word")
        )),
        Content::Page { feeds } if !feeds.is_empty() => announced(added, feeds),
        Content::Page { .. } | Content::File => {}
    }
}

/// Says which feeds a page announces, and how they are compared.
fn announced(Added { id, url, has_feeds, .. }: &Added<'_>, feeds: &[String]) {
    let noun = if feeds.len() == 1 { "a feed" } else { "feeds" };
    let feeds = feeds.join("`, `");
    if *has_feeds {
        tell::note(format_args!("`{url}` announces {noun}, compared item by item: `{feeds}`"));
    } else {
        let hint = format!("hint: `driftline watch edit {id} --feeds` compares them item by item too");
        tell::note(format_args!("`{url}` announces {noun}: `{feeds}`\n{hint}"));
    }
}

fn as_page(url: &str, what: &str) {
    tell::note(format_args!("`{url}` is {what}\nhint: `--kind page` compares it as a page"));
}
