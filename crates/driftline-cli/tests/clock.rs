//! The real daemon under a clock that is set while it runs: checks go on, files are read, `/health` stays well.
//!
//! The clock is that of libfaketime (Debian: `faketime`), which shows the program another time of day, as a person or a
//! time server would set it, and leaves the time that has passed alone. It takes a minute of
//! real time and hardly any work, so the gate runs it beside the other tests.

#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use driftline_testkit::server::{Response, Server};

/// A daemon whose clock is what the file says.
struct Daemon {
    process: Child,
    address: String,
    clock: PathBuf,
}

impl Daemon {
    fn start(data: &Path) -> Self {
        let clock = data.join("clock");
        fs::write(&clock, "+30d\n").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_driftline"));
        command.args(["serve", "--headless", "--listen", "127.0.0.1:0", "--data"]).arg(data);
        command.env("LD_PRELOAD", library()).env("FAKETIME_TIMESTAMP_FILE", &clock);
        command.env("FAKETIME_NO_CACHE", "1").env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
        let mut process = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut log = BufReader::new(process.stderr.take().unwrap());
        let mut line = String::new();
        let address = loop {
            line.clear();
            assert!(log.read_line(&mut line).unwrap() > 0, "it ended before it was ready");
            if let Some((_, rest)) = line.split_once("address=") {
                break rest.split_whitespace().next().unwrap().to_owned();
            }
        };
        // Else it would wait when nobody reads what it says.
        thread::spawn(move || std::io::copy(&mut log, &mut std::io::sink()));
        Self { process, address, clock }
    }

    /// Sets its clock so far from the real one, in one piece.
    fn set(&self, offset: &str) {
        let next = self.clock.with_extension("next");
        fs::write(&next, format!("{offset}\n")).unwrap();
        fs::rename(next, &self.clock).unwrap();
    }

    fn health(&self) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.write_all(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        // One that cannot be killed has ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// libfaketime for programs with threads.
fn library() -> PathBuf {
    let folders = ["/usr/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/local/lib"];
    let file = |folder: &str| Path::new(folder).join("faketime/libfaketimeMT.so.1");
    let found = folders.iter().map(|folder| file(folder)).find(|path| path.is_file());
    found.expect("libfaketime is not installed\nhint: `apt-get install faketime`; scripts/check --slow does it as root")
}

/// Waits until it holds; says how long that took.
fn wait_for(what: &str, mut holds: impl FnMut() -> bool) -> Duration {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < Duration::from_secs(30), "{what} within 30 s");
        thread::sleep(Duration::from_millis(50));
    }
    began.elapsed()
}

#[test]
fn a_daemon_whose_clock_is_set_goes_on() {
    let server = Server::start(|request| match request.path.as_str() {
        "/robots.txt" => Response::new(404, ""),
        _ => Response::html("<p>well"),
    });
    let data = tempfile::tempdir().unwrap();
    fs::create_dir(data.path().join("watches")).unwrap();
    let allow = format!("[fetch]\nallow = ['{}']\ndelay = '0s'\n", server.address());
    fs::write(data.path().join("driftline.toml"), allow).unwrap();
    let mut paths = Vec::new();
    let mut add = |path: &str| {
        paths.push(format!("[[watch]]\nurl = '{}'\nschedule = '2s'\n", server.url(path)));
        fs::write(data.path().join("watches/watches.toml"), paths.concat()).unwrap();
    };
    let checks = |path: &str| server.requests().iter().filter(|request| request.path == path).count();
    add("/first");
    let daemon = Daemon::start(data.path());
    wait_for("checks begin", || checks("/first") >= 5);
    for (offset, path) in [("-2h", "/a"), ("-400d", "/b"), ("+3650d", "/c"), ("+0", "/d")] {
        let before = checks("/first");
        daemon.set(offset);
        let noticed = wait_for("checks go on", || checks("/first") >= before + 3);
        add(path);
        wait_for("files are read", || checks(path) >= 3);
        println!("{offset}: three checks after {:.1} s", noticed.as_secs_f64());
        assert!(daemon.health().starts_with("HTTP/1.1 200"), "{offset}: {}", daemon.health());
    }
}
