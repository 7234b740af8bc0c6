//! The writing thread, one for all others: it takes whatever waits, writes it in one go, waits for the disk
//! once, and tells the catalog once. The slower the disk, the more share one wait.

mod keeper;
mod room;
mod uploads;

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::thread::{self, JoinHandle};

use super::{Error, Options, Parcel, Receipt};
use crate::segment::Folder;
use crate::store::Store;
use driftline_catalog::Catalog;
use keeper::Keeper;
use room::Room;
pub(super) use room::Ticket;

/// So many parcels may wait, if they are small; who brings one more waits too.
const MOST_WAITING: usize = 256;

/// So many share one wait for the disk.
const MOST_TOGETHER: usize = 256;

/// The thread that writes, seen from outside.
pub(super) struct Writer {
    jobs: Option<SyncSender<Job>>,
    room: Room,
    thread: Option<JoinHandle<Result<(), Error>>>,
}

/// A parcel that was handed over.
pub struct Waiting(Receiver<Result<Receipt, Error>>);

enum Job {
    Append(Parcel, Sender<Result<Receipt, Error>>),
    Seal(Sender<Result<(), Error>>),
}

impl Waiting {
    /// Waits until the parcel is on the disk and in the catalog.
    ///
    /// # Errors
    /// If it was not kept.
    pub fn wait(self) -> Result<Receipt, Error> {
        self.0.recv().unwrap_or(Err(Error::Closed))
    }
}

impl Writer {
    pub(super) fn start(
        options: &Options,
        folder: &Folder,
        catalog: &Arc<Catalog>,
        store: &Arc<Store>,
    ) -> Result<Self, Error> {
        let (jobs, waiting) = mpsc::sync_channel(MOST_WAITING);
        let keeper = Keeper::new(options, folder, catalog, store)?;
        let thread = thread::Builder::new().name("driftline-writer".to_owned()).spawn(move || work(keeper, &waiting));
        let thread = thread.map_err(Error::file("start a thread for", folder.path()))?;
        Ok(Self { jobs: Some(jobs), room: Room::default(), thread: Some(thread) })
    }

    pub(super) fn enqueue(&self, mut parcel: Parcel) -> Result<Waiting, Error> {
        parcel.hold(self.room.enter(parcel.weight()));
        let (answer, waiting) = mpsc::channel();
        self.send(Job::Append(parcel, answer))?;
        Ok(Waiting(waiting))
    }

    /// Closes the open segment, once all that was handed over before is in it.
    pub(super) fn seal(&self) -> Result<(), Error> {
        let (answer, waiting) = mpsc::channel();
        self.send(Job::Seal(answer))?;
        waiting.recv().unwrap_or(Err(Error::Closed))
    }

    fn send(&self, job: Job) -> Result<(), Error> {
        self.jobs.as_ref().ok_or(Error::Closed)?.send(job).map_err(|_| Error::Closed)
    }

    /// Finishes all that was handed over, closes the segment, and waits for uploads.
    pub(super) fn close(&mut self) -> Result<(), Error> {
        self.jobs = None;
        self.thread.take().map_or(Ok(()), |thread| thread.join().unwrap_or(Err(Error::Closed)))
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        let _ = self.close();
    }
}

fn work(mut keeper: Keeper, jobs: &Receiver<Job>) -> Result<(), Error> {
    let mut next = VecDeque::new();
    while let Some(job) = next.pop_front().or_else(|| jobs.recv().ok()) {
        match job {
            Job::Seal(answer) => {
                let _ = answer.send(keeper.seal());
            }
            Job::Append(parcel, answer) => {
                let mut group = vec![(parcel, answer)];
                let mut room = keeper.room().saturating_sub(group[0].0.length());
                while let Some(job) = next.pop_front().or_else(|| jobs.try_recv().ok()) {
                    match job {
                        Job::Append(parcel, answer) if room > 0 && group.len() < MOST_TOGETHER => {
                            room = room.saturating_sub(parcel.length());
                            group.push((parcel, answer));
                        }
                        job => {
                            next.push_front(job);
                            break;
                        }
                    }
                }
                keeper.keep(group);
            }
        }
    }
    keeper.finish()
}
