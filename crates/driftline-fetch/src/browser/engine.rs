//! A running Chromium: its process, its throw-away profile and the connection to it.

use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;
use tokio::process::Child;
use tokio::sync::Mutex;
use tokio::time::timeout;

use super::super::{FetchDefaults, FetchError};
use super::devtools::{Connection, DevtoolsError, Events, Session, host_and_port};
use super::group::Group;
use super::memory::MemoryLimit;
use super::process;
use super::protocol::{AttachToTarget, CloseBrowser, GetVersion};

pub(super) use super::process::{LAST, WINDOW};

/// A Chromium that takes longer to say its version hangs.
const ANSWER: Duration = Duration::from_secs(5);

/// No command of ours takes longer; a page has a limit of its own before that.
const COMMAND: Duration = Duration::from_mins(10);

/// A Chromium that runs until it is dropped.
#[derive(Debug)]
pub(super) struct Engine {
    pub(super) browser: Session,
    /// The user agent of its pages.
    pub(super) agent: String,
    /// The port of its `DevTools`, which no page may connect to.
    pub(super) port: u16,
    connection: Connection,
    memory: MemoryLimit,
    process: Arc<Mutex<Child>>,
    /// Removed when Chromium has ended.
    _profile: TempDir,
}

impl Engine {
    /// Starts Chromium, on a thread that lives as long as Chromium may.
    pub(super) async fn start(defaults: &FetchDefaults) -> Result<Self, FetchError> {
        let profile = TempDir::with_prefix("driftline-").map_err(|error| broken(&error))?;
        let program = defaults.chromium.clone().or_else(process::find).ok_or_else(|| {
            let hint = "install it, or say where it is by `chromium` under `[fetch]` in driftline.toml";
            FetchError::How(format!(
                "there is no Chromium, which `fetch = {{ with = \"browser\" }}` needs\nhint: {hint}"
            ))
        })?;
        let group = Group::make(defaults.browser.memory);
        let launched = process::launch(&program, &profile, group.as_ref().map(Group::door).as_deref()).await;
        let (process, address) = launched.map_err(|error| broken(&error))?;
        let (id, process) = (process.id(), Arc::new(Mutex::new(process)));
        let memory = MemoryLimit::watch(&process, id, defaults.browser.memory, group);
        match Self::connect(defaults, &address).await {
            Ok((connection, agent, port)) => {
                let browser = connection.browser();
                Ok(Self { browser, agent, port, connection, memory, process, _profile: profile })
            }
            Err(error) => {
                process::end(&process).await;
                Err(memory.blame(error))
            }
        }
    }

    /// The connection to a Chromium that was started, the user agent of its pages and the port of its `DevTools`.
    async fn connect(defaults: &FetchDefaults, address: &str) -> Result<(Connection, String, u16), FetchError> {
        let connection = Connection::open(address, COMMAND).await.map_err(|error| broken(&error))?;
        let port = host_and_port(address).rsplit_once(':').and_then(|(_, port)| port.parse().ok());
        let port = port.ok_or_else(|| FetchError::Connection(format!("Chromium failed: no port in `{address}`")))?;
        let version = timeout(ANSWER, connection.browser().send(&GetVersion {})).await;
        let version = version.unwrap_or(Err(DevtoolsError::Timeout("Browser.getVersion")));
        let own = version.map_err(|error| broken(&error))?.user_agent.replace("HeadlessChrome", "Chrome");
        let agent = match &defaults.user_agent {
            Some(agent) => agent.clone(),
            None => format!("{own} {}", defaults.agent()).trim_start().to_owned(),
        };
        Ok((connection, agent, port))
    }

    /// Whether it still runs and replies.
    pub(super) async fn answers(&self) -> bool {
        self.connection.is_open() && matches!(timeout(ANSWER, self.browser.send(&GetVersion {})).await, Ok(Ok(_)))
    }

    /// Attaches to a target, to send it commands and to read its events of these methods.
    pub(super) async fn attach(
        &self,
        target_id: String,
        methods: &'static [&'static str],
    ) -> Result<(Session, Events), DevtoolsError> {
        let attached = self.browser.send(&AttachToTarget { target_id, flatten: true }).await?;
        Ok(self.connection.session(&attached.session_id, methods))
    }

    /// Ends it, by force if it does not reply.
    pub(super) async fn close(self) {
        // Whether it replies or not, it is the end of the process that counts.
        let _ = timeout(LAST, self.browser.send(&CloseBrowser {})).await;
        process::end(&self.process).await;
    }

    /// Why a page failed: as it seems, or because Chromium took too much memory and was ended.
    pub(super) fn blame(&self, error: FetchError) -> FetchError {
        self.memory.blame(error)
    }
}

/// A failure of Chromium. It may work the next time.
pub(super) fn broken(error: &(dyn std::error::Error + 'static)) -> FetchError {
    const MOST_TOLD: usize = 300;
    if let Some(DevtoolsError::Timeout(_)) = error.downcast_ref() {
        return FetchError::Timeout("Chromium did not answer".to_owned());
    }
    let why: String = error.to_string().chars().filter(|char| !char.is_control()).take(MOST_TOLD).collect();
    FetchError::Connection(format!("Chromium failed: {why}"))
}
