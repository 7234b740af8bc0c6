//! Labelled changes of real pages, and how well a score separates those that matter from noise.
//!
//! The labels are in `crates/driftline/tests/labels`, with the rules by which they were given. They
//! name pages of the shared test data; a data folder with a part of these pages has a part of the pairs.

use crate::pages::read;
use serde_json::Value;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Two versions of a page, and whether somebody who watches it would want to know.
pub struct LabelledPair {
    /// `site/page`, with the older version's time for a real pair, the number of the line for a made one.
    pub name: String,
    /// The site, by which pairs are divided into halves.
    pub site: String,
    /// The older version's bytes.
    pub older: Vec<u8>,
    /// The newer version's bytes.
    pub newer: Vec<u8>,
    /// A change that matters; otherwise noise.
    pub is_real: bool,
    /// Was the newer version made from the older one by an edit?
    pub is_made: bool,
    /// What kind of change or noise: `listing`, `footer`, …
    pub kind: String,
    /// What changed, in words.
    pub reason: String,
}

/// Pairs to tune by and pairs to report; no site is in both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Half {
    /// Weights may be chosen by these.
    Tuning,
    /// Only to be looked at when the weights are chosen.
    HeldOut,
}

/// Sites that share a template with another one, and that one.
const RELATIVES: [(&str, &str); 6] = [
    ("ota-amazon-com", "ota-amazon"),
    ("ota-amazon-music", "ota-amazon"),
    ("ota-rue-du-commerce", "ota-rueducommerce-fr"),
    ("ota-thunderbird", "ota-mozilla"),
    ("ota-tier", "ota-dott"),
    ("ota-youtube-kids", "ota-youtube"),
];

impl LabelledPair {
    /// The half that the pair's site belongs to.
    #[must_use]
    pub fn half(&self) -> Half {
        let template = RELATIVES.iter().find(|(site, _)| *site == self.site).map_or(&*self.site, |(_, other)| *other);
        // The second bit of FNV-1a: it divides both classes most evenly, chosen before any score was seen.
        let hash = template
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        if hash & 2 == 0 { Half::Tuning } else { Half::HeldOut }
    }
}

/// The labelled pairs of the pages that the manifest of a data folder lists, real ones first.
///
/// # Panics
///
/// Panics if a page of the manifest cannot be read, or an edit names a text that the page lacks.
#[must_use]
pub fn labelled_pairs(data: &Path) -> Vec<LabelledPair> {
    let pages = Pages::listed(data.join("pages"));
    let mut pairs = real_pairs(&pages);
    pairs.extend(made_pairs(&pages));
    pairs
}

/// The folder of pages, and the files that its manifest lists.
struct Pages {
    folder: PathBuf,
    files: HashSet<String>,
}

impl Pages {
    fn listed(folder: PathBuf) -> Self {
        let list = read(&folder.join("manifest.csv"));
        let records = csv::Reader::from_reader(&*list).into_records();
        let file = |record: csv::Result<csv::StringRecord>| record.expect("manifest.csv is CSV")[2].to_owned();
        Self { files: records.map(file).collect(), folder }
    }

    fn read(&self, file: &str) -> Vec<u8> {
        read(&self.folder.join(file))
    }
}

/// The area under the curve: how often a real change scores above noise; a tie counts half.
///
/// # Panics
///
/// Panics if a class is empty: then there is nothing to rank.
#[must_use]
pub fn auc(real: &[f64], noise: &[f64]) -> f64 {
    assert!(!real.is_empty() && !noise.is_empty(), "both classes must have scores");
    let wins =
        |score: &f64| noise.iter().map(|other| f64::from(score >= other) + f64::from(score > other)).sum::<f64>();
    real.iter().map(wins).sum::<f64>() / (2.0 * (real.len() * noise.len()) as f64)
}

fn labels() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../driftline/tests/labels")
}

fn is_real(label: &str) -> bool {
    match label {
        "real" => true,
        "noise" => false,
        other => panic!("`{other}` is no label; there are `real` and `noise`"),
    }
}

fn real_pairs(pages: &Pages) -> Vec<LabelledPair> {
    let list = read(&labels().join("importance.csv"));
    let records = csv::Reader::from_reader(&*list).into_records();
    let pair = |record: csv::StringRecord| {
        let [older, newer, label, kind, reason] = [0, 1, 2, 3, 4].map(|column| record[column].to_owned());
        let is_there = [&older, &newer].iter().all(|file| pages.files.contains(*file));
        is_there.then(|| LabelledPair {
            name: name(&older).to_owned(),
            site: site(&older).to_owned(),
            older: pages.read(&older),
            newer: pages.read(&newer),
            is_real: is_real(&label),
            is_made: false,
            kind,
            reason,
        })
    };
    records.filter_map(|record| pair(record.expect("importance.csv has five columns in every row"))).collect()
}

fn made_pairs(pages: &Pages) -> Vec<LabelledPair> {
    let list = String::from_utf8(read(&labels().join("made.jsonl"))).expect("made.jsonl is UTF-8");
    let pair = |(number, line): (usize, &str)| {
        let case: Value = serde_json::from_str(line).expect("a line of made.jsonl is JSON");
        let field = |name: &str| case[name].as_str().unwrap_or_else(|| panic!("no `{name}` in {line}")).to_owned();
        let page = field("page");
        if !pages.files.contains(&page) {
            return None;
        }
        let name = format!("{} (made {})", name(&page), number + 1);
        let edit = |text: String, edits: &Value| {
            edits.as_array().into_iter().flatten().fold(text, |text, edit| edited(&text, edit, &name))
        };
        let original = String::from_utf8(pages.read(&page)).expect("pages to edit are UTF-8");
        let older = edit(original, &case["base"]);
        let newer = edit(older.clone(), &case["edits"]);
        assert!(older != newer, "{name}: the edits change nothing");
        Some(LabelledPair {
            site: site(&page).to_owned(),
            older: older.into_bytes(),
            newer: newer.into_bytes(),
            is_real: is_real(&field("label")),
            is_made: true,
            kind: field("kind"),
            reason: field("reason"),
            name,
        })
    };
    list.lines().enumerate().filter_map(pair).collect()
}

/// The text after one edit: `find` … (`until`) becomes `replace`, or `insert` comes `before`, `repeat` times.
fn edited(text: &str, edit: &Value, page: &str) -> String {
    let string = |name: &str| edit[name].as_str();
    let place = |wanted: &str, from: usize| {
        let found = text[from..].find(wanted);
        from + found.unwrap_or_else(|| panic!("{page}: the page has no `{wanted}`"))
    };
    if let (Some(before), Some(insert)) = (string("before"), string("insert")) {
        let (head, tail) = text.split_at(place(before, 0));
        let times = edit["repeat"].as_u64().unwrap_or(1) as usize;
        return [head, &insert.repeat(times), tail].concat();
    }
    let (Some(find), Some(replace)) = (string("find"), string("replace")) else {
        panic!("{page}: an edit has `find` and `replace`, or `before` and `insert`: {edit}");
    };
    let start = place(find, 0);
    let found = start + find.len();
    let end = string("until").map_or(found, |until| place(until, found) + until.len());
    [&text[..start], replace, &text[end..]].concat()
}

/// `site/page/time` of `pairs/site/page/time.html`.
fn name(path: &str) -> &str {
    let name = path.strip_prefix("pairs/").expect("a page is in `pairs`");
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

fn site(path: &str) -> &str {
    name(path).split('/').next().expect("a path has a first part")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_area_is_the_share_of_pairs_in_order() {
        assert_eq!(auc(&[0.9, 0.8], &[0.1, 0.2]), 1.0);
        assert_eq!(auc(&[0.1, 0.2], &[0.9, 0.8]), 0.0);
        assert_eq!(auc(&[0.5, 0.5], &[0.5]), 0.5);
        assert_eq!(auc(&[0.3, 0.9], &[0.5, 0.1]), 0.75);
        assert_eq!(auc(&[1.0], &[1.0, 0.0]), 0.75);
    }

    #[test]
    fn edits_replace_cut_and_insert() {
        let text = "<ul><li>one</li><li>two</li></ul>";
        let apply = |edit: Value| edited(text, &edit, "a page");
        assert_eq!(apply(json!({"find": "one", "replace": "1"})), "<ul><li>1</li><li>two</li></ul>");
        assert_eq!(apply(json!({"find": "<li>one", "until": "</li>", "replace": ""})), "<ul><li>two</li></ul>");
        assert_eq!(
            apply(json!({"before": "</ul>", "insert": "<hr>", "repeat": 2})),
            "<ul><li>one</li><li>two</li><hr><hr></ul>"
        );
    }

    #[test]
    #[should_panic(expected = "a page: the page has no `three`")]
    fn an_edit_that_finds_nothing_says_so() {
        edited("<p>one", &json!({"find": "three", "replace": ""}), "a page");
    }

    #[test]
    fn relatives_are_in_one_half() {
        let half = |site: &str| {
            let [name, kind, reason] = [const { String::new() }; 3];
            let site = site.to_owned();
            LabelledPair { name, site, older: vec![], newer: vec![], is_real: true, is_made: false, kind, reason }
                .half()
        };
        for (site, other) in RELATIVES {
            assert_eq!(half(site), half(other), "{site} and {other}");
        }
        assert_ne!(half("ota-mozilla"), half("gyuha"));
    }
}
