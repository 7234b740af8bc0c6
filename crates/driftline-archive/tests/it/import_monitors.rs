//! Is everything there that other monitors kept, and nothing else? Real backups and databases
//! (`fixtures/monitors`), and hostile ones.

use std::io::{Cursor, Write};
use std::path::Path;

use driftline_archive::import::changedetection::Backup;
use driftline_archive::import::urlwatch::{Database, Jobs};
use driftline_archive::import::{Error, Format, Kept, Reason, Skip, Version, Watched};
use zip::write::{SimpleFileOptions, ZipWriter};

use crate::support::monitor;

const ID: &str = "bc4bd629-5213-4131-af89-99b45a19f8cd";

#[derive(Debug, Default)]
struct All {
    versions: Vec<Version>,
    watches: Vec<Watched>,
    skips: Vec<Skip>,
}

impl All {
    fn take(&mut self, kept: Kept) {
        match kept {
            Kept::Version(version) => self.versions.push(version),
            Kept::Watch(watch) => self.watches.push(watch),
            Kept::Skipped(skip) => self.skips.push(skip),
        }
    }

    fn of_backup(backup: Backup) -> Result<Self, Error> {
        let mut all = Self::default();
        backup.read(&mut |kept| {
            all.take(kept);
            Ok(())
        })?;
        Ok(all)
    }

    fn of_zip(bytes: Vec<u8>) -> Result<Self, Error> {
        Self::of_backup(Backup::from_zip(Path::new("made.zip"), Box::new(Cursor::new(bytes)))?)
    }

    fn of_database(path: &Path, jobs: &Jobs) -> Self {
        let mut all = Self::default();
        let taken = Database::open(path).unwrap().read(jobs, &mut |kept| {
            all.take(kept);
            Ok(())
        });
        taken.unwrap();
        all
    }

    fn of_page(&self, end: &str) -> Vec<&Version> {
        self.versions.iter().filter(|version| version.url.ends_with(end)).collect()
    }
}

/// A backup with these files beside a watch.
fn backup(files: &[(&str, &[u8])]) -> Vec<u8> {
    let watch = format!("{ID}/watch.json");
    let always: [(&str, &[u8]); 2] =
        [("changedetection.json", b"{}"), (&watch, br#"{"url": "http://example.org/", "title": "T"}"#)];
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in always.iter().chain(files) {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn a_real_backup_gives_every_version_and_watch() {
    let all = All::of_backup(Backup::open(&monitor("changedetection-0.60.10.zip")).unwrap()).unwrap();
    assert_eq!(all.skips, []);
    let counts = ["/news", "/prices", "/long", "/gone"].map(|page| all.of_page(page).len());
    assert_eq!(counts, [4, 2, 4, 1]);
    let news = all.of_page("/news");
    let text = |version: &Version| String::from_utf8_lossy(version.text.as_ref().unwrap_or(&version.body)).into_owned();
    for (edition, version) in news.iter().enumerate() {
        assert!(text(version).contains(&format!("Edition {} of the news", edition + 1)), "{version:?}");
    }
    // Of the newest two versions the page itself is there.
    let kinds: Vec<_> = news.iter().map(|version| version.content_type.as_str()).collect();
    assert_eq!(kinds[1..3], ["text/plain; charset=utf-8", "text/html; charset=utf-8"]);
    assert!(news[3].body.starts_with(b"<!doctype html>"));
    assert_eq!(news[0].at.digits(), "20261116070128");
    // Packed by brotli.
    assert!(text(all.of_page("/long")[0]).contains("Paragraph 599 of a page"));

    let watch = all.watches.iter().find(|watch| watch.url.ends_with("/news")).unwrap();
    assert_eq!((watch.title.as_deref(), watch.tags.as_slice()), (Some("The news"), ["daily".to_owned()].as_slice()));
    assert_eq!(watch.settings["time_between_check"]["hours"], 3);
    assert_eq!(all.watches.len(), 4);
    assert!(!format!("{:?}", all.watches).contains("made-up"), "secrets stay behind");
}

#[test]
fn an_unpacked_backup_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let file = std::fs::File::open(monitor("changedetection-0.60.10.zip")).unwrap();
    zip::ZipArchive::new(file).unwrap().extract(folder.path()).unwrap();
    let unpacked = All::of_backup(Backup::open(folder.path()).unwrap()).unwrap();
    let packed = All::of_backup(Backup::open(&monitor("changedetection-0.60.10.zip")).unwrap()).unwrap();
    assert_eq!(format!("{unpacked:?}"), format!("{packed:?}"));
    assert_eq!(Format::recognise(folder.path()).unwrap(), Format::Changedetection);
}

#[test]
fn a_legacy_backup_gives_every_version_too() {
    let all = All::of_backup(Backup::open(&monitor("changedetection-0.50.24.zip")).unwrap()).unwrap();
    assert_eq!(all.skips, []);
    assert_eq!(["/news", "/long"].map(|page| all.of_page(page).len()), [3, 3]);
    assert_eq!(all.watches.len(), 2);
    assert!(!format!("{:?}", all.watches).contains("made-up"), "secrets stay behind");
}

#[test]
fn a_history_reads_no_file_outside_of_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("secret.txt");
    std::fs::write(&secret, "secret").unwrap();
    let lines = format!(
        "1700000000,{}\n1700000001,../../../../../etc/passwd\n1700000002,/datastore/{ID}/a.txt\n1700000003,other/b.txt\n",
        secret.display()
    );
    let history = format!("{ID}/history.txt");
    let snapshot = format!("{ID}/a.txt");
    let files: [(&str, &[u8]); 3] = [(&history, lines.as_bytes()), (&snapshot, b"own"), ("secret.txt", b"secret")];
    let all = All::of_zip(backup(&files)).unwrap();
    // An old, absolute path means the file of this name in the watch's own folder.
    assert_eq!(all.versions.iter().map(|version| version.body.as_slice()).collect::<Vec<_>>(), [b"own"]);
    let places: Vec<_> = all.skips.iter().map(|skip| (skip.reason, skip.offset.is_some())).collect();
    assert_eq!(places, [(Reason::Missing, true); 3]);
}

#[cfg(unix)]
#[test]
fn links_in_a_folder_are_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let watch = folder.path().join(ID);
    std::fs::create_dir(&watch).unwrap();
    std::fs::write(folder.path().join("changedetection.json"), "{}").unwrap();
    std::fs::write(watch.join("watch.json"), r#"{"url": "http://example.org/"}"#).unwrap();
    std::fs::write(watch.join("history.txt"), "1700000000,a.txt\n").unwrap();
    std::os::unix::fs::symlink("/etc/hostname", watch.join("a.txt")).unwrap();
    let all = All::of_backup(Backup::open(folder.path()).unwrap()).unwrap();
    assert_eq!(all.versions, []);
    let reasons: Vec<_> = all.skips.iter().map(|skip| skip.reason).collect();
    assert_eq!(reasons, [Reason::Unsafe, Reason::Missing]);
}

#[test]
fn names_that_lead_out_of_a_zip_are_told_and_passed_over() {
    let history = format!("{ID}/history.txt");
    let escape = format!("{ID}/../../../a.txt");
    let files: [(&str, &[u8]); 3] = [(&history, b"1700000000,a.txt"), (&escape, b"slip"), ("/tmp/b.txt", b"slip")];
    let all = All::of_zip(backup(&files)).unwrap();
    assert_eq!(all.versions, []);
    let reasons: Vec<_> = all.skips.iter().map(|skip| skip.reason).collect();
    assert_eq!(reasons, [Reason::Unsafe, Reason::Unsafe, Reason::Missing]);
}

#[test]
fn a_zip_bomb_is_refused() {
    // A history that names a file of 64 MB of nothing again and again: 70 KB that would become 6 GB.
    let history = format!("{ID}/history.txt");
    let snapshot = format!("{ID}/a.txt");
    let lines = (0..100).map(|at| format!("17000000{at:02},a.txt")).collect::<Vec<_>>().join("\n");
    let nothing = vec![b' '; 64 << 20];
    let bytes = backup(&[(&history, lines.as_bytes()), (&snapshot, &nothing)]);
    assert!(bytes.len() < 1 << 20);
    let mut taken = 0;
    let backup = Backup::from_zip(Path::new("bomb.zip"), Box::new(Cursor::new(bytes))).unwrap();
    let error = backup.read(&mut |_| {
        taken += 1;
        Ok(())
    });
    assert!(matches!(error, Err(Error::Bomb { .. })), "{error:?}");
    assert!(taken < 10, "{taken}");
}

#[test]
fn a_file_that_unpacks_to_too_much_is_passed_over() {
    let history = format!("{ID}/history.txt");
    let (large, small) = (format!("{ID}/a.txt"), format!("{ID}/b.txt"));
    let nothing = vec![b' '; (64 << 20) + 1];
    let files: [(&str, &[u8]); 3] =
        [(&history, b"1700000000,a.txt\n1700000001,b.txt\n"), (&large, &nothing), (&small, b"small")];
    let all = All::of_zip(backup(&files)).unwrap();
    assert_eq!(all.versions.len(), 1);
    assert_eq!((all.skips[0].reason, all.skips[0].offset), (Reason::TooLarge, Some(0)));
}

#[test]
fn a_history_that_names_one_version_two_million_times_is_cut_and_says_so() {
    let history = format!("{ID}/history.txt");
    let snapshot = format!("{ID}/a.txt");
    let lines = "1700000000,a.txt\n".repeat(2_000_000);
    let bytes = backup(&[(&history, lines.as_bytes()), (&snapshot, b"hello")]);
    assert!(bytes.len() < 1 << 20);
    let all = All::of_zip(bytes).unwrap();
    let [skip] = all.skips.as_slice() else { panic!("{:?}", all.skips) };
    assert_eq!((all.versions.len(), skip.reason), (20_016, Reason::TooLarge));
    assert!(skip.detail.contains("more than 20016 lines, 4 for each file"), "{skip}");
}

#[test]
fn odd_backups_do_no_harm() {
    let history = format!("{ID}/history.txt");
    let lines = b"\n,\nx,a.txt\n1e400,a.txt\n-5,a.txt\n1700000000\n1700000000,\n1700000000,..\n1700000000,c.txt.br\n";
    let packed = format!("{ID}/c.txt.br");
    let broken = format!("{}/watch.json", ID.replace('b', "c"));
    let all = All::of_zip(backup(&[(&history, lines), (&packed, b"no brotli"), (&broken, b"{")])).unwrap();
    assert_eq!(all.versions, []);
    assert_eq!(all.skips.len(), 9, "{:?}", all.skips);
    for bytes in [&b""[..], b"PK\x03\x04", b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"] {
        assert!(matches!(All::of_zip(bytes.to_vec()), Err(Error::Not { .. })));
    }
    let whole = std::fs::read(monitor("changedetection-0.60.10.zip")).unwrap();
    for end in (0..whole.len()).step_by(whole.len() / 50) {
        let _ = All::of_zip(whole[..end].to_vec());
    }
}

#[test]
fn real_databases_give_every_version() {
    let jobs = Jobs::parse(&std::fs::read_to_string(monitor("urls.yaml")).unwrap());
    for name in ["urlwatch-2.29.db", "webchanges-3.37.0.db"] {
        let all = All::of_database(&monitor(name), &jobs);
        assert_eq!(all.skips, [], "{name}");
        // Failed checks of `/gone` are no versions.
        let counts = ["/news", "/prices", "/gone", "/short"].map(|page| all.of_page(page).len());
        assert_eq!(counts, [3, 2, 1, 3], "{name}");
        let news = all.of_page("/news");
        assert!(String::from_utf8_lossy(&news[2].body).contains("Edition 3 of the news"), "{name}");
        assert!(news[0].content_type.starts_with("text/plain") || news[0].content_type.starts_with("text/markdown"));
        assert!(all.of_page("/prices")[0].content_type.starts_with("text/html"), "{name}");
        assert!(news[0].at < news[1].at && news[0].at.digits().starts_with("2026111607"), "{name}");
        assert!(all.watches.iter().any(|watch| watch.title.as_deref() == Some("The news")), "{name}");
    }
}

#[test]
fn without_the_jobs_every_version_is_told_with_the_cure() {
    let all = All::of_database(&monitor("urlwatch-2.29.db"), &Jobs::default());
    assert_eq!((all.versions.len(), all.watches.len()), (0, 0));
    assert_eq!(all.skips.len(), 9);
    assert!(all.skips.iter().all(|skip| skip.reason == Reason::NoAddress && skip.detail.contains("--jobs FILE")));
}

#[test]
fn damaged_databases_do_no_harm() {
    let jobs = Jobs::parse(&std::fs::read_to_string(monitor("urls.yaml")).unwrap());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("broken.db");
    let whole = std::fs::read(monitor("webchanges-3.37.0.db")).unwrap();
    for step in 0..40 {
        let mut bytes = whole[..whole.len() - step * whole.len() / 80].to_vec();
        for at in (100 + step..bytes.len()).step_by(97) {
            bytes[at] ^= 0x55;
        }
        std::fs::write(&path, bytes).unwrap();
        if let Ok(database) = Database::open(&path) {
            let _ = database.read(&jobs, &mut |_| Ok(()));
        }
    }
    assert!(matches!(Database::open(&folder.path().join("none.db")), Err(Error::Read { .. })));
    std::fs::write(&path, "no database").unwrap();
    assert!(matches!(Database::open(&path), Err(Error::Not { .. })));
}

#[test]
fn every_fixture_is_recognised() {
    let formats = [
        ("changedetection-0.60.10.zip", Format::Changedetection),
        ("changedetection-0.50.24.zip", Format::Changedetection),
        ("urlwatch-2.29.db", Format::Urlwatch),
        ("webchanges-3.37.0.db", Format::Webchanges),
    ];
    for (name, format) in formats {
        assert_eq!(Format::recognise(&monitor(name)).unwrap(), format, "{name}");
    }
    let unknown = Format::recognise(&monitor("urls.yaml")).unwrap_err().to_string();
    assert!(unknown.contains("`changedetection`") && unknown.contains("`warc`"), "{unknown}");
}
