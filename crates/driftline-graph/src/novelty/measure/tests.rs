//! Does the compact solver give what the definition gives? Against an oracle that follows the paper line by line.

use std::iter::Copied;
use std::ops::Range;
use std::slice;

use driftline::novelty::Novelty;
use driftline_testkit::toyoda::{self, Page};
use proptest::prelude::*;

use super::super::{Before, Facts};
use super::*;
use crate::snapshot::Node;

/// A graph in memory: the sources of each node.
#[derive(Debug)]
struct Lists(Vec<Vec<Node>>);

impl Lists {
    fn of(ranks: Vec<Vec<u32>>) -> Self {
        Self(ranks.into_iter().map(|sources| sources.into_iter().map(Node::new).collect()).collect())
    }

    /// As the oracle has them.
    fn ranks(&self) -> Vec<Vec<u32>> {
        self.0.iter().map(|sources| sources.iter().map(|node| node.get()).collect()).collect()
    }
}

impl InLinks for Lists {
    type Sources<'a> = Copied<slice::Iter<'a, Node>>;

    fn nodes(&self) -> u32 {
        self.0.len() as u32
    }

    fn scan(&self, range: Range<Node>, mut visit: impl for<'a> FnMut(Node, Self::Sources<'a>)) {
        Node::range(range).for_each(|node| visit(node, self.0[node.index()].iter().copied()));
    }
}

fn judge(links: &Lists, pages: &[Page]) -> Classes {
    Classes::judge(links, |node| {
        let page = pages[node.index()];
        let before = match page.before {
            toyoda::Before::CrawledLastTime => Before::CrawledLastTime,
            toyoda::Before::Seen => Before::Seen,
            toyoda::Before::Unknown => Before::Unknown,
        };
        Facts { is_crawled: page.crawled, before, is_unmodified: page.unmodified }
    })
}

/// Pages of which many are unidentified, in clusters that link to each other more than to others.
fn crawls(most: usize) -> impl Strategy<Value = (Vec<Page>, Lists)> {
    let page = (0..100_u8, any::<bool>()).prop_map(|(kind, is_unmodified)| Page {
        crawled: kind < 90,
        before: match kind {
            0..12 => toyoda::Before::CrawledLastTime,
            12..25 => toyoda::Before::Seen,
            _ => toyoda::Before::Unknown,
        },
        unmodified: is_unmodified && (25..30).contains(&kind),
    });
    (2..most).prop_flat_map(move |count| {
        let links = prop::collection::vec((0..count, 0..count, 0..8_usize, any::<bool>()), 0..count * 6);
        (prop::collection::vec(page.clone(), count), links).prop_map(move |(pages, links)| {
            let mut lists = vec![Vec::new(); count];
            for (source, target, near, is_near) in links {
                let target = if is_near { (source / 8 * 8 + near).min(count - 1) } else { target };
                if source != target && pages[source].crawled {
                    lists[target].push(Node::new(source as u32));
                }
            }
            for list in &mut lists {
                list.sort_unstable();
                list.dedup();
            }
            (pages, Lists(lists))
        })
    })
}

fn scores_of(scores: &Scores, nodes: u32) -> Vec<f64> {
    let score = |node| match scores.of(node) {
        Some(Novelty::Unidentified(score)) => score,
        Some(Novelty::Old) | None => 0.0,
    };
    Node::first(nodes).map(score).collect()
}

fn most_apart(found: &[f64], expected: &[f64]) -> f64 {
    found.iter().zip(expected).map(|(found, expected)| (found - expected).abs()).fold(0.0, f64::max)
}

fn delta(number: f64) -> Delta {
    Delta::try_from(number).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn rounds_are_those_of_the_definition_whatever_the_blocks(
        (pages, links) in crawls(60),
        piece in 1_u32..70,
        memory in prop::sample::select(vec![0, 40, 1 << 20]),
        number in prop::sample::select(vec![0.0, 0.1, 0.2, 1.0]),
        rounds in 0_u32..25,
    ) {
        let classes = judge(&links, &pages);
        let codes = toyoda::classes(&pages, &links.ranks());
        for node in Node::first(links.nodes()) {
            prop_assert_eq!(classes.of(node).map_or("", Class::code), codes[node.index()]);
        }
        let measure = Measure::prepare_in(&links, classes, memory, piece).unwrap();
        let scores = measure.solve(delta(number), Rounds::Exactly(rounds)).unwrap();
        let (expected, changes) = toyoda::rounds(&codes, &links.ranks(), number, rounds);
        prop_assert!(most_apart(&scores_of(&scores, links.nodes()), &expected) < 1e-12);
        prop_assert_eq!(scores.changes().len(), changes.len());
        prop_assert!(most_apart(scores.changes(), &changes) < 1e-10);
        for (node, in_links, score) in scores.unidentified() {
            prop_assert_eq!(in_links as usize, links.0[node.index()].len());
            prop_assert_eq!(scores.in_links(node), Some(in_links));
            prop_assert!((0.0..=1.0 - number).contains(&score), "{}", score);
        }
    }

    #[test]
    fn a_tolerance_gives_what_the_rounds_converge_to(
        (pages, links) in crawls(60),
        piece in 1_u32..70,
        memory in prop::sample::select(vec![0, 1 << 20]),
        number in prop::sample::select(vec![0.0, 0.1, 1.0]),
    ) {
        let expected = toyoda::limit(&toyoda::classes(&pages, &links.ranks()), &links.ranks(), number);
        let measure = Measure::prepare_in(&links, judge(&links, &pages), memory, piece).unwrap();
        let scores = measure.solve(delta(number), Rounds::Until(1e-13)).unwrap();
        let apart = most_apart(&scores_of(&scores, links.nodes()), &expected);
        prop_assert!(apart < 1e-9, "{}", apart);
    }

    #[test]
    fn a_page_known_to_have_been_crawled_twice_lowers_no_score(
        (mut pages, links) in crawls(40),
        which in any::<prop::sample::Index>(),
    ) {
        let solve = |pages: &[Page]| {
            let measure = Measure::prepare(&links, judge(&links, pages), usize::MAX).unwrap();
            measure.solve(Delta::PAPER, Rounds::Exactly(20)).unwrap()
        };
        let before = solve(&pages);
        let old: Vec<_> = (0..pages.len()).filter(|&page| pages[page].crawled && pages[page].before == toyoda::Before::Seen).collect();
        prop_assume!(!old.is_empty());
        pages[*which.get(&old)].before = toyoda::Before::CrawledLastTime;
        let after = solve(&pages);
        for (now, before) in after.unidentified().zip(before.unidentified()) {
            prop_assert_eq!(now.0, before.0);
            prop_assert!(now.2 >= before.2 - 1e-15);
        }
    }
}

fn unidentified() -> Page {
    Page { crawled: true, ..Page::default() }
}

fn crawled_twice() -> Page {
    Page { crawled: true, before: toyoda::Before::CrawledLastTime, unmodified: false }
}

#[test]
fn pages_that_only_know_each_other_score_nothing_without_damping() {
    let links = Lists::of(vec![vec![1], vec![2], vec![0], vec![0, 4], vec![]]);
    let pages = [unidentified(), unidentified(), unidentified(), unidentified(), crawled_twice()];
    let measure = Measure::prepare(&links, judge(&links, &pages), usize::MAX).unwrap();
    let scores = measure.solve(delta(0.0), Rounds::Until(1e-12)).unwrap();
    assert_eq!(scores_of(&scores, 5), [0.0, 0.0, 0.0, 0.5, 0.0]);
}

#[test]
fn a_component_that_hangs_by_one_link_gets_all_that_comes_in_over_it() {
    // 300 pages that all link to each other, and the one link from outside is new: without damping all are new.
    const SIZE: u32 = 300;
    let mut lists: Vec<Vec<u32>> = (0..SIZE).map(|own| (0..SIZE).filter(|&other| other != own).collect()).collect();
    lists[7].push(SIZE);
    lists.push(Vec::new());
    let (links, mut pages) = (Lists::of(lists), vec![unidentified(); SIZE as usize]);
    pages.push(crawled_twice());
    for piece in [1 << 15, 150] {
        let measure = Measure::prepare_in(&links, judge(&links, &pages), usize::MAX, piece).unwrap();
        let scores = measure.solve(delta(0.0), Rounds::Until(1e-12)).unwrap();
        assert!(
            scores.unidentified().all(|(.., score)| (score - 1.0).abs() < 1e-3),
            "{piece}: {:?}",
            scores.changes().len()
        );
    }
}

#[test]
fn blocks_beyond_the_memory_are_read_from_a_file() {
    let lists = (0..1000_u32).map(|own| (0..1000).filter(|other| other % 7 == 0 && *other != own).collect());
    let links = Lists::of(lists.collect());
    let mut pages = vec![unidentified(); 1000];
    pages[0] = crawled_twice();
    let solve = |memory| {
        let measure = Measure::prepare_in(&links, judge(&links, &pages), memory, 100).unwrap();
        assert!(measure.size() > 100_000);
        measure.solve(Delta::PAPER, Rounds::Exactly(20)).unwrap()
    };
    let (aside, within) = (solve(50_000), solve(usize::MAX));
    assert!(aside.unidentified().eq(within.unidentified()));
}
