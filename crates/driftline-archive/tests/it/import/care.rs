//! However it is packed, broken or repeated.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::sync::atomic::{AtomicU64, Ordering};

use driftline_archive::Archive;
use driftline_archive::import::{Error, Format, Options, Plan};
use driftline_archive::warc::Kind;
use driftline_catalog::digest::Digest;

use super::{Place, captures, crawl, import, import_as, kept, record};
use crate::support::{gzip, monitor};

#[test]
fn members_are_copied_byte_by_byte() {
    let place = Place::new();
    let archive = place.archive();
    let members: Vec<Vec<u8>> = crawl(20).iter().map(|record| gzip(record)).collect();
    let summary = import(&archive, &place.write("a.warc.gz", &members.concat()));
    assert_eq!((summary.records, summary.captures, summary.skipped_in_all()), (41, 20, 0));
    archive.close().unwrap();
    let mut written = Vec::new();
    for entry in std::fs::read_dir(place.folder.path().join("data/warc")).unwrap() {
        std::fs::File::open(entry.unwrap().path()).unwrap().read_to_end(&mut written).unwrap();
    }
    for member in members {
        assert!(written.windows(member.len()).any(|window| window == member), "a member is not there as it was");
    }
}

#[test]
fn however_it_is_packed_the_same_comes_in() {
    let records = crawl(30);
    let whole = records.concat();
    let zstd_each: Vec<u8> =
        records.iter().flat_map(|record| zstd::encode_all(record.as_slice(), 1).unwrap()).collect();
    let mut lz4 = lz4_flex::frame::FrameEncoder::new(Vec::new());
    lz4.write_all(&whole).unwrap();
    let files = [
        ("plain.warc", whole.clone()),
        ("each.warc.gz", records.iter().flat_map(|record| gzip(record)).collect()),
        ("whole.warc.gz", gzip(&whole)),
        ("pairs.warc.gz", records.chunks(2).flat_map(|pair| gzip(&pair.concat())).collect()),
        ("each.warc.zst", zstd_each),
        ("whole.warc.zst", zstd::encode_all(whole.as_slice(), 1).unwrap()),
        ("whole.warc.lz4", lz4.finish().unwrap()),
    ];
    let mut first = None;
    for (name, bytes) in files {
        let place = Place::new();
        let archive = place.archive();
        let summary = import(&archive, &place.write(name, &bytes));
        assert_eq!((summary.records, summary.captures, summary.skipped_in_all()), (61, 30, 0), "{name}");
        let captures = captures(&archive);
        archive.close().unwrap();
        let all = (captures, kept(&place));
        assert_eq!(first.get_or_insert_with(|| all.clone()), &all, "{name}");
    }
}

#[test]
fn the_same_from_another_file_changes_nothing() {
    let place = Place::new();
    let archive = place.archive();
    let records = crawl(700);
    let first = place.write("in/a.warc.gz", &records.iter().flat_map(|record| gzip(record)).collect::<Vec<_>>());
    assert_eq!(import(&archive, &first).captures, 700);
    let again = import(&archive, &first);
    assert_eq!((again.unchanged, again.records), (1, 0));
    let other = place.write("b.warc", &records.concat());
    let summary = import(&archive, &other);
    assert_eq!((summary.captures, summary.duplicates), (0, 1_401));
    // Two files with the same records, at once.
    let place = Place::new();
    let archive = place.archive();
    place.write("in/a.warc", &records.concat());
    place.write("in/b.warc", &records.concat());
    let summary = import(&archive, &place.folder.path().join("in"));
    assert_eq!((summary.files, summary.captures), (2, 700));
    assert_eq!(summary.records, 2_802);
    archive.close().unwrap();
    let responses = kept(&place).iter().filter(|(kind, ..)| *kind == Kind::Response).count();
    assert_eq!(responses, 700);
}

#[test]
fn the_same_captures_as_arc_and_as_converted_warc_are_stored_once() {
    let (mut arc, mut warc) = (String::new(), String::new());
    let answers = [("200 OK", "", "<p>text"), ("302 Found", "Location: /a\r\n", ""), ("404 Not Found", "", "<p>none")];
    for (number, (status, more, body)) in answers.into_iter().enumerate() {
        let url = format!("http://example.org/{number}");
        let block = format!("HTTP/1.1 {status}\r\nContent-Type: text/html\r\n{more}\r\n{body}");
        let length = block.len();
        arc += &format!("{url} 192.0.2.1 20040101000000 text/html {length}\n{block}\n");
        warc += &format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:converted-{number}>\r\n\
             WARC-Date: 2004-01-01T00:00:00Z\r\nWARC-Target-URI: {url}\r\nWARC-Payload-Digest: {}\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {length}\r\n\r\n{block}\r\n\r\n",
            Digest::sha1(body.as_bytes())
        );
    }
    let files = [("crawl.arc", &arc), ("converted.warc", &warc)];
    for order in [[0, 1], [1, 0]] {
        let place = Place::new();
        let archive = place.archive();
        let [first, second] = order.map(|at| place.write(files[at].0, files[at].1.as_bytes()));
        assert_eq!(import(&archive, &first).captures, 3, "{order:?}");
        let summary = import(&archive, &second);
        assert_eq!((summary.captures, summary.duplicates), (0, 3), "{order:?}: {summary:?}");
        // Both at once.
        let both = Place::new();
        let archive = both.archive();
        let inputs = [first, second];
        let summary = Plan::new(&inputs, &Options::default()).unwrap().run(Some(&archive), &|_| {}).unwrap();
        assert_eq!((summary.captures, summary.duplicates), (3, 3), "{order:?}: {summary:?}");
    }
}

#[test]
fn redirects_of_one_second_to_two_places_are_two_captures() {
    let redirect = |number: usize, target: &str| {
        let block = format!("HTTP/1.1 302 Found\r\nLocation: {target}\r\n\r\n");
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{number}>\r\n\
             WARC-Date: 2024-01-01T00:00:00Z\r\nWARC-Target-URI: http://example.org/\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
            block.len()
        )
    };
    let place = Place::new();
    let archive = place.archive();
    let records = [redirect(1, "/a"), redirect(2, "/b"), redirect(3, "/b")];
    let summary = import(&archive, &place.write("a.warc", records.concat().as_bytes()));
    assert_eq!((summary.captures, summary.duplicates), (2, 1), "{summary:?}");
}

#[test]
fn what_is_broken_is_told_with_its_place() {
    let place = Place::new();
    let archive = place.archive();
    let records = crawl(3);
    let mut damaged = gzip(&records[3]);
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0xff;
    let members = [gzip(&records[0]), gzip(&records[1]), damaged, gzip(&records[5])];
    let offset = (members[0].len() + members[1].len()) as u64;
    let mut bytes = members.concat();
    let torn = gzip(&records[6]);
    let end = bytes.len() as u64;
    bytes.extend(&torn[..torn.len() - 20]);
    let summary = import(&archive, &place.write("broken.warc.gz", &bytes));
    assert_eq!(summary.captures, 2, "{summary:?}");
    let places: BTreeSet<_> = summary.skips.iter().filter_map(|skip| skip.offset).collect();
    assert_eq!(places, BTreeSet::from([offset, end]), "{:?}", summary.skips);
    assert!(summary.skips.iter().all(|skip| skip.file.ends_with("broken.warc.gz")));
}

#[test]
fn truncation_at_any_byte_loses_only_the_last_record() {
    let records: Vec<Vec<u8>> = crawl(4).iter().map(|record| gzip(record)).collect();
    let whole = records.concat();
    let place = Place::new();
    for end in (0..whole.len()).step_by(29) {
        let archive = Archive::open_at(&place.folder.path().join(format!("data-{end}"))).unwrap();
        let input = place.write(&format!("cut-{end}.warc.gz"), &whole[..end]);
        let mut start = 0;
        let complete = records.iter().filter(|record| {
            start += record.len();
            start <= end
        });
        match import_as(&archive, &input, &Options { format: Some(Format::Warc), ..Options::default() }) {
            Ok(summary) => assert_eq!(summary.records, complete.count() as u64, "{end}: {summary:?}"),
            Err(error) => panic!("{end}: {error}"),
        }
    }
}

#[test]
fn a_trial_changes_nothing() {
    let place = Place::new();
    let input = place.write("a.warc", &crawl(10).concat());
    let trial = Options { is_trial: true, ..Options::default() };
    let read = AtomicU64::new(0);
    let plan = Plan::new(std::slice::from_ref(&input), &trial).unwrap();
    let bytes = plan.bytes();
    let summary = plan.run(None, &|bytes| {
        read.fetch_add(bytes, Ordering::Relaxed);
    });
    let summary = summary.unwrap();
    assert_eq!((summary.captures, summary.records), (10, 21));
    assert_eq!(read.load(Ordering::Relaxed), bytes);
    let archive = place.archive();
    assert_eq!(import_as(&archive, &input, &trial).unwrap().captures, 10);
    assert_eq!(archive.catalog().all(0, 10).unwrap(), []);
    assert_eq!(import(&archive, &input).captures, 10);
}

#[test]
fn what_cannot_be_read_is_an_error_and_what_is_empty_is_not_known() {
    let place = Place::new();
    let archive = place.archive();
    let missing = import_as(&archive, &place.folder.path().join("none.warc"), &Options::default());
    assert!(matches!(missing, Err(Error::Read { .. })));
    for input in [place.write("empty", b""), place.write("text", b"Dear all")] {
        let unknown = import_as(&archive, &input, &Options::default());
        assert!(matches!(unknown, Err(Error::Unknown { .. })), "{input:?}");
    }
    let empty = Options { format: Some(Format::Warc), ..Options::default() };
    assert_eq!(import_as(&archive, &place.write("empty.warc", b""), &empty).unwrap().records, 0);
}

#[test]
fn one_import_at_a_time() {
    let place = Place::new();
    let archive = place.archive();
    let lock = std::fs::File::create(place.folder.path().join("data/warc/import.lock")).unwrap();
    lock.lock().unwrap();
    let input = place.write("a.warc", &crawl(3).concat());
    let second = import_as(&archive, &input, &Options::default());
    let error = second.expect_err("another import is on its way");
    assert!(matches!(error, Error::Busy { .. }) && error.to_string().contains("hint: wait"), "{error}");
    let trial = Options { is_trial: true, ..Options::default() };
    assert_eq!(import_as(&archive, &input, &trial).unwrap().captures, 3, "a trial changes nothing, so it may run");
    drop(lock);
    assert_eq!(import(&archive, &input).captures, 3);
}

#[test]
fn an_id_that_was_given_twice_loses_nothing() {
    let place = Place::new();
    let archive = place.archive();
    let records = [record("response", 1, "<p>one"), record("response", 1, "<p>two"), record("response", 1, "<p>one")];
    let input = place.write("twice.warc", &records.concat());
    let summary = import(&archive, &input);
    assert_eq!((summary.captures, summary.duplicates), (2, 1), "{summary:?}");
    let copy = place.write("copy.warc.gz", &records.iter().flat_map(|record| gzip(record)).collect::<Vec<_>>());
    assert_eq!(import(&archive, &copy).captures, 0);
}

#[test]
fn a_record_in_several_members_is_packed_anew_as_one() {
    type Packing<'a> = &'a dyn Fn(&Vec<u8>) -> Vec<u8>;
    let records = crawl(5);
    let halved = |record: &Vec<u8>| {
        let head = record.windows(4).position(|end| end == b"\r\n\r\n").unwrap() + 4;
        [gzip(&record[..head]), gzip(&record[head..])].concat()
    };
    let ended = |record: &Vec<u8>| {
        let (record, end) = record.split_at(record.len() - 4);
        [gzip(record), gzip(end)].concat()
    };
    let padded = |record: &Vec<u8>| [gzip(b""), gzip(record)].concat();
    let packings: [Packing<'_>; 3] = [&halved, &ended, &padded];
    for (number, packing) in packings.iter().enumerate() {
        let place = Place::new();
        let archive = place.archive();
        let bytes: Vec<u8> = records.iter().flat_map(packing).collect();
        let summary = import(&archive, &place.write("parts.warc.gz", &bytes));
        assert_eq!((summary.captures, summary.skipped_in_all()), (5, 0), "{number}: {summary:?}");
        archive.close().unwrap();
        assert_eq!(kept(&place).len(), records.len(), "{number}");
        assert_eq!(members(&place), records.len() + 1, "{number}: the description, and a member for each record");
    }
}

#[test]
fn what_is_only_named_as_an_archive_is_told() {
    let place = Place::new();
    let archive = place.archive();
    for (name, bytes) in [("a.warc.gz", b"random".as_slice()), ("b.arc", b""), ("c.wacz", b"PK"), ("notes.txt", b"hi")]
    {
        place.write(&format!("in/{name}"), bytes);
    }
    let folder = place.folder.path().join("in");
    let summary = import(&archive, &folder);
    assert_eq!((summary.captures, summary.skipped_in_all()), (0, 3), "{summary:?}");
    assert!(summary.skips[1].file.ends_with("b.arc") && summary.skips[1].detail.contains("empty"), "{summary:?}");
    let inputs = [folder.join("notes.txt"), place.write("good.warc", &crawl(2).concat())];
    let summary = Plan::new(&inputs, &Options::default()).unwrap().run(Some(&archive), &|_| {}).unwrap();
    assert_eq!((summary.captures, summary.skipped_in_all()), (2, 1), "{summary:?}");
}

#[test]
fn a_database_without_jobs_is_an_error_with_its_cure() {
    let place = Place::new();
    let archive = place.archive();
    let database = monitor("urlwatch-2.29.db");
    let jobs = Some(place.write("none.yaml", b"# nothing\n"));
    let done = import_as(&archive, &database, &Options { jobs, ..Options::default() });
    assert!(matches!(&done, Err(error @ Error::NoJobs { .. }) if error.to_string().contains("--jobs")), "{done:?}");
}

/// How many members the segments have, each of which is a record from its beginning to its end.
fn members(place: &Place) -> usize {
    let mut count = 0;
    for entry in std::fs::read_dir(place.folder.path().join("data/warc")).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        let mut rest = bytes.as_slice();
        while !rest.is_empty() {
            let mut member = Vec::new();
            flate2::bufread::GzDecoder::new(&mut rest).read_to_end(&mut member).unwrap();
            assert!(member.starts_with(b"WARC/") && member.ends_with(b"\r\n\r\n"));
            count += 1;
        }
    }
    count
}
