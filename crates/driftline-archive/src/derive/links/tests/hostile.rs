//! Files that are torn, damaged or something else altogether.

use std::fs;
use std::io::Write;
use std::path::Path;

use driftline_testkit::data::{shared, subset};

use super::super::{LinksError, extract, skip_reason};
use super::{Extracted, all, answer, of_bytes, pages};

pub(super) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

fn three() -> [Vec<u8>; 3] {
    [1, 2, 3].map(|number| {
        let head = "200 OK\r\nContent-Type: text/html";
        answer(&format!("http://a.org/{number}"), head, &format!("<a href=/x{number}>{}</a>", "words ".repeat(3)))
    })
}

#[test]
fn a_torn_file_is_read_as_far_as_it_goes() {
    let plain = three().concat();
    let packed = three().map(|record| gzip(&record)).concat();
    for whole in [&plain, &packed] {
        assert_eq!(pages(&of_bytes(whole)).len(), 3);
        for end in 0..whole.len() {
            let found = of_bytes(&whole[..end]);
            assert!(pages(&found).len() <= 3, "{end}");
        }
    }
    let torn = of_bytes(&plain[..plain.len() - 15]);
    let lacks: Vec<_> = pages(&torn).iter().map(|page| page.lacks).collect();
    assert_eq!(lacks, [None, None, Some(skip_reason::CUT)], "what is there of the last one counts");
}

#[test]
fn a_damaged_record_does_not_hide_those_behind_it() {
    let mut members = three().map(|record| gzip(&record));
    let middle = members[1].len() / 2;
    for byte in &mut members[1][middle..middle + 8] {
        *byte ^= 0x55;
    }
    let found = of_bytes(&members.concat());
    let urls: Vec<_> = pages(&found).iter().map(|page| page.url.as_str()).collect();
    assert_eq!(urls, ["http://a.org/1", "http://a.org/3"]);
    assert!(found.contains(&Extracted::Skipped(skip_reason::DAMAGED)), "{found:?}");
}

#[test]
fn other_files_are_counted_and_no_more() {
    assert_eq!(of_bytes(b""), []);
    assert_eq!(of_bytes(b"PK\x03\x04 no zip"), [Extracted::Skipped(skip_reason::BAD_WACZ)]);
    assert_eq!(of_bytes(b" CDX N b a m s k r M S V g\n"), [Extracted::Skipped(skip_reason::NOT_WARC)]);
    assert!(pages(&of_bytes(&[0x1f, 0x8b, 8, 0, 1, 2, 3])).is_empty());
    let error = extract("not/there.warc".as_ref(), &|_| {}, &mut |_| Ok::<_, LinksError>(())).unwrap_err();
    assert!(matches!(&error, LinksError::Open { .. }), "{error:?}");
    assert!(error.to_string().starts_with("cannot open `not/there.warc`: No such file"), "{error}");
}

#[test]
fn a_page_without_end_counts_by_its_beginning() {
    let body = format!("<a href=/first>1</a>{}<a href=/last>2</a>", "<p>word".repeat((9 << 20) / 7));
    let found = of_bytes(&answer("http://a.org/", "200 OK\r\nContent-Type: text/html", &body));
    let [page] = pages(&found)[..] else { panic!("{}", found.len()) };
    assert_eq!(page.links, ["http://a.org/first"]);
    assert_eq!(page.lacks, Some(skip_reason::CUT));
}

#[test]
fn no_real_file_is_too_odd() {
    read_odd_files(&subset());
}

#[test]
#[ignore = "needs the shared data"]
fn no_real_file_is_too_odd_on_the_shared_data() {
    read_odd_files(&shared());
}

/// Every file of a collection of odd archives, as it is and torn in the middle.
fn read_odd_files(data: &Path) {
    let torn = tempfile::tempdir().unwrap();
    let mut count = 0;
    for entry in fs::read_dir(data.join("warc/files")).unwrap() {
        let path = entry.unwrap().path();
        let bytes = fs::read(&path).unwrap();
        if bytes.len() > 300_000 {
            continue;
        }
        all(&path);
        let half = torn.path().join("half");
        fs::write(&half, &bytes[..bytes.len() / 2]).unwrap();
        all(&half);
        count += 1;
    }
    assert!(count > 50, "only {count} files");
}
