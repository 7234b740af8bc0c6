//! Apprise: whatever the command `apprise` can tell, if it is installed.
//!
//! No shell is run. The addresses hold secrets, which everybody on the machine could read as arguments of a command: they
//! go into a file that only its owner can read, and that is gone afterwards.

use std::io::{Read, Write};
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use driftline_report::summary::{LengthLimit, Markup};
use serde::Deserialize;

use super::webhook::revealed;
use super::{Failure, Http, Parcel, Secret, Way};

/// The most characters of a text: the services behind it differ, and split what is too long for them.
const MOST_CHARACTERS: usize = 30_000;
/// The most bytes of what the command prints that are looked at.
const MOST_PRINTED: u64 = 64 << 10;
/// A command that has closed its streams is looked at so often.
const LOOK: Duration = Duration::from_millis(20);

/// The command, and whom it tells.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Apprise {
    urls: Vec<Secret>,
    #[serde(default = "usual")]
    command: PathBuf,
}

fn usual() -> PathBuf {
    PathBuf::from("apprise")
}

impl Way for Apprise {
    fn markup(&self) -> Markup {
        Markup { limit: LengthLimit::Characters(MOST_CHARACTERS), ..Markup::PLAIN }
    }

    fn send(&self, parcel: &Parcel<'_>, _http: &Http) -> Result<(), Failure> {
        let mut urls = String::new();
        for url in &self.urls {
            urls.extend([revealed(url)?.as_str(), "\n"]);
        }
        let file = private_file(&urls).map_err(|error| Failure::again(format!("cannot write a file: {error}")))?;
        let mut command = Command::new(&self.command);
        command.arg("--config").arg(file.path()).args(["--input-format", "text", "--title"]);
        command.arg(parcel.message.subject.replace(|char: char| char.is_control(), " "));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Of its own, so that it can be ended with all that it has started.
        command.process_group(0);
        let child = command.spawn().map_err(|error| {
            let hint = "install it (`pipx install apprise`), or set `command` to where it is";
            Failure::again(format!("cannot run `{}`: {error}\nhint: {hint}", self.command.display()))
        })?;
        run(child, parcel.message.text.clone(), parcel.target.timeout().duration())
    }

    fn secrets(&self) -> Vec<&Secret> {
        self.urls.iter().collect()
    }

    fn most_a_minute(&self) -> u32 {
        30
    }

    fn check(&self) -> Result<(), String> {
        let has_line = self.urls.iter().any(|url| url.written().contains(['\n', '\r']));
        match self.urls.len() {
            0 => Err("`urls` has no address".to_owned()),
            _ if has_line => Err("an address in `urls` is one line".to_owned()),
            _ => Ok(()),
        }
    }
}

/// A file that only its owner can read.
fn private_file(text: &str) -> std::io::Result<tempfile::NamedTempFile> {
    let mut file = tempfile::Builder::new().prefix("driftline-").suffix(".conf").tempfile()?;
    file.write_all(text.as_bytes())?;
    file.flush()?;
    Ok(file)
}

/// Gives the command its text and waits for its end, but not for ever.
fn run(mut child: Child, text: String, timeout: Duration) -> Result<(), Failure> {
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    std::thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(text.as_bytes())));
    let (sender, printed) = mpsc::channel();
    let streams = [stdout.map(|out| Box::new(out) as Box<dyn Read + Send>), stderr.map(|out| Box::new(out) as _)];
    for mut stream in streams.into_iter().flatten() {
        let sender = sender.clone();
        std::thread::spawn(move || {
            let mut text = Vec::new();
            let _ = stream.by_ref().take(MOST_PRINTED).read_to_end(&mut text);
            let _ = std::io::copy(&mut stream, &mut std::io::sink());
            let _ = sender.send(String::from_utf8_lossy(&text).into_owned());
        });
    }
    drop(sender);
    let end = Instant::now() + timeout;
    let left = || end.saturating_duration_since(Instant::now());
    // Both streams end with the command, or before it.
    let texts: Result<Vec<String>, _> = (0..2).map(|_| printed.recv_timeout(left())).collect();
    let ended = match texts {
        Ok(texts) => wait(&mut child, end).map(|status| status.map(|status| (status, texts))),
        Err(_) => Ok(None),
    };
    match ended {
        Ok(Some((status, _))) if status.success() => Ok(()),
        Ok(Some((status, texts))) => {
            Err(Failure::again(format!("apprise could not tell everybody ({status}){}", last_line(&texts.concat()))))
        }
        Ok(None) => {
            kill(&mut child);
            Err(Failure::again(format!("apprise did not end within {} s", timeout.as_secs_f32())))
        }
        Err(error) => Err(Failure::again(format!("apprise is lost: {error}"))),
    }
}

/// Waits for the end of a command that prints nothing any more, up to a time.
fn wait(child: &mut Child, end: Instant) -> std::io::Result<Option<ExitStatus>> {
    loop {
        let status = child.try_wait()?;
        if status.is_some() || Instant::now() >= end {
            return Ok(status);
        }
        std::thread::sleep(LOOK);
    }
}

/// Ends a command that hangs, and what it has started: a script that hangs waits for another command.
fn kill(child: &mut Child) {
    // Without `--`, which the shell of Debian does not know.
    let group = format!("-{}", child.id());
    let _ = Command::new("/bin/sh").args(["-c", "kill -9 \"$0\"", &group]).stderr(Stdio::null()).status();
    // If there is no shell, at least the command itself.
    let _ = child.kill();
    let _ = child.wait();
}

/// The last thing that was printed, unless there may be a secret in it.
fn last_line(printed: &str) -> String {
    let line = printed.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let line: String = line.chars().filter(|char| !char.is_control()).collect();
    if line.is_empty() || line.contains("://") { String::new() } else { format!(": {line}") }
}
