//! driftline's own detector misses nothing and reports nothing that did not change.

use driftline::Limit;
use driftline::change::Change;
use driftline::compare::{CompareOptions, Comparer};
use driftline::page::zone::Zones;
use driftline::page::{BodyKind, Page, ReadOptions, WordRule};
use driftline::region::similarity::Weights;
use driftline::region::{RegionKind, RegionOptions, ResourceFate, ResourceKind};
use driftline_testkit::data;
use driftline_testkit::pages::{RealPair, real_pairs};
use driftline_testkit::truth::truth;
use proptest::prelude::*;
use serde_json::Value;

fn compare(older: &str, newer: &str, words: WordRule) -> Change {
    compare_by(&ReadOptions { words, ..ReadOptions::default() }, older, newer)
}

/// A page without a tag would be taken for plain text; this one is not.
fn compare_html(older: &str, newer: &str, words: WordRule) -> Change {
    compare_by(&ReadOptions { kind: Some(BodyKind::Html), words, ..ReadOptions::default() }, older, newer)
}

fn compare_by(options: &ReadOptions, older: &str, newer: &str) -> Change {
    Comparer::default().compare(&Page::read(older, options), &Page::read(newer, options))
}

fn golden() -> Vec<Value> {
    let golden: Value = serde_json::from_str(include_str!("../golden/structure.json")).unwrap();
    golden["cases"].as_array().unwrap().clone()
}

/// Rule S10, on every case, the 40 blind spots of Artail and Fawaz among them.
#[test]
fn every_golden_change_is_found_and_nothing_else() {
    for case in golden() {
        let page = |name: &str| case[name].as_str().unwrap();
        let truth = |aspect: &str| case["expect"]["truth"][aspect].as_bool().unwrap();
        for words in [WordRule::Whitespace, WordRule::Unicode] {
            let change = compare(page("page1"), page("page2"), words);
            let found = change.changed;
            assert_eq!(!change.regions.is_empty(), truth("any"), "{} {words:?}", case["id"]);
            assert_eq!(found.content, truth("content"), "{}", case["id"]);
            assert_eq!(found.structure, truth("structure") || truth("placement"), "{}", case["id"]);
            assert_eq!(found.attributes, truth("attributes"), "{}", case["id"]);
            agrees(&change);
        }
    }
}

/// The same on every pair of real pages, against a check that shares no code with driftline.
#[test]
fn every_real_change_is_found_and_nothing_else() {
    assert_every_change_is_found(&real_pairs(&data::subset()));
}

#[test]
#[ignore = "needs the shared data"]
fn every_real_change_is_found_and_nothing_else_on_the_shared_data() {
    assert_every_change_is_found(&real_pairs(&data::shared()));
}

fn assert_every_change_is_found(pairs: &[RealPair]) {
    let mut comparer = Comparer::default();
    for words in [WordRule::Whitespace, WordRule::Unicode] {
        let options = ReadOptions { words, kind: Some(BodyKind::Html), ..ReadOptions::default() };
        for pair in pairs {
            let truth = truth(&pair.older, &pair.newer);
            let [older, newer] = [&pair.older, &pair.newer].map(|bytes| Page::read(bytes.as_slice(), &options));
            let change = comparer.compare(&older, &newer);
            let told = change.changed;
            assert_eq!(!change.regions.is_empty(), truth.any(), "{} {words:?}: {truth:?} {told:?}", pair.name);
            // The truth looks at places only where words are the same, and at attributes element by element
            // only where elements are: there it is exact, elsewhere the detector may see more.
            let structure = truth.structure || truth.placement && !told.punctuation;
            assert!(told.structure >= structure && (truth.content || told.structure == structure), "{}", pair.name);
            assert!(told.attributes >= truth.attributes, "{}", pair.name);
            assert!(truth.structure || told.attributes == truth.attributes, "{}", pair.name);
            if words == WordRule::Whitespace {
                assert_eq!(told.content, truth.content, "{}", pair.name);
            }
            agrees(&change);
        }
    }
}

/// Degree, aspects and regions say the same.
fn agrees(change: &Change) {
    let has_content = change.regions.iter().any(|region| region.changed.content);
    assert_eq!(has_content, change.measurement.degree.ied.get() > 0.0);
    assert_eq!(has_content, change.changed.content);
    for region in &change.regions {
        assert!(region.changed.any());
        assert!((-1.0..=1.0).contains(&region.similarity), "{region:?}");
        assert!(region.severity > 0.0 && region.severity <= 1.0, "{region:?}");
        assert!((0.0..=1.0).contains(&region.importance.score), "{region:?}");
    }
}

/// A little page: few names, few words, so that much of it repeats itself.
fn page() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec!["a", "b", "c", "a b", "b, c", "d e f g"]);
    let leaf = word.prop_map(str::to_owned);
    leaf.prop_recursive(4, 40, 5, |inner| {
        let name = prop::sample::select(vec!["div", "p", "ul", "li", "b", "a", "td"]);
        let attribute = prop::sample::select(vec!["", " id=x", " class=y", " href=/1 class=y", " href=/2"]);
        let children = prop::collection::vec(inner, 0..5);
        (name, attribute, children)
            .prop_map(|(name, attribute, children)| format!("<{name}{attribute}>{}</{name}>", children.join(" ")))
    })
}

/// A page and the same after a few changes: parts of it repeated, dropped, exchanged, wrapped.
fn pair() -> impl Strategy<Value = (String, String)> {
    let parts = prop::collection::vec(page(), 1..6);
    (parts, prop::collection::vec((0..5_u8, 0..6_usize, 0..6_usize, page()), 0..4)).prop_map(|(parts, edits)| {
        let mut newer = parts.clone();
        for (edit, at, other, page) in edits {
            let (at, other) = (at % newer.len(), other % newer.len());
            match edit {
                0 => newer.swap(at, other),
                1 => newer.insert(at, newer[other].clone()),
                2 => newer[at] = format!("<div>{}</div>", newer[at]),
                3 => newer[at] = page,
                _ if newer.len() > 1 => _ = newer.remove(at),
                _ => {}
            }
        }
        (parts.concat(), newer.concat())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_change_is_found_and_nothing_else((older, newer) in pair()) {
        let truth = truth(older.as_bytes(), newer.as_bytes());
        let change = compare_html(&older, &newer, WordRule::Whitespace);
        prop_assert_eq!(!change.regions.is_empty(), truth.any());
        prop_assert_eq!(change.changed.content, truth.content);
        // Where words changed, the truth does not look at their places; the detector does.
        let structure = truth.structure || truth.placement;
        prop_assert!(change.changed.structure >= structure && (truth.content || change.changed.structure == structure));
        // Where elements changed too, the truth knows attributes as a bag only; the detector may see more.
        prop_assert!(change.changed.attributes >= truth.attributes);
        agrees(&change);
        let unicode = compare_html(&older, &newer, WordRule::Unicode);
        prop_assert_eq!(!unicode.regions.is_empty(), truth.any());
        agrees(&unicode);
    }

    #[test]
    fn a_page_does_not_differ_from_itself(page in page()) {
        prop_assert!(compare(&page, &page, WordRule::Unicode).is_empty());
    }

    #[test]
    fn what_came_is_what_went_the_other_way_round((older, newer) in pair()) {
        let (there, back) = (compare(&older, &newer, WordRule::Whitespace), compare(&newer, &older, WordRule::Whitespace));
        prop_assert_eq!(there.changed.content, back.changed.content);
        prop_assert_eq!(there.regions.is_empty(), back.regions.is_empty());
    }

    #[test]
    fn operations_of_regions_are_operations_of_the_page((older, newer) in pair()) {
        let change = compare(&older, &newer, WordRule::Whitespace);
        let told: usize = change.regions.iter().map(|region| region.operations.total()).sum();
        prop_assert!(told <= change.measurement.operations.total());
    }
}

#[test]
fn words_without_a_tag_are_a_page_too() {
    let change = compare_html("a", "<td></td>", WordRule::Whitespace);
    assert!(change.changed.content && !change.changed.structure);
}

#[test]
fn words_that_moved_across_elements_are_structure_too() {
    let older = "<div></div><p><div>a</div></p><td>b b</td><td></td>";
    let newer = "<div></div><td>b b</td><p><div>a</div></p><td></td>";
    let change = compare_html(older, newer, WordRule::Whitespace);
    assert!(change.changed.content && change.changed.structure);
}

fn kinds(older: &str, newer: &str) -> Vec<(RegionKind, String)> {
    let change = compare(older, newer, WordRule::Unicode);
    change.regions.iter().map(|region| (region.kind(), region.shown().selector.clone())).collect()
}

#[test]
fn the_smallest_block_explains_the_change() {
    let page = |price: &str| {
        format!("<main><h1>Shop</h1><div><p>Boots</p><p>now <b>{price}</b></p></div><p>Call us</p></main>")
    };
    assert_eq!(kinds(&page("20"), &page("30")), [(RegionKind::Changed, "main > div > p:nth-of-type(2)".to_owned())]);
}

#[test]
fn most_entries_of_a_list_are_told_as_the_list() {
    let list = |words: [&str; 4]| format!("<p>Prices</p><ul>{}</ul>", words.map(|word| format!("<li>{word}")).concat());
    let found = kinds(&list(["1", "2", "3", "4"]), &list(["5", "6", "7", "4"]));
    assert_eq!(found, [(RegionKind::Changed, "ul".to_owned())]);
}

#[test]
fn a_block_that_stands_elsewhere_was_moved() {
    let block = "<div id=news><h2>News of the day</h2><p>The harbour opens again on Monday</p></div>";
    let older = format!("<main>{block}<p>One</p></main><aside><p>Two</p></aside>");
    let newer = format!("<main><p>One</p></main><aside><p>Two</p>{block}</aside>");
    let change = compare(&older, &newer, WordRule::Unicode);
    let [region] = change.regions.as_slice() else { panic!("{:?}", change.regions) };
    assert_eq!(region.kind(), RegionKind::Moved);
    assert_eq!(region.older().map(|place| place.path.as_str()), Some("html;body;main;div;"));
    assert_eq!(region.newer().map(|place| place.path.as_str()), Some("html;body;aside;div;"));
}

#[test]
fn a_lost_link_is_a_finding_of_its_own() {
    let older = "<p>See <a href=/data.csv>the data</a> and <a href=/about>about</a></p>";
    let newer = "<p>See the data and <a href=/about>about</a></p>";
    let change = compare(older, newer, WordRule::Unicode);
    assert!(!change.changed.content && change.changed.structure);
    let found: Vec<_> =
        change.resources.iter().map(|it| (it.kind, it.what, it.url.as_str(), it.text.as_str())).collect();
    assert_eq!(found, [(ResourceFate::Lost, ResourceKind::Link, "/data.csv", "the data")]);
    let moved = compare(
        older,
        "<p>See and <a href=/about>about</a> <i><a href=/data.csv>the data</a></i></p>",
        WordRule::Unicode,
    );
    assert_eq!(moved.resources, [], "it still stands there");
}

#[test]
fn a_comma_is_no_word_and_is_told() {
    let change = compare("<p>Eat, Grandma</p>", "<p>Eat Grandma</p>", WordRule::Unicode);
    assert_eq!(change.measurement.degree.ied.get(), 0.0);
    assert!(change.changed.punctuation && !change.changed.content && change.regions.len() == 1);
    assert!(
        compare("<p>Eat  Grandma</p>", "<p>Eat\nGrandma </p>", WordRule::Unicode).is_empty(),
        "white space is nothing"
    );
}

#[test]
fn text_and_json_have_one_region() {
    for (older, newer) in [("one two", "one three"), ("{\"a\": 1}", "{\"a\": 2}")] {
        let change = compare(older, newer, WordRule::Unicode);
        let [region] = change.regions.as_slice() else { panic!("{:?}", change.regions) };
        assert!(region.changed.content && region.shown().node.is_none());
    }
}

/// The worst case is bounded, and says so: nothing alike, everything in one list.
#[test]
fn thousands_of_unlike_parts_are_told_coarsely() {
    let list = |seed: u32| {
        let rows: Vec<String> =
            (0..20_000_u32).map(|at| format!("<div>w{} w{}</div>", at * 2 + seed, at * 3 + seed)).collect();
        rows.concat()
    };
    let change = compare(&list(1), &list(1_000_000), WordRule::Unicode);
    assert!(change.regions.len() <= 1_000);
    assert!(change.measurement.limits.contains(&Limit::Regions));
    agrees(&change);
}

fn regions(older: &str, newer: &str) -> Vec<String> {
    compare(older, newer, WordRule::Whitespace).regions.iter().map(|region| region.shown().selector.clone()).collect()
}

#[test]
fn a_word_that_changed_its_element_is_told_beside_a_changed_word() {
    let page = |first: &str, second: &str| format!("<p>{first}</p><p>{second} alpha beta</p>");
    let older = page("one <b>two three</b> four five six", "x");
    let newer = page("one two <b>three</b> four five six", "y");
    assert_eq!(regions(&older, &newer), ["body > p:nth-of-type(1)", "body > p:nth-of-type(2)"]);
}

#[test]
fn exchanged_attributes_are_told_beside_a_new_element() {
    let page = |a: &str, b: &str, last: &str| {
        format!("<section><p class={a}>x one</p><p class={b}>y two</p></section><{last}>z three four</{last}>")
    };
    let change = compare(&page("a", "b", "p"), &page("b", "a", "div"), WordRule::Whitespace);
    assert_eq!(change.regions.len(), 3, "{:?}", change.regions);
    assert!(change.changed.attributes && change.changed.structure);
}

#[test]
fn a_lost_file_is_told_behind_thousands_of_regions() {
    let page = |word: &str, end: &str| {
        let rows: Vec<String> = (0..1_500).map(|at| format!("<p>paragraph {at} {word}{at}</p>")).collect();
        format!("<p class={word}>begin</p>{}<p>the end {end}</p>", rows.concat())
    };
    let change = compare(&page("old", "<a href=/data.csv>data</a>"), &page("new", "data"), WordRule::Unicode);
    assert_eq!(change.regions.len(), 1_000);
    assert!(change.measurement.limits.contains(&Limit::Regions));
    assert_eq!(change.resources.len(), 1);
    assert!(change.regions.iter().any(|region| region.shown().words.end == change.measurement.words.newer as u32));
}

#[test]
fn no_weights_make_a_change_weightless() {
    for (alpha, beta) in [(0.0, 0.5), (1.0, 0.0), (0.0, 1.0), (0.0, 0.0)] {
        let weights = Weights::new(alpha, beta, 1.0 - alpha - beta).unwrap();
        let regions = RegionOptions { weights, ..RegionOptions::default() };
        let mut comparer = Comparer::new(CompareOptions { regions, ..CompareOptions::default() });
        let [older, newer] = ["<p>one two</p><p id=a>three</p>", "<div><p>one two</p></div><p id=b>three</p>"]
            .map(|html| Page::read(html, &ReadOptions::default()));
        agrees(&comparer.compare(&older, &newer));
    }
}

#[test]
fn the_text_of_a_resource_is_short() {
    let page = |action: &str| format!("<form action={action}><p>{}</p></form>", "word ".repeat(5_000));
    let change = compare(&page("/a"), &page("/b"), WordRule::Unicode);
    assert_eq!(change.resources.len(), 2);
    assert!(change.resources.iter().all(|resource| resource.text.len() < 1_000));
}

/// Each of these took from seconds to minutes once.
#[test]
fn hostile_pages_stay_within_the_budget() {
    let deep = |class: &str, word: &str| {
        format!("<div class={class}>{}{word} {}", "<div>".repeat(400), "w1 w2 w3 w4 w5 ".repeat(4_000))
    };
    agrees(&compare(&deep("a", "x"), &deep("b", "y"), WordRule::Whitespace));
    let blocks = |from: usize, count: usize| -> String {
        let block =
            |at: usize| (0..16).map(|word| format!("w{} ", (from + at) * 16 + word)).collect::<Vec<_>>().concat();
        (0..count).map(|at| format!("<p>{}</p>", block(at))).collect::<Vec<_>>().concat()
    };
    let change = compare(&blocks(0, 6_000), &blocks(1_000_000, 6_001), WordRule::Whitespace);
    assert!(change.measurement.limits.contains(&Limit::Regions));
}

#[test]
fn selectors_count_what_is_ignored_or_outside_the_zone() {
    let selector = |zones: Zones, older: &str, newer: &str| {
        let options = ReadOptions { zones, ..ReadOptions::default() };
        let [older, newer] = [older, newer].map(|html| Page::read(html, &options));
        Comparer::default().compare(&older, &newer).regions[0].shown().selector.clone()
    };
    let ignore = Zones { include: Vec::new(), ignore: vec![".ad".parse().unwrap()] };
    let page = |word: &str| format!("<p class=ad>buy<p>first<p>second {word}");
    assert_eq!(selector(ignore, &page("one"), &page("two")), "body > p:nth-of-type(3)");
    let zone = Zones { include: vec!["section p:nth-of-type(2)".parse().unwrap()], ignore: Vec::new() };
    let page = |word: &str| format!("<section><p>one<p>two {word}</section>");
    assert_eq!(selector(zone, &page("a"), &page("b")), "section > p:nth-of-type(2)");
}

fn importance(older: &str, newer: &str) -> f64 {
    compare(older, newer, WordRule::Unicode).importance.score
}

#[test]
fn blocks_of_a_page_builder_are_no_side_bars() {
    let page = |class: &str, clause: &str| {
        format!("<div><p>Our terms of sale are these</p><div class='{class}'><p>{clause}</p></div></div>")
    };
    let of = |class: &str| importance(&page(class, "We keep your data"), &page(class, "We may sell your data"));
    assert_eq!(of("elementor-widget elementor-widget-text-editor"), of("plain"));
    assert!(of("widget") < of("plain"));
}

#[test]
fn a_link_that_gained_a_foreign_host_leads_elsewhere() {
    let page = |target: &str| format!("<main><p>Please <a href='{target}'>log in</a> here</p></main>");
    assert!(importance(&page("/login"), &page("https://evil.example/login")) > 0.5);
    let own = "<a href=https://own.example/>home</a>";
    let known = |target: &str| format!("{own}{}", page(target));
    assert!(importance(&known("/login"), &known("https://own.example/login")) < 0.2);
}

#[test]
fn text_that_is_hidden_now_is_gone_for_readers() {
    let page = |hidden: &str| format!("<main><p>One</p><p {hidden}>The ferry does not run on Sundays</p></main>");
    assert!(importance(&page(""), &page("hidden")) > 0.4);
    assert!(importance(&page("hidden"), &page("")) > 0.4);
}

#[test]
fn an_ignored_title_is_not_told() {
    let ignore = |selector: &str| Zones { include: Vec::new(), ignore: vec![selector.parse().unwrap()] };
    for (zones, is_told) in [(Zones::default(), true), (ignore("title"), false), (ignore("head"), false)] {
        let options = ReadOptions { zones, ..ReadOptions::default() };
        let [older, newer] =
            ["(3)", "(4)"].map(|count| Page::read(format!("<title>{count} News</title><p>a").as_str(), &options));
        assert_eq!(!Comparer::default().compare(&older, &newer).is_empty(), is_told);
    }
}
