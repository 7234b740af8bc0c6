//! Gottron's templates: tag shingles and how much two documents share of them (CTSS), against an independent
//! implementation; and that a template is the same whichever way it was read.

use std::collections::BTreeSet;
use std::path::Path;

use driftline::page::zone::Zones;
use driftline::page::{BodyKind, Limits, Page, ReadOptions, Tag};
use driftline::redesign::template::Template;
use driftline_testkit::pages::{real_pairs, real_streams};
use driftline_testkit::{data, zoo};
use proptest::prelude::*;
use serde_json::{Value, json};

fn cases() -> Vec<Value> {
    let golden: Value = serde_json::from_str(include_str!("../golden/ctss.json")).unwrap();
    golden["cases"].as_array().unwrap().clone()
}

fn html() -> ReadOptions {
    ReadOptions { kind: Some(BodyKind::Html), ..ReadOptions::default() }
}

/// The template, read both ways.
#[track_caller]
fn template(bytes: &[u8], options: &ReadOptions, shingle_length: usize) -> Template {
    let read = Template::read(bytes, options, shingle_length);
    assert_eq!(read, Template::of(&Page::read(bytes, options), shingle_length));
    read
}

#[test]
fn gottron_common_shingles_and_ctss_are_exact() {
    let cases = cases();
    assert_eq!(cases.len(), 60);
    for case in &cases {
        let (id, expect, shingle_length) = (&case["id"], &case["expect"], case["k"].as_u64().unwrap() as usize);
        let [older, newer] = ["page1", "page2"].map(|page| {
            let text = case[page].as_str().unwrap();
            template(text.as_bytes(), &html(), shingle_length)
        });
        assert_eq!(json!([older.len(), newer.len()]), json!([expect["shingles1"], expect["shingles2"]]), "{id}");
        assert_eq!(json!(older.common(&newer)), expect["common"], "{id}");
        let off = older.similarity(&newer) - expect["ctss"].as_f64().unwrap();
        assert!(off.abs() <= 1e-12, "{id}: {}, not {}", older.similarity(&newer), expect["ctss"]);
    }
}

/// T1 and T2 word for word: all runs of tags, as texts.
fn naive(page: &Page, shingle_length: usize) -> BTreeSet<Vec<String>> {
    let spelled = |tag| match tag {
        Tag::Start(name) => page.name(name).to_owned(),
        Tag::End(name) => format!("/{}", page.name(name)),
    };
    let tags: Vec<String> = page.tags().map(spelled).collect();
    match tags.len() {
        0 => BTreeSet::new(),
        count => tags.windows(shingle_length.min(count)).map(<[String]>::to_vec).collect(),
    }
}

#[test]
fn a_body_without_tags_has_an_empty_template_and_those_are_alike() {
    let [json, text] =
        ["{\"a\": [1, 2]}", "just words"].map(|body| template(body.as_bytes(), &ReadOptions::default(), 6));
    assert!(json.is_empty() && json.blocks().len() == 0);
    assert_eq!((json.similarity(&text), json.likeness(&text)), (1.0, 1.0));
    let page = template(b"<p>a", &ReadOptions::default(), 6);
    assert_eq!(json.similarity(&page), 0.0);
}

#[test]
fn a_shingle_of_any_length_is_one_of_a_tag_at_least_and_of_all_at_most() {
    let template = |length| Template::read("<p>a<br>b</p><p>c</p>", &html(), length);
    assert_eq!((template(0), template(1_000_000)), (template(1), template(usize::MAX)));
    assert_eq!((template(1).len(), template(usize::MAX).len()), (9, 1));
}

#[test]
fn only_what_the_options_let_in_is_read() {
    let body = b"<nav><ul><li>a</ul></nav><main><p>b</p></main>";
    let zones = Zones { include: vec!["main".parse().unwrap()], ignore: Vec::new() };
    let zone = template(body, &ReadOptions { zones, ..html() }, 6);
    assert_eq!(zone.blocks().collect::<Vec<_>>(), ["body", "html", "main", "p"]);
    let limits = Limits { nodes: 4, ..Limits::DEFAULT };
    assert!(template(body, &ReadOptions { limits, ..html() }, 6).len() < template(body, &html(), 6).len());
}

#[test]
fn hostile_bodies_have_the_same_template_both_ways() {
    for (_, body) in zoo::bodies() {
        for kind in [None, Some(BodyKind::Xml)] {
            template(&body, &ReadOptions { kind, ..ReadOptions::default() }, 6);
        }
    }
}

#[test]
fn a_template_is_saved_and_read_back() {
    let template = Template::read("<nav class=top></nav><p>a", &html(), 6);
    let saved = serde_json::to_string(&template).unwrap();
    assert_eq!(serde_json::from_str::<Template>(&saved).unwrap(), template);
}

#[test]
fn real_documents_have_the_same_template_both_ways() {
    assert_eq!(read_both_ways(&data::subset()), 201);
}

#[test]
#[ignore = "needs the shared data"]
fn real_documents_have_the_same_template_both_ways_on_the_shared_data() {
    let documents = read_both_ways(&data::shared());
    assert!(documents > 1_000, "only {documents} documents");
}

/// The number of documents; each has the same template both ways.
fn read_both_ways(data: &Path) -> usize {
    let (streams, pairs) = (real_streams(data), real_pairs(data));
    let mut documents = 0;
    let pages = pairs.iter().flat_map(|pair| [&pair.older, &pair.newer]);
    for bytes in streams.iter().flat_map(|stream| &stream.documents).chain(pages) {
        assert!(!template(bytes, &ReadOptions::default(), 6).is_empty());
        documents += 1;
    }
    documents
}

/// Tag soup: elements that the parser moves about, void ones, drawings, and text where none may stand.
fn soup() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        " ",
        "<p>",
        "</p>",
        "<b>",
        "</b>",
        "<a href=x>",
        "</a>",
        "<i class=y>",
        "</i>",
        "<br>",
        "<img id=z>",
        "<div id=x class='y z'>",
        "</div>",
        "<table>",
        "<tr>",
        "<td>",
        "</td>",
        "</table>",
        "<ul>",
        "<li>",
        "</ul>",
        "<svg>",
        "<g/>",
        "</svg>",
        "<template>",
        "</template>",
        "<select>",
        "<option>",
        "</select>",
        "<h1>",
        "</h1>",
        "<body class=w>",
        "<html lang=en>",
        "<script>",
        "</script>",
        "<style>",
        "</style>",
        "<!-- c -->",
        "<form>",
    ]);
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_soup_has_the_same_template_both_ways_and_the_shingles_of_the_rules(
        one in soup(), other in soup(), shingle_length in 1..12_usize, xml: bool,
    ) {
        let kind = Some(if xml { BodyKind::Xml } else { BodyKind::Html });
        let options = ReadOptions { kind, ..ReadOptions::default() };
        let [older, newer] = [&one, &other].map(|text| template(text.as_bytes(), &options, shingle_length));
        let [naive_older, naive_newer] =
            [&one, &other].map(|text| naive(&Page::read(text.as_bytes(), &options), shingle_length));
        prop_assert_eq!((older.len(), newer.len()), (naive_older.len(), naive_newer.len()));
        prop_assert_eq!(older.common(&newer), naive_older.intersection(&naive_newer).count());
    }

    #[test]
    fn similarity_is_symmetric_a_share_and_one_with_itself(one in soup(), other in soup()) {
        let [one, other] = [one, other].map(|text| Template::read(text.as_str(), &html(), 6));
        for measure in [Template::similarity, Template::likeness] {
            prop_assert_eq!(measure(&one, &other), measure(&other, &one));
            prop_assert!((0.0..=1.0).contains(&measure(&one, &other)));
            prop_assert_eq!(measure(&one, &one), 1.0);
        }
    }

    #[test]
    fn any_bytes_are_a_document(bytes: Vec<u8>, shingle_length: usize) {
        template(&bytes, &ReadOptions::default(), shingle_length);
    }
}
