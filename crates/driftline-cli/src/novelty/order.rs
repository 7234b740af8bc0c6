//! In which order do pages come out? By address, or the newest first.
//!
//! A snapshot has its pages host by host, and within a host by path. So for the order of addresses only the hosts have
//! to be sorted: memory does not grow with the pages.

use std::io;

use driftline::novelty::Class;
use driftline::novelty::url::Canonical;
use driftline_graph::series::Addresses;
use driftline_graph::snapshot::Node;

use super::Scored;
use super::extras::Extras;
use crate::args::Order;

type Page = io::Result<(Node, String)>;

/// The pages of some classes (of all, if none is named), with their addresses.
pub(super) fn pages<'a>(
    scored: &'a Scored<'_>,
    extras: &Extras,
    order: Order,
    classes: &'a [Class],
) -> io::Result<Box<dyn Iterator<Item = Page> + 'a>> {
    let is_wanted = move |node: Node| {
        let class = scored.scores.classes().of(node);
        class.is_some_and(|class| classes.is_empty() || classes.contains(&class))
    };
    match order {
        Order::Url => Ok(Box::new(by_url(scored, is_wanted)?)),
        Order::Novelty => Ok(Box::new(by_novelty(scored, extras, is_wanted))),
    }
}

/// The pages of a host that are shown with `www.`, or without.
struct Site {
    /// As it stands in addresses, with the `/` behind it.
    shown: String,
    www: bool,
    first: Node,
    last: Node,
}

fn by_url<'a>(
    scored: &'a Scored<'_>,
    is_wanted: impl Fn(Node) -> bool + Copy + 'a,
) -> io::Result<impl Iterator<Item = Page> + 'a> {
    let mut sites = sites(scored, is_wanted)?;
    sites.sort_unstable_by(|one, other| one.shown.cmp(&other.shown));
    Ok(sites.into_iter().flat_map(move |site| {
        // Neighbours stand in one block of keys.
        let mut addresses = Addresses::new(scored.series, scored.snapshot);
        let named = move |node| match addresses.of(node) {
            Ok(url) => (url.www() == site.www).then(|| Ok((node, url.url()))),
            Err(error) => Some(Err(error)),
        };
        Node::range(site.first..site.last.next()).filter(move |node| is_wanted(*node)).filter_map(named)
    }))
}

fn sites(scored: &Scored<'_>, is_wanted: impl Fn(Node) -> bool) -> io::Result<Vec<Site>> {
    let mut sites: Vec<Site> = Vec::new();
    let (mut host, mut open) = (String::new(), [None; 2]);
    for (node, url) in Node::first(scored.snapshot.nodes()).zip(scored.snapshot.urls(scored.series)) {
        let url = url?;
        if !is_wanted(node) {
            continue;
        }
        if url.host_key() != host {
            url.host_key().clone_into(&mut host);
            open = [None; 2];
        }
        let place = *open[usize::from(url.www())].get_or_insert_with(|| {
            sites.push(Site { shown: shown(&url), www: url.www(), first: node, last: node });
            sites.len() - 1
        });
        sites[place].last = node;
    }
    Ok(sites)
}

/// `https://www.example.org/a` is `www.example.org/`.
fn shown(url: &Canonical) -> String {
    let url = url.url();
    let host = url.split_once("://").map_or("", |(_, rest)| rest).split('/').next().unwrap_or_default();
    format!("{host}/")
}

/// By how likely they are new, if that is known, and else by N; then those that are old.
fn by_novelty<'a>(
    scored: &'a Scored<'_>,
    extras: &Extras,
    is_wanted: impl Fn(Node) -> bool + Copy + 'a,
) -> impl Iterator<Item = Page> + 'a {
    let rank = |(node, _, novelty)| (extras.probability(scored, node).unwrap_or(novelty), novelty, node);
    let mut ranked: Vec<(f64, f64, Node)> = scored.scores.unidentified().map(rank).collect();
    ranked.sort_unstable_by(|one, other| {
        let (likely, novelty) = (other.0.total_cmp(&one.0), other.1.total_cmp(&one.1));
        likely.then(novelty).then(one.2.cmp(&other.2))
    });
    let classes = scored.scores.classes().iter();
    let others = classes.filter(|(_, class)| *class != Class::Unidentified).map(|(node, _)| node);
    let nodes = ranked.into_iter().map(|(_, _, node)| node).chain(others).filter(move |node| is_wanted(*node));
    nodes.map(|node| Ok((node, scored.snapshot.url(node, scored.series)?.url())))
}
