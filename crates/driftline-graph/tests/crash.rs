//! The state of a series after `kill -9` during an add: as before or complete, never between.
//!
//! This program starts itself with `--adder` as the one that adds three crawls one after the other. One test lets it die
//! at steps of the second crawl's add: at addresses and sources that are harvested, and where the build reports its
//! progress, which is before and after the rename too. The other kills it at random moments again and again until the
//! series is complete. After each death the series has to open, and each snapshot in it has to be, byte for byte, the
//! one of an undisturbed series that was made with another number of threads; in the end all three are.
//!
//! A plain run dies at every third step (which third depends on the seed) and is killed 40 times at random moments.
//! `DRIFTLINE_KILLS=all cargo test -p driftline-graph --test crash` takes every step and 120 random moments,
//! `DRIFTLINE_KILLS=2000` every third step and 2,000 random moments, `DRIFTLINE_KILLS=0` none at all.
//! `DRIFTLINE_SEED=7` repeats a run.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use driftline::novelty::sketch::Sketch;
use driftline::time::Time;
use driftline_graph::Series;
use driftline_graph::add::{Crawled, SkipReason, SnapshotBuilder, Source, SourceReader};
use driftline_testkit::kills::Kills;
use libtest_mimic::{Arguments, Trial};

/// Small enough for several blocks a source, several passes, and runs on disk.
const BUDGET: usize = 100_000;
const TIMES: [&str; 3] = ["20190101000000", "20190201000000", "20181201000000"];
const SOURCES: u64 = 4;
const PAGES: u64 = 60;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.get(1).is_some_and(|mode| mode == "--adder") {
        return add_all(Path::new(&arguments[2]), arguments[3].parse().expect("a number"));
    }
    let mut arguments = Arguments::from_args();
    // Side by side they would slow each other down, and the random moments would be too early.
    arguments.test_threads = arguments.test_threads.or(Some(1));
    let kills = Kills::planned("graph crash", 40, 120);
    let trials = vec![
        trial(kills, "kills::a_series_is_as_before_or_complete_after_a_death_at_any_step", Test::at_steps),
        trial(kills, "kills::a_series_is_as_before_or_complete_after_kills_at_random_moments", Test::at_random_moments),
    ];
    libtest_mimic::run(&arguments, trials).exit()
}

fn trial(kills: Kills, name: &str, run: fn(&Test)) -> Trial {
    let run = move || {
        run(&Test::new(kills));
        Ok(())
    };
    Trial::test(name, run).with_ignored_flag(kills.count == 0)
}

/// Steps that were taken, and the one at which the program dies.
struct Steps {
    taken: AtomicU64,
    last: u64,
}

impl Steps {
    fn take(&self) {
        if self.taken.fetch_add(1, Ordering::Relaxed) + 1 == self.last {
            // As `kill -9`: nothing is tidied up, nothing is written any more.
            std::process::abort();
        }
    }
}

/// The program that dies: adds what is not there. At 0 it does not die by itself.
fn add_all(folder: &Path, last: u64) {
    let steps = Steps { taken: AtomicU64::new(0), last };
    for (crawl, at) in (0..).zip(TIMES) {
        let series = Series::open_or_make(folder).expect("the series opens");
        if series.snapshots().iter().all(|snapshot| snapshot.about().at != at) {
            add(series, crawl, at, &steps);
        }
    }
}

fn add(series: Series, crawl: u64, at: &str, steps: &Steps) {
    let at: Time = at.parse().expect("a time");
    let builder = series.add(at, BUDGET).expect("the series can be written");
    thread::scope(|scope| {
        for number in 0..SOURCES {
            let builder = &builder;
            scope.spawn(move || harvest(builder, crawl, number, steps));
        }
    });
    steps.take();
    builder.build(&|_| steps.take()).expect("the snapshot can be built");
    steps.take();
}

fn harvest(builder: &SnapshotBuilder, crawl: u64, number: u64, steps: &Steps) {
    let source = Source { name: format!("crawl {crawl}, source {number}"), size: number, changed: 0 };
    steps.take();
    let Some(mut to) = builder.reader(&source).expect("the staging folder can be written") else { return };
    let mut random = fastrand::Rng::with_seed(crawl * SOURCES + number);
    for page in 0..PAGES {
        say(&mut to, &mut random, crawl);
        if page % 10 == 0 {
            steps.take();
        }
    }
    to.finish().expect("the harvest can be written");
    steps.take();
}

/// A page with its links, and now and then something else.
fn say(to: &mut SourceReader, random: &mut fastrand::Rng, crawl: u64) {
    // Crawls share most of their pages, and sources some.
    let mut url = |least: u64| format!("https://h{}.example/pages/{}", random.u64(..9), least + random.u64(..90));
    let (own, links) = (url(crawl * 30), [url(0), url(crawl * 30), url(500), url(500), url(crawl * 40)]);
    let sketch = Sketch::from_bytes(&[random.u8(..); Sketch::SIZE]);
    let fetched = Some(Time::from_microseconds(random.i64(0..1_000) * 1_000_000));
    let page = Crawled { url: &own, fetched, last_modified: None, sketch: Some(&sketch) };
    to.page(&page, &links).expect("there is room");
    match random.u8(..10) {
        0 => to.redirect(&links[3], &links[4]).expect("there is room"),
        1 => to.fringe(&links[2].replace("pages", "only-listed")).expect("there is room"),
        2 => to.skip(SkipReason::lack("torn records"), 1),
        _ => {}
    }
}

/// Each snapshot's files with their bytes.
type Content = BTreeMap<String, BTreeMap<PathBuf, Vec<u8>>>;

/// Opens the series and reads all of it.
fn content(folder: &Path) -> Content {
    let read = |path: PathBuf| (path.clone(), fs::read(path).expect("a file of a snapshot"));
    let files = |folder: &Path| fs::read_dir(folder).expect("a snapshot").map(|entry| entry.expect("a file").path());
    let named = |(path, bytes): (PathBuf, Vec<u8>)| (path.file_name().expect("a name").into(), bytes);
    let series = match Series::open(folder) {
        Ok(series) => series,
        // Killed before it was made.
        Err(_) if !folder.exists() => return Content::new(),
        Err(error) => panic!("the series does not open: {error}"),
    };
    let of = |snapshot: &driftline_graph::Snapshot| {
        snapshot.check(&|_| ()).expect("all files are as they were written");
        (snapshot.about().at.clone(), files(snapshot.folder()).map(read).map(named).collect())
    };
    series.snapshots().iter().map(of).collect()
}

struct Test {
    kills: Kills,
    /// What becomes of a series that nobody disturbs.
    whole: Content,
    /// How long that takes.
    time: Duration,
    parent: tempfile::TempDir,
}

impl Test {
    fn new(kills: Kills) -> Self {
        // A kill is no loss of power: a disk in memory shows the same, and waits for nothing.
        let memory = Path::new("/dev/shm");
        let parent = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
        let parent = parent.expect("a temporary folder");
        let folder = parent.path().join("undisturbed");
        let begin = Instant::now();
        assert!(start(&folder, 0, 3).wait().expect("it runs").success());
        let test = Self { kills, whole: content(&folder), time: begin.elapsed(), parent };
        assert_eq!(test.whole.len(), TIMES.len());
        test
    }

    /// What is there is whole, and came in the order of adding.
    fn check(&self, folder: &Path) -> usize {
        let there = content(folder);
        for at in there.keys() {
            assert!(there[at] == self.whole[at], "{at} is not as it has to be in {}", folder.display());
        }
        let is_there = TIMES.map(|at| there.contains_key(at));
        assert!(is_there.is_sorted_by(|earlier, later| earlier >= later), "{is_there:?}");
        there.len()
    }

    /// The second crawl is added to the first, and dies at each step once, or at each third.
    fn at_steps(&self) {
        let stride = if self.kills.is_all { 1 } else { 3 };
        let first = 1 + u64::from(self.kills.seed) % stride;
        let before = self.parent.path().join("before");
        self.add_in_process(&before, 1);
        let (mut deaths, mut after_the_rename) = (0, 0);
        for step in (first..).step_by(stride as usize) {
            let folder = self.parent.path().join("step");
            copy(&before, &folder);
            let status = start(&folder, step, 1 + (step / stride) as usize % 3).wait().expect("it runs");
            if status.success() {
                break;
            }
            let there = self.check(&folder);
            deaths += 1;
            after_the_rename += u32::from(there == 2);
            assert!(there < 3, "step {step} is one of the third crawl");
            self.add_in_process(&folder, 2);
            fs::remove_dir_all(&folder).expect("it can be removed");
            if there == 2 && after_the_rename == 3 {
                break;
            }
        }
        println!("{deaths} deaths, one at every {stride} steps of an add, {after_the_rename} of them after the rename");
        assert!(deaths * stride > 40 && after_the_rename > 0, "there are too few steps to show anything");
    }

    /// So many crawls are in the end; what is there already stays.
    fn add_in_process(&self, folder: &Path, crawls: usize) {
        let steps = Steps { taken: AtomicU64::new(0), last: 0 };
        for (crawl, at) in (0..).zip(TIMES).take(crawls) {
            let series = Series::open_or_make(folder).expect("the series opens");
            if series.snapshots().iter().all(|snapshot| snapshot.about().at != at) {
                add(series, crawl, at, &steps);
            }
        }
        assert_eq!(self.check(folder), crawls);
    }

    fn at_random_moments(&self) {
        let Kills { count: kills, seed, .. } = self.kills;
        let mut random = fastrand::Rng::with_seed(seed.into());
        let (mut killed, mut complete, mut with_staging) = (0, 0, 0);
        while killed < kills {
            let folder = self.parent.path().join(format!("random-{complete}"));
            // Bounded, as each that is not killed in time completes it.
            loop {
                let mut adder = start(&folder, 0, random.usize(1..4));
                thread::sleep(random.u32(..100) * self.time / 100);
                adder.kill().expect("it can be killed");
                let status: ExitStatus = adder.wait().expect("it was started");
                assert!(status.success() || status.code().is_none(), "seed {seed}: it failed by itself");
                killed += u32::from(!status.success());
                let staging = fs::read_dir(&folder).map_or(0, |all| all.filter(is_staging).count());
                with_staging += u32::from(!status.success() && staging > 0);
                if self.check(&folder) == TIMES.len() && status.success() || killed >= kills {
                    break;
                }
            }
            self.add_in_process(&folder, TIMES.len());
            fs::remove_dir_all(&folder).expect("it can be removed");
            complete += 1;
        }
        println!(
            "seed {seed}: {killed} kills at random moments, {with_staging} of them within an add; {complete} series completed"
        );
        assert!(with_staging >= kills / 4, "the kills came too early or too late to show anything");
    }
}

fn is_staging(entry: &std::io::Result<fs::DirEntry>) -> bool {
    entry.as_ref().is_ok_and(|entry| entry.file_name().to_string_lossy().starts_with(".adding-"))
}

fn start(folder: &Path, last_step: u64, threads: usize) -> std::process::Child {
    let own = std::env::current_exe().expect("a program knows where it is");
    let mut command = Command::new(own);
    command.arg("--adder").arg(folder).arg(last_step.to_string());
    command.env("RAYON_NUM_THREADS", threads.to_string()).spawn().expect("this program starts")
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("it can be made");
    for entry in fs::read_dir(from).expect("it can be listed") {
        let entry = entry.expect("it can be listed");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("it can be copied");
        }
    }
}
