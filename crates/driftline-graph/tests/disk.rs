//! A full disk during an add: a clear error, the series as before, and the next add succeeds.
//!
//! This program starts itself with `--full` in a name space with a small disk in memory. Where that is not allowed, the
//! system's limit on the size of files takes the place of the full disk, and the test prints that.

use std::fs;
use std::path::Path;
use std::process::Command;

use driftline_graph::Series;
use driftline_graph::add::{AddError, Crawled, SnapshotBuilder, Source};
use libtest_mimic::{Arguments, Trial};

/// A disk of three megabytes on `$1`; then this program.
const SMALL_DISK: &str = r#"mount -t tmpfs -o size=3m none "$1" && exec "$0" --full "$1""#;
/// Files of at most 300 KB, and an error instead of a signal for what is larger.
const SMALL_FILES: &str = r#"trap '' XFSZ; ulimit -f 600; exec "$0" --full "$1""#;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.get(1).is_some_and(|mode| mode == "--full") {
        return full(Path::new(&arguments[2]));
    }
    let name = "a_full_disk_is_a_clear_error_and_the_series_stays_as_before";
    let trial = Trial::test(name, || {
        run();
        Ok(())
    });
    libtest_mimic::run(&Arguments::from_args(), vec![trial]).exit()
}

fn run() {
    let disk = tempfile::tempdir().unwrap();
    let own = std::env::current_exe().unwrap();
    let start = |program: &[&str], script: &str| {
        let mut command = Command::new(program[0]);
        command.args(&program[1..]).args(["sh", "-c", script]).arg(&own).arg(disk.path());
        command.status().unwrap()
    };
    let mut mount = Command::new("unshare");
    mount.args(["-r", "-m", "mount", "-t", "tmpfs", "none"]).arg(disk.path());
    let status = if mount.status().is_ok_and(|status| status.success()) {
        start(&["unshare", "-r", "-m"], SMALL_DISK)
    } else {
        println!("no disk of its own is allowed here; with a limit on files instead");
        start(&["env"], SMALL_FILES)
    };
    assert!(status.success(), "failed\nhint: this test needs `unshare`, or `ulimit -f`");
}

/// Adds so many pages that cannot be packed well.
fn add(folder: &Path, at: &str, pages: u64) -> Result<u32, AddError> {
    let builder = Series::open_or_make(folder).unwrap().add(at.parse().unwrap(), 1 << 20).unwrap();
    harvest(&builder, pages)?;
    builder.build(&|_| ()).map(|about| about.urls)
}

fn harvest(builder: &SnapshotBuilder, pages: u64) -> Result<(), AddError> {
    let source = Source { name: format!("{pages} pages"), size: 0, changed: 0 };
    let Some(mut to) = builder.reader(&source)? else { return Ok(()) };
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..pages {
        let url = format!("https://example.org/{:x}", random.u128(..));
        let page = Crawled { url: &url, fetched: None, last_modified: None, sketch: None };
        to.page(&page, [format!("https://example.org/{:x}", random.u128(..))])?;
    }
    to.finish()
}

fn full(disk: &Path) {
    let folder = disk.join("series");
    assert_eq!(add(&folder, "2019", 100).unwrap(), 200);
    let mut places = Vec::new();
    // From where the harvest has no room to where nearly all has: sizes fail at several places.
    let mut pages = 110_000;
    for at in 2_020..2_040 {
        let Err(error) = add(&folder, &at.to_string(), pages) else { break };
        let told = error.to_string();
        println!("{pages} pages: {}", told.replace(&*disk.to_string_lossy(), "…"));
        assert!(told.contains("hint: make room"), "{told}");
        let mut series = Series::open(&folder).unwrap();
        assert_eq!(series.snapshots().len(), 1);
        series.snapshots()[0].check(&|_| ()).unwrap();
        places.push(told.split('`').next().unwrap_or_default().to_owned());
        pages = pages * 3 / 4;
        // What it left behind takes room, until it is thrown away.
        series.remove(at.to_string().parse().unwrap()).unwrap();
    }
    println!("{pages} pages fit");
    places.dedup();
    assert!(places.len() > 1, "the disk is full at the same place: {places:?}");
    let series = Series::open(&folder).unwrap();
    assert_eq!(series.snapshots().len(), 2);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 3, "two snapshots and the lock");
}
