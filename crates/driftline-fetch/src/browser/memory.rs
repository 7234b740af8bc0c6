//! The memory of Chromium's processes, and their end when it is too much.
//!
//! A page may allocate as much as it likes, and the machine has other work to do. What counts is memory that has no file
//! behind it: Chromium's program and its data are mapped by each of its processes, and cost nothing twice. Where Chromium has
//! a [control group](super::group), the kernel ends it between two looks too.
//!
//! Where the kernel ends processes for want of memory, those of Chromium are its first choice.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::process::Child;
use tokio::sync::Mutex;
use tokio::task::{AbortHandle, spawn_blocking};
use tokio::time::sleep;

use super::super::FetchError;
use super::group::Group;

/// The pause between two looks at the processes.
const PAUSE: Duration = Duration::from_millis(250);

/// The score of a process that the kernel ends before all others.
const SCORE: &str = "1000";

/// Ends a Chromium whose processes take too much memory. It watches until it is dropped.
#[derive(Debug)]
pub(super) struct MemoryLimit {
    most: u64,
    is_exceeded: Arc<AtomicBool>,
    watching: AbortHandle,
    group: Option<Group>,
}

impl MemoryLimit {
    /// Watches the process and all that it starts, on Linux; elsewhere nothing is known of them.
    pub(super) fn watch(process: &Arc<Mutex<Child>>, id: Option<u32>, most: u64, group: Option<Group>) -> Self {
        let (is_exceeded, process) = (Arc::<AtomicBool>::default(), Arc::downgrade(process));
        let watching = tokio::spawn(watch(process, id, most, Arc::clone(&is_exceeded))).abort_handle();
        Self { most, is_exceeded, watching, group }
    }

    /// The failure of a page whose Chromium was ended; that of the page itself otherwise.
    pub(super) fn blame(&self, error: FetchError) -> FetchError {
        let is_exceeded = self.is_exceeded.load(Ordering::SeqCst);
        if !is_exceeded && !self.group.as_ref().is_some_and(Group::is_exceeded) {
            return error;
        }
        let most = self.most / 1_000_000;
        FetchError::Memory(format!(
            "Chromium was ended because it took more than {most} MB of memory\n\
             hint: a larger `memory` under `[browser]` in driftline.toml, if the page needs it"
        ))
    }
}

impl Drop for MemoryLimit {
    fn drop(&mut self) {
        self.watching.abort();
    }
}

async fn watch(process: Weak<Mutex<Child>>, id: Option<u32>, most: u64, is_exceeded: Arc<AtomicBool>) {
    let Some(id) = id else { return };
    loop {
        let Ok(taken) = spawn_blocking(move || taken(Path::new("/proc"), id)).await else { return };
        let Some(process) = process.upgrade() else { return };
        if taken > most {
            tracing::warn!(megabytes = taken / 1_000_000, most = most / 1_000_000, "Chromium takes too much memory");
            is_exceeded.store(true, Ordering::SeqCst);
            // One that cannot be killed has ended. Its children end with it.
            let _ = process.lock().await.start_kill();
            return;
        }
        drop(process);
        sleep(PAUSE).await;
    }
}

/// The bytes that a process and all that it started take. Each of them becomes the kernel's first choice on the way:
/// Chromium lowers the score of its pages.
fn taken(proc: &Path, id: u32) -> u64 {
    let family = family(proc, id);
    for id in &family {
        let score = proc.join(id.to_string()).join("oom_score_adj");
        if fs::read_to_string(&score).is_ok_and(|now| now.trim() != SCORE) {
            // It has ended, or its sandbox forbids it.
            let _ = fs::write(&score, SCORE);
        }
    }
    let status = |id: &u32| fs::read_to_string(proc.join(id.to_string()).join("status")).ok();
    family.iter().filter_map(status).map(|status| own_bytes(&status)).sum()
}

/// A process and all that it started, and they, and so on.
fn family(proc: &Path, id: u32) -> HashSet<u32> {
    let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
    for entry in fs::read_dir(proc).into_iter().flatten().flatten() {
        let Some(child) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        if let Some(parent) = parent(&stat) {
            children.entry(parent).or_default().push(child);
        }
    }
    let (mut family, mut next) = (HashSet::from([id]), vec![id]);
    while let Some(id) = next.pop() {
        next.extend(children.remove(&id).unwrap_or_default().into_iter().filter(|child| family.insert(*child)));
    }
    family
}

/// The parent in `/proc/ID/stat`: the second word after the name, which may hold blanks and parentheses.
fn parent(stat: &str) -> Option<u32> {
    stat.rsplit_once(')')?.1.split_ascii_whitespace().nth(1)?.parse().ok()
}

/// The memory in `/proc/ID/status` that no file is behind.
fn own_bytes(status: &str) -> u64 {
    let kilobytes = |name: &str| -> Option<u64> {
        status.lines().find_map(|line| line.strip_prefix(name))?.split_ascii_whitespace().next()?.parse().ok()
    };
    let sum = kilobytes("RssAnon:").unwrap_or_default() + kilobytes("RssShmem:").unwrap_or_default();
    sum * 1_024
}

#[cfg(test)]
mod tests {
    use super::{family, fs, own_bytes, parent, taken};

    #[test]
    fn the_memory_of_a_process_and_its_descendants_is_counted_and_nothing_else() {
        let proc = tempfile::tempdir().unwrap();
        let add = |id: u32, parent: u32, kilobytes: u64| {
            let folder = proc.path().join(id.to_string());
            fs::create_dir(&folder).unwrap();
            fs::write(folder.join("stat"), format!("{id} (a (b) c) S {parent} 1 1 0")).unwrap();
            let status = format!("Name:\ta\nVmRSS:\t999999 kB\nRssAnon:\t{kilobytes} kB\nRssShmem:\t1 kB\n");
            fs::write(folder.join("status"), status).unwrap();
            fs::write(folder.join("oom_score_adj"), "300\n").unwrap();
        };
        [(7, 1, 10), (8, 7, 20), (9, 8, 40), (10, 1, 80), (11, 10, 160)]
            .into_iter()
            .for_each(|(id, of, size)| add(id, of, size));
        fs::write(proc.path().join("uptime"), "1.0 1.0").unwrap();
        assert_eq!(family(proc.path(), 7), [7, 8, 9].into());
        assert_eq!(taken(proc.path(), 7), 73 * 1_024);
        let score = |id: u32| fs::read_to_string(proc.path().join(format!("{id}/oom_score_adj"))).unwrap();
        assert_eq!([7, 8, 9, 10].map(score), ["1000", "1000", "1000", "300\n"]);
    }

    #[test]
    fn a_process_that_has_ended_takes_nothing() {
        assert_eq!(own_bytes("Name:\tchromium\nState:\tZ (zombie)\n"), 0);
        assert_eq!((parent(""), parent("5 (x"), parent("5 (x) Z 4 5")), (None, None, Some(4)));
    }
}
