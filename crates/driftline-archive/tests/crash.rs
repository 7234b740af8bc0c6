//! Is everything there that was acknowledged, after `kill -9` at any moment?
//!
//! This program starts itself as a writer: threads append captures and print each one that is acknowledged. Most
//! are killed a random moment after their first acknowledgement, when there are captures before and more on their way;
//! one in five at a random moment from its start on, while it makes the catalog, opens, or puts in order. Then every
//! printed capture has to be found with its body, and every segment has to be whole to its last byte. Of two of the pages
//! few captures are kept: one more thread applies that rule all the time.
//!
//! A plain run kills 250 times, `DRIFTLINE_KILLS=all` 1,000 times, and `DRIFTLINE_KILLS=5000 DRIFTLINE_SEED=7` 5,000
//! times with this seed. Three in five kills are on SQLite, the others on PostgreSQL; `--test crash sqlite` runs only
//! the first.
//!
//! `kill -9` keeps all that was written, a power cut only what was synchronised. So a plain run also cuts the power 24
//! times, `DRIFTLINE_KILLS=all` 400 times, half of them under ext4's rules and half under strict ones
//! ([`driftline_testkit::power_cut`]); with SQLite, because the disk of a PostgreSQL server is its own affair.

#[path = "crash/retention.rs"]
mod retention;

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use driftline_archive::Time;
use driftline_archive::archive::{Archive, Options};
use driftline_archive::capture::{Capture, Content, Exchange};
use driftline_archive::warc::Reader;
use driftline_catalog::digest::Digest;
use driftline_catalog::{Address, CaptureKind, Place};
use driftline_testkit::kills::Kills;
use driftline_testkit::postgres;
use driftline_testkit::power_cut::{Disk, Rules};
use libtest_mimic::{Arguments, Trial};

/// So many kills before another archive is begun.
const KILLS_AN_ARCHIVE: u32 = 40;
/// The same for power cuts: the whole archive is copied before each of them.
const CUTS_AN_ARCHIVE: u32 = 8;
/// One kill in so many comes at any moment from the start of a writer on; the first of each archive always does.
const ANY_MOMENT: u32 = 5;
/// The longest time until a kill, in microseconds: so long takes it to make a catalog and to open it.
const LONGEST: u64 = 60_000;
const THREADS: i64 = 4;
/// Below this many kills, too few come after an acknowledgement to show anything.
const LEAST_TELLING: u32 = 20;
/// Segments are changed every few captures.
const SEGMENT_BYTES: u64 = 20_000;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.get(1).is_some_and(|argument| argument == "--writer") {
        return write(&arguments[2..]);
    }
    // One after the other: two writers at once would share the cores, and the kills would come earlier in their work.
    let arguments = Arguments { test_threads: Some(1), ..Arguments::from_args() };
    let Kills { count, seed, .. } = Kills::planned("archive crash", 250, 1_000);
    let cuts = Kills::planned("archive crash, power cuts", 24, 400).count;
    let file = |folder: &Path| folder.join("catalog.db").display().to_string();
    let sqlite = move || {
        Test::new("SQLite", seed.into(), file).run(count * 3 / 5);
        Ok(())
    };
    let postgresql = move || {
        Test::new("PostgreSQL", seed.into(), |_| postgres::database()).run(count - count * 3 / 5);
        Ok(())
    };
    let power_cut = move |rules: Rules, name: &'static str| {
        move || {
            Test { power_cut: Some(rules), ..Test::new(name, seed.into(), file) }.run(cuts / 2);
            Ok(())
        }
    };
    let (ext4, strict) =
        (power_cut(Rules::Ext4, "power cuts, ext4 rules"), power_cut(Rules::Strict, "power cuts, strict rules"));
    let has_cuts = cuts > 0 && cfg!(target_os = "linux");
    let tests = vec![
        Trial::test("kills::sqlite", sqlite).with_ignored_flag(count == 0),
        Trial::test("kills::postgresql", postgresql).with_ignored_flag(count == 0),
        Trial::test("kills::power_cut_ext4", ext4).with_ignored_flag(!has_cuts),
        Trial::test("kills::power_cut_strict", strict).with_ignored_flag(!has_cuts),
    ];
    libtest_mimic::run(&arguments, tests).exit();
}

fn options(data: &Path, catalog: &str) -> Options {
    let catalog = Place::parse(catalog).expect("the place of a catalog");
    Options { catalog, segment_bytes: SEGMENT_BYTES, ..Options::at(data) }
}

/// The program that is killed: appends captures until it is.
fn write(arguments: &[String]) {
    let [data, catalog, round] = arguments else { panic!("--writer DATA CATALOG ROUND") };
    let round: i64 = round.parse().expect("a number");
    let archive = Archive::open(&options(Path::new(data), catalog)).expect("the archive opens");
    say("open");
    thread::scope(|scope| {
        scope.spawn(|| retention::apply(&archive));
        for thread in 0..THREADS {
            let archive = &archive;
            scope.spawn(move || {
                let mut random = fastrand::Rng::with_seed((round * THREADS + thread).unsigned_abs());
                for number in 0..100_000 {
                    let capture = capture(&mut random, round, thread, number);
                    let Content::Http(exchange) = &capture.content else { unreachable!("it was made so") };
                    let digest = Digest::sha1(&exchange.body);
                    archive.append(&capture).expect("the disk has room");
                    say(&format!("{} {} {digest}", capture.url, capture.at.microseconds()));
                }
            });
        }
    });
}

/// One line in one piece, so that no half of it is ever read.
fn say(line: &str) {
    std::io::stdout().write_all(format!("{line}\n").as_bytes()).expect("the parent listens");
}

/// A page of a few addresses that all threads share: every third time as it always was.
fn capture(random: &mut fastrand::Rng, round: i64, thread: i64, number: i64) -> Capture {
    let page = random.u8(..8);
    let body = match random.u8(..12) {
        0..4 => format!("page {page} as it always was").repeat(20),
        // Several writes are needed for it, so that a kill can come between them.
        4 => (0..8_000).map(|_| random.u64(..).to_string()).collect::<String>().repeat(20),
        _ => (0..random.usize(1..200)).map(|_| random.u64(..).to_string()).collect::<Vec<_>>().join(" "),
    };
    let exchange = Exchange {
        request: Some(b"GET / HTTP/1.1\r\n\r\n".to_vec()),
        head: b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n".to_vec(),
        body: body.into_bytes(),
        ..Exchange::default()
    };
    let at = Time::from_microseconds(round * 1_000_000_000 + number * THREADS + thread);
    let url = format!("http://example.org/{page}");
    Capture { url, at, content: Content::Http(exchange), metadata: Vec::new() }
}

struct Test<F> {
    name: &'static str,
    random: fastrand::Rng,
    catalog: F,
    /// The disk forgets, by these rules.
    power_cut: Option<Rules>,
    /// Files and folders that power cuts took back.
    taken_back: usize,
    acknowledged: u64,
    adopted: u64,
    cut: usize,
    while_opening: u32,
    /// Kills after an acknowledgement, and those of them that left a capture half written or unacknowledged.
    after_captures: u32,
    with_more_on_the_way: u32,
    segments: usize,
    /// Captures that retention removed.
    removed: u64,
}

/// An archive that is killed again and again.
struct Victim {
    folder: tempfile::TempDir,
    catalog: String,
    /// Lines that were read and not checked yet, and all of them.
    fresh: Vec<String>,
    all: Vec<String>,
    /// Did the last writer acknowledge any?
    has_captures: bool,
    /// Segments that were read to their last byte.
    whole: HashSet<PathBuf>,
    kept: retention::Kept,
}

impl<F: FnMut(&Path) -> String> Test<F> {
    fn new(name: &'static str, seed: u64, catalog: F) -> Self {
        Self {
            name,
            random: fastrand::Rng::with_seed(seed),
            catalog,
            power_cut: None,
            taken_back: 0,
            acknowledged: 0,
            adopted: 0,
            cut: 0,
            while_opening: 0,
            after_captures: 0,
            with_more_on_the_way: 0,
            segments: 0,
            removed: 0,
        }
    }

    fn run(mut self, kills: u32) {
        let mut killed = 0;
        while killed < kills {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let catalog = (self.catalog)(folder.path());
            let (fresh, all, whole) = (Vec::new(), Vec::new(), HashSet::new());
            let kept = retention::Kept::default();
            let mut victim = Victim { folder, catalog, fresh, all, has_captures: false, whole, kept };
            let most = if self.power_cut.is_some() { CUTS_AN_ARCHIVE } else { KILLS_AN_ARCHIVE };
            for own in 0..most.min(kills - killed) {
                self.kill(&mut victim, killed, own % ANY_MOMENT == 0);
                killed += 1;
                // Otherwise the next writer finds what this one left, and may be killed while it puts it in order.
                if self.random.u8(..3) > 0 {
                    self.check(&mut victim);
                }
            }
            self.check(&mut victim);
            victim.fresh = std::mem::take(&mut victim.all);
            self.check(&mut victim);
            self.segments += victim.whole.len();
            let archive = Archive::open(&options(victim.folder.path(), &victim.catalog)).expect("the archive opens");
            self.removed += victim.kept.check(&archive);
        }
        let Self { name, acknowledged, adopted, cut, while_opening, segments, removed, taken_back, .. } = self;
        let (after, with_more) = (self.after_captures, self.with_more_on_the_way);
        println!(
            "{name}: {kills} kills ({while_opening} before the archive was open, {after} after an acknowledgement, \
             {with_more} of them with more on its way), {acknowledged} captures acknowledged, 0 lost; \
             {removed} removed by retention, {cut} torn ends cut off, {adopted} unacknowledged captures kept, \
             {segments} segments whole; {taken_back} files taken back by power cuts"
        );
        // A machine that acknowledges less in the time of a writer does not get to the end of a step of retention either.
        let is_removing = removed > 0 || acknowledged < 20 * u64::from(kills);
        let is_telling = after > kills / 2 && segments > 1 && is_removing;
        assert!(is_telling || kills < LEAST_TELLING, "the kills came too early to show anything");
        assert!(self.power_cut.is_none() || taken_back > 0, "the power cuts took nothing back");
    }

    /// Starts a writer and kills it a random moment later: from its start on, or from its first capture on.
    fn kill(&mut self, victim: &mut Victim, round: u32, is_any_moment: bool) {
        let own = std::env::current_exe().expect("a program knows where it is");
        let mut command = Command::new(own);
        command.arg("--writer").arg(victim.folder.path()).args([&victim.catalog, &round.to_string()]);
        let disk = self.power_cut.map(|rules| Disk::new(victim.folder.path(), rules));
        disk.iter().for_each(|disk| disk.attach(&mut command));
        let mut writer = command.stdout(Stdio::piped()).spawn().expect("this program starts");
        let output = BufReader::new(writer.stdout.take().expect("it is piped"));
        let (read, heard) = mpsc::channel();
        let reader = thread::spawn(move || {
            let lines = output.lines().map_while(Result::ok);
            lines.inspect(|_| _ = read.send(())).collect::<Vec<_>>()
        });
        for _ in 0..if is_any_moment { 0 } else { 2 } {
            assert!(heard.recv().is_ok(), "round {round}: the archive does not open");
        }
        // Retention needs some captures and some time.
        let longest = if self.random.u8(..4) == 0 { 10 * LONGEST } else { LONGEST };
        thread::sleep(Duration::from_micros(self.random.u64(..longest)));
        writer.kill().expect("it can be killed");
        let status = writer.wait().expect("it was started");
        assert_eq!(status.code(), None, "round {round}: it failed before it was killed");
        let lines = reader.join().expect("lines can be read");
        self.taken_back += disk.map_or(0, |disk| disk.cut());
        self.while_opening += u32::from(lines.is_empty());
        let before = victim.fresh.len();
        victim.fresh.extend(lines.into_iter().filter(|line| line != "open"));
        let acknowledged = (victim.fresh.len() - before) as u64;
        self.acknowledged += acknowledged;
        self.after_captures += u32::from(acknowledged > 0);
        victim.has_captures = acknowledged > 0;
    }

    /// Opens the archive and looks for everything that was acknowledged since the last time.
    fn check(&mut self, victim: &mut Victim) {
        let archive = Archive::open(&options(victim.folder.path(), &victim.catalog)).expect("the archive opens");
        self.adopted += archive.recovery().adopted;
        self.cut += archive.recovery().cut.len();
        let was_writing = archive.recovery().adopted > 0 || !archive.recovery().cut.is_empty();
        self.with_more_on_the_way += u32::from(std::mem::take(&mut victim.has_captures) && was_writing);
        assert!(archive.recovery().set_aside.is_empty(), "{:?}", archive.recovery());
        assert!(archive.recovery().damaged.is_empty(), "{:?}", archive.recovery());
        assert!(archive.recovery().missing.is_empty(), "{:?}", archive.recovery());
        for line in victim.fresh.drain(..) {
            if !victim.kept.takes(&line) {
                find(&archive, &line);
                victim.all.push(line);
            }
        }
        victim.kept.check(&archive);
        archive.close().expect("it closes");
        for entry in fs::read_dir(victim.folder.path().join("warc")).expect("the folder is there") {
            let path = entry.expect("it can be listed").path();
            assert!(path.extension().is_none_or(|extension| extension != "open"), "{} is open", path.display());
            if path.extension().is_some() && victim.whole.insert(path.clone()) {
                read_to_the_end(&path);
            }
        }
    }
}

fn find(archive: &Archive, line: &str) {
    let words: Vec<_> = line.split(' ').collect();
    let [url, at, digest] = words[..] else { panic!("no line of a writer: {line}") };
    let at = Time::from_microseconds(at.parse().expect("a time"));
    // A time without a fraction means the whole second.
    let all = if at.microseconds() % 1_000_000 == 0 {
        archive.captures_of(url).expect("the catalog can be read")
    } else {
        let address = Address { url: url.to_owned(), when: driftline_catalog::address::When::Exactly(at) };
        archive.find(&address).expect("the catalog can be read").into_iter().collect()
    };
    let stored = all.iter().find(|stored| stored.capture.at == at && stored.capture.url == url);
    let stored = stored.unwrap_or_else(|| panic!("lost: {line}"));
    let found = archive.read(stored, 1 << 24).unwrap_or_else(|error| panic!("unreadable: {line}: {error}"));
    assert_eq!(Digest::sha1(found.body()).to_string(), digest, "{line}");
    assert!(matches!(stored.capture.kind, CaptureKind::Response | CaptureKind::Revisit));
}

/// Every record is whole, and nothing stands between or behind them.
fn read_to_the_end(path: &Path) {
    let mut reader = Reader::new(File::open(path).expect("a segment can be read"));
    let mut end = 0;
    while let Some(record) = reader.next() {
        let record = record.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let body = reader.body(1 << 24).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(body.bytes.len() as u64, record.length, "{}", path.display());
        let extent = reader.finish().unwrap_or_else(|| panic!("{}: record at {:?}", path.display(), record.place));
        assert_eq!(extent.offset, end, "{}", path.display());
        end += extent.length;
    }
    assert_eq!(end, fs::metadata(path).expect("it is there").len(), "{}", path.display());
}
