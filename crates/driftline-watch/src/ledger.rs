//! Who writes down what checks found? One thread, for all others: it takes whatever waits and writes it in one
//! transaction. The slower the disk, the more share one wait for it.
//!
//! A check whose [`Recorder::record`] returned is in the catalog for good.

use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use driftline_archive::Archive;
use driftline_catalog::{CatalogError, Record};

/// So many may wait; who brings one more waits too.
const MOST_WAITING: usize = 256;

/// So many share one transaction.
const MOST_TOGETHER: usize = 256;

/// Why a check was not written down.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The catalog did not take it.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// The thread that writes could not be started.
    #[error("cannot start the thread that writes down checks")]
    Thread(#[source] std::io::Error),
    /// It was closed, or the thread that writes is gone.
    #[error("checks are not written down any more: the recorder is closed")]
    Closed,
}

/// Writes down what checks found. Its copies share one thread.
#[derive(Debug, Clone)]
pub struct Recorder(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    jobs: Mutex<Option<SyncSender<Job>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Debug)]
struct Job {
    record: Record,
    answer: Sender<Result<(), CatalogError>>,
}

/// What was handed over and may not be written yet.
#[derive(Debug)]
#[must_use = "it is in the catalog only when it was waited for"]
pub struct Handed(Receiver<Result<(), CatalogError>>);

impl Handed {
    /// Waits until it is in the catalog for good.
    ///
    /// # Errors
    /// If it is not there.
    pub fn wait(self) -> Result<(), RecordError> {
        Ok(self.0.recv().map_err(|_| RecordError::Closed)??)
    }
}

impl Recorder {
    /// Starts the thread that writes to an archive's catalog.
    ///
    /// # Errors
    /// If there is no room for another thread.
    pub fn start(archive: Arc<Archive>) -> Result<Self, RecordError> {
        let (jobs, waiting) = mpsc::sync_channel(MOST_WAITING);
        let thread = thread::Builder::new().name("driftline-ledger".to_owned());
        let thread = thread.spawn(move || work(&archive, &waiting)).map_err(RecordError::Thread)?;
        Ok(Self(Arc::new(Shared { jobs: Mutex::new(Some(jobs)), thread: Mutex::new(Some(thread)) })))
    }

    /// Writes down what a check found, and waits until it is in the catalog for good.
    ///
    /// # Errors
    /// If it is not there. What others recorded at the same time is not touched by that.
    pub fn record(&self, record: Record) -> Result<(), RecordError> {
        self.hand_over(record)?.wait()
    }

    /// Hands over what a check found. Records are written in the order in which they are handed over.
    ///
    /// # Errors
    /// If nothing is written any more.
    pub fn hand_over(&self, record: Record) -> Result<Handed, RecordError> {
        let (answer, waiting) = mpsc::channel();
        let jobs = lock(&self.0.jobs).clone().ok_or(RecordError::Closed)?;
        jobs.send(Job { record, answer }).map_err(|_| RecordError::Closed)?;
        Ok(Handed(waiting))
    }

    /// Finishes all that was handed over. Dropping the last copy does the same.
    pub fn close(&self) {
        self.0.close();
    }
}

impl Shared {
    fn close(&self) {
        lock(&self.jobs).take();
        if let Some(thread) = lock(&self.thread).take() {
            // A thread that panicked has told so, and whoever waited for it got an error.
            let _ = thread.join();
        }
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.close();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn work(archive: &Archive, jobs: &Receiver<Job>) {
    while let Ok(first) = jobs.recv() {
        let rest = jobs.try_iter().take(MOST_TOGETHER - 1);
        let (records, answers): (Vec<Record>, Vec<_>) =
            std::iter::once(first).chain(rest).map(|job| (job.record, job.answer)).unzip();
        if archive.catalog().record(&records).is_ok() {
            answers.iter().for_each(|answer| drop(answer.send(Ok(()))));
            continue;
        }
        // One of them may be to blame: each by itself, so that it fails alone.
        for (record, answer) in records.iter().zip(answers) {
            let _ = answer.send(archive.catalog().record(std::slice::from_ref(record)));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Barrier};
    use std::thread;

    use driftline::time::Time;
    use driftline_archive::Archive;
    use driftline_archive::capture::{Capture, Content};
    use driftline_catalog::{Change, Record, Watch, WatchState};
    use serde_json::json;

    use super::{RecordError, Recorder};

    fn record(uuid: &str) -> Record {
        let (uuid, url, title, tags) = (uuid.to_owned(), "http://a/".to_owned(), String::new(), Vec::new());
        let watch = Watch {
            uuid,
            url,
            title,
            tags,
            settings: json!({}),
            created: Time::from_microseconds(0),
            ..Watch::default()
        };
        let state = WatchState {
            next: None,
            checked: Some(Time::from_microseconds(7)),
            body: json!({}),
            ..WatchState::default()
        };
        Record { watch, state, change: None, events: Vec::new(), stream: None, members: None }
    }

    fn capture(at: i64) -> Capture {
        let file = Content::Resource { content_type: "text/plain".to_owned(), body: at.to_string().into() };
        Capture { url: "http://a/".to_owned(), at: Time::from_microseconds(at), content: file, metadata: Vec::new() }
    }

    #[test]
    fn checks_of_many_threads_are_there_when_they_are_told_so() {
        let folder = tempfile::tempdir().unwrap();
        let archive = Arc::new(Archive::open_at(folder.path()).unwrap());
        let recorder = Recorder::start(Arc::clone(&archive)).unwrap();
        let together = Barrier::new(8);
        thread::scope(|scope| {
            for thread in 0..8 {
                let (recorder, archive, together) = (recorder.clone(), &archive, &together);
                scope.spawn(move || {
                    together.wait();
                    for check in 0..20 {
                        let uuid = format!("{thread}-{check}");
                        recorder.record(record(&uuid)).unwrap();
                        assert!(archive.catalog().state(&uuid).unwrap().is_some(), "{uuid}");
                    }
                });
            }
        });
        assert_eq!(archive.catalog().states(0, 1_000).unwrap().len(), 160);
    }

    #[test]
    fn who_brings_what_cannot_be_written_fails_alone() {
        let folder = tempfile::tempdir().unwrap();
        let archive = Arc::new(Archive::open_at(folder.path()).unwrap());
        let recorder = Recorder::start(Arc::clone(&archive)).unwrap();
        let [older, newer] = [1, 2].map(|at| archive.append(&capture(at)).unwrap().id);
        // SQLite keeps a degree that is no number as NULL, which the column does not take.
        let change = Change {
            older,
            newer,
            recipe: 1,
            degree: f64::NAN,
            importance: None,
            body: json!({}),
            ..Change::default()
        };
        let together = Barrier::new(9);
        thread::scope(|scope| {
            for thread in 0..8 {
                let (recorder, together) = (recorder.clone(), &together);
                scope.spawn(move || {
                    together.wait();
                    (0..20).for_each(|check| recorder.record(record(&format!("{thread}-{check}"))).unwrap());
                });
            }
            together.wait();
            for _ in 0..20 {
                let odd = Record { change: Some(change.clone()), ..record("odd") };
                assert!(matches!(recorder.record(odd), Err(RecordError::Catalog(_))));
            }
        });
        assert_eq!(archive.catalog().states(0, 1_000).unwrap().len(), 160);
        assert_eq!(archive.catalog().state("odd").unwrap(), None);
    }

    #[test]
    fn a_closed_recorder_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let archive = Arc::new(Archive::open_at(folder.path()).unwrap());
        let recorder = Recorder::start(Arc::clone(&archive)).unwrap();
        recorder.record(record("a")).unwrap();
        recorder.close();
        recorder.close();
        assert!(matches!(recorder.record(record("b")), Err(RecordError::Closed)));
        drop(recorder);
        assert!(Arc::into_inner(archive).is_some(), "the thread has ended");
    }
}
