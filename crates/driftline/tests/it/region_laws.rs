//! What holds for the similarity of any two pages, and for hostile ones.

use driftline::Limit;
use driftline::page::{NodeId, Page, ReadOptions};
use driftline::region::artail::{self, Class, Detection};
use driftline::region::comparison::{Comparison, Options};
use driftline::region::similarity::{Typedist, Weights, cs};
use driftline::region::{AttributeWeights, Subtrees, similarity};
use driftline_testkit::pages::{RealPair, real_pairs};
use driftline_testkit::{data, zoo};
use proptest::prelude::*;

/// Pages of few tags, attributes and words, so that much of them is alike.
fn html() -> impl Strategy<Value = String> {
    let text = prop::collection::vec("[a-e]", 0..4).prop_map(|words| words.join(" "));
    let element = text.prop_recursive(4, 40, 5, |inner| {
        let tag = prop::sample::select(vec!["p", "div", "ul", "b"]);
        let attributes = prop::sample::select(vec!["", " class=x", " class=y", " href=z id=x"]);
        (tag, attributes, prop::collection::vec(inner, 0..5))
            .prop_map(|(tag, attributes, inner)| format!("<{tag}{attributes}>{}</{tag}>", inner.join(" ")))
    });
    prop::collection::vec(element, 0..6).prop_map(|parts| format!("<body>{}", parts.concat()))
}

fn options() -> impl Strategy<Value = Options> {
    let typedist = prop::sample::select(vec![Typedist::Product, Typedist::Sum]);
    (0..=10_u32, 0..=10_u32, typedist).prop_map(|(first, second, typedist)| {
        let (alpha, beta) = (f64::from(first) / 20.0, f64::from(second) / 20.0);
        Options { weights: Weights::new(alpha, beta, 1.0 - alpha - beta).unwrap(), typedist, ..Options::default() }
    })
}

fn page(html: &str) -> Page {
    Page::read(html, &ReadOptions::default())
}

/// Equations 1 to 7 word for word: every node with every node of the same tag, sets made anew.
fn naive(older: &Page, newer: &Page, options: &Options) -> Vec<Option<(usize, f64)>> {
    let others = Subtrees::of(newer).rows;
    let node = |one: NodeId, other: NodeId| naive_cs(older, one, newer, other, options);
    let subtree = |one: (u32, u32), other: (u32, u32)| {
        let best = |id: u32| {
            let partners = (other.0..=other.1).filter(|&q| newer.tag(NodeId(q)) == older.tag(NodeId(id)));
            partners.map(|q| node(NodeId(id), NodeId(q))).fold(-1.0, f64::max)
        };
        let sims: Vec<f64> = (one.0..=one.1).map(best).collect();
        if sims.iter().all(|&sim| sim == 1.0) { 1.0 } else { sims.iter().sum::<f64>() / sims.len() as f64 }
    };
    let rows = Subtrees::of(older).rows.into_iter().map(|part| {
        let same = others.iter().enumerate().filter(|(_, other)| other.mark == part.mark);
        same.map(|(row, other)| (row, subtree((part.start.0, part.end.0), (other.start.0, other.end.0)))).fold(
            None,
            |best: Option<(usize, f64)>, found| match best {
                Some(best) if found.1 <= best.1 + 1e-12 && !(found.1 == 1.0 && best.1 < 1.0) => Some(best),
                _ => Some(found),
            },
        )
    });
    rows.collect()
}

fn naive_cs(older: &Page, one: NodeId, newer: &Page, other: NodeId, options: &Options) -> f64 {
    let path = |page: &Page, id| page.path(id).split_terminator(';').map(str::to_owned).collect::<Vec<_>>();
    let words = |page: &Page, id: NodeId| {
        let span = page.nodes()[id.index()].words.range();
        // Words are single letters here: each is its own number.
        let words = page.words().skip(span.start).take(span.len());
        let mut set: Vec<u32> = words.map(|word| u32::from(word.as_bytes()[0])).collect();
        set.sort_unstable();
        set.dedup();
        set
    };
    let (ours, theirs): (Vec<_>, Vec<_>) = (older.attributes(one).collect(), newer.attributes(other).collect());
    cs(
        similarity::typedist(options.typedist, &path(older, one), &path(newer, other)),
        similarity::attdist(&ours, &theirs, &AttributeWeights::default()),
        similarity::intersect(&words(older, one), &words(newer, other)),
        &options.weights,
    )
}

fn classes(detection: &Detection) -> Vec<Class> {
    detection.subtrees.iter().map(|row| row.class).collect()
}

proptest! {
    #[test]
    fn the_fast_way_finds_what_the_equations_say(older in html(), newer in html(), options in options()) {
        let (older, newer) = (page(&older), page(&newer));
        let detection = artail::detect(&older, &newer, &options);
        for (row, expected) in detection.subtrees.iter().zip(naive(&older, &newer, &options)) {
            prop_assert_eq!(row.matched, expected.map(|(row, _)| row));
            if let (Some(similarity), Some((_, expected))) = (row.similarity, expected) {
                prop_assert!((similarity - expected).abs() < 1e-12);
                prop_assert!((-1.0..=1.0).contains(&similarity));
                prop_assert_eq!(similarity == 1.0, expected == 1.0);
            }
        }
    }

    #[test]
    fn an_equal_page_is_unchanged(html in html(), options in options()) {
        let page = page(&html);
        let detection = artail::detect(&page, &page, &options);
        prop_assert!(!detection.changed);
        prop_assert!(classes(&detection).iter().all(|&class| class == Class::Unchanged));
    }

    #[test]
    fn the_answer_is_the_same_every_time(older in html(), newer in html()) {
        let detect = || artail::detect(&page(&older), &page(&newer), &Options::default());
        prop_assert_eq!(detect(), detect());
    }

    #[test]
    fn a_budget_never_hides_a_change(older in html(), newer in html(), most_steps in 0..200_u64) {
        let (older, newer) = (page(&older), page(&newer));
        let whole = artail::detect(&older, &newer, &Options::default());
        let cut = artail::detect(&older, &newer, &Options { most_steps, ..Options::default() });
        prop_assert_eq!(cut.subtrees.len(), whole.subtrees.len());
        for (whole, cut) in whole.subtrees.iter().zip(&cut.subtrees) {
            prop_assert!(cut.class != Class::Unchanged || whole.class == Class::Unchanged);
            prop_assert!(cut.similarity.is_none_or(|similarity| (-1.0..=1.0).contains(&similarity)));
        }
    }
}

#[test]
fn a_deep_chain_of_many_words_stays_within_its_budget() {
    let words = |seed: u32| (0..20_000).map(|word| (word * seed).to_string()).collect::<Vec<_>>().join(" ");
    let chain = |seed| page(&format!("{}{}", "<div>x".repeat(500), words(seed)));
    let (older, newer) = (chain(3), chain(7));
    let options = Options { most_steps: 1 << 22, ..Options::default() };
    let detection = artail::detect(&older, &newer, &options);
    assert!(detection.changed);
    assert_eq!(detection.limit, Some(Limit::Similarity));
    assert!(!artail::detect(&older, &older, &options).changed);
}

#[test]
fn a_wide_page_without_anything_in_common_stays_within_its_budget() {
    let wide = |word: &str| page(&(0..20_000).map(|number| format!("<p>{word}{number}")).collect::<Vec<_>>().concat());
    let detection = artail::detect(&wide("a"), &wide("b"), &Options { most_steps: 1 << 20, ..Options::default() });
    assert_eq!(detection.limit, Some(Limit::Similarity));
    assert_eq!(detection.subtrees.len(), 20_000);
    assert_eq!(detection.subtrees[19_999].matched, Some(19_999), "beyond the budget, the part at the same place");
}

#[test]
fn any_two_subtrees_can_be_compared() {
    let older = page("<div><ul><li>a<li>b</ul></div>");
    let newer = page("<main><p>new</p><ul><li>a<li>b</ul></main>");
    let mut comparison = Comparison::new(&older, &newer, &Options::default());
    let (list, moved) = (NodeId(4), NodeId(5));
    assert_eq!((older.tag(list), newer.tag(moved)), ("ul", "ul"));
    let similarity = comparison.subtree_similarity(list, moved);
    assert!(similarity > 0.3 && similarity < 1.0, "words and attributes are the same, paths are not: {similarity}");
    assert_eq!(comparison.subtree_similarity_above(list, moved, 0.99), None);
    let likeness = comparison.likeness(list, moved);
    assert_eq!((likeness.content, likeness.attributes), (1.0, 1.0));
}

#[test]
fn broken_bodies_are_compared_with_each_other() {
    let pages: Vec<Page> =
        zoo::bodies().iter().map(|(_, body)| Page::read(body.as_slice(), &ReadOptions::default())).collect();
    let options = Options { most_steps: 1 << 16, ..Options::default() };
    for (older, newer) in pages.iter().zip(pages.iter().skip(1)) {
        let detection = artail::detect(older, newer, &options);
        assert_eq!(detection.subtrees.len(), Subtrees::of(older).rows.len());
    }
}

#[test]
fn real_pages_are_unchanged_against_themselves() {
    assert_unchanged_against_themselves(&real_pairs(&data::subset()));
}

#[test]
#[ignore = "needs the shared data"]
fn real_pages_are_unchanged_against_themselves_on_the_shared_data() {
    assert_unchanged_against_themselves(&real_pairs(&data::shared()));
}

fn assert_unchanged_against_themselves(pairs: &[RealPair]) {
    for pair in pairs {
        let page = Page::read(pair.older.as_slice(), &ReadOptions::default());
        let detection = artail::detect(&page, &page, &Options::default());
        assert!(!detection.changed && detection.limit.is_none(), "{}", pair.name);
    }
}
