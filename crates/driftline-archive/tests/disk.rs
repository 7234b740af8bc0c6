//! What if the disk is full, or cannot be written? A clear error, nothing torn, and on with it afterwards.
//!
//! This program starts itself in a name space of its own with a small disk in memory. Where that is not
//! allowed, the system's limit on the size of files stands for the full disk, and permissions for the
//! read-only one; it says so. Permissions do not stop root, who becomes an ordinary user for that.

use std::fs;
use std::path::Path;
use std::process::Command;

use driftline_archive::Time;
use driftline_archive::archive::{Archive, Error, Options};
use driftline_archive::capture::{Capture, Content, Exchange};
use driftline_archive::care::verify::{Depth, verify};
use driftline_archive::warc::Reader;
use driftline_catalog::Place;
use libtest_mimic::{Arguments, Trial};

const URL: &str = "http://example.org/";

/// A disk of two megabytes on `$1`; then this program, in the part that `$2` names.
const SMALL_DISK: &str = r#"mount -t tmpfs -o size=2m none "$1" && exec "$0" "$2" "$1" "$3""#;
/// Files of at most 8 MB, and an error instead of a signal for what is larger. The log of the catalog needs 4 MB.
const SMALL_FILES: &str = r#"trap '' XFSZ; ulimit -f 16000; exec "$0" "$2" "$1" "$3""#;

/// A user whom permissions stop, with a copy of this program that such a user can start.
const ORDINARY: &str = r#"
    if [ "$(id -u)" != 0 ]; then exec "$0" "$2" "$1" "$3"; fi
    chmod 755 "$3" && cp "$0" "$3/program" && chmod 755 "$3/program" && chown 65534:65534 "$1" || exit 1
    exec setpriv --reuid 65534 --regid 65534 --clear-groups "$3/program" "$2" "$1" "$3"
"#;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    match arguments.get(1).map(String::as_str) {
        Some("--full") => full(Path::new(&arguments[2]), Path::new(&arguments[3])),
        Some("--read-only") => read_only(Path::new(&arguments[2])),
        _ => {
            let tests = vec![test("full", "--full", SMALL_FILES), test("read_only", "--read-only", ORDINARY)];
            libtest_mimic::run(&Arguments::from_args(), tests).exit();
        }
    }
}

fn test(name: &str, part: &'static str, instead: &'static str) -> Trial {
    Trial::test(name, move || {
        run(part, instead);
        Ok(())
    })
}

fn run(part: &str, instead: &str) {
    let (disk, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let own = std::env::current_exe().unwrap();
    let start = |program: &[&str], script: &str| {
        let mut command = Command::new(program[0]);
        command.args(&program[1..]).args(["sh", "-c", script]).arg(&own);
        command.arg(disk.path()).arg(part).arg(elsewhere.path());
        command.status().unwrap()
    };
    let mut mount = Command::new("unshare");
    mount.args(["-r", "-m", "mount", "-t", "tmpfs", "none"]).arg(disk.path());
    let status = if mount.status().is_ok_and(|status| status.success()) {
        start(&["unshare", "-r", "-m"], SMALL_DISK)
    } else {
        println!("{part}: no disk of its own is allowed here; with a limit on files and with permissions instead");
        start(&["env"], instead)
    };
    assert!(
        status.success(),
        "{part} failed\nhint: this test needs `unshare`, or an ordinary user, or `setpriv` of util-linux"
    );
    println!("{part}: ok");
}

fn page(at: u32, body: Vec<u8>) -> Capture {
    let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n".to_vec();
    let content = Content::Http(Exchange { head, body, ..Exchange::default() });
    Capture {
        url: URL.to_owned(),
        at: Time::from_microseconds(i64::from(at) * 1_000_000),
        content,
        metadata: Vec::new(),
    }
}

/// Bytes that cannot be packed.
fn noise(seed: u32, length: usize) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(seed.into());
    std::iter::repeat_with(|| random.u8(..)).take(length).collect()
}

fn full(disk: &Path, elsewhere: &Path) {
    // Once with a catalog that has room, so that the segment is what fails; once with both on the full disk.
    for catalog in [elsewhere.join("catalog.db"), disk.join("catalog.db")] {
        let data = disk.join(if catalog.starts_with(disk) { "both" } else { "segments" });
        let options = Options { catalog: Place::from(catalog), ..Options::at(&data) };
        let filler = data.with_extension("filler");
        // In pieces, because files may have a limit.
        fs::create_dir_all(&filler).unwrap();
        (0..6).for_each(|piece| fs::write(filler.join(piece.to_string()), vec![0; 100_000]).unwrap());
        let archive = Archive::open(&options).unwrap();
        let (kept, error) = fill(&archive);
        println!("{kept} captures, then: {error}");
        assert!(error.contains("hint: "), "{error}");
        // Small ones may still fit; none is torn.
        let more = (0..5).filter(|at| archive.append(&page(10_000 + at, noise(10_000 + at, 1_000))).is_ok()).count();
        check(&archive, &options, kept + more);
        // Another segment has room of its own where only the size of files is limited; a disk needs some.
        archive.seal().unwrap_or_else(|error| println!("not sealed: {error}"));
        fs::remove_dir_all(&filler).unwrap();
        archive.append(&page(20_000, noise(20_000, 1_000))).expect("there is room again");
        check(&archive, &options, kept + more + 1);
        archive.close().expect("it closes");
        let names = fs::read_dir(&options.folder).unwrap().map(|entry| entry.unwrap().file_name());
        let open: Vec<_> = names.filter(|name| name.to_string_lossy().ends_with(".open")).collect();
        assert!(open.is_empty(), "nobody writes {open:?} any more");
        verify_all(&Archive::open_to_read(&options).expect("it can be read"));
        let again = Archive::open(&options).expect("it opens");
        assert!(again.recovery().is_empty(), "what was left was put in order on closing: {:?}", again.recovery());
        // What a full catalog did not take was written, but not acknowledged: it may have come back.
        let all = again.captures_of(URL).unwrap().len();
        assert!(all > kept + more, "{all} of {kept}, {more} and one more");
        check(&again, &options, all);
        verify_all(&again);
        again.close().unwrap();
        fs::remove_dir_all(&data).unwrap();
    }
}

/// Appends until it fails: how many were kept, and what the archive says.
fn fill(archive: &Archive) -> (usize, String) {
    for at in 0..1_000 {
        match archive.append(&page(at, noise(at, 20_000))) {
            Ok(_) => {}
            Err(error) => return (at as usize, error.to_string()),
        }
    }
    panic!("20 MB fit on a disk of two")
}

/// `verify` finds nothing wrong.
fn verify_all(archive: &Archive) {
    let verified = verify(archive, Depth::Records, &|_| ()).expect("it can be verified");
    assert!(verified.captures > 0 && verified.faults == 0, "{verified:?}");
}

/// Everything that was kept can be read, and no segment has a torn end.
fn check(archive: &Archive, options: &Options, kept: usize) {
    let all = archive.captures_of(URL).unwrap();
    assert_eq!(all.len(), kept);
    for stored in &all {
        let found = archive.read(stored, 1 << 20).unwrap();
        assert_eq!(Some(found.body().len() as u64), stored.capture.payload_length);
    }
    for entry in fs::read_dir(&options.folder).unwrap() {
        let path = entry.unwrap().path();
        if path.to_str().unwrap().contains(".warc.gz") {
            let mut reader = Reader::new(fs::File::open(path).unwrap());
            while let Some(record) = reader.next() {
                assert_eq!(reader.body(1 << 20).unwrap().bytes.len() as u64, record.unwrap().length);
            }
        }
    }
}

fn read_only(disk: &Path) {
    let options = Options::at(&disk.join("data"));
    let archive = Archive::open(&options).unwrap();
    let kept = archive.append(&page(0, b"text".to_vec())).unwrap();
    archive.close().unwrap();
    let is_mounted =
        Command::new("mount").args(["-o", "remount,ro"]).arg(disk).status().is_ok_and(|status| status.success());
    if !is_mounted {
        let forbid = Command::new("chmod").args(["-R", "a-w"]).arg(disk.join("data")).status().unwrap();
        assert!(forbid.success());
    }
    let error = Archive::open(&options).map(drop).expect_err("it can be written").to_string();
    println!("{error}");
    assert!(error.contains("hint: "));
    let archive = Archive::open_to_read(&options).expect("reading needs no permission to write");
    assert_eq!(archive.read(&kept, 100).unwrap().body(), b"text");
    assert!(matches!(archive.append(&page(1, Vec::new())), Err(Error::ReadOnly)));
    if !is_mounted {
        Command::new("chmod").args(["-R", "u+w"]).arg(disk.join("data")).status().unwrap();
    }
}
