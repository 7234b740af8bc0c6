//! The daemon under `kill -9` at any moment: no version is lost, and no acknowledged notification is repeated.
//!
//! This program starts itself as a daemon that watches three sites of this process and tells webhooks of this process.
//! Pages change while they are asked for, are gone and come back; a site gets other footers and other designs; a feed
//! has other items and a list other members ([`scene`]). One webhook is told at once, one in digests, one of some pages
//! only; all refuse now and then. The daemon is killed a random moment after some questions, one in five times a random
//! moment after its start. In the end one daemon may finish, and then everything is counted: see [`proof`].
//!
//! Its clock runs an hour a second, so that retries and claims are a matter of milliseconds.
//!
//! There are two tests, `kills::sqlite` and `kills::postgresql`. A plain run kills 120 times on one of the two databases, which one
//! changes from day to day with the seed; the test of the other is ignored. `DRIFTLINE_KILLS=all cargo test -p
//! driftline-watch --test kills` kills 500 times: 300 times on SQLite and 200 times on PostgreSQL. `DRIFTLINE_KILLS=5000`
//! kills that often, in the same proportion, and `DRIFTLINE_SEED=7` repeats a run with that seed. About 100 kills on a
//! database are needed until everything has happened that is to be shown.
//!
//! `DRIFTLINE_KILLS=all` also cuts the power 240 times, half of them under ext4's rules and half under strict ones
//! (`kills::power_cut_ext4`, `kills::power_cut_strict`): what was not synchronised is gone then
//! ([`driftline_testkit::power_cut`]). With SQLite, because the disk of a PostgreSQL server is its own affair.

mod daemon;
mod proof;
mod scene;
mod world;

use std::collections::HashMap;
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use driftline::time::Time;
use driftline_archive::archive::Options;
use driftline_catalog::{Catalog, DeliveryState, MOST_ON_A_PAGE, Place, every};
use driftline_testkit::kills::Kills;
use driftline_testkit::postgres;
use driftline_testkit::power_cut::{Disk, Rules};
use libtest_mimic::{Arguments, Trial};

use world::World;

/// The kills of a plain run, all on one database.
const SHARE: u32 = 120;
/// The kills of the full proof, on both databases.
const ALL: u32 = 500;
/// The power cuts of the full proof, under both rules; a plain run has none.
const ALL_CUTS: u32 = 240;
/// So many kills before another archive is begun.
const KILLS_AN_ARCHIVE: u32 = 50;
/// One kill in so many comes at any moment from the start of a daemon on; the first of each archive always does.
const ANY_MOMENT: u32 = 5;
/// The most questions before a kill: a few for each watch.
const MOST_QUESTIONS: usize = 60;
/// The longest time from then on, in microseconds: longer than a check or a message takes.
const LONGEST: u64 = 40_000;
/// Segments are changed every few captures.
const SEGMENT_BYTES: u64 = 20_000;
/// So many seconds of the daemon pass in a second.
const SPEED: i64 = 3_600;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.get(1).is_some_and(|first| first == "--daemon") {
        daemon::run(&arguments[2..]);
        return ExitCode::SUCCESS;
    }
    let mut arguments = Arguments::from_args();
    // One after the other: a daemon that waits for a processor is killed before it has done anything.
    arguments.test_threads.get_or_insert(1);
    libtest_mimic::run(&arguments, trials()).exit_code()
}

/// The test of each database.
fn trials() -> Vec<Trial> {
    let kills = Kills::planned("kills", SHARE, ALL);
    let (seed, is_share) = (kills.seed, std::env::var_os("DRIFTLINE_KILLS").is_none());
    let is_sqlite_day = seed % 2 == 0;
    let (sqlite, postgresql) =
        if is_share { (kills.count, kills.count) } else { (kills.count * 3 / 5, kills.count - kills.count * 3 / 5) };
    let file = |folder: &Path| folder.join("catalog.db").display().to_string();
    let cuts = Kills::planned("kills, power cuts", 0, ALL_CUTS).count / 2;
    let has_cuts = cuts > 0 && cfg!(target_os = "linux");
    vec![
        trial("kills::sqlite", kills.count == 0 || is_share && !is_sqlite_day, move || {
            test("SQLite", seed, sqlite, None, file);
        }),
        trial("kills::postgresql", kills.count == 0 || is_share && is_sqlite_day, move || {
            test("PostgreSQL", seed, postgresql, None, |_| postgres::database());
        }),
        trial("kills::power_cut_ext4", !has_cuts, move || {
            test("power cuts, ext4 rules", seed, cuts, Some(Rules::Ext4), file);
        }),
        trial("kills::power_cut_strict", !has_cuts, move || {
            test("power cuts, strict rules", seed, cuts, Some(Rules::Strict), file);
        }),
    ]
}

fn trial(name: &str, is_ignored: bool, run: impl FnOnce() + Send + 'static) -> Trial {
    let run = move || {
        run();
        Ok(())
    };
    Trial::test(name, run).with_ignored_flag(is_ignored)
}

fn options(data: &Path, catalog: &str) -> Options {
    let catalog = Place::parse(catalog).expect("the place of a catalog");
    Options { catalog, segment_bytes: SEGMENT_BYTES, ..Options::at(data) }
}

fn test(name: &str, seed: u32, kills: u32, power_cut: Option<Rules>, place: impl Fn(&Path) -> String) {
    println!("{name}: seed {seed}");
    let (mut killed, mut sum, mut taken_back) = (0, proof::Sum::default(), 0);
    while killed < kills {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let catalog = place(folder.path());
        let random = fastrand::Rng::with_seed((u64::from(seed) << 32) + u64::from(killed));
        let begun = now();
        let world = World::start(random.clone(), begun);
        let disk = power_cut.map(|rules| Disk::new(folder.path(), rules));
        let acknowledged = HashMap::new();
        let mut victim = Victim { folder, catalog, world, disk, random, round: 0, begun, acknowledged, taken_back: 0 };
        let own = KILLS_AN_ARCHIVE.min(kills - killed);
        (0..own).for_each(|number| victim.kill(number % ANY_MOMENT == 0));
        victim.finish();
        sum += proof::prove(&victim);
        taken_back += victim.taken_back;
        killed += own;
    }
    println!("{name}: {kills} kills: {sum}; {taken_back} files taken back by power cuts");
    assert!(power_cut.is_none() || taken_back > 0, "the power cuts took nothing back");
    assert!(sum.is_telling(kills), "the kills came when nothing happened");
}

/// A daemon that is killed again and again.
struct Victim {
    folder: tempfile::TempDir,
    catalog: String,
    world: World,
    /// A disk that forgets what was not synchronised, when the daemon is killed.
    disk: Option<Disk>,
    random: fastrand::Rng,
    /// How many daemons there were.
    round: u32,
    /// When the first one began, in microseconds since 1970: its clock was right then.
    begun: i64,
    /// Deliveries that were seen acknowledged in the catalog, by their keys, and after which daemon.
    acknowledged: HashMap<String, u32>,
    /// Files and folders that power cuts took back.
    taken_back: usize,
}

impl Victim {
    /// Starts a daemon and kills it a random moment later: from its start on, or after some questions.
    fn kill(&mut self, is_any_moment: bool) {
        let mut daemon = self.start();
        if !is_any_moment {
            let questions = self.random.usize(1..=MOST_QUESTIONS);
            assert!(self.world.wait_for(questions, self.round), "round {}: too little is checked", self.round);
        }
        thread::sleep(Duration::from_micros(self.random.u64(..LONGEST)));
        self.end(&mut daemon);
        // Otherwise the next daemon finds what this one left, and may be killed while it puts it in order.
        if self.random.u8(..3) > 0 {
            self.look();
        }
    }

    /// Nothing changes any more, and a daemon is let alone until nothing is left to do; then it is killed as well.
    fn finish(&mut self) {
        self.world.freeze();
        let mut daemon = self.start();
        let (catalog, mut quiet) = (self.open(), 0);
        for _ in 0..1_200 {
            thread::sleep(Duration::from_millis(50));
            // Twice: a check of a page that left its list meanwhile may still be under way.
            quiet = if self.is_quiet(&catalog) { quiet + 1 } else { 0 };
            if quiet == 2 {
                self.end(&mut daemon);
                self.look();
                return;
            }
        }
        self.end(&mut daemon);
        panic!("round {}: the daemon does not come to an end", self.round);
    }

    /// Is everything judged, and everybody told?
    fn is_quiet(&self, catalog: &Catalog) -> bool {
        // A page that is asked for the third time was judged at least once since it changed last.
        let is_judged = self.world.least_questions(self.round) > 2;
        let members = || catalog.members("list", None, 1_000).expect("the catalog can be read");
        let listed = || {
            let mut listed: Vec<String> = members().into_iter().map(|member| member.url).collect();
            listed.sort_unstable();
            listed
        };
        is_judged
            && listed() == self.world.members()
            && catalog.next_release().expect("the catalog can be read").is_none()
            && catalog.next_delivery().expect("the catalog can be read").is_none()
    }

    fn start(&mut self) -> Child {
        self.round += 1;
        self.world.write_settings(self.folder.path(), self.round);
        let own = std::env::current_exe().expect("a program knows where it is");
        let mut command = Command::new(own);
        command.arg("--daemon").arg(self.folder.path()).arg(&self.catalog);
        command.args([self.begun.to_string(), self.round.to_string()]);
        self.disk.iter().for_each(|disk| disk.attach(&mut command));
        // It ends when this process does: its input does.
        command.stdin(Stdio::piped()).spawn().expect("this program starts")
    }

    fn end(&mut self, daemon: &mut Child) {
        daemon.kill().expect("it can be killed");
        let status = daemon.wait().expect("it was started");
        assert_eq!(status.code(), None, "round {}: it failed before it was killed", self.round);
        self.taken_back += self.disk.as_ref().map_or(0, Disk::cut);
    }

    /// Notes what the targets have acknowledged by now.
    fn look(&mut self) {
        let catalog = self.open();
        let deliveries =
            every(|after| catalog.deliveries(None, Some(DeliveryState::Acknowledged), after, MOST_ON_A_PAGE));
        for delivery in deliveries.expect("the catalog can be read") {
            self.acknowledged.entry(delivery.key).or_insert(self.round);
        }
    }

    fn open(&self) -> Catalog {
        Catalog::open(options(self.folder.path(), &self.catalog).catalog).expect("the catalog opens")
    }
}

/// The time of daemons, the first of which began then.
fn fast(begun: i64) -> Time {
    Time::from_microseconds(begun + (now() - begun) * SPEED)
}

fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("it is after 1970");
    i64::try_from(since.as_micros()).expect("it is before the year 200,000")
}
