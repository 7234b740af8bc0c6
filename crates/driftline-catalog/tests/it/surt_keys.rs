//! Are keys those of the field? Compared with the Python package `surt` 0.3.1, as cdxj-indexer calls it.
//!
//! `tests/data/surt.jsonl` holds tricky URLs with the key that the package gives each (without asking a name server:
//! `gethostbyname_ex` answered for addresses only); where it fails, cdxj-indexer takes the URL itself.

use std::fs;
use std::path::Path;

use driftline_catalog::surt::key;
use driftline_testkit::data::{shared, subset};

#[test]
fn tricky_urls_have_the_keys_of_the_field() {
    for line in include_str!("../data/surt.jsonl").lines() {
        let (url, expected): (String, String) = serde_json::from_str(line).unwrap();
        assert_eq!(key(&url), expected, "{url:?}");
    }
}

#[test]
fn all_urls_of_real_archives_have_the_keys_of_the_field() {
    compare_keys(&subset(), 150);
}

#[test]
#[ignore = "needs the shared data"]
fn all_urls_of_real_archives_have_the_keys_of_the_field_on_the_shared_data() {
    compare_keys(&shared(), 1_000);
}

fn compare_keys(data: &Path, least: usize) {
    let mut compared = 0;
    for file in fs::read_dir(data.join("warc/expected")).unwrap().map(|entry| entry.unwrap().path()) {
        if file.extension().is_none_or(|extension| extension != "cdxj") {
            continue;
        }
        for line in fs::read_to_string(&file).unwrap().lines() {
            let mut words = line.splitn(3, ' ');
            let (expected, json) = (words.next().unwrap(), words.nth(1).unwrap());
            let fields: serde_json::Value = serde_json::from_str(json).unwrap();
            if let Some(url) = fields["url"].as_str() {
                assert_eq!(key(url), expected, "{url:?} in {}", file.display());
                compared += 1;
            }
        }
    }
    assert!(compared > least, "{compared}");
}
