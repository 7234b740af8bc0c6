//! Control groups in folders made by hand, and one of the kernel where it allows that.

use std::process::{Child, Command};

use tempfile::TempDir;

use super::*;

/// A folder like that of a group with one process.
fn group(controllers: &str, processes: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("cgroup.controllers", controllers), ("cgroup.procs", processes)] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap_or_default()
}

#[test]
fn where_it_may_driftline_moves_into_a_group_and_chromium_gets_another_with_a_limit() {
    let own = group("cpu memory pids\n", "77\n");
    let made = Group::make_in(own.path(), 77, 5_000).unwrap();
    assert_eq!(read(own.path(), "daemon/cgroup.procs"), "77");
    assert_eq!(read(own.path(), "cgroup.subtree_control"), "+memory");
    let limits = ["memory.max", "memory.swap.max", "memory.oom.group"].map(|name| read(&made.folder, name));
    assert_eq!(limits, ["5000", "0", "1"]);
    assert_eq!(made.door(), own.path().join("chromium/cgroup.procs"));
    // The next Chromium is started from the group that driftline is in by then.
    let again = Group::make_in(&own.path().join("daemon"), 77, 6_000).unwrap();
    assert_eq!((again.folder, read(&made.folder, "memory.max").as_str()), (made.folder, "6000"));
}

#[test]
fn where_it_may_not_nothing_is_changed() {
    for (controllers, processes) in [("cpu pids", "77"), ("", "77"), ("memory", "77\n78"), ("memory", "1")] {
        let own = group(controllers, processes);
        Group::make_in(own.path(), 77, 5_000).unwrap_err();
        assert_eq!(fs::read_dir(own.path()).unwrap().count(), 2, "{controllers}: {processes}");
    }
    Group::make_in(Path::new("/nowhere"), 77, 5_000).unwrap_err();
}

#[test]
fn a_group_that_cannot_be_split_keeps_its_process() {
    let own = group("memory", "77");
    fs::create_dir(own.path().join("cgroup.subtree_control")).unwrap();
    fs::write(own.path().join("cgroup.procs"), "").unwrap();
    Group::make_in(own.path(), 77, 5_000).unwrap_err();
    assert_eq!(read(own.path(), "cgroup.procs"), "77");
}

#[test]
fn a_group_is_exceeded_when_the_kernel_ended_a_process_since_it_was_made() {
    let own = group("memory", "77");
    fs::create_dir(own.path().join("chromium")).unwrap();
    let events = |ended: u32| {
        let text = format!("low 0\nmax 9\noom {ended}\noom_kill {ended}\noom_group_kill 0\n");
        fs::write(own.path().join("chromium/memory.events"), text).unwrap();
    };
    events(3);
    let made = Group::make_in(own.path(), 77, 5_000).unwrap();
    assert!(!made.is_exceeded());
    events(4);
    assert!(made.is_exceeded());
}

#[test]
fn a_group_is_left_to_a_user_to_whom_the_one_around_it_does_not_belong() {
    let group = tempfile::tempdir().unwrap();
    if fs::metadata(group.path()).unwrap().uid() == 0 {
        std::os::unix::fs::chown(group.path(), Some(65_534), None).unwrap();
    }
    let inner = group.path().join(OWN);
    fs::create_dir(&inner).unwrap();
    std::os::unix::fs::chown(&inner, Some(fs::metadata(group.path()).unwrap().uid()), None).unwrap();
    assert!(is_delegated(group.path()));
    assert!(!is_delegated(&inner) && !is_delegated(Path::new("/nowhere/daemon")) && !is_delegated(Path::new("/")));
}

#[test]
fn the_group_of_a_process_is_the_one_of_version_two() {
    assert_eq!(path("4:memory:/a\n0::/system.slice/driftline.service\n"), Some("system.slice/driftline.service"));
    assert_eq!((path("0::/\n"), path("4:memory:/a\n"), path("")), (Some(""), None, None));
}

/// A process that ends with the test.
struct Sleeper(Child);

impl Drop for Sleeper {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A new group of the kernel with any controller; none where that cannot be, as without privileges.
fn group_of_the_kernel() -> Option<(PathBuf, String)> {
    let mounts = fs::read_to_string("/proc/self/mounts").ok()?;
    let mount = mounts.lines().find(|line| line.split(' ').nth(2) == Some("cgroup2"))?.split(' ').nth(1)?;
    let folder = Path::new(mount).join(format!("driftline-test-{}", std::process::id()));
    fs::create_dir(&folder).ok()?;
    let controller = read(&folder, "cgroup.controllers").split_ascii_whitespace().next().map(str::to_owned);
    if controller.is_none() {
        fs::remove_dir(&folder).unwrap();
    }
    Some((folder, controller?))
}

#[test]
fn a_process_is_moved_as_the_kernel_wants_it() {
    let sleeper = Sleeper(Command::new("sleep").arg("60").spawn().unwrap());
    let id = sleeper.0.id();
    let made = group("memory", &id.to_string());
    split(made.path(), id, MEMORY).unwrap();
    assert_eq!(read(made.path(), "daemon/cgroup.procs"), id.to_string());
    let Some((folder, controller)) = group_of_the_kernel() else {
        println!("no group of the kernel may be made here");
        return;
    };
    fs::write(folder.join("cgroup.procs"), id.to_string()).unwrap();
    split(&folder, id, "none").unwrap_err();
    split(&folder, id, &controller).unwrap();
    let groups = fs::read_to_string(format!("/proc/{id}/cgroup")).unwrap();
    assert!(folder.join(OWN).ends_with(path(&groups).unwrap()), "{groups}");
    fs::create_dir(folder.join(CHROMIUM)).unwrap();
    let given = read(&folder.join(CHROMIUM), "cgroup.controllers");
    drop(sleeper);
    for name in [CHROMIUM, OWN, ""] {
        fs::remove_dir(folder.join(name)).unwrap();
    }
    assert_eq!(given.trim(), controller);
}
