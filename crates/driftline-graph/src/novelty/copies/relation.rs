//! Was it moved, mirrored or copied? By what became of the older address, and by what the sites have in common.

use std::collections::{HashMap, HashSet};
use std::io;

use driftline::novelty::url::host_of;

use crate::Series;
use crate::series::Addresses;
use crate::snapshot::{Node, Number};

use super::super::hosts::Hosts;
use super::CopyOf;

/// So many pages of two sites that correspond path by path make one a mirror of the other.
const MIRRORED: u32 = 3;

/// What a page is to the older page that it is like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Relation {
    /// The older address was not crawled any more, or leads elsewhere, though its site was crawled.
    Move,
    /// It is one of several pages that stand under the same paths on another site.
    Mirror,
    /// Neither: the older page is still there, or nobody knows.
    Copy,
}

impl Relation {
    /// As tables have it.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Move => "move",
            Self::Mirror => "mirror",
            Self::Copy => "copy",
        }
    }
}

/// Two addresses without what their paths have in common at the end: `a/x/1` and `b/y/x/1` are `a` and `b/y`.
type Roots = (String, String);

/// Says what each page of the `place`-th snapshot is to the older page that it is like.
///
/// # Errors
/// If addresses cannot be read.
pub(super) fn tell(series: &Series, place: usize, copies: &mut [(Node, CopyOf)]) -> io::Result<()> {
    if copies.is_empty() {
        return Ok(());
    }
    let snapshot = &series.snapshots()[place];
    let number = |copy: &CopyOf| series.snapshots()[copy.place].number(copy.node);
    let olders: HashSet<Number> = copies.iter().map(|(_, copy)| number(copy)).collect();
    let still_crawled =
        Node::first(snapshot.nodes()).zip(snapshot.numbers()).filter(|(node, _)| snapshot.is_crawled(*node));
    let still_crawled: HashSet<Number> =
        still_crawled.map(|(_, number)| *number).filter(|own| olders.contains(own)).collect();
    let mut sites = Hosts::default();
    sites.add_crawled(series, snapshot)?;

    let mut all_roots: Vec<Option<Roots>> = Vec::with_capacity(copies.len());
    let mut counts: HashMap<Roots, u32> = HashMap::new();
    let mut addresses = Addresses::new(series, snapshot);
    for (node, copy) in copies.iter_mut() {
        let (page, older) = (addresses.of(*node)?, copy.url(series)?);
        if !still_crawled.contains(&number(copy)) && sites.contains(older.key()) {
            copy.relation = Relation::Move;
        }
        let roots = roots(page.key(), older.key());
        if let Some(roots) = &roots {
            *counts.entry(roots.clone()).or_default() += 1;
        }
        all_roots.push(roots);
    }
    for ((_, copy), roots) in copies.iter_mut().zip(all_roots) {
        let corresponding = roots.and_then(|roots| counts.get(&roots).copied()).unwrap_or(0);
        if copy.relation == Relation::Copy && corresponding >= MIRRORED {
            copy.relation = Relation::Mirror;
        }
    }
    Ok(())
}

/// What two pages of different sites have not in common; nothing if not even the last part of their paths.
fn roots(page: &str, older: &str) -> Option<Roots> {
    if host_of(page) == host_of(older) {
        return None;
    }
    let common = page.bytes().rev().zip(older.bytes().rev()).take_while(|(one, other)| one == other).count();
    let ends = &page.as_bytes()[page.len() - common..];
    let start = ends.iter().position(|byte| *byte == b'/')?;
    let rest = common - start;
    Some((page[..page.len() - rest].to_owned(), older[..older.len() - rest].to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_under_the_same_paths_have_the_same_roots() {
        let expected = Some(("org.mirror/apache".to_owned(), "org.apache".to_owned()));
        assert_eq!(roots("org.mirror/apache/docs/a.html", "org.apache/docs/a.html"), expected);
        assert_eq!(roots("org.mirror/apache/", "org.apache/"), expected);
    }

    #[test]
    fn pages_of_one_site_or_of_other_names_have_none() {
        assert_eq!(roots("org.a/new/page", "org.a/old/page"), None);
        assert_eq!(roots("org.a/my-page", "org.b/your-page"), None);
    }
}
