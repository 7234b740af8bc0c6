//! What do tests look at? Snapshots of a few pages, written by the writers themselves.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use driftline::novelty::url::Canonical;
use driftline::time::Time;

use super::{About, FORMAT, Node, Status, write};
use crate::Series;

/// Puts a crawl into a series: the addresses with what became of each, and the links. What is only linked to is there
/// too.
pub(crate) fn put(folder: &Path, at: &str, pages: &[(&str, Status)], links: &[(&str, &str)]) -> About {
    let series = Series::open_or_make(folder).unwrap();
    let canonical = |url: &str| Canonical::of(url).unwrap();
    let mut statuses: BTreeMap<String, Status> = BTreeMap::new();
    for url in links.iter().flat_map(|link| [link.0, link.1]) {
        let status = Status { www: canonical(url).www(), ..Status::default() };
        statuses.insert(canonical(url).key().to_owned(), status);
    }
    for (url, status) in pages {
        statuses.insert(canonical(url).key().to_owned(), Status { www: canonical(url).www(), ..*status });
    }
    let node = |url: &str| statuses.keys().position(|key| key == canonical(url).key()).unwrap() as u32;
    let arcs: BTreeSet<_> = links.iter().map(|link| (Node::new(node(link.0)), Node::new(node(link.1)))).collect();

    let staging = folder.join(format!("{}{at}", crate::series::ADDING));
    std::fs::create_dir(&staging).unwrap();
    let mut numbers = write::NumbersWriter::create(&staging).unwrap();
    let mut urls = write::UrlsWriter::create(&staging).unwrap();
    let mut status = write::StatusWriter::create(&staging, statuses.len() as u32).unwrap();
    let mut new = 0;
    for (key, own) in &statuses {
        let number = series.number_of(key).unwrap().unwrap_or_else(|| {
            urls.push(key).unwrap();
            new += 1;
            series.next_number().checked_add(new - 1).unwrap()
        });
        numbers.push(number).unwrap();
        status.push(own).unwrap();
    }
    numbers.finish().unwrap();
    status.finish().unwrap();
    assert_eq!(urls.finish().unwrap(), new);
    let built = write::links(&staging, statuses.len() as u32, arcs.into_iter().map(Ok), 0).unwrap();
    let about = About {
        format: FORMAT,
        at: at.to_owned(),
        added: series.next_added(),
        first_number: series.next_number(),
        new_urls: new,
        urls: statuses.len() as u32,
        crawled: statuses.values().filter(|status| status.crawled).count() as u32,
        links: built.links,
        redirects: 0,
        out_bits_per_link: built.out_bits_per_link,
        in_bits_per_link: built.in_bits_per_link,
        skipped: BTreeMap::new(),
        left_out: BTreeMap::new(),
        sources: Vec::new(),
        files: BTreeMap::new(),
    };
    let about = about.seal(&staging).unwrap();
    std::fs::rename(staging, folder.join(at)).unwrap();
    about
}

/// A page that was crawled at a time.
pub(crate) fn crawled(fetched: &str) -> Status {
    Status { crawled: true, fetched: Some(fetched.parse::<Time>().unwrap()), ..Status::default() }
}
