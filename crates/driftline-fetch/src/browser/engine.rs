//! How does Chromium run? One process with a profile that is thrown away, and with everything off that would talk to
//! the network by itself.
//!
//! It ends with us, even if we are killed and can do nothing about it: on Linux the kernel kills it, as `setpriv` asks it
//! to. That is bound to the thread that starts it, so [`Engine::start`] runs on one that lives as long as Chromium may.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use chromiumoxide::browser::{Browser, BrowserConfig, BrowserConfigBuilder};
use chromiumoxide::cdp::browser_protocol::browser::CloseParams;
use chromiumoxide::detection::{self, DetectionOptions};
use chromiumoxide::error::CdpError;
use chromiumoxide::handler::Handler;
use chromiumoxide::handler::viewport::Viewport;
use futures_util::StreamExt as _;
use tempfile::TempDir;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::super::{FetchDefaults, FetchError};

/// The width and the height of the window, in pixels.
pub(super) const WINDOW: (u32, u32) = (1280, 800);

/// So long may Chromium take to end by itself.
pub(super) const LAST: Duration = Duration::from_secs(5);

/// A Chromium that takes longer to say its version hangs.
const ANSWER: Duration = Duration::from_secs(5);

/// No command of ours takes longer; a page has a limit of its own before that.
const COMMAND: Duration = Duration::from_mins(10);

/// What would ask the network, or the user, by itself.
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

/// Features that would do so, or that would ask for https where http was meant.
const FEATURES_OFF: &str = "AutofillServerCommunication,CertificateTransparencyComponentUpdater,DnsOverHttps,\
     HttpsFirstBalancedModeAutoEnable,HttpsUpgrades,MediaRouter,OptimizationHints,Prerender2";

/// Cookies go back to the origin that they came from, as over HTTP; by themselves they would go to every port of its
/// host.
const FEATURES_ON: &str = "EnablePortBoundCookies,EnableSchemeBoundCookies";

/// Chromium knows no way out but the proxy of a page. Without one it asks a port that nobody answers on, and it cannot
/// look any name up itself. WebRTC would go past every proxy.
const ONLY_BY_PROXY: [(&str, &str); 5] = [
    ("proxy-server", "http://127.0.0.1:9"),
    ("proxy-bypass-list", "<-loopback>"),
    ("host-resolver-rules", "MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"),
    ("force-webrtc-ip-handling-policy", "disable_non_proxied_udp"),
    ("webrtc-ip-handling-policy", "disable_non_proxied_udp"),
];

/// Starts Chromium so that it is killed when we are gone, where there is a `setpriv` that can (that of util-linux, but
/// not that of `BusyBox`). All of it is one process in the end, the one that we started.
const LEASH: &str = "#!/bin/sh\n\
    setpriv --pdeathsig KILL true 2>/dev/null && exec setpriv --pdeathsig KILL -- \"$DRIFTLINE_CHROMIUM\" \"$@\"\n\
    exec \"$DRIFTLINE_CHROMIUM\" \"$@\"\n";

/// Where [`LEASH`] finds the program.
const PROGRAM: &str = "DRIFTLINE_CHROMIUM";

/// A Chromium that runs until it is dropped.
#[derive(Debug)]
pub(super) struct Engine {
    pub(super) browser: Browser,
    /// Who we say we are.
    pub(super) agent: String,
    /// Where Chromium is told what to do.
    pub(super) port: u16,
    handler: JoinHandle<()>,
    /// Removed when Chromium is gone.
    _profile: TempDir,
}

impl Engine {
    pub(super) async fn start(defaults: &FetchDefaults) -> Result<Self, FetchError> {
        let profile = TempDir::with_prefix("driftline-").map_err(|error| broken(&error))?;
        let (browser, mut handler) = launch(&program(defaults)?, &profile).await?;
        let handler = tokio::spawn(async move {
            // An error is that of the connection: it is over.
            while let Some(Ok(())) = handler.next().await {}
        });
        let port = browser.websocket_address().split('/').nth(2).and_then(|at| at.rsplit_once(':')?.1.parse().ok());
        let version = timeout(ANSWER, browser.user_agent()).await;
        let own = version.ok().and_then(Result::ok).unwrap_or_default().replace("HeadlessChrome", "Chrome");
        let agent = match &defaults.user_agent {
            Some(agent) => agent.clone(),
            None => format!("{own} {}", defaults.agent()).trim_start().to_owned(),
        };
        Ok(Self { browser, agent, port: port.unwrap_or_default(), handler, _profile: profile })
    }

    /// Is it still there?
    pub(super) async fn answers(&self) -> bool {
        !self.handler.is_finished() && matches!(timeout(ANSWER, self.browser.version()).await, Ok(Ok(_)))
    }

    /// Ends it, by force if it does not listen.
    pub(super) async fn close(mut self) {
        let end = async {
            // Whether it answers or not, it is its end that counts.
            let _ = self.browser.execute(CloseParams::default()).await;
            self.browser.wait().await
        };
        if timeout(LAST, end).await.is_err() {
            // One that cannot be killed has ended.
            let _ = self.browser.kill().await;
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.handler.abort();
    }
}

/// Where Chromium is.
fn program(defaults: &FetchDefaults) -> Result<PathBuf, FetchError> {
    let found = defaults.chromium.clone().or_else(|| detection::default_executable(DetectionOptions::default()).ok());
    found.ok_or_else(|| {
        let hint = "install it, or say where it is by `chromium` under `[fetch]` in driftline.toml";
        FetchError::How(format!("there is no Chromium, which `fetch = {{ with = \"browser\" }}` needs\nhint: {hint}"))
    })
}

/// Starts it on its leash; without, if that cannot be, as in a temporary folder where nothing may be run.
async fn launch(program: &Path, profile: &TempDir) -> Result<(Browser, Handler), FetchError> {
    let failed = |error: CdpError| broken(&error);
    if let Some((leash, program)) = leash(program, profile) {
        match Browser::launch(config(&leash, profile).env(PROGRAM, program).build().map_err(wrong)?).await {
            Err(CdpError::Io(error)) => tracing::warn!(%error, "Chromium outlives this process if it is killed"),
            launched => return launched.map_err(failed),
        }
    }
    Browser::launch(config(program, profile).build().map_err(wrong)?).await.map_err(failed)
}

/// The script that starts a program on its leash, and that program.
fn leash(program: &Path, profile: &TempDir) -> Option<(PathBuf, String)> {
    let real = program.canonicalize().ok()?;
    // What comes as a snap knows itself by the name that it is called by.
    let program = if real.ends_with("snap") { program } else { &real };
    let leash = profile.path().join("leash");
    fs::write(&leash, LEASH).ok()?;
    fs::set_permissions(&leash, fs::Permissions::from_mode(0o700)).ok()?;
    Some((leash, program.to_str()?.to_owned()))
}

fn config(program: &Path, profile: &TempDir) -> BrowserConfigBuilder {
    let (width, height) = WINDOW;
    let config = BrowserConfig::builder()
        .chrome_executable(program)
        .new_headless_mode()
        .user_data_dir(profile.path())
        .window_size(width, height)
        .viewport(Viewport { width, height, ..Viewport::default() })
        .respect_https_errors()
        .request_timeout(COMMAND)
        .args(OFF)
        .args(ONLY_BY_PROXY)
        .arg(("disable-features", FEATURES_OFF))
        .arg(("enable-features", FEATURES_ON));
    // Chromium refuses to be sandboxed as root.
    let is_root = fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0);
    if is_root { config.no_sandbox() } else { config }
}

fn wrong(why: String) -> FetchError {
    broken(&CdpError::msg(why))
}

/// Chromium failed. It may work the next time.
pub(super) fn broken(error: &(dyn std::error::Error + 'static)) -> FetchError {
    const MOST_TOLD: usize = 300;
    if let Some(CdpError::Timeout) = error.downcast_ref() {
        return FetchError::Timeout("Chromium did not answer".to_owned());
    }
    let why: String = error.to_string().chars().filter(|char| !char.is_control()).take(MOST_TOLD).collect();
    FetchError::Connection(format!("Chromium failed: {why}"))
}
