//! A private PostgreSQL server for tests.
//!
//! The server listens on a socket in a folder of its own and nowhere else, so any number of them run side by side. A
//! shell holds it: the shell waits for a pipe that only this process has, so the server ends and its folder is
//! removed however this process ends, be it by a failed test or by `kill -9`.
//!
//! Each test process starts a server of its own, unless [`SERVER_VARIABLE`] names one: the program `with_postgres`
//! starts one for all the test programs of a run.

use std::fs;
use std::os::unix::fs::{MetadataExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

const CURE: &str = "hint: install PostgreSQL (Debian: `apt-get install postgresql`; scripts/check does it as root)";

/// The environment variable with the folder of a server that is already running.
pub const SERVER_VARIABLE: &str = "DRIFTLINE_TEST_POSTGRES";

/// Runs the server until the pipe closes; `QUIT` ends it at once: what it holds is thrown away.
const HOLD: &str = r#"
"$1/initdb" -D "$2/data" -U driftline -A trust -E UTF8 --locale=C --no-sync >"$2/log" 2>&1 || exit 1
"$1/postgres" -D "$2/data" -k "$2" -c listen_addresses= -c max_connections=300 >>"$2/log" 2>&1 &
server=$!
read -r end
kill -QUIT $server
wait $server
rm -rf "$2"
"#;

/// A running server.
pub struct Server {
    programs: PathBuf,
    folder: PathBuf,
    /// The pipe that keeps the server alive; none if another process started it.
    shell: Option<Child>,
}

/// The address of a new, empty database, on the server of this run or of this process.
///
/// # Panics
/// If there is no PostgreSQL, or if it does not start: a test that needs it fails and says what to install.
#[must_use]
pub fn database() -> String {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(|| Server::running().unwrap_or_else(Server::start)).database()
}

impl Server {
    /// The server that another process started for this run.
    fn running() -> Option<Self> {
        let folder = std::env::var_os(SERVER_VARIABLE)?.into();
        Some(Self { programs: programs()?, folder, shell: None })
    }

    /// Whether this machine has PostgreSQL.
    #[must_use]
    pub fn is_installed() -> bool {
        programs().is_some()
    }

    /// The folder with its socket.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The address of a new, empty database on this server.
    ///
    /// # Panics
    /// If it cannot be made.
    #[must_use]
    pub fn database(&self) -> String {
        static DATABASES: AtomicU32 = AtomicU32::new(0);
        let name = format!("test_{}_{}", std::process::id(), DATABASES.fetch_add(1, Ordering::Relaxed));
        let made = self.client("createdb").arg(&name).output().expect("createdb lies beside postgres");
        assert!(made.status.success(), "createdb failed: {}", String::from_utf8_lossy(&made.stderr));
        format!("postgres://driftline@localhost/{name}?host={}", self.folder.display())
    }

    /// Ends the server, and returns when it has ended.
    pub fn stop(mut self) {
        if let Some(mut shell) = self.shell.take() {
            drop(shell.stdin.take());
            // It can only be waited for once.
            let _ = shell.wait();
        }
    }

    /// A new server, which ends with this process.
    ///
    /// # Panics
    /// If there is no PostgreSQL, or if it does not start.
    #[must_use]
    pub fn start() -> Self {
        let programs = programs().unwrap_or_else(|| panic!("there is no PostgreSQL\n{CURE}"));
        let folder = tempfile::Builder::new().prefix("driftline-postgres-").tempdir().expect("a temporary folder");
        let folder = folder.keep();
        let mut shell = Command::new("sh");
        shell.args(["-c", HOLD, "sh"]).arg(&programs).arg(&folder).current_dir(&folder);
        shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        if is_root(&folder) {
            // The server refuses to run as root.
            let (user, group) = ordinary_user();
            chown(&folder, Some(user), Some(group)).expect("root may give a folder away");
            shell.uid(user).gid(group);
        }
        let mut shell = shell.spawn().expect("there is a shell");
        let mut server = Self { programs, folder, shell: None };
        for _ in 0..600 {
            if server.client("pg_isready").output().is_ok_and(|output| output.status.success()) {
                server.shell = Some(shell);
                return server;
            }
            if shell.try_wait().is_ok_and(|ended| ended.is_some()) {
                break;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        let log = fs::read_to_string(server.folder.join("log")).unwrap_or_default();
        drop(fs::remove_dir_all(&server.folder));
        panic!("PostgreSQL does not start in {}: {log}\n{CURE}", server.folder.display());
    }

    fn client(&self, program: &str) -> Command {
        let mut command = Command::new(self.programs.join(program));
        command.arg("-h").arg(&self.folder).args(["-U", "driftline"]);
        command
    }
}

/// The folder with the server: in the path, or where Debian puts it, the newest version.
fn programs() -> Option<PathBuf> {
    let in_path = std::env::split_paths(&std::env::var_os("PATH")?).collect::<Vec<_>>();
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut of_debian: Vec<PathBuf> = versions.map(|entry| entry.path().join("bin")).collect();
    of_debian.sort_by_key(|path| version(path));
    let programs = ["postgres", "initdb", "createdb", "pg_isready"];
    let has_all = |folder: &PathBuf| programs.iter().all(|program| folder.join(program).is_file());
    in_path.into_iter().chain(of_debian.into_iter().rev()).find(has_all)
}

fn version(programs: &Path) -> Option<u32> {
    programs.parent()?.file_name()?.to_str()?.parse().ok()
}

/// What this process makes belongs to the user that it runs as.
fn is_root(made: &Path) -> bool {
    fs::metadata(made).is_ok_and(|metadata| metadata.uid() == 0)
}

/// The user `postgres`, or else `nobody`.
fn ordinary_user() -> (u32, u32) {
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let user = |name: &str| {
        let line = users.lines().find(|line| line.split(':').next() == Some(name))?;
        let mut fields = line.split(':').skip(2);
        Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
    };
    user("postgres").or_else(|| user("nobody")).unwrap_or_else(|| panic!("no user to run PostgreSQL as\n{CURE}"))
}
