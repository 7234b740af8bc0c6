//! `driftline archive verify|compact|rebuild|stats` as people use them; and what is left of an archive whose compaction
//! is killed.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use driftline_archive::capture::{Capture, Content, Exchange};
use driftline_archive::care::verify::{Depth, verify};
use driftline_archive::{Archive, Time};
use driftline_testkit::kills::Kills;
use serde_json::Value;

/// What a run printed, and how it ended.
struct Ran {
    code: i32,
    out: String,
    err: String,
}

impl Ran {
    fn json(&self) -> Value {
        let last = self.out.lines().last().unwrap_or_default();
        serde_json::from_str(last).unwrap_or_else(|error| panic!("{error}: {}{}", self.out, self.err))
    }
}

fn command(data: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("driftline"));
    command.arg("archive").args(arguments).arg("--data").arg(data);
    command
}

fn run(data: &Path, arguments: &[&str]) -> Ran {
    let output = command(data, arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

fn capture(page: usize, day: usize, text: &str) -> Capture {
    let at: Time = format!("2024-01-{:02}T12:00:00Z", day + 1).parse().unwrap();
    let exchange = Exchange {
        head: b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n".to_vec(),
        body: format!("<html><body><p>{text}</p></body></html>").into_bytes(),
        request: Some(b"GET / HTTP/1.1\r\nHost: example.org\r\n\r\n".to_vec()),
        ..Exchange::default()
    };
    let url = format!("http://example.org/{page}");
    Capture { url, at, content: Content::Http(exchange), metadata: Vec::new() }
}

/// Pages with a capture a day; every second one is unchanged. One segment a day.
fn fill(data: &Path, pages: usize, days: usize) {
    let archive = Archive::open_at(data).unwrap();
    for day in 0..days {
        let captures: Vec<_> =
            (0..pages).map(|page| capture(page, day, &format!("page {page}, text {}", day / 2))).collect();
        archive.append_all(&captures).unwrap();
        archive.seal().unwrap();
    }
    archive.close().unwrap();
}

/// Everything that an archive says: address, time and body of each capture.
fn everything(archive: &Archive) -> BTreeSet<(String, Time, Vec<u8>)> {
    let captures = archive.catalog().all(0, 100_000).unwrap();
    let said = |stored: &driftline_catalog::StoredCapture| {
        let body = archive.read(stored, 1 << 20).unwrap().body().to_vec();
        (stored.capture.url.clone(), stored.capture.at, body)
    };
    captures.iter().map(said).collect()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// A segment of an archive.
fn segment(data: &Path) -> std::path::PathBuf {
    let files = fs::read_dir(data.join("warc")).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|path| path.to_string_lossy().ends_with(".warc.gz")).min().unwrap()
}

#[test]
fn verify_says_what_is_wrong_where_and_what_helps() {
    let folder = tempfile::tempdir().unwrap();
    fill(folder.path(), 3, 4);
    let well = run(folder.path(), &["verify"]);
    assert_eq!((well.code, well.err.as_str()), (0, ""));
    assert!(well.out.starts_with("all is well (4 segments, ") && well.out.contains("12 captures"), "{}", well.out);
    assert_eq!(run(folder.path(), &["verify", "--json"]).json()["captures"], 12);
    let path = segment(folder.path());
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0xff;
    fs::write(&path, bytes).unwrap();
    let damaged = run(folder.path(), &["verify"]);
    assert_eq!(damaged.code, 1);
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    assert!(damaged.out.contains(&format!("{name} at byte ")) && damaged.out.contains("  cure: "), "{}", damaged.out);
    let json = run(folder.path(), &["verify", "--json"]);
    assert_eq!((json.code, &json.json()["problems"][0]["segment"]), (1, &Value::from(name.clone())));
    // Its length is right.
    assert_eq!(run(folder.path(), &["verify", "--quick"]).code, 0);
    fs::remove_file(&path).unwrap();
    let quick = run(folder.path(), &["verify", "--quick"]);
    assert!(quick.code == 1 && quick.out.contains(&format!("{name}: the file is not there")), "{}", quick.out);
    assert_eq!(run(&folder.path().join("nothing"), &["verify"]).code, 2);
}

#[test]
fn a_lost_catalog_is_rebuilt_and_everything_is_derived() {
    let folder = tempfile::tempdir().unwrap();
    fill(folder.path(), 2, 4);
    let before = everything(&Archive::open_at(folder.path()).unwrap());
    for file in ["catalog.db", "catalog.db-wal", "catalog.db-shm"] {
        let _ = fs::remove_file(folder.path().join(file));
    }
    let rebuilt = run(folder.path(), &["rebuild", "--json"]);
    let json = rebuilt.json();
    assert_eq!((rebuilt.code, &json["indexed"], &json["made"]["change"]), (0, &Value::from(8), &Value::from(2)));
    assert_eq!(json["made"]["text"], 4);
    assert_eq!(everything(&Archive::open_at(folder.path()).unwrap()), before);
    let again = run(folder.path(), &["rebuild", "--kind", "text,links"]);
    assert!(again.out.lines().all(|line| line.ends_with(" 0")), "{}", again.out);
    let one = run(folder.path(), &["rebuild", "--all", "--json", "--url", "http://example.org/1"]);
    assert_eq!(one.json()["made"]["text"], 2);
    assert_eq!(run(folder.path(), &["rebuild", "--kind", "nonsense"]).code, 2);
}

#[test]
fn stats_count_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    fill(folder.path(), 3, 4);
    assert!(!run(folder.path(), &["stats"]).out.contains("derived"));
    run(folder.path(), &["rebuild"]);
    let json = run(folder.path(), &["stats", "--json"]).json();
    for (name, count) in [("captures", 12), ("versions", 6), ("urls", 3), ("hosts", 1)] {
        assert_eq!(json[name], count, "{name}");
    }
    assert_eq!((&json["by_year"][0]["name"], &json["by_year"][0]["count"]), (&Value::from("2024"), &Value::from(12)));
    assert_eq!(json["by_status"][0]["name"], "200");
    assert!(json["bytes"]["saved"].as_u64().unwrap() > 0);
    assert_eq!(json["segments"]["closed"], 4);
    assert!(json["derived"].as_array().unwrap().iter().all(|row| row["is_current"] == true));
    let text = run(folder.path(), &["stats"]);
    assert!(text.code == 0 && text.out.contains("text/html") && text.out.contains("recipe 1"), "{}", text.out);
}

#[test]
fn a_dry_run_tells_what_compact_then_does() {
    let folder = tempfile::tempdir().unwrap();
    fill(folder.path(), 3, 6);
    let dry = run(folder.path(), &["compact", "--keep", "2", "--dry-run"]);
    assert_eq!((dry.code, dry.out.lines().filter(|line| line.contains("too many")).count()), (0, 12));
    assert!(dry.out.contains("12 captures would go, 6 kept"), "{}", dry.out);
    let real = run(folder.path(), &["compact", "--keep", "2", "--json"]);
    let sum = real.json();
    assert_eq!((&sum["gone"], &sum["kept"], real.out.lines().count()), (&Value::from(12), &Value::from(6), 13));
    assert_eq!(everything(&Archive::open_at(folder.path()).unwrap()).len(), 6);
    assert_eq!(run(folder.path(), &["verify"]).code, 0);
    for arguments in [["--keep", "0"], ["--older-than", "soon"], ["--most-bytes", "much"], ["--thin", "--quiet"]] {
        assert_eq!(run(folder.path(), &["compact", arguments[0], arguments[1]]).code, 2, "{arguments:?}");
    }
    let everything_stays = run(folder.path(), &["compact"]);
    assert!(everything_stays.out.starts_with("0 captures gone, 6 kept"), "{}", everything_stays.out);
}

#[test]
fn a_dry_run_changes_nothing_even_if_it_thins() {
    let folder = tempfile::tempdir().unwrap();
    let none = run(folder.path(), &["compact", "--thin", "--keep", "2", "--dry-run"]);
    assert!(none.code == 2 && none.err.contains("there is no archive"), "{}", none.err);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    fill(folder.path(), 2, 6);
    let archive = Archive::open_at(folder.path()).unwrap();
    let dry = run(folder.path(), &["compact", "--thin", "--keep", "3", "--dry-run", "--json"]);
    assert_eq!((dry.code, archive.catalog().stats().unwrap().changes), (0, 0), "{}", dry.err);
    drop(archive);
    let real = run(folder.path(), &["compact", "--thin", "--keep", "3", "--json"]);
    let gone =
        |out: &str| out.lines().filter(|line| line.contains("\"reason\"")).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!((gone(&dry.out).len(), gone(&dry.out)), (6, gone(&real.out)));
}

#[test]
fn compact_does_not_run_beside_somebody_who_writes() {
    let folder = tempfile::tempdir().unwrap();
    fill(folder.path(), 2, 2);
    let archive = Archive::open_at(folder.path()).unwrap();
    let refused = run(folder.path(), &["compact", "--keep", "1"]);
    assert!(refused.code == 2 && refused.err.contains("another process writes"), "{}", refused.err);
    assert_eq!(run(folder.path(), &["compact", "--keep", "1", "--dry-run"]).code, 0);
    drop(archive);
    assert_eq!(run(folder.path(), &["compact", "--keep", "1"]).code, 0);
}

#[test]
fn a_killed_compaction_leaves_the_archive_as_it_was_or_as_it_shall_be() {
    let planned = Kills::planned("compaction", 34, 100);
    let mut random = fastrand::Rng::with_seed(planned.seed.into());
    let folder = tempfile::tempdir().unwrap();
    let (base, data) = (folder.path().join("base"), folder.path().join("data"));
    fill(&base, 12, 6);
    let before = everything(&Archive::open_at(&base).unwrap());
    // The second day's captures are unchanged: with the first day's gone they take the bodies over.
    let rule = ["compact", "--quiet", "--most-bytes", "1500"];
    let undisturbed = || {
        let _ = fs::remove_dir_all(&data);
        copy(&base, &data);
        let began = Instant::now();
        assert_eq!(run(&data, &rule).code, 0);
        began.elapsed()
    };
    // Other tests run beside this one: the shortest of a few runs is what matters.
    let usual = (0..4).map(|_| undisturbed()).min().unwrap_or_default();
    let after = everything(&Archive::open_at(&data).unwrap());
    assert!(after.len() < before.len() && after.is_subset(&before), "{} {}", after.len(), before.len());
    let (mut kills, mut finished, mut swept) = (0, 0, 0);
    for _ in 0..10 * planned.count {
        if kills == planned.count {
            break;
        }
        fs::remove_dir_all(&data).unwrap();
        copy(&base, &data);
        let mut child = command(&data, &rule).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // Another moment each time, all over a usual run.
        std::thread::sleep(usual.mul_f64(random.f64() * 1.1).max(Duration::from_micros(1)));
        child.kill().unwrap();
        let was_killed = child.wait().unwrap().code().is_none();
        kills += u32::from(was_killed);
        let archive = Archive::open_at(&data).unwrap();
        swept += archive.recovery().swept.len();
        let found = everything(&archive);
        assert!(found == before || found == after, "{} captures after kill {kills}", found.len());
        finished += usize::from(was_killed && found == after);
        let verified = verify(&archive, Depth::Records, &|_| ()).unwrap();
        assert_eq!(verified.problems, [], "after kill {kills}");
    }
    assert_eq!(kills, planned.count);
    println!("{kills} kills: {finished} after the switch; {swept} files were swept up");
}
