//! Commands on a disk that forgets what was not synchronised, under strict rules: what a command that ended well did is
//! there after a power cut, and one in the midst of a command costs nothing that was there before.
//!
//! The power is cut once after each command, and `DRIFTLINE_KILLS=all` times or a share of them in the midst of one.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use assert_cmd::cargo::cargo_bin;
use driftline_testkit::kills::Kills;
use driftline_testkit::power_cut::{Disk, Rules};

/// A data directory that is not there yet, on a disk that forgets; and files on one that does not.
struct Machine {
    above: tempfile::TempDir,
    files: tempfile::TempDir,
    disk: Disk,
}

impl Machine {
    fn new(rules: Rules) -> Self {
        let (above, files) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        for number in 1..=2 {
            std::fs::write(files.path().join(format!("{number}.warc")), warc(number)).unwrap();
        }
        let disk = Disk::new(above.path(), rules);
        Self { above, files, disk }
    }

    fn data(&self) -> PathBuf {
        self.above.path().join("data")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(cargo_bin("driftline"));
        command.args(arguments).env("DRIFTLINE_DATA", self.data()).current_dir(self.files.path());
        command.env_remove("DRIFTLINE_CATALOG").env_remove("RUST_LOG").stdin(Stdio::null());
        command
    }

    /// What a command says that only reads.
    fn read(&self, arguments: &[&str]) -> String {
        text(&self.command(arguments).output().unwrap())
    }

    /// Runs a command to its end. Then the power is cut.
    fn run(&self, arguments: &[&str]) {
        let mut command = self.command(arguments);
        self.disk.attach(&mut command);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", text(&output));
        let _ = self.disk.cut();
    }

    /// Cuts the power in the midst of a command.
    fn cut(&self, arguments: &[&str], after: Duration) {
        let mut command = self.command(arguments);
        self.disk.attach(&mut command);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(after);
        // It may have ended.
        let _ = child.kill();
        child.wait().unwrap();
        let _ = self.disk.cut();
    }

    /// `verify` finds nothing wrong. After a cut in the midst of a command that may only be so once it was run again.
    fn verify(&self, done: &Done) {
        if done.captures > 0 {
            let verified = self.command(&["archive", "verify"]).output().unwrap();
            assert!(verified.status.success(), "{}", text(&verified));
        }
    }

    /// All that was done by a command is there, and whole.
    fn check(&self, done: &Done) {
        if done.watch {
            let list = self.read(&["watch", "list"]);
            assert!(list.contains("https://example.org/watched"), "{list}\n{:?}", all(self.above.path()));
        }
        if done.captures > 0 {
            for number in 1..=done.captures {
                let body = self.read(&["archive", "get", &format!("http://example.org/{number}@latest")]);
                assert!(body.contains(&format!("the page {number}")), "{body}");
            }
        }
        if done.snapshot {
            let checked = self.command(&["snapshot", "check", "web"]).output().unwrap();
            assert!(checked.status.success(), "{}", text(&checked));
        }
    }
}

/// What commands that ended well did.
#[derive(Debug, Clone, Default)]
struct Done {
    watch: bool,
    captures: u32,
    snapshot: bool,
}

/// A command, and what it adds.
type Step = (&'static [&'static str], fn(&mut Done));

/// The commands, in their order.
const STEPS: [Step; 6] = [
    (&["watch", "add", "--no-fetch", "https://example.org/watched"], |done| done.watch = true),
    (&["archive", "import", "1.warc"], |done| done.captures = 1),
    (&["snapshot", "add", "web", "--at", "2024", "1.warc"], |done| done.snapshot = true),
    (&["archive", "import", "2.warc"], |done| done.captures = 2),
    (&["archive", "compact"], |_| ()),
    (&["archive", "rebuild"], |_| ()),
];

fn warc(number: u32) -> String {
    let body = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>the page {number}</p>");
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-00000000000{number}>\r\n\
         WARC-Date: 2024-01-01T00:00:00Z\r\nWARC-Target-URI: http://example.org/{number}\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{body}\r\n\r\n",
        body.len()
    )
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&[output.stdout.as_slice(), &output.stderr].concat()).into_owned()
}

/// A folder and all that is in it.
fn all(folder: &Path) -> Vec<PathBuf> {
    let within = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    within.flat_map(|path| if path.is_dir() { all(&path) } else { vec![path] }).chain([folder.to_owned()]).collect()
}

#[test]
fn what_a_command_did_is_there_after_a_power_cut() {
    for rules in [Rules::Strict, Rules::Ext4] {
        let (machine, mut done) = (Machine::new(rules), Done::default());
        for (arguments, adds) in STEPS {
            machine.run(arguments);
            adds(&mut done);
            machine.check(&done);
            machine.verify(&done);
        }
    }
}

#[test]
fn a_command_that_a_power_cut_kills_costs_nothing_that_was_there() {
    let Kills { count, seed, .. } = Kills::planned("commands, power cuts", 12, 130);
    let mut random = fastrand::Rng::with_seed(seed.into());
    let mut cuts = 0;
    while cuts < count {
        let (machine, mut done) = (Machine::new(Rules::Strict), Done::default());
        for (arguments, adds) in STEPS {
            let usual = if cuts % 2 == 0 { 30 } else { 120 };
            machine.cut(arguments, Duration::from_millis(random.u64(0..usual)));
            cuts += 1;
            machine.check(&done);
            // It goes on where it was, or says that all was done.
            let again = machine.command(arguments).output().unwrap();
            let is_there = text(&again).contains("already");
            assert!(again.status.success() || is_there, "{arguments:?}: {}", text(&again));
            adds(&mut done);
            machine.check(&done);
            machine.verify(&done);
        }
    }
}
