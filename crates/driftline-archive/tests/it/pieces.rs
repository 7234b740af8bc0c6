//! Are archives that are read in pieces, by several threads, the same as if one had read them through?

use std::convert::Infallible;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use driftline_archive::cdxj::{Digests, Index};
use driftline_archive::collection::{Entry, Kind, Piece, Readers, Skips, Source, scan, sources};
use driftline_archive::warc::Reader;
use driftline_archive::{Collection, Time};
use driftline_testkit::data::{shared, subset};

use crate::support::gzip;

/// Lines and what has none, one after the other.
fn by_one(source: &Source) -> Vec<String> {
    let index = Index::new(Reader::new(source.open().unwrap()), source.name(), Digests::Computed);
    index.map(|found| found.map_or_else(|error| error.to_string(), |indexed| indexed.line.to_string())).collect()
}

/// The same by several, and in how many pieces.
fn by_several(source: &Source, readers: Readers) -> (Vec<String>, usize) {
    let (mut found, mut pieces, read_bytes) = (Vec::new(), 0, AtomicU64::new(0));
    let advance = |bytes| {
        read_bytes.fetch_add(bytes, Ordering::Relaxed);
    };
    let read = |piece: &Piece<'_>| {
        let index = piece.index(Digests::Computed, &advance).unwrap();
        let lines = index.map(|found| found.map_or_else(|error| error.to_string(), |own| own.line.to_string()));
        lines.collect::<Vec<_>>()
    };
    let Ok(()) = scan([source], readers, read, |number, lines| {
        assert_eq!(number, 0);
        found.extend(lines);
        pieces += 1;
        Ok::<_, Infallible>(())
    });
    assert!(read_bytes.into_inner() <= source.size(), "no byte counts twice");
    (found, pieces)
}

/// One reader, and several with pieces that are small for this many bytes.
fn all_readers(size: u64) -> [Readers; 3] {
    let least = (size / 16).max(1);
    [Readers { threads: 1, least }, Readers { threads: 2, least }, Readers { threads: 5, least: least / 4 + 1 }]
}

/// Checks the lines of an archive, and says how many pieces it had at most.
fn check(source: &Source) -> usize {
    let expected = by_one(source);
    let pieces = all_readers(source.size()).map(|readers| {
        let (found, pieces) = by_several(source, readers);
        let is_same = |at: &usize| found.get(*at) == expected.get(*at);
        let first =
            (0..found.len().max(expected.len())).find(|at| !is_same(at)).map(|at| [found.get(at), expected.get(at)]);
        assert!(found == expected, "{} in {pieces} pieces, {readers:?}: {first:#?}", source.name());
        pieces
    });
    pieces.into_iter().max().unwrap()
}

/// A capture, and how its body begins.
type Seen = (String, Time, Kind, Option<u16>, Result<Vec<u8>, String>);

/// What stands where the captures should be, what was skipped, and how often.
fn entries(paths: &[PathBuf], readers: Readers) -> (Vec<Seen>, Vec<String>, u64) {
    let (collection, skips) = Collection::open_with(paths, readers, &|_| {}).unwrap();
    let seen = |entry: &Entry| {
        let body = collection.read(entry, 1_000).map(|document| document.body).map_err(|error| error.to_string());
        (collection.url(entry).to_owned(), entry.at, entry.kind(), entry.status(), body)
    };
    let entries = collection.pages().flatten().map(seen).collect();
    (entries, skips.first().iter().map(ToString::to_string).collect(), skips.count())
}

#[test]
fn real_archives_are_the_same_in_pieces() {
    compare_pieces(&subset(), 15, 200);
}

#[test]
#[ignore = "needs the shared data"]
fn real_archives_are_the_same_in_pieces_on_the_shared_data() {
    compare_pieces(&shared(), 30, 1_500);
}

fn compare_pieces(data: &Path, least_split: usize, least_captures: usize) {
    let files = [data.join("warc/files")];
    let all = sources(&files, &mut Skips::default()).unwrap();
    let split = all.iter().map(check).filter(|&pieces| pieces > 1).count();
    assert!(split > least_split, "{split} files in pieces");
    let [one, two, five] =
        [(1, 1 << 30), (2, 5_000), (5, 500)].map(|(threads, least)| entries(&files, Readers { threads, least }));
    assert!(one.0.len() > least_captures, "{}", one.0.len());
    assert!(one == two && one == five, "{} {} {}", one.2, two.2, five.2);
}

fn record(number: usize, noise: &mut fastrand::Rng) -> String {
    let text: String = (0..noise.usize(100..6_000)).map(|_| noise.alphanumeric()).collect();
    let body = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{text}");
    let date = if number % 50 == 7 { "never" } else { "2024-01-01T00:00:00Z" };
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://example.org/{}\r\nWARC-Date: {date}\r\nContent-Length: {}\r\n\r\n{body}\r\n\r\n",
        number % 300,
        body.len()
    )
}

/// A file of a thousand members, some of them damaged, cut or not there; in some, two records share a member.
fn made(folder: &Path, is_shared: bool) -> PathBuf {
    let mut noise = fastrand::Rng::with_seed(1);
    let mut file = Vec::new();
    for number in 0..1_000 {
        let text = record(number, &mut noise);
        let mut member = gzip(text.as_bytes());
        let middle = member.len() / 2;
        match number % 100 {
            20 => member[middle..middle + 8].fill(0xff),
            40 => member.truncate(middle),
            60 => member = text.into_bytes(),
            80 if is_shared && number > 500 => member = gzip((text + &record(number + 1, &mut noise)).as_bytes()),
            _ => {}
        }
        file.extend(member);
    }
    let path = folder.join(if is_shared { "shared.warc.gz" } else { "made.warc.gz" });
    fs::write(&path, file).unwrap();
    path
}

#[test]
fn a_made_archive_is_the_same_in_pieces() {
    let folder = tempfile::tempdir().unwrap();
    for is_shared in [false, true] {
        let path = made(folder.path(), is_shared);
        assert!(check(&Source::file(&path)) > 8);
        let size = path.metadata().unwrap().len();
        let [one, two, five] = all_readers(size).map(|readers| entries(std::slice::from_ref(&path), readers));
        assert!(one.0.len() > 900 && one.2 >= 40, "{} {:?}", one.0.len(), one.1);
        for (number, other) in [two, five].into_iter().enumerate() {
            let first = one.0.iter().zip(&other.0).find(|(one, other)| one != other);
            assert!(first.is_none() && one.0.len() == other.0.len(), "{number}: {first:?}");
            let first = one.1.iter().zip(&other.1).find(|(one, other)| one != other);
            assert!(first.is_none() && one.2 == other.2, "{number}: {first:?}");
        }
    }
}

#[test]
fn an_archive_within_a_wacz_file_is_the_same_in_pieces() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("all.wacz");
    let options = zip::write::SimpleFileOptions::default();
    let mut zip = zip::ZipWriter::new(fs::File::create(&path).unwrap());
    for (name, method) in [("deflated", zip::CompressionMethod::Deflated), ("stored", zip::CompressionMethod::Stored)] {
        zip.start_file(format!("archive/{name}.warc.gz"), options.compression_method(method)).unwrap();
        zip.write_all(&fs::read(made(folder.path(), false)).unwrap()).unwrap();
    }
    zip.finish().unwrap();
    let [deflated, stored] = Source::of_wacz(&path).unwrap().try_into().unwrap();
    assert_eq!((check(&deflated), check(&stored) > 8), (1, true));
}

#[test]
fn reading_ends_with_the_first_error() {
    let folder = tempfile::tempdir().unwrap();
    let all = vec![Source::file(made(folder.path(), false)); 20];
    let taken = scan(
        &all,
        Readers { threads: 3, least: 1 << 30 },
        |_| (),
        |number, ()| {
            if number == 3 { Err(number) } else { Ok(()) }
        },
    );
    assert_eq!(taken, Err(3));
}
