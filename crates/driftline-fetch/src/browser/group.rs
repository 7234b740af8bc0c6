//! The control group of Chromium, where driftline may make one: the kernel then bounds its memory, at every moment.
//!
//! In cgroup v2 a group that has limits for the groups in it has no processes of its own. So where a service manager
//! leaves its group to driftline (`Delegate=memory`), driftline moves into a group within that, and Chromium starts in
//! another. It is left to driftline if the group belongs to its user and the one around it to somebody else: in a group
//! that the manager believes to be its own, it could no longer start anything. Where none is, nothing is changed:
//! Chromium's processes are [looked at](super::memory) either way.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// Where control groups are.
const MOUNT: &str = "/sys/fs/cgroup";
/// The controller that bounds memory.
const MEMORY: &str = "memory";
/// The group that driftline moves into, and that of Chromium.
const OWN: &str = "daemon";
const CHROMIUM: &str = "chromium";

/// The control group of Chromium.
#[derive(Debug, Clone)]
pub(super) struct Group {
    folder: PathBuf,
    /// Processes that the kernel had ended for their memory before this Chromium started.
    ended_before: u64,
}

impl Group {
    /// The group with at most so many bytes, where this process may make one.
    pub(super) fn make(most: u64) -> Option<Self> {
        let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
        let own = Path::new(MOUNT).join(path(&groups)?);
        if !is_delegated(&own) && !own.parent().is_some_and(|around| own.ends_with(OWN) && is_delegated(around)) {
            return None;
        }
        let made = Self::make_in(&own, std::process::id(), most);
        made.inspect_err(|error| tracing::debug!(%error, group = %own.display(), "Chromium has no control group")).ok()
    }

    /// The group beside that of a process, or beside the one that it is moved into.
    fn make_in(own: &Path, process: u32, most: u64) -> io::Result<Self> {
        let around = match own.parent() {
            // It was moved when the last Chromium started.
            Some(around) if own.ends_with(OWN) && around.join(CHROMIUM).is_dir() => around,
            _ => {
                split(own, process, MEMORY)?;
                own
            }
        };
        let folder = around.join(CHROMIUM);
        make_folder(&folder)?;
        fs::write(folder.join("memory.max"), most.to_string())?;
        // Without swap, and all of it at once; kernels without these files do as they like.
        let _ = fs::write(folder.join("memory.swap.max"), "0");
        let _ = fs::write(folder.join("memory.oom.group"), "1");
        let ended_before = ended(&folder);
        Ok(Self { folder, ended_before })
    }

    /// The file that a process writes `0` to, to move into the group.
    pub(super) fn door(&self) -> PathBuf {
        self.folder.join("cgroup.procs")
    }

    /// Whether the kernel ended processes of the group because they took too much memory.
    pub(super) fn is_exceeded(&self) -> bool {
        ended(&self.folder) > self.ended_before
    }
}

/// Whether a group is left to the user to whom it belongs.
fn is_delegated(group: &Path) -> bool {
    let owner = |folder: &Path| fs::metadata(folder).map(|about| about.uid()).ok();
    group.parent().is_some_and(|around| owner(group).is_some() && owner(group) != owner(around))
}

/// Moves a process from its group into one within it, so that the controller can be given to groups in that.
fn split(own: &Path, process: u32, controller: &str) -> io::Result<()> {
    let refused = |why: &str| Err(io::Error::new(io::ErrorKind::Unsupported, why.to_owned()));
    let read = |name: &str| fs::read_to_string(own.join(name));
    if !read("cgroup.controllers")?.split_ascii_whitespace().any(|known| known == controller) {
        return refused("its group has no such controller");
    }
    if read("cgroup.procs")?.split_ascii_whitespace().any(|id| id != process.to_string()) {
        return refused("its group has other processes");
    }
    let inner = own.join(OWN);
    make_folder(&inner)?;
    let moved = fs::write(inner.join("cgroup.procs"), process.to_string());
    let given = moved.and_then(|()| fs::write(own.join("cgroup.subtree_control"), format!("+{controller}")));
    given.inspect_err(|_| {
        // It is there already if it could not be moved.
        let _ = fs::write(own.join("cgroup.procs"), process.to_string());
        let _ = fs::remove_dir(&inner);
    })
}

fn make_folder(folder: &Path) -> io::Result<()> {
    match fs::create_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made,
    }
}

/// The path of a group of cgroup v2 in `/proc/ID/cgroup`, from where groups are mounted.
fn path(groups: &str) -> Option<&str> {
    groups.lines().find_map(|line| line.strip_prefix("0::/"))
}

/// Processes of a group that the kernel has ended for want of memory.
fn ended(folder: &Path) -> u64 {
    let events = fs::read_to_string(folder.join("memory.events")).unwrap_or_default();
    let count = events.lines().find_map(|line| line.strip_prefix("oom_kill "));
    count.and_then(|count| count.trim().parse().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests;
