//! Are keys those of the field? Compared with the Python package `surt` 0.3.1, as cdxj-indexer calls it.
//!
//! `tests/data/surt.jsonl` holds tricky URLs with the key that the package gives each (without asking a name server:
//! `gethostbyname_ex` answered for addresses only); where it fails, cdxj-indexer takes the URL itself.

use std::fs;

use driftline_archive::surt::key;

#[test]
fn tricky_urls_have_the_keys_of_the_field() {
    for line in include_str!("../data/surt.jsonl").lines() {
        let (url, expected): (String, String) = serde_json::from_str(line).unwrap();
        assert_eq!(key(&url), expected, "{url:?}");
    }
}

#[test]
fn all_urls_of_real_archives_have_the_keys_of_the_field() {
    let Some(folder) = driftline_testkit::pages::shared_data().map(|data| data.join("warc/expected")) else {
        eprintln!("skipped: there is no ../shared/data");
        return;
    };
    let mut compared = 0;
    for file in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
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
    assert!(compared > 1_000, "{compared}");
}
