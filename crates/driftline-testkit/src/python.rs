//! The field's own tools: Python packages from `PyPI`, in one environment under `target/`.
//!
//! The environment is made once and used again as long as the list of packages is the same. It counts as made when
//! its list was written into it, which is the last step: an interrupted installation is begun anew.
//! Without Python or without `PyPI` a test that asks for one fails, and says what to do.

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Every tool that a test runs, in one environment.
const TOOLS: [&str; 8] = [
    "aiosmtpd==1.4.6",     // receives mail
    "apprise==1.9.4",      // passes messages on
    "cdxj-indexer==1.5.0", // indexes web archives
    "moto[server]==5.2.5", // answers as S3 does
    "pywb==2.10.0",        // replays web archives
    "setuptools==80.9.0",  // pywb forgets to ask for it; the last line of versions that has what pywb needs
    "wacz==0.6.0",         // validates WACZ
    "warcio==1.8.1",       // reads and checks WARC
];

/// An environment with packages in it.
#[derive(Debug, Clone)]
pub struct Venv {
    folder: PathBuf,
}

impl Venv {
    /// A command that one of the packages brings, such as `warcio`, or `python`.
    #[must_use]
    pub fn command(&self, name: &str) -> Command {
        let mut command = Command::new(self.folder.join("bin").join(name));
        command.env_remove("PYTHONPATH").env_remove("PYTHONHOME").env("PYTHONIOENCODING", "utf-8");
        command
    }
}

/// The environment with all of these tools, made on the first call.
///
/// # Panics
/// If it cannot be made: no Python, or `PyPI` cannot be reached.
#[must_use]
pub fn tools() -> Venv {
    let mut hasher = DefaultHasher::new();
    TOOLS.hash(&mut hasher);
    let root = target_folder().join("python");
    fs::create_dir_all(&root).expect("the target folder can be written");
    let folder = root.join(format!("{:016x}", hasher.finish()));
    // Several tests may ask at the same time; the first makes it, the others wait.
    let lock = File::create(folder.with_extension("lock")).expect("the target folder can be written");
    lock.lock().expect("a file in the target folder can be locked");
    let list = folder.join("packages.txt");
    if fs::read_to_string(&list).is_ok_and(|made| made == TOOLS.join("\n")) {
        return Venv { folder };
    }
    let _ = fs::remove_dir_all(&folder);
    let python = Command::new("python3").args(["-m", "venv"]).arg(&folder).output();
    succeeded(python, "python3 -m venv", "install Python 3 with its venv (Debian: `apt install python3-venv`)");
    let venv = Venv { folder };
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"];
    let pip = venv.command("python").args(install).args(TOOLS).output();
    let what = format!("pip install {}", TOOLS.join(" "));
    succeeded(pip, &what, "this test runs tools from `PyPI`; let it reach PyPI once, and it will not ask again");
    fs::write(list, TOOLS.join("\n")).expect("the target folder can be written");
    venv
}

fn succeeded(output: std::io::Result<std::process::Output>, what: &str, cure: &str) {
    match output {
        Ok(output) if output.status.success() => {}
        Ok(output) => panic!("`{what}` failed: {}\nhint: {cure}", String::from_utf8_lossy(&output.stderr)),
        Err(error) => panic!("`{what}` cannot be run: {error}\nhint: {cure}"),
    }
}

/// The folder that cargo builds into, which this test was built into too: it runs from `deps` in it.
fn target_folder() -> PathBuf {
    let own = std::env::current_exe().expect("a test knows where it is");
    let deps = own.ancestors().find(|folder| folder.ends_with("deps"));
    deps.and_then(Path::parent).expect("a test runs from cargo's target folder").to_owned()
}
