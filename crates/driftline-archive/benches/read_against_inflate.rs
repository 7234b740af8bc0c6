//! What does reading an archive, or indexing it, cost beside unpacking it?
//!
//! `cargo bench -p driftline-archive --bench read_against_inflate`. The floor is zlib-rs, unpacking the same file and
//! looking at nothing. CPU time counts, and for two threads time on the clock too. Read are all records, the heads of
//! HTTP and the payloads, by one thread and by two, each a part of the file. Indexed is as `driftline archive cdxj`
//! does it, with the digest of every payload, since the records claim none. The file is made here: pages of Zipf's
//! words, a member of gzip each.

use std::fs::{self, File};
use std::hint::black_box;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::Path;
use std::thread;
use std::time::Instant;

use driftline_archive::cdxj::Digests;
use driftline_archive::collection::{Piece, Readers, Source, scan};
use driftline_archive::http::Head;
use driftline_archive::warc::{self, Kind, Part};
use driftline_testkit::text::zipf_words;
use flate2::Compression;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;

const PAGES: usize = 5_000;
const ROUNDS: usize = 5;
/// Words a page, from the shortest to the longest.
const WORDS: [usize; 2] = [500, 14_000];

/// Writes a capture: a response with a page in a member of its own.
fn write_capture(to: &mut impl Write, number: usize, rng: &mut fastrand::Rng) -> io::Result<()> {
    let length = rng.usize(WORDS[0]..WORDS[1]);
    let words = zipf_words(rng, length, 20_000);
    let text = words.iter().map(|word| format!("<i>w{word}</i>")).collect::<Vec<_>>().join(" ");
    let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n{text}", text.len());
    let head = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{number:032x}>\r\nWARC-Date: \
         2024-01-01T00:00:00Z\r\nWARC-Target-URI: http://example.org/{number}\r\nContent-Type: application/http; \
         msgtype=response\r\nContent-Length: {}\r\n\r\n",
        http.len()
    );
    let mut member = GzEncoder::new(to, Compression::default());
    member.write_all([&head, http.as_str(), "\r\n\r\n"].concat().as_bytes())?;
    member.finish()?;
    Ok(())
}

/// Makes the archive, and says how long it is, packed and unpacked.
fn make(path: &Path) -> io::Result<[u64; 2]> {
    let (mut file, mut rng) = (BufWriter::new(File::create(path)?), fastrand::Rng::with_seed(1));
    for number in 0..PAGES {
        write_capture(&mut file, number, &mut rng)?;
    }
    file.flush()?;
    Ok([path.metadata()?.len(), inflate(path)?])
}

fn inflate(path: &Path) -> io::Result<u64> {
    let file = BufReader::with_capacity(1 << 16, File::open(path)?);
    io::copy(&mut MultiGzDecoder::new(file), &mut io::sink())
}

/// How many records of a part are responses of HTTP with a payload.
fn read(part: &Part) -> io::Result<usize> {
    let (mut reader, mut pages) = (part.open()?, 0);
    while let Some(record) = reader.next() {
        let Ok(record) = record else { continue };
        let Ok(body) = reader.body(64 << 20) else { continue };
        let page = (record.kind == Kind::Response).then(|| Head::parse(&body.bytes)).and_then(Result::ok);
        pages += usize::from(page.is_some_and(|(_, payload)| !black_box(payload).is_empty()));
    }
    Ok(pages)
}

fn read_all(path: &Path, threads: usize) -> usize {
    let parts = warc::parts(path, threads).expect("the file is there");
    thread::scope(|scope| {
        let readers: Vec<_> = parts.iter().map(|part| scope.spawn(|| read(part).unwrap_or(0))).collect();
        readers.into_iter().map(|reader| reader.join().unwrap_or(0)).sum()
    })
}

/// How many lines an index of the file has.
fn index_all(path: &Path, threads: usize) -> usize {
    let (source, mut lines) = (Source::file(path), 0);
    let readers = Readers { threads, ..Readers::default() };
    let index = |piece: &Piece<'_>| {
        let lines = piece.index(Digests::Computed, &|_| {})?.flatten().map(|indexed| indexed.line.to_string());
        io::Result::Ok(lines.collect::<Vec<_>>())
    };
    let scanned = scan([&source], readers, index, |_, found| {
        lines += black_box(found?).len();
        io::Result::Ok(())
    });
    scanned.map_or(0, |()| lines)
}

/// CPU time of this process, as far as Linux tells it, to a hundredth of a second.
fn cpu() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the process stands in brackets, and may have blanks in it.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / 100.0)
}

/// Seconds on the clock, and of CPU if they can be told.
fn time(work: &dyn Fn()) -> [f64; 2] {
    let (start, before) = (Instant::now(), cpu());
    work();
    let seconds = start.elapsed().as_secs_f64();
    [seconds, before.zip(cpu()).map_or(seconds, |(before, after)| after - before)]
}

fn main() -> io::Result<()> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("pages.warc.gz");
    let [packed, unpacked] = make(&path)?;
    let reading = |threads| assert_eq!(read_all(&path, threads), PAGES, "all pages are read");
    let indexing = |threads| assert_eq!(index_all(&path, threads), PAGES, "all pages are indexed");
    let contestants: [(&str, &dyn Fn()); 5] = [
        ("zlib-rs into nothing", &|| assert_eq!(inflate(&path).ok(), Some(unpacked))),
        ("records, heads, payloads; 1 thread", &|| reading(1)),
        ("records, heads, payloads; 2 threads", &|| reading(2)),
        ("index with digests; 1 thread", &|| indexing(1)),
        ("index with digests; 2 threads", &|| indexing(2)),
    ];
    let mut best = [[f64::MAX; 2]; 5];
    for _ in 0..ROUNDS {
        for ((_, work), best) in contestants.iter().zip(&mut best) {
            let times = time(work);
            *best = [best[0].min(times[0]), best[1].min(times[1])];
        }
    }
    let megabytes = packed as f64 / 1e6;
    println!("{PAGES} pages, {:.0} MB in {megabytes:.0} MB of gzip; best of {ROUNDS} rounds", unpacked as f64 / 1e6);
    println!("{:<38}{:>14}{:>18}{:>14}{:>18}", "", "MB/s of CPU", "x the floor's CPU", "MB/s", "x the floor");
    for ((name, _), [clock, cpu]) in contestants.iter().zip(best) {
        let [of_clock, of_cpu] = [clock / best[0][0], cpu / best[0][1]];
        println!("{name:<38}{:>14.0}{of_cpu:>18.2}{:>14.0}{of_clock:>18.2}", megabytes / cpu, megabytes / clock);
    }
    for (name, one) in [("read", 1), ("index", 3)] {
        println!("{name}: two threads are {:.2} times as fast as one", best[one][0] / best[one + 1][0]);
    }
    Ok(())
}
