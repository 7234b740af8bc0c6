//! Is every link written once, by its addresses, and is GraphML what an XML parser reads?

use std::collections::{BTreeMap, BTreeSet};

use quick_xml::Reader;
use quick_xml::events::Event;

use super::*;
use crate::snapshot::made::{crawled, put};

const AT: &str = "20190115000000";
const HOME: &str = "https://www.example.org/";
const QUERY: &str = "https://www.example.org/?a=1&b=%3C2%3E";
const OTHER: &str = "https://other.example/";

const LINKS: [(&str, &str); 4] = [(HOME, QUERY), (HOME, OTHER), (QUERY, OTHER), (QUERY, HOME)];

fn made() -> (tempfile::TempDir, Series) {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().join("series");
    put(&folder, AT, &[(HOME, crawled("20190114120000")), (QUERY, crawled("20190114120100"))], &LINKS);
    let series = Series::open(&folder).unwrap();
    (temporary, series)
}

#[test]
fn every_link_is_told_once_with_both_addresses() {
    let (_temporary, series) = made();
    let snapshot = series.at(None).unwrap();
    let (mut told, read) = (BTreeSet::new(), std::cell::Cell::new(0));
    let each = |edge: Edge<'_>| {
        assert_eq!(edge.fetched.is_some_and(|at| at.digits().starts_with("201901141201")), edge.source == QUERY);
        assert!(told.insert((edge.source.to_owned(), edge.target.to_owned())));
        Ok(())
    };
    let count = edges(&series, snapshot, Choice::All, each, &|links| read.set(read.get() + links)).unwrap();
    assert_eq!((count, read.get()), (4, 4));
    assert_eq!(told, LINKS.map(|(source, target)| (source.to_owned(), target.to_owned())).into());
}

#[test]
fn links_to_what_was_not_crawled_can_be_left_out() {
    let (_temporary, series) = made();
    let snapshot = series.at(None).unwrap();
    let mut targets = Vec::new();
    let each = |edge: Edge<'_>| {
        targets.push(edge.target.to_owned());
        Ok(())
    };
    assert_eq!(edges(&series, snapshot, Choice::AmongCrawled, each, &|_| {}).unwrap(), 2);
    assert_eq!(targets, [QUERY, HOME]);
}

#[test]
fn an_output_that_takes_no_more_ends_it() {
    let (_temporary, series) = made();
    let snapshot = series.at(None).unwrap();
    let mut left = 2;
    let each = |_: Edge<'_>| {
        left -= 1;
        if left < 0 { Err(io::Error::other("full")) } else { Ok(()) }
    };
    let error = edges(&series, snapshot, Choice::All, each, &|_| {}).unwrap_err();
    assert!(matches!(error, ExportError::Io(full) if full.to_string() == "full"));
    assert_eq!(left, -1);
}

/// Nodes by id: what each key says of them.
type Nodes = BTreeMap<String, BTreeMap<String, String>>;

/// The nodes and edges of a GraphML file.
fn read(text: &str) -> (Nodes, BTreeSet<(String, String)>) {
    let mut reader = Reader::from_str(text);
    let (mut nodes, mut edges, mut node, mut key) = (BTreeMap::new(), BTreeSet::new(), String::new(), String::new());
    loop {
        let event = reader.read_event().unwrap();
        let attribute = |name: &str| match &event {
            Event::Start(tag) | Event::Empty(tag) => {
                let found = tag.try_get_attribute(name).unwrap().unwrap();
                found.value.into_owned()
            }
            other => panic!("{other:?}"),
        };
        match &event {
            Event::Start(tag) if tag.name().as_ref() == "node" => node = attribute("id"),
            Event::Start(tag) if tag.name().as_ref() == "data" => key = attribute("key"),
            Event::Empty(tag) if tag.name().as_ref() == "edge" => {
                edges.insert((attribute("source"), attribute("target")));
            }
            Event::Text(text) if !key.is_empty() => {
                let values: &mut BTreeMap<_, String> = nodes.entry(node.clone()).or_default();
                values.entry(key.clone()).or_default().push_str(text);
            }
            Event::GeneralRef(name) => {
                let sign = quick_xml::escape::unescape(&format!("&{};", &**name)).unwrap().into_owned();
                let values: &mut BTreeMap<_, String> = nodes.entry(node.clone()).or_default();
                values.entry(key.clone()).or_default().push_str(&sign);
            }
            Event::End(tag) if tag.name().as_ref() == "data" => key.clear(),
            Event::Eof => return (nodes, edges),
            _ => {}
        }
    }
}

#[test]
fn graphml_is_read_back_by_an_xml_parser() {
    let (_temporary, series) = made();
    let snapshot = series.at(None).unwrap();
    let mut out = Vec::new();
    assert_eq!(graphml(&series, snapshot, Choice::All, &mut out, &|_| {}).unwrap(), 4);
    let (nodes, edges) = read(std::str::from_utf8(&out).unwrap());
    let of = |node: &str, key: &str| nodes[node][key].as_str();
    assert_eq!(["n0", "n1", "n2"].map(|node| of(node, "url")), [OTHER, HOME, QUERY]);
    assert_eq!(["n0", "n1", "n2"].map(|node| of(node, "class")), ["fringe", "crawled", "crawled"]);
    assert_eq!(["n0", "n1"].map(|node| of(node, "host")), ["other.example", "www.example.org"]);
    assert_eq!(of("n2", "label"), QUERY.strip_prefix("https://").unwrap());
    let expected = [("n1", "n2"), ("n1", "n0"), ("n2", "n0"), ("n2", "n1")];
    assert_eq!(edges, expected.map(|(source, target)| (source.to_owned(), target.to_owned())).into());
}

#[test]
fn graphml_of_crawled_pages_has_no_edge_without_its_nodes() {
    let (_temporary, series) = made();
    let snapshot = series.at(None).unwrap();
    let mut out = Vec::new();
    assert_eq!(graphml(&series, snapshot, Choice::AmongCrawled, &mut out, &|_| {}).unwrap(), 2);
    let (nodes, edges) = read(std::str::from_utf8(&out).unwrap());
    assert_eq!(nodes.keys().collect::<Vec<_>>(), ["n1", "n2"]);
    assert!(edges.iter().all(|(source, target)| nodes.contains_key(source) && nodes.contains_key(target)));
}
