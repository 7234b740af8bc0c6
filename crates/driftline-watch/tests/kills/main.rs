//! Is a version ever lost, or a target told twice about what it has acknowledged, after `kill -9` at any moment?
//!
//! This program starts itself as a daemon that watches three sites of this process and tells webhooks of this process.
//! Pages change while they are asked for, are gone and come back; a site gets other footers and other designs; a feed
//! has other items and a list other members ([`scene`]). One webhook is told at once, one in digests, one of some pages
//! only; all refuse now and then. The daemon is killed a random moment after some questions, one in five times a random
//! moment after its start. In the end one daemon may finish, and then everything is counted: see [`proof`].
//!
//! Its clock runs an hour a second, so that retries and claims are a matter of milliseconds.
//!
//! `DRIFTLINE_KILLS=5000 DRIFTLINE_SEED=7 cargo test -p driftline-watch --test kills`: so many kills in all, with this
//! seed. Three in five are on SQLite, the others on PostgreSQL. A hundred are needed until everything has happened that
//! is to be shown.

mod daemon;
mod proof;
mod scene;
mod world;

use std::collections::HashMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use driftline::time::Time;
use driftline_archive::archive::Options;
use driftline_archive::catalog::{Catalog, DeliveryState, Place};
use driftline_testkit::postgres;

use world::World;

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

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    match arguments.get(1).map(String::as_str) {
        Some("--daemon") => daemon::run(&arguments[2..]),
        // What other tests are called, and lists of tests, are not for this program.
        Some(filter) if !filter.starts_with("--") && !"kills".contains(filter) => {}
        Some("--list") => {}
        _ => {
            let number = |name, usual: u32| std::env::var(name).map_or(usual, |text| text.parse().expect("a number"));
            let (kills, seed) = (number("DRIFTLINE_KILLS", 500), number("DRIFTLINE_SEED", 1));
            let file = |folder: &Path| folder.join("catalog.db").display().to_string();
            test("SQLite", seed, kills * 3 / 5, file);
            test("PostgreSQL", seed, kills - kills * 3 / 5, |_| postgres::database());
        }
    }
}

fn options(data: &Path, catalog: &str) -> Options {
    let catalog = Place::parse(catalog).expect("the place of a catalog");
    Options { catalog, segment_bytes: SEGMENT_BYTES, ..Options::at(data) }
}

fn test(name: &str, seed: u32, kills: u32, place: impl Fn(&Path) -> String) {
    println!("{name}: seed {seed}");
    let (mut killed, mut sum) = (0, proof::Sum::default());
    while killed < kills {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let catalog = place(folder.path());
        let random = fastrand::Rng::with_seed((u64::from(seed) << 32) + u64::from(killed));
        let begun = now();
        let world = World::start(random.clone(), begun);
        let mut victim = Victim { folder, catalog, world, random, round: 0, begun, acknowledged: HashMap::new() };
        let own = KILLS_AN_ARCHIVE.min(kills - killed);
        (0..own).for_each(|number| victim.kill(number % ANY_MOMENT == 0));
        victim.finish();
        sum += proof::prove(&victim);
        killed += own;
    }
    println!("{name}: {kills} kills: {sum}");
    assert!(sum.is_telling(kills), "the kills came when nothing happened");
}

/// A daemon that is killed again and again.
struct Victim {
    folder: tempfile::TempDir,
    catalog: String,
    world: World,
    random: fastrand::Rng,
    /// How many daemons there were.
    round: u32,
    /// When the first one began, in microseconds since 1970: its clock was right then.
    begun: i64,
    /// Deliveries that were seen acknowledged in the catalog, by their keys, and after which daemon.
    acknowledged: HashMap<String, u32>,
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
        // It ends when this process does: its input does.
        command.stdin(Stdio::piped()).spawn().expect("this program starts")
    }

    fn end(&self, daemon: &mut Child) {
        daemon.kill().expect("it can be killed");
        let status = daemon.wait().expect("it was started");
        assert_eq!(status.code(), None, "round {}: it failed before it was killed", self.round);
    }

    /// Notes what the targets have acknowledged by now.
    fn look(&mut self) {
        let deliveries = self.open().deliveries(None, Some(DeliveryState::Acknowledged), 1_000_000);
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
