//! How does Chromium run? One process with a profile that is thrown away, and with everything off that would talk to
//! the network by itself.

use std::os::unix::fs::MetadataExt as _;
use std::time::Duration;

use chromiumoxide::browser::{Browser, BrowserConfig};
use chromiumoxide::cdp::browser_protocol::browser::CloseParams;
use chromiumoxide::error::CdpError;
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
        let (browser, mut handler) =
            Browser::launch(config(defaults, &profile)?).await.map_err(|error| broken(&error))?;
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

fn config(defaults: &FetchDefaults, profile: &TempDir) -> Result<BrowserConfig, FetchError> {
    let (width, height) = WINDOW;
    let mut config = BrowserConfig::builder()
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
    if let Some(program) = &defaults.chromium {
        config = config.chrome_executable(program);
    }
    // Chromium refuses to be sandboxed as root.
    if std::fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0) {
        config = config.no_sandbox();
    }
    config.build().map_err(|_| {
        let hint = "install it, or say where it is by `chromium` under `[fetch]` in driftline.toml";
        FetchError::How(format!("there is no Chromium, which `fetch = {{ with = \"browser\" }}` needs\nhint: {hint}"))
    })
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
