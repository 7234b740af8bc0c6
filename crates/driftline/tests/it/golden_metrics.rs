//! Cases worked by an independent, slow and exact implementation (`tests/golden/README.md`).

use driftline::compare::{CompareOptions, Comparer};
use driftline::degree::Measurement;
use driftline::degree::cosine::{Corpus, Idf};
use driftline::degree::ied::Costs;
use driftline::degree::lcs::Aligner;
use driftline::degree::vocabulary::Vocabulary;
use driftline::page::{BodyKind, Page, ReadOptions, WordRule};
use serde_json::{Value, json};

const TOLERANCE: f64 = 1e-12;

fn golden() -> Value {
    serde_json::from_str(include_str!("../golden/metrics.json")).unwrap()
}

fn words(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect()
}

fn page(list: &Value) -> Page {
    let read_options =
        ReadOptions { kind: Some(BodyKind::Text), words: WordRule::Whitespace, ..ReadOptions::default() };
    Page::read(words(list).join(" ").as_str(), &read_options)
}

fn options(case: &Value) -> CompareOptions {
    let cost = |key: &str| case[key].as_str().unwrap().parse().unwrap();
    CompareOptions {
        costs: Costs::new(cost("a"), cost("b")).unwrap(),
        shingle_length: case["k"].as_u64().unwrap() as usize,
        ..CompareOptions::default()
    }
}

fn measure(case: &Value, options: CompareOptions) -> Measurement {
    Comparer::new(options).measure(&page(&case["A"]), &page(&case["B"]))
}

fn assert_near(id: &Value, what: &str, actual: f64, expected: &Value) {
    let expected = expected.as_f64().unwrap();
    assert!((actual - expected).abs() <= TOLERANCE, "{id} {what}: {actual}, not {expected}");
}

#[test]
fn every_golden_case_has_the_expected_degrees() {
    for case in golden()["cases"].as_array().unwrap() {
        let (id, expect) = (&case["id"], &case["expect"]);
        let Measurement { degree, raw, .. } = measure(case, options(case));
        assert_near(id, "bw", degree.bw.get(), &expect["bw"]);
        assert_near(id, "cos", degree.cos.get(), &expect["cos_none"]);
        assert_near(id, "wd", degree.wd.get(), &expect["wd"]);
        assert_near(id, "ed", degree.ed.get(), &expect["ed"]);
        assert_near(id, "shingle", degree.shingle.get(), &expect["sh"]);
        assert_near(id, "ied", degree.ied.get(), &expect["ied"]["d"]);
        assert_near(id, "raw ied", raw.ied, &expect["ied"]["raw"]);
        assert_near(id, "ied refined", degree.ied_refined.get(), &expect["ied_refined"]["d"]);
        assert_near(id, "raw ied refined", raw.ied_refined, &expect["ied_refined"]["raw"]);
    }
}

#[test]
fn every_golden_case_has_the_expected_operations() {
    use driftline::degree::ied::Variant;
    for case in golden()["cases"].as_array().unwrap() {
        for (variant, name) in [(Variant::Phases, "ied"), (Variant::Refined, "ied_refined")] {
            let measured = measure(case, CompareOptions { variant, ..options(case) });
            assert_eq!(json!(measured.operations), case["expect"][name]["ops"], "{} {name}", case["id"]);
        }
    }
}

#[test]
fn every_golden_case_has_the_expected_pair_weighted_cosine() {
    for case in golden()["cases"].as_array().unwrap() {
        let measured = measure(case, CompareOptions { idf: Idf::Pair, ..options(case) });
        assert_near(&case["id"], "cos pair", measured.degree.cos.get(), &case["expect"]["cos_pair"]);
    }
}

#[test]
fn every_golden_corpus_case_has_the_expected_cosine() {
    for case in golden()["corpus_cases"].as_array().unwrap() {
        let mut corpus = Corpus::default();
        for document in case["corpus"].as_array().unwrap() {
            corpus.add(words(document));
        }
        let corpus = Corpus::from_text(&corpus.to_text()).unwrap();
        let measured = measure(case, CompareOptions { idf: Idf::Corpus(corpus.into()), ..CompareOptions::default() });
        assert_near(&case["id"], "cos corpus", measured.degree.cos.get(), &case["cos_corpus"]);
    }
}

#[test]
fn the_common_subsequence_is_the_canonical_one() {
    let mut checked = 0;
    for case in golden()["cases"].as_array().unwrap() {
        let (a, b) = (words(&case["A"]), words(&case["B"]));
        let mut vocabulary = Vocabulary::new();
        let [a_ids, b_ids] = [&a, &b].map(|page| page.iter().map(|word| vocabulary.intern(word)).collect::<Vec<_>>());
        let swapped = (b.len(), &b) < (a.len(), &a);
        let (x, y) = if swapped { (&b_ids, &a_ids) } else { (&a_ids, &b_ids) };
        let alignment = Aligner::new().align(x, y);
        assert_eq!(json!(alignment.length), case["expect"]["lcs"], "{}", case["id"]);
        let Some(pairs) = case["expect"].get("lcs_pairs") else {
            continue;
        };
        let common = |len: usize, leftovers: &[driftline::degree::lcs::Leftover]| {
            (0..len).filter(|&i| leftovers.iter().all(|leftover| leftover.index as usize != i)).collect::<Vec<_>>()
        };
        let (x, y) = (common(x.len(), &alignment.first), common(y.len(), &alignment.second));
        let (a, b) = if swapped { (y, x) } else { (x, y) };
        let actual: Vec<_> = a.into_iter().zip(b).collect();
        assert_eq!(json!(actual), *pairs, "{}", case["id"]);
        checked += 1;
    }
    assert!(checked > 400, "only {checked} cases carry their pairs");
}
