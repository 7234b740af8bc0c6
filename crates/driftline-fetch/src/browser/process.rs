//! The process of Chromium: where its program is, how it is started, and its `DevTools` address.
//!
//! It ends with us, even if we are killed and can do nothing about it: on Linux the kernel kills it, as `setpriv` asks it
//! to. That is bound to the thread that starts it, so [`launch`] runs on one that lives as long as Chromium may.

use std::ffi::OsString;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf, absolute};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;
use std::{env, fs, io};

use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::process::{Child, ChildStderr, Command};
use tokio::sync::Mutex;
use tokio::time::timeout;

/// The width and the height of the window, in pixels.
pub(super) const WINDOW: (u32, u32) = (1280, 800);

/// The time from the start of the program to its `DevTools` address.
const LAUNCH: Duration = Duration::from_secs(20);

/// The most bytes of Chromium's messages before its `DevTools` address.
const MOST_MESSAGES: u64 = 1 << 20;

/// The environment variable that names the program; it is used if the file exists.
const VARIABLE: &str = "CHROME";

/// Names of the program that are looked for in `PATH`, in this order.
const NAMES: [&str; 8] = [
    "chrome",
    "chrome-browser",
    "google-chrome-stable",
    "chromium",
    "chromium-browser",
    "msedge",
    "microsoft-edge",
    "microsoft-edge-stable",
];

/// Programs that are used if `PATH` has none.
#[cfg(target_os = "macos")]
const PLACES: [&str; 3] = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
];
#[cfg(not(target_os = "macos"))]
const PLACES: [&str; 2] = ["/opt/google/chrome/chrome", "/opt/chromium.org/chromium/chromium"];

/// Switches of automation, as Puppeteer sets them: no background work, no questions, the same colours everywhere.
const AUTOMATION: [&str; 27] = [
    "disable-background-networking",
    "disable-background-timer-throttling",
    "disable-backgrounding-occluded-windows",
    "disable-breakpad",
    "disable-client-side-phishing-detection",
    "disable-component-extensions-with-background-pages",
    "disable-default-apps",
    "disable-dev-shm-usage",
    "disable-extensions",
    "disable-hang-monitor",
    "disable-ipc-flooding-protection",
    "disable-popup-blocking",
    "disable-prompt-on-repost",
    "disable-renderer-backgrounding",
    "disable-sync",
    "enable-automation",
    "enable-blink-features=IdleDetection",
    "force-color-profile=srgb",
    "headless=new",
    "hide-scrollbars",
    "lang=en_US",
    "metrics-recording-only",
    "mute-audio",
    "no-first-run",
    "password-store=basic",
    // Any free port.
    "remote-debugging-port=0",
    "use-mock-keychain",
];

/// Switches against requests that Chromium would send by itself, and against questions to the user.
const OFF: [&str; 9] = [
    "disable-component-update",
    "disable-domain-reliability",
    "disable-field-trial-config",
    "disable-notifications",
    "disable-quic",
    "deny-permission-prompts",
    "dns-prefetch-disable",
    "no-default-browser-check",
    "no-pings",
];

/// Features that would send requests by themselves, or that would use https where http was meant.
const FEATURES_OFF: &str = "disable-features=TranslateUI,AutofillServerCommunication,\
     CertificateTransparencyComponentUpdater,DnsOverHttps,HttpsFirstBalancedModeAutoEnable,HttpsUpgrades,MediaRouter,\
     OptimizationHints,Prerender2";

/// Cookies go back to the origin that they came from, as over HTTP; otherwise they would go to every port of its host.
const FEATURES_ON: &str = "enable-features=NetworkService,NetworkServiceInProcess,EnablePortBoundCookies,\
     EnableSchemeBoundCookies";

/// Chromium knows no way out but the proxy of a page. Without one it connects to a port that nobody answers on, and it
/// cannot resolve any name itself. WebRTC would go past every proxy.
const ONLY_BY_PROXY: [&str; 5] = [
    "proxy-server=http://127.0.0.1:9",
    "proxy-bypass-list=<-loopback>",
    "host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "webrtc-ip-handling-policy=disable_non_proxied_udp",
];

/// Starts Chromium in its control group, if it has one; so that the kernel ends it, and what it starts, before all else if
/// memory runs short; and so that it is killed when we are gone, where there is a `setpriv` that can (that of util-linux, but
/// not that of `BusyBox`). All of it is one process in the end, the one that we started.
const LEASH: &str = "#!/bin/sh\n\
    [ -z \"$DRIFTLINE_GROUP\" ] || { echo 0 >\"$DRIFTLINE_GROUP\"; } 2>/dev/null\n\
    { echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null\n\
    setpriv --pdeathsig KILL true 2>/dev/null && exec setpriv --pdeathsig KILL -- \"$DRIFTLINE_CHROMIUM\" \"$@\"\n\
    exec \"$DRIFTLINE_CHROMIUM\" \"$@\"\n";

/// Where [`LEASH`] finds the program.
const PROGRAM: &str = "DRIFTLINE_CHROMIUM";
/// Where it finds the file by which to move into the control group.
const GROUP: &str = "DRIFTLINE_GROUP";

/// Why Chromium did not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(super) enum LaunchError {
    /// The program cannot be run.
    #[error("cannot run `{}`: {source}", program.display())]
    Run { program: PathBuf, source: io::Error },
    /// It ended, or closed its messages, before it had a `DevTools` address.
    #[error("it ended before it had a DevTools address ({}): {said}", status.map_or_else(|| "still running".to_owned(), |status| status.to_string()))]
    Ended { status: Option<ExitStatus>, said: String },
    /// It had no `DevTools` address in time.
    #[error("it had no DevTools address within 20 s: {0}")]
    Late(String),
}

/// The program to start if none is set: that of [`VARIABLE`], of `PATH`, or a usual place.
pub(super) fn find() -> Option<PathBuf> {
    let set = env::var_os(VARIABLE).map(PathBuf::from).filter(|path| path.exists());
    set.or_else(|| find_in(&env::var_os("PATH")?))
        .or_else(|| PLACES.iter().map(PathBuf::from).find(|path| is_program(path)))
}

fn find_in(path: &OsString) -> Option<PathBuf> {
    let folders: Vec<PathBuf> = env::split_paths(path).filter(|folder| !folder.as_os_str().is_empty()).collect();
    NAMES.iter().find_map(|name| folders.iter().map(|folder| folder.join(name)).find(|path| is_program(path)))
}

fn is_program(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

/// Starts Chromium with a profile, and returns it with its `DevTools` address. It is killed when it is dropped. `door` is the
/// file by which it moves into its control group.
pub(super) async fn launch(
    program: &Path,
    profile: &TempDir,
    door: Option<&Path>,
) -> Result<(Child, String), LaunchError> {
    let program = real(program);
    // The leash would only say that some file was not found.
    fs::metadata(&program).map_err(|source| LaunchError::Run { program: program.clone(), source })?;
    let mut child = start(&program, profile, door)?;
    let stderr = child.stderr.take().expect("it is piped");
    let mut lines = BufReader::new(stderr);
    let mut said = Vec::new();
    match timeout(LAUNCH, address(&mut lines, &mut said)).await {
        Ok(Some(address)) => {
            // Otherwise Chromium would wait when nobody reads what it says.
            tokio::spawn(async move { tokio::io::copy(&mut lines, &mut tokio::io::sink()).await });
            Ok((child, address))
        }
        ended => {
            let said = String::from_utf8_lossy(&said).into_owned();
            let error = match ended {
                Ok(_) => {
                    LaunchError::Ended { status: timeout(LAST, child.wait()).await.ok().and_then(Result::ok), said }
                }
                Err(_) => LaunchError::Late(said),
            };
            // One that cannot be killed has ended.
            let _ = child.kill().await;
            Err(error)
        }
    }
}

/// The time that Chromium may take to end.
pub(super) const LAST: Duration = Duration::from_secs(5);

/// Ends Chromium, by force if it does not end by itself.
pub(super) async fn end(child: &Mutex<Child>) {
    let mut child = child.lock().await;
    if timeout(LAST, child.wait()).await.is_err() {
        // One that cannot be killed has ended.
        let _ = child.kill().await;
    }
}

/// The program without links in its path, which its sandbox may not follow. One that comes as a snap knows itself by
/// the name that it is called by.
fn real(program: &Path) -> PathBuf {
    match program.canonicalize() {
        Ok(real) if !real.ends_with("snap") => real,
        _ => absolute(program).unwrap_or_else(|_| program.to_owned()),
    }
}

/// Starts it on its leash; without, if that cannot be, as in a temporary folder where nothing may be run.
fn start(program: &Path, profile: &TempDir, door: Option<&Path>) -> Result<Child, LaunchError> {
    let run = |command: &mut Command| {
        // What it leaves in the temporary folder when it is killed is removed with the profile.
        command
            .args(arguments(profile))
            .env("TMPDIR", profile.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        command.kill_on_drop(true).spawn()
    };
    let door = door.unwrap_or(Path::new(""));
    let leashed = leash(profile).and_then(|leash| run(Command::new(leash).env(PROGRAM, program).env(GROUP, door)));
    leashed.or_else(|error| {
        tracing::warn!(%error, "Chromium outlives this process if it is killed");
        run(&mut Command::new(program)).map_err(|source| LaunchError::Run { program: program.to_owned(), source })
    })
}

/// The script that starts a program on its leash.
fn leash(profile: &TempDir) -> io::Result<PathBuf> {
    let leash = profile.path().join("leash");
    fs::write(&leash, LEASH)?;
    fs::set_permissions(&leash, fs::Permissions::from_mode(0o700))?;
    Ok(leash)
}

fn arguments(profile: &TempDir) -> Vec<OsString> {
    let (width, height) = WINDOW;
    let mut switches: Vec<&str> = [AUTOMATION.as_slice(), &OFF, &ONLY_BY_PROXY, &[FEATURES_OFF, FEATURES_ON]].concat();
    // Chromium refuses to be sandboxed as root.
    if fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0) {
        switches.extend(["no-sandbox", "disable-setuid-sandbox"]);
    }
    let mut arguments: Vec<OsString> = switches.iter().map(|switch| format!("--{switch}").into()).collect();
    arguments.push(format!("--window-size={width},{height}").into());
    let mut data: OsString = "--user-data-dir=".into();
    data.push(profile.path());
    arguments.push(data);
    arguments
}

/// The `DevTools` address that Chromium prints when it is ready; `None` if its messages end before. They go to `said`.
async fn address(lines: &mut BufReader<ChildStderr>, said: &mut Vec<u8>) -> Option<String> {
    let mut lines = lines.take(MOST_MESSAGES);
    loop {
        let start = said.len();
        if lines.read_until(b'\n', said).await.ok()? == 0 {
            return None;
        }
        if let Some(address) = address_in(&said[start..]) {
            return Some(address);
        }
    }
}

fn address_in(line: &[u8]) -> Option<String> {
    let line = str::from_utf8(line).ok()?;
    let (_, address) = line.rsplit_once("listening on ")?;
    (address.starts_with("ws://") && address.contains("/devtools/browser/")).then(|| address.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use std::env;
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt as _;

    use tempfile::TempDir;

    use super::{LaunchError, address_in, find_in, launch};

    #[test]
    fn the_address_is_found_among_other_messages() {
        let line = b"DevTools listening on ws://127.0.0.1:4011/devtools/browser/9c-1\n";
        assert_eq!(address_in(line).as_deref(), Some("ws://127.0.0.1:4011/devtools/browser/9c-1"));
        for other in
            ["", "listening on ", "listening on wss://a/devtools/browser/1", "[1:1:ERROR:dbus] listening on ws://a\n"]
        {
            assert_eq!(address_in(other.as_bytes()), None, "{other}");
        }
        assert_eq!(address_in(b"listening on ws://\xff/devtools/browser/1"), None);
    }

    fn program(folder: &TempDir, name: &str, mode: u32, script: &str) {
        fs::write(folder.path().join(name), format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(folder.path().join(name), Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn the_first_known_name_in_the_path_that_can_be_run_is_taken() {
        let (first, second) = (TempDir::new().unwrap(), TempDir::new().unwrap());
        let path = env::join_paths([first.path(), second.path()]).unwrap();
        assert_eq!(find_in(&path), None);
        program(&first, "microsoft-edge", 0o700, "");
        program(&first, "chromium", 0o600, "");
        program(&second, "chromium", 0o700, "");
        assert_eq!(find_in(&path), Some(second.path().join("chromium")), "that in the first folder cannot be run");
    }

    #[tokio::test]
    async fn a_program_starts_in_its_group_if_it_has_one_and_can() {
        let (folder, profile) = (TempDir::new().unwrap(), TempDir::new().unwrap());
        let (door, said) = (folder.path().join("door"), folder.path().join("said"));
        program(&folder, "told", 0o700, &format!("cat \"$DRIFTLINE_GROUP\" >>{}", said.display()));
        for door in [Some(door.as_path()), None, Some(&folder.path().join("no/door"))] {
            launch(&folder.path().join("told"), &profile, door).await.unwrap_err();
        }
        assert_eq!(fs::read_to_string(said).unwrap(), "0\n", "it moves itself before it begins");
    }

    #[tokio::test]
    async fn a_program_that_ends_or_cannot_be_run_is_told_with_what_it_said() {
        let (folder, profile) = (TempDir::new().unwrap(), TempDir::new().unwrap());
        program(&folder, "broken", 0o700, "echo no display >&2; exit 3");
        let error = launch(&folder.path().join("broken"), &profile, None).await.unwrap_err();
        assert!(matches!(error, LaunchError::Ended { status: Some(_), .. }), "{error}");
        assert!(error.to_string().contains("no display"), "{error}");
        let error = launch(&folder.path().join("missing"), &profile, None).await.unwrap_err();
        assert!(matches!(error, LaunchError::Run { .. }) && error.to_string().contains("missing"), "{error}");
    }
}
